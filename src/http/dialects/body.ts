/** Bodies of the drop-in interfaces: multipart, urlencoded or JSON. JSON is detected by its content, not its type. */
import { finished } from 'node:stream/promises';
import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { collectBytes } from '../../collect-bytes.ts';
import type { BodyFields, SentFile } from '../../dialects/body-fields.ts';
import { PackshotError } from '../../errors.ts';
import type { Server } from '../dependencies.ts';
import { fileTooLarge, toFormError } from '../form-errors.ts';
import { keepLeastRate, type LeastRate } from '../least-rate.ts';

/** Form parts with these names are files even if they have no file name. */
const fileNames = ['image_file', 'bg_image_file', 'file'];
/** Bytes allowed for part headers and text fields, beyond the files. */
const overheadBytes = 1024 * 1024;
/**
 * Maximum form parts: enough for all fields of remove.bg, including those for single subject classes, and some unknown
 * fields.
 */
const mostParts = 100;

/** Maximum bytes of a body, which may contain a photo and a background. */
const limitBody = (maxFileBytes: number): number => 2 * maxFileBytes + overheadBytes;
const limitText = (maxFileBytes: number): number => Math.ceil((4 / 3) * maxFileBytes) + overheadBytes;

export async function acceptDialectBodies(server: Server, maxFileBytes: number): Promise<void> {
  await server.register(multipart, {
    throwFileSizeLimit: true,
    isPartAFile: (name, type, fileName) =>
      fileName !== undefined ||
      type === 'application/octet-stream' ||
      (name !== undefined && fileNames.includes(name)),
    limits: { fileSize: maxFileBytes, parts: mostParts, fieldSize: limitText(maxFileBytes), headerPairs: 50 },
  });
  // The framework must not read the body; the handler does so once it has a memory slot.
  for (const type of ['application/json', 'text/plain', '*']) {
    if (server.hasContentTypeParser(type)) server.removeContentTypeParser(type);
  }
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/**
 * Reads the fields and files of a body. Throws `file_too_large`, `missing_file`, `malformed_json` and `upload_timeout`.
 */
export async function readBody(
  request: FastifyRequest,
  rate: LeastRate,
  maxFileBytes: number,
): Promise<BodyFields> {
  if (Number(request.headers['content-length'] ?? 0) > limitBody(maxFileBytes))
    throw fileTooLarge(maxFileBytes);
  return keepLeastRate(request.raw, rate, () =>
    request.isMultipart?.() ? readForm(request, maxFileBytes) : readText(request, maxFileBytes),
  );
}

async function readForm(request: FastifyRequest, maxFileBytes: number): Promise<BodyFields> {
  const text = new Map<string, string>();
  const files = new Map<string, SentFile>();
  let bodyBytes = 0;
  request.raw.on('data', (chunk: Buffer) => {
    bodyBytes += chunk.length;
  });
  try {
    for await (const part of request.parts()) {
      if (bodyBytes > limitBody(maxFileBytes)) throw fileTooLarge(maxFileBytes);
      if (part.type === 'file') {
        if (files.has(part.fieldname)) await finished(part.file.resume());
        else {
          const bytes = await part.toBuffer();
          if (bytes.length > 0) files.set(part.fieldname, { bytes, name: part.filename });
        }
      } else if (part.valueTruncated) throw fileTooLarge(maxFileBytes);
      else addField(text, part.fieldname, part.value);
    }
  } catch (error) {
    throw toFormError(error, maxFileBytes);
  }
  return { text, files };
}

async function readText(request: FastifyRequest, maxFileBytes: number): Promise<BodyFields> {
  const bytes = await collectBytes(request.raw, limitText(maxFileBytes), () => fileTooLarge(maxFileBytes));
  const body = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const text = new Map<string, string>();
  const files = new Map<string, SentFile>();
  // `curl -d` labels JSON as a form, and browsers label it as plain text, but the first character shows that it is
  // JSON.
  if (/^\s*[[{]/.test(body)) {
    for (const [name, value] of Object.entries(parseObject(body))) addField(text, name, value);
  } else if (/^application\/x-www-form-urlencoded/i.test(request.sentType)) {
    for (const [name, value] of new URLSearchParams(body)) addField(text, name, value);
  } else if (body.trim() !== '')
    throw new PackshotError('malformed_json', 'The body is neither JSON nor a form.');
  return { text, files };
}

function parseObject(body: string): object {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new PackshotError('malformed_json', 'The body is not valid JSON.', { cause });
  }
  throw new PackshotError('malformed_json', 'The body is not a JSON object.');
}

/**
 * Adds a field unless there is one with this name. Empty values are omitted. An object's members become fields
 * `name[member]`.
 */
function addField(text: Map<string, string>, name: string, value: unknown): void {
  if (value === null || value === undefined || value === '' || text.has(name)) return;
  if (typeof value !== 'object') text.set(name, String(value).trim() === '' ? '' : String(value));
  else for (const [member, own] of Object.entries(value)) addMember(text, `${name}[${member}]`, own);
  if (text.get(name) === '') text.delete(name);
}

function addMember(text: Map<string, string>, name: string, value: unknown): void {
  if (typeof value === 'object' || value === '' || value === undefined) return;
  text.set(name, String(value));
}
