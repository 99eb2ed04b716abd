/**
 * Reads multipart forms with one file (in a field named `file` unless the endpoint chooses another name) and a few text
 * fields.
 */
import { finished } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { PackshotError } from '../errors.ts';
import type { Server } from './dependencies.ts';
import { fileTooLarge, toFormError } from './form-errors.ts';
import { keepLeastRate, type LeastRate } from './least-rate.ts';

export interface FileForm {
  readonly file: { readonly bytes: Buffer; readonly name: string };
  /** Text fields; of several fields with the same name, the first. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Maximum bytes of a form's boundaries and part headers: `form`, plus `part` for each part. `part` suffices for a file
 * name of a few hundred characters.
 */
const headerBytes = { form: 4_096, part: 512 } as const;
/** How much larger than its file a whole body may be, in bytes: room for part headers and text fields. */
const formOverheadBytes = 1024 * 1024;

export const formBodyLimit = (maxFileBytes: number): number => maxFileBytes + formOverheadBytes;

interface FormKind {
  /** Name of the file's field. */
  readonly field: string;
  /** Maximum bytes of a text field. */
  readonly fieldBytes: number;
}

const uploadForm: FormKind = { field: 'file', fieldBytes: 64 * 1024 };

/** Adds form parsing to a server whose endpoints accept only forms. */
export async function acceptFileForms(server: Server, maxFileBytes: number): Promise<void> {
  await acceptFormsBesideJson(server, maxFileBytes, uploadForm);
  // A body of any other type is not read; the handler refuses it.
  server.removeContentTypeParser('*');
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Adds form parsing to a server whose endpoints also accept JSON. */
export async function acceptFormsBesideJson(
  server: Server,
  maxFileBytes: number,
  { field, fieldBytes }: FormKind,
): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: true,
    // A part with an image Content-Type is a file even if it has no file name.
    isPartAFile: (name, type, fileName) =>
      fileName !== undefined ||
      type === 'application/octet-stream' ||
      (name === field && type !== undefined && /^image\//i.test(type)),
    limits: { fileSize: maxFileBytes, parts: 10, fieldSize: fieldBytes, headerPairs: 50 },
  });
}

/** Refuses a form whose Content-Length shows that its file is too large, allowing for the overhead of the form. */
export function refuseDeclaredExcess(request: FastifyRequest, maxFileBytes: number): void {
  if (Number(request.headers['content-length'] ?? 0) <= formBodyLimit(maxFileBytes)) return;
  throw fileTooLarge(maxFileBytes);
}

/**
 * Returns a function that reads the form on its first call and caches it. The function throws `missing_file`,
 * `invalid_field`, `upload_timeout`, and errors for exceeded size limits.
 */
export function readFormOnce(
  request: FastifyRequest,
  rate: LeastRate,
  field = uploadForm.field,
): () => Promise<FileForm> {
  let reading: Promise<FileForm> | undefined;
  return () => (reading ??= keepLeastRate(request.raw, rate, () => readForm(request, field)));
}

/** Lists the whole contents of a form, so that two forms can be compared. */
export const listForm = ({ file, fields }: FileForm): (string | Uint8Array)[] => [
  file.bytes,
  ...[...fields].flat(),
];

async function readForm(request: FastifyRequest, field: string): Promise<FileForm> {
  if (!request.isMultipart())
    throw missingFile(`Send multipart/form-data, as curl does with -F ${field}=@photo.jpg.`);
  const { file, fields, otherFiles } = await readParts(request, field).catch((error: unknown) => {
    throw toFormError(error, request.routeOptions.bodyLimit - formOverheadBytes);
  });
  if (!file) throw missingFile(explainMissingFile(field, [...fields.keys()], otherFiles));
  if (file.bytes.length === 0) throw missingFile('The file is empty.');
  if (otherFiles.length > 0)
    throw new PackshotError('invalid_field', 'The form contains more than one file; send one file per form.');
  return { file, fields };
}

async function readParts(request: FastifyRequest, field: string) {
  let file: FileForm['file'] | undefined;
  const fields = new Map<string, string>();
  const otherFiles: string[] = [];
  let parts = 0;
  let valueBytes = 0;
  let bodyBytes = 0;
  // Only counts bytes. The parser reads the same stream and applies backpressure.
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
