/** The fields of a call's body, whatever kind of body it was; and how single values are read. */
import type { Length, PictureSource } from './order.ts';

export interface SentFile {
  readonly bytes: Uint8Array;
  readonly name: string | undefined;
}

/** The first of each name. What was left empty is not there. */
export interface BodyFields {
  readonly text: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, SentFile>;
}

/** Undefined for what is no boolean. */
export function readBoolean(text: string): boolean | undefined {
  if (/^(true|1|yes|on|t|y)$/i.test(text)) return true;
  if (/^(false|0|no|off|f|n)$/i.test(text)) return false;
  return undefined;
}

/** `12px`, `30%`, or a bare 0. Undefined for what is no length. */
export function readLength(text: string): Length | undefined {
  const [, number = '', unit = ''] = /^(-?\d+(?:\.\d+)?)(px|%)?$/.exec(text) ?? [];
  if (number === '' || (unit === '' && Number(number) !== 0)) return undefined;
  return unit === '%' ? { share: Number(number) / 100 } : { px: Number(number) };
}

/** Lengths with blanks or commas between them; undefined unless all of them are. */
export function readLengths(text: string): readonly Length[] | undefined {
  const lengths = text
    .trim()
    .split(/[\s,]+/)
    .map(readLength);
  return lengths.every((length) => length !== undefined) ? lengths : undefined;
}

/** With or without a `data:` prefix, in one line or many, in either alphabet; a form may have made blanks of its pluses. */
export function decodeBase64(text: string): Buffer {
  const [prefix = ''] = /^\s*data:[^,]{0,200},/.exec(text) ?? [];
  return Buffer.from(text.slice(prefix.length).replaceAll(' ', '+'), 'base64');
}

/** Those of the three ways to send a picture that were used. */
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
