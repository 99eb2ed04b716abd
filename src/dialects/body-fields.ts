/** The fields of a body, independent of its content type; and parsers of single values. */
import type { Length, PictureSource } from './order.ts';

export interface SentFile {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
}

/** The first value of each name; empty values are omitted. A file that was sent as base64 is a file here. */
export interface BodyFields {
  readonly text: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, SentFile>;
}

/** Names under which clients of one service or another send the photo. */
export const photoNames = ['file', 'image', 'image_file', 'photo', 'imageFile'];

/** The photo under this name, or else under another usual one. */
export function findPhoto({ files }: Pick<BodyFields, 'files'>, name: string): SentFile | undefined {
  return files.get(name) ?? photoNames.map((other) => files.get(other)).find((file) => file !== undefined);
}

/** What came instead of a photo, for a refusal. */
export function describeSent({ text, files }: BodyFields): string {
  const names = [...files.keys(), ...text.keys()]
    .slice(0, 10)
    .map((name) => JSON.stringify(name.slice(0, 50)));
  return names.length > 0 ? `The body contains ${names.join(', ')}.` : 'The body contains no fields.';
}

/** Undefined if the text is not a boolean. */
export function readBoolean(text: string): boolean | undefined {
  if (/^(true|1|yes|on|t|y)$/i.test(text)) return true;
  if (/^(false|0|no|off|f|n)$/i.test(text)) return false;
  return undefined;
}

/** `12px`, `30%`, or a bare 0. Undefined if the text is not a length. */
export function readLength(text: string): Length | undefined {
  const [, number = '', unit = ''] = /^(-?\d+(?:\.\d+)?)(px|%)?$/.exec(text) ?? [];
  if (number === '' || (unit === '' && Number(number) !== 0)) return undefined;
  return unit === '%' ? { share: Number(number) / 100 } : { px: Number(number) };
}

/** Lengths separated by spaces or commas; undefined if any of them is invalid. */
export function readLengths(text: string): readonly Length[] | undefined {
  const lengths = text
    .trim()
    .split(/[\s,]+/)
    .map(readLength);
  return lengths.every((length) => length !== undefined) ? lengths : undefined;
}

/** Looks a name up in a table, regardless of case. Names that every object inherits are not in it. */
export function findOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The pictures in the body: sent as files, as base64, or as URLs. */
export function listSources(
  { text, files }: BodyFields,
  names: { readonly file: string; readonly base64?: string; readonly url?: string },
): PictureSource[] {
  const file = photoNames.includes(names.file) ? findPhoto({ files }, names.file) : files.get(names.file);
  const base64 = names.base64 === undefined ? undefined : files.get(names.base64);
  const sent = [file, base64].filter((one) => one !== undefined);
  const url = names.url === undefined ? undefined : text.get(names.url);
  return [
    ...sent.map(({ bytes, name }) => ({ bytes, fileName: name })),
    ...(url === undefined ? [] : [{ url: url.trim() }]),
  ];
}
