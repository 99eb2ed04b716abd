/**
 * Reads the multipart form of a batch: a field `batch` with the JSON document, followed by the files that the document
 * names.
 */
import { createHash } from 'node:crypto';
import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type ItemFailure, MOST_ITEMS } from '../batches/batch.ts';
import { collectBytes } from '../collect-bytes.ts';
import { PackshotError } from '../errors.ts';
import type { PublishedLimits, Server } from './dependencies.ts';
import { isOverLimit, toFormError } from './form-errors.ts';
import { keepLeastRate } from './least-rate.ts';

type KeptFile = { readonly number: number } | { readonly failure: ItemFailure };

export interface BatchForm<Document> {
  readonly document: Document;
  /** By file name: the number under which the file was stored, or the reason why it was not. */
  readonly files: ReadonlyMap<string, KeptFile>;
  /** Identifies the form's contents; input of the digest that recognizes a repeated call. */
  readonly sent: readonly string[];
}

interface Means<Document> {
  readonly published: PublishedLimits;
  /** Throws if the document is invalid. */
  readonly parse: (text: string) => Document;
  readonly listFiles: (document: Document) => readonly string[];
  /** Stores a file. The next file is not read before the returned promise resolves. */
  readonly keep: (number: number, bytes: Uint8Array) => Promise<void>;
}

export async function acceptBatchForms(server: Server, { image, requests }: PublishedLimits): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fileSize: image.maxBytes,
      files: MOST_ITEMS,
      parts: MOST_ITEMS + 1,
      fieldSize: requests.batchBytes,
      headerPairs: 50,
    },
    ...fileNames,
  });
}

/**
 * Keeps folders in file names, because the names are compared with those in the document. A separate object, because
 * the plugin's types lack these parser options.
 */
const fileNames = { preservePath: true, defParamCharset: 'utf8' };

/**
 * Throws `missing_field`, `missing_file`, `unknown_field`, `invalid_field`, `body_too_large`, `upload_timeout`, and the
 * errors of `parse` and `keep`.
 */
export async function readBatchForm<Document>(
  request: FastifyRequest,
  means: Means<Document>,
): Promise<BatchForm<Document>> {
  try {
    return await keepLeastRate(request.raw, means.published.upload, () => readParts(request, means));
  } catch (error) {
    if (!isOverLimit(error)) throw toFormError(error, means.published.image.maxBytes);
    throw new PackshotError(
      'invalid_field',
      `The form may have only one field "batch" and at most ${MOST_ITEMS} files.`,
    );
  }
}

async function readParts<Document>(
  request: FastifyRequest,
  { published, parse, listFiles, keep }: Means<Document>,
): Promise<BatchForm<Document>> {
  let document: Document | undefined;
  let wanted: ReadonlySet<string> = new Set();
  const files = new Map<string, KeptFile>();
  const sent: string[] = [];
  let left = published.batchFormBytes;
  for await (const part of request.parts()) {
    if (document === undefined) {
      const text =
        part.fieldname === 'batch' ? await readText(part, published.requests.batchBytes) : undefined;
      if (text === undefined)
        throw new PackshotError('missing_field', 'The form must begin with the field "batch".');
      document = parse(text);
      wanted = new Set(listFiles(document).map(nameOnWire));
      sent.push(text);
      continue;
    }
    if (part.type !== 'file') {
      throw new PackshotError(
        'unknown_field',
        `Only files may follow the field "batch"; "${part.fieldname}" is not a file.`,
      );
    }
    const name = nameOnWire(part.filename);
    if (!wanted.has(name)) throw new PackshotError('invalid_field', `No item refers to the file "${name}".`);
    if (files.has(name)) throw new PackshotError('invalid_field', `The form has the file "${name}" twice.`);
    const bytes = await readFile(part, left);
    left -= bytes.byteLength;
    const failure = findFailure(bytes, part, published.image.maxBytes);
    if (!failure) await keep(files.size, bytes);
    sent.push(name, failure ? failure.code : createHash('sha256').update(bytes).digest('base64url'));
    files.set(name, failure ? { failure } : { number: files.size });
  }
  if (document === undefined) throw new PackshotError('missing_field', 'The form has no field "batch".');
  return { document, files, sent };
}

/** Reads the document, which clients send as a text field or as a file of type JSON. */
async function readText(part: Multipart, mostBytes: number): Promise<string> {
  if (part.type === 'file') return (await readFile(part, mostBytes)).toString('utf8');
  if (part.valueTruncated) {
    throw new PackshotError('body_too_large', `The field "batch" is larger than ${mostBytes} bytes.`);
  }
  return typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
}

const readFile = ({ file }: MultipartFile, mostBytes: number): Promise<Buffer> =>
  collectBytes(
    file,
    mostBytes,
    () =>
      new PackshotError(
        'body_too_large',
        'The form exceeds the size limit of a batch, see GET /v1/limits. Post several smaller batches.',
      ),
  );

/**
 * Checks one file. An invalid photo does not affect the others: only the items that use it fail, with the error that a
 * single upload would get.
 */
function findFailure(bytes: Buffer, { file }: MultipartFile, maxFileBytes: number): ItemFailure | undefined {
  if (file.truncated) {
    return { code: 'file_too_large', detail: `The file is larger than ${maxFileBytes} bytes.` };
  }
  return bytes.byteLength === 0 ? { code: 'missing_file', detail: 'The file is empty.' } : undefined;
}

/**
 * Encodes a file name as browsers and Node do in a form (HTML, "multipart/form-data"). Other clients may send the name
 * as it is.
 */
export function nameOnWire(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
