/** The fields of a body, independent of its content type; and parsers of single values. */
import type { Length, PictureSource } from './order.ts';

export interface SentFile {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
}

/** The first value of each name; empty values are omitted. */
export interface BodyFields {
  readonly text: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, SentFile>;
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

/**
 * Accepts a `data:` prefix, line breaks, both base64 alphabets, and spaces in place of `+`, because form decoding turns
 * each `+` into a space.
 */
export function decodeBase64(text: string): Buffer {
  const [prefix = ''] = /^\s*data:[^,]{0,200},/.exec(text) ?? [];
  return Buffer.from(text.slice(prefix.length).replaceAll(' ', '+'), 'base64');
}

/** The pictures in the body: sent as files, as base64, or as URLs. */
export function listSources(
  { text, files }: BodyFields,
  names: { readonly file: string; readonly base64?: string; readonly url?: string },
): PictureSource[] {
  const file = files.get(names.file);
  const base64 = names.base64 === undefined ? undefined : text.get(names.base64);
  const url = names.url === undefined ? undefined : text.get(names.url);
  return [
    ...(file ? [{ bytes: file.bytes, fileName: file.name }] : []),
    ...(base64 === undefined ? [] : [{ bytes: decodeBase64(base64), fileName: undefined }]),
    ...(url === undefined ? [] : [{ url: url.trim() }]),
  ];
}
