/**
 * Reads multipart forms with one file (in a field named `file` unless the endpoint chooses another name) and a few text
 * fields.
 */
import type { FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import type { PublishedLimits } from '../config.ts';
import { photoNames } from '../dialects/body-fields.ts';
import { type BodyLimits, createBytesSink, receiveInto, refuseDeclaredExcess } from './body/receive-body.ts';
import { readTextPart, receiveParts, type SentPart } from './body/receive-parts.ts';
import { echo } from './echo.ts';
import { fileTooLarge } from './form-errors.ts';
import type { LeastRate } from './least-rate.ts';

/** The file of a form, for the API document. */
export const photoFile = z
  .any()
  .meta({ type: 'string', format: 'binary', description: 'JPEG, PNG, WebP, AVIF, TIFF, GIF or HEIC.' });

export interface FileForm {
  readonly file: { readonly bytes: Buffer; readonly name: string };
  /** Text fields; of several fields with the same name, the first. */
  readonly fields: ReadonlyMap<string, string>;
}

/** How much larger than its file a whole body may be, in bytes: room for part headers and text fields. */
const formOverheadBytes = 1024 * 1024;
const mostParts = 10;

export const formBodyLimit = (maxFileBytes: number): number => maxFileBytes + formOverheadBytes;

export interface FormKind {
  readonly rate: LeastRate;
  readonly maxFileBytes: number;
  /** Name of the file's field. */
  readonly field?: string;
  /** Maximum bytes of a text field. */
  readonly fieldBytes?: number;
}

export const uploadForm = ({ image, upload }: PublishedLimits): FormKind => ({
  rate: upload,
  maxFileBytes: image.maxBytes,
});

/**
 * Returns a function that reads the form on its first call and caches it. The function throws `missing_file`,
 * `invalid_field`, `upload_timeout`, and errors for exceeded size limits.
 */
export function readFormOnce(request: FastifyRequest, kind: FormKind): () => Promise<FileForm> {
  const tooLarge = () => fileTooLarge(kind.maxFileBytes);
  const limits = { mostBytes: formBodyLimit(kind.maxFileBytes), rate: kind.rate, tooLarge };
  refuseDeclaredExcess(request, limits);
  let reading: Promise<FileForm> | undefined;
  return () => (reading ??= readForm(request, kind, limits));
}

/** Lists the whole contents of a form, so that two forms can be compared. */
export const listForm = ({ file, fields }: FileForm): (string | Uint8Array)[] => [
  file.bytes,
  ...[...fields].flat(),
];

async function readForm(
  request: FastifyRequest,
  { maxFileBytes, field = 'file', fieldBytes = 64 * 1024 }: FormKind,
  limits: BodyLimits,
): Promise<FileForm> {
  if (isPhotoType(request.sentType)) {
    const bytes = await receiveInto(request, limits, createBytesSink(maxFileBytes, limits.tooLarge));
    if (bytes.length === 0) throw missingFile('The file is empty.');
    const texts = Object.entries(request.query as object).filter(([, value]) => typeof value === 'string');
    return { file: { bytes, name: '' }, fields: new Map(texts) };
  }
  if (!request.isMultipart())
    throw missingFile(
      `Send multipart/form-data, as curl does with -F ${field}=@photo.jpg, or the photo itself with its image Content-Type; this body has ${request.sentType === '' ? 'no Content-Type' : `the Content-Type ${echo(request.sentType)}`}.`,
    );
  const files: FileForm['file'][] = [];
  const fields = new Map<string, string>();
  const otherFiles: string[] = [];
  await receiveParts(request, { ...limits, mostParts }, async (part) => {
    const { name, fileName = '', into } = part;
    if (!isFile(part, field)) {
      const text = await readTextPart(part, fieldBytes);
      if (!fields.has(name)) fields.set(name, text);
    } else if (isPhotoName(name, field) && files.length === 0) {
      const bytes = await into(createBytesSink(maxFileBytes, limits.tooLarge));
      const isText = part.fileName === undefined && !isPhotoType(part.type) && isPlainText(bytes);
      if (isText) fields.set(name, bytes.toString());
      else files.push({ bytes, name: fileName });
    } else otherFiles.push(name);
  });
  const [file] = files;
  if (!file) throw missingFile(explainMissingFile(field, [...fields.keys()], otherFiles));
  if (file.bytes.length === 0) throw missingFile('The file is empty.');
  if (otherFiles.length > 0)
    throw new PackshotError('invalid_field', 'The form contains more than one file; send one file per form.');
  return { file, fields };
}

/** Whether a body or a part of this type is the photo itself. */
export const isPhotoType = (type: string): boolean => /^(image\/|application\/octet-stream)/i.test(type);

/** A photo may have any of the usual names. */
const isPhotoName = (name: string, field: string): boolean =>
  name === field || (field === 'file' && photoNames.includes(name));

/** Such as the name of a file that was meant to be attached. */
const isPlainText = (bytes: Buffer): boolean => /^[\t\n\r\x20-\x7e]{0,1000}$/.test(bytes.toString('latin1'));

/** A photo is a file even if the part has no file name. */
const isFile = ({ name, fileName, type }: SentPart, field: string): boolean =>
  fileName !== undefined ||
  type === 'application/octet-stream' ||
  (field === 'file' ? photoNames.includes(name) : name === field && /^image\//i.test(type));

function explainMissingFile(field: string, fields: readonly string[], otherFiles: readonly string[]): string {
  if (fields.includes(field))
    return `The part named "${field}" is text: give it a file name (filename="photo.jpg") or an image Content-Type, as curl does with -F ${field}=@photo.jpg.`;
  const found = [...otherFiles, ...fields].map(echo);
  const instead = found.length > 0 ? ` It contains ${found.join(', ')}.` : ' It contains no parts.';
  return `The form contains no file in a field named "${field}".${instead}`;
}

function missingFile(detail: string): PackshotError {
  return new PackshotError('missing_file', detail);
}
