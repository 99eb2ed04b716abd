/** Bodies of the drop-in interfaces: multipart, urlencoded or JSON. JSON is detected by its content, not its type. */
import type { FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import type { PublishedLimits } from '../../config.ts';
import { type BodyFields, photoNames, type SentFile } from '../../dialects/body-fields.ts';
import { createBase64Sink } from '../body/base64-sink.ts';
import { createJsonSink, type SentJson } from '../body/json-sink.ts';
import { type BodyLimits, type BodySink, createBytesSink, receiveInto } from '../body/receive-body.ts';
import { readTextPart, receiveParts, type SentPart } from '../body/receive-parts.ts';
import { createUrlEncodedSink } from '../body/url-encoded-sink.ts';
import { isPhotoType } from '../file-form.ts';
import { fileTooLarge } from '../form-errors.ts';

/** Form parts with these names are files even if they have no file name. */
const fileNames = [...photoNames, 'bg_image_file', 'background.imageFile', 'keep_mask', 'remove_mask'];
/** Fields with these names are files in base64. */
const base64Names = ['image_file_b64'];
/** Bytes allowed for part headers and text fields, beyond the files. */
const overheadBytes = 1024 * 1024;
/** Maximum bytes of all text fields; of a single one in a form. */
const textBytes = 64 * 1024;
/**
 * Maximum fields: enough for all fields of remove.bg, including those for single subject classes, and some unknown
 * fields.
 */
const mostFields = 100;

/**
 * Reads the fields and files of a body. Throws `file_too_large`, `body_too_large`, `invalid_field`, `missing_file`,
 * `malformed_json` and `upload_timeout`.
 */
export function readBody(request: FastifyRequest, published: PublishedLimits): Promise<BodyFields> {
  if (request.isMultipart()) return readForm(request, published);
  return isPhotoType(request.sentType) ? readPhoto(request, published) : readText(request, published);
}

/** A form with a photo and a background, both of the maximum size, is within the limits. */
const limitBody = ({ upload, image: { maxBytes } }: PublishedLimits): BodyLimits => ({
  mostBytes: 2 * maxBytes + overheadBytes,
  rate: upload,
  tooLarge: () => fileTooLarge(maxBytes),
});

/** The body is the photo itself; its fields are in the query. */
async function readPhoto(request: FastifyRequest, published: PublishedLimits): Promise<BodyFields> {
  const limits = limitBody(published);
  const sink = createBytesSink(published.image.maxBytes, limits.tooLarge);
  const bytes = await receiveInto(request, limits, sink);
  const files = new Map(bytes.length > 0 ? [['file', { bytes, name: undefined }]] : []);
  return { text: readQuery(request.url), files };
}

async function readForm(request: FastifyRequest, published: PublishedLimits): Promise<BodyFields> {
  const text = new Map<string, string>();
  const files = new Map<string, SentFile>();
  const limits = limitBody(published);
  const { maxBytes } = published.image;
  await receiveParts(request, { ...limits, mostParts: mostFields }, async (part) => {
    const { name, fileName, into } = part;
    if (base64Names.includes(name)) {
      const bytes = await into(createBase64Sink(maxBytes));
      if (bytes && !files.has(name)) files.set(name, { bytes, name: undefined });
    } else if (!isFile(part)) addField(text, name, await readTextPart(part, textBytes));
    else if (!files.has(name)) {
      const bytes = await into(createBytesSink(maxBytes, limits.tooLarge));
      if (bytes.length > 0) files.set(name, { bytes, name: fileName });
    }
  });
  return { text, files };
}

const isFile = ({ name, fileName, type }: SentPart): boolean =>
  fileName !== undefined || type === 'application/octet-stream' || fileNames.includes(name);

async function readText(request: FastifyRequest, published: PublishedLimits): Promise<BodyFields> {
  const isForm = /^application\/x-www-form-urlencoded/i.test(request.sentType);
  const sink = createTextSink(isForm, published.image.maxBytes);
  const { isJson, text: bytes, files } = await receiveInto(request, limitBody(published), sink);
  const body = bytes.toString('utf8');
  const text = new Map<string, string>();
  const entries = isJson ? Object.entries(parseObject(body)) : new URLSearchParams(body);
  for (const [name, value] of entries) {
    if (!base64Names.includes(name)) addField(text, name, value);
  }
  return {
    text,
    files: new Map([...files].map(([name, bytes]) => [name, { bytes, name: undefined }])),
  };
}

/** The first value of each query parameter; empty values are omitted. */
export function readQuery(url: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URL(url, 'http://localhost').searchParams) addField(query, name, value);
  return query;
}

/**
 * `curl -d` labels JSON as a form, and browsers label it as plain text, but the first character shows that it is JSON.
 */
function createTextSink(
  isForm: boolean,
  mostFileBytes: number,
): BodySink<SentJson & { readonly isJson: boolean }> {
  const rules = { mostBytes: textBytes, mostValues: mostFields, files: base64Names, mostFileBytes } as const;
  let chosen: { readonly isJson: boolean; readonly sink: BodySink<SentJson> } | undefined;
  function choose(first: string): NonNullable<typeof chosen> {
    const isJson = first === '{' || first === '[';
    if (!isJson && !isForm) throw new PackshotError('malformed_json', 'The body is neither JSON nor a form.');
    const json = { ...rules, mostDepth: 2, hasLists: false, uncounted: [] };
    return { isJson, sink: isJson ? createJsonSink(json) : createUrlEncodedSink(rules) };
  }
  return {
    push(piece) {
      const beginning = chosen
        ? ''
        : piece
            .toString('utf8')
            .replace(/^\uFEFF/, '')
            .trimStart();
      if (!chosen && beginning === '') return;
      chosen ??= choose(beginning[0]!);
      chosen.sink.push(piece);
    },
    end: () => ({
      isJson: chosen?.isJson ?? false,
      ...(chosen?.sink.end() ?? { text: Buffer.alloc(0), files: new Map() }),
    }),
  };
}

function parseObject(body: string): object {
  try {
    const value: unknown = JSON.parse(body.replace(/^\uFEFF/, ''));
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
  if (typeof value !== 'object') {
    if (String(value).trim() !== '') text.set(name, String(value));
  } else
    for (const [member, own] of Object.entries(value)) {
      if (typeof own !== 'object' && own !== '') text.set(`${name}[${member}]`, String(own));
    }
}
