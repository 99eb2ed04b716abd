/** Multipart forms with one file field, named `file` unless the endpoint says otherwise, and a few text fields. */
import { finished } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { PackshotError } from '../errors.ts';
import type { Server } from './dependencies.ts';
import { keepLeastRate, type LeastRate } from './least-rate.ts';

export interface FileForm {
  readonly file: { readonly bytes: Buffer; readonly name: string };
  /** The first value of each name. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Limit for part headers, of which only the file name can be long (a few hundred characters). */
const headerBytes = { form: 4_096, part: 512 } as const;
/** Allowance for part headers and small fields. */
const formOverheadBytes = 1024 * 1024;

export const formBodyLimit = (maxFileBytes: number): number => maxFileBytes + formOverheadBytes;

interface FormKind {
  /** Name of the file's field. */
  readonly field: string;
  /** Maximum bytes of a text field. */
  readonly fieldBytes: number;
}

const uploadForm: FormKind = { field: 'file', fieldBytes: 64 * 1024 };

/** For endpoints that accept only forms. */
export async function acceptFileForms(server: Server, maxFileBytes: number): Promise<void> {
  await acceptFormsBesideJson(server, maxFileBytes, uploadForm);
  // Any other body is not a form: it is not read, and the handler refuses it.
  server.removeContentTypeParser('*');
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** For endpoints that also accept JSON. */
export async function acceptFormsBesideJson(
  server: Server,
  maxFileBytes: number,
  { field, fieldBytes }: FormKind,
): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: true,
    // A part with an image Content-Type is a file, with or without a file name.
    isPartAFile: (name, type, fileName) =>
      fileName !== undefined ||
      type === 'application/octet-stream' ||
      (name === field && type !== undefined && /^image\//i.test(type)),
    limits: {
      fileSize: maxFileBytes,
      parts: 10,
      fieldSize: fieldBytes,
      headerPairs: 50,
    },
  });
}

/** Refuses a form by its Content-Length, with an allowance for the overhead of the form. */
export function refuseDeclaredExcess(request: FastifyRequest, maxFileBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) <= formBodyLimit(maxFileBytes)) return;
  throw new PackshotError('file_too_large', `The file is larger than ${maxFileBytes} bytes.`);
}

/**
 * Reads the form on the first call, and caches it. Throws `missing_file`, `upload_timeout`, and the errors
 * for exceeded sizes.
 */
export function readFormOnce(
  request: FastifyRequest,
  rate: LeastRate,
  field = uploadForm.field,
): () => Promise<FileForm> {
  let reading: Promise<FileForm> | undefined;
  return () => (reading ??= keepLeastRate(request.raw, rate, () => readForm(request, field)));
}

/** The whole contents of a form, for comparing forms. */
export const listForm = ({ file, fields }: FileForm): (string | Uint8Array)[] => [
  file.bytes,
  ...[...fields].flat(),
];

async function readForm(request: FastifyRequest, field: string): Promise<FileForm> {
  if (!request.isMultipart())
    throw missingFile(`Send multipart/form-data, as curl does with -F ${field}=@photo.jpg.`);
  const { file, fields, otherFiles } = await readParts(request, field).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'FST_REQ_FILE_TOO_LARGE') {
      const maxFileBytes = request.routeOptions.bodyLimit - formOverheadBytes;
      throw new PackshotError('file_too_large', `The file is larger than ${maxFileBytes} bytes.`, {
        cause: error,
      });
    }
    if (limitCodes.has(code) || error instanceof PackshotError) throw error;
    throw new PackshotError('missing_file', 'The form is not valid multipart/form-data or broke off.', {
      cause: error,
    });
  });
  if (!file) throw missingFile(explainMissingFile(field, [...fields.keys()], otherFiles));
  if (file.bytes.length === 0) throw missingFile('The file is empty.');
  if (otherFiles.length > 0)
    throw new PackshotError('invalid_field', 'The form contains more than one file; send one file per form.');
  return { file, fields };
}

/** Parser errors about sizes; all other errors mean a malformed form. */
const limitCodes = new Set(['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT', 'FST_PROTO_VIOLATION']);

async function readParts(request: FastifyRequest, field: string) {
  let file: FileForm['file'] | undefined;
  const fields = new Map<string, string>();
  const otherFiles: string[] = [];
  let parts = 0;
  let valueBytes = 0;
  let bodyBytes = 0;
  // Runs alongside the parser, which applies backpressure for both.
  request.raw.on('data', (chunk: Buffer) => {
    bodyBytes += chunk.length;
  });
  for await (const part of request.parts()) {
    parts++;
    if (part.type === 'file') {
      if (part.fieldname === field && !file)
        file = { bytes: await part.toBuffer(), name: part.filename ?? '' };
      else {
        // A part may have no name, although the parser's types require one.
        otherFiles.push(part.fieldname ?? '');
        await finished(part.file.resume());
      }
      valueBytes += part.file.bytesRead;
    } else if (typeof part.value === 'string') {
      if (part.valueTruncated)
        throw new PackshotError('body_too_large', `The field "${part.fieldname}" is too large.`);
      valueBytes += Buffer.byteLength(part.value);
      if (!fields.has(part.fieldname)) fields.set(part.fieldname, part.value);
    }
  }
  if (bodyBytes - valueBytes > headerBytes.form + parts * headerBytes.part) {
    throw new PackshotError(
      'invalid_field',
      'A part header or a text field is too long; use short names and no headers except Content-Disposition and Content-Type.',
    );
  }
  return { file, fields, otherFiles };
}

function explainMissingFile(field: string, fields: readonly string[], otherFiles: readonly string[]): string {
  if (fields.includes(field))
    return `The part named "${field}" is text: give it a file name (filename="photo.jpg") or an image Content-Type, as curl does with -F ${field}=@photo.jpg.`;
  const found = [...otherFiles, ...fields].map((name) => JSON.stringify(name.slice(0, 50)));
  const instead = found.length > 0 ? ` It contains ${found.join(', ')}.` : ' It contains no parts.';
  return `The form contains no file in a field named "${field}".${instead}`;
}

function missingFile(detail: string): PackshotError {
  return new PackshotError('missing_file', detail);
}
