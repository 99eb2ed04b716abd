/**
 * Reads the multipart form of a batch: a field `batch` with the document, followed by the files that the document
 * names.
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import { type ItemFailure, MOST_ITEMS } from '../batches/batch.ts';
import type { PublishedLimits } from '../config.ts';
import type { BodyLimits, BodySink } from './body/receive-body.ts';
import { readTextPart, receiveParts, type SentPart } from './body/receive-parts.ts';
import { echo } from './echo.ts';
import { isOverLimit } from './form-errors.ts';

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

/**
 * Throws `missing_field`, `missing_file`, `unknown_field`, `invalid_field`, `body_too_large`, `upload_timeout`, and the
 * errors of `parse` and `keep`.
 */
export async function readBatchForm<Document>(
  request: FastifyRequest,
  { published, parse, listFiles, keep }: Means<Document>,
): Promise<BatchForm<Document>> {
  const documents: Document[] = [];
  let wanted: ReadonlySet<string> = new Set();
  const files = new Map<string, KeptFile>();
  const sent: string[] = [];
  let left = published.batchFormBytes;
  const take = async (part: SentPart): Promise<void> => {
    if (documents.length === 0) {
      if (part.name !== 'batch')
        throw new PackshotError('missing_field', 'The form must begin with the field "batch".');
      const text = await readTextPart(part, published.requests.batchBytes);
      documents.push(parse(text));
      wanted = new Set(listFiles(documents[0]!).map(nameOnWire));
      sent.push(text);
      return;
    }
    const { fileName, into } = part;
    if (fileName === undefined)
      throw new PackshotError(
        'unknown_field',
        `Only files may follow the field "batch"; ${echo(part.name)} is not a file.`,
      );
    const name = nameOnWire(fileName);
    if (!wanted.has(name))
      throw new PackshotError('invalid_field', `No item refers to the file ${echo(name)}.`);
    if (files.has(name))
      throw new PackshotError('invalid_field', `The form has the file ${echo(name)} twice.`);
    const { bytes, length } = await into(createPhotoSink(published.image.maxBytes, left));
    left -= length;
    const failure = findFailure(length, published.image.maxBytes);
    if (!failure) await keep(files.size, bytes);
    sent.push(name, failure ? failure.code : createHash('sha256').update(bytes).digest('base64url'));
    files.set(name, failure ? { failure } : { number: files.size });
  };
  const rules = { ...limitForm(published), mostParts: MOST_ITEMS + 1, hasFolders: true };
  await receiveParts(request, rules, take).catch((error: unknown) => {
    if (!isOverLimit(error)) throw error;
    throw new PackshotError(
      'invalid_field',
      `The form may have only one field "batch" and at most ${MOST_ITEMS} files.`,
    );
  });
  const [document] = documents;
  if (document === undefined) throw new PackshotError('missing_field', 'The form has no field "batch".');
  return { document, files, sent };
}

/** Bytes allowed for the part headers of a thousand files. */
const partHeaderBytes = 1024 * 1024;

/** The limits on a whole form. */
export const limitForm = ({ batchFormBytes, requests, upload }: PublishedLimits): BodyLimits => ({
  mostBytes: batchFormBytes + requests.batchBytes + partHeaderBytes,
  rate: upload,
  tooLarge: () =>
    new PackshotError(
      'body_too_large',
      `The files of a batch may have at most ${batchFormBytes} bytes in total. Post several smaller batches.`,
    ),
});

/** Keeps the bytes of a file up to `mostFileBytes`, and counts the others. Throws if there are more than `left`. */
function createPhotoSink(
  mostFileBytes: number,
  left: number,
): BodySink<{ readonly bytes: Buffer; readonly length: number }> {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    push(piece) {
      length += piece.length;
      if (length > left)
        throw new PackshotError(
          'body_too_large',
          'The form exceeds the size limit of a batch, see GET /v1/limits. Post several smaller batches.',
        );
      if (length > mostFileBytes) pieces.length = 0;
      else pieces.push(piece);
    },
    end: () => ({ bytes: Buffer.concat(pieces), length }),
  };
}

/**
 * Checks one file. An invalid photo does not affect the others: only the items that use it fail, with the error that a
 * single upload would get.
 */
function findFailure(length: number, maxFileBytes: number): ItemFailure | undefined {
  if (length > maxFileBytes)
    return { code: 'file_too_large', detail: `The file is larger than ${maxFileBytes} bytes.` };
  return length === 0 ? { code: 'missing_file', detail: 'The file is empty.' } : undefined;
}

/**
 * Encodes a file name as browsers and Node do in a form (HTML, "multipart/form-data"). Other clients may send the name
 * as it is.
 */
export function nameOnWire(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
