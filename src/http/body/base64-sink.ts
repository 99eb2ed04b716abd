/** Decodes a file that is sent as base64, while it arrives: the text of the whole file is never in memory. */
import { PackshotError } from 'packshot-errors';
import { fileTooLarge } from '../form-errors.ts';
import type { BodySink } from './receive-body.ts';

/** How the text that contains the file writes its characters. */
export type TextEscapes = 'none' | 'json' | 'url';

/** Maximum characters of a `data:` prefix, with its comma. */
const LONGEST_PREFIX = 210;
const [SPACE, PLUS] = [0x20, 0x2b] as const;
const isDigit = new Uint8Array(256);
for (const digit of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'))
  isDigit[digit] = 1;

/**
 * Accepts a `data:` prefix, line breaks, both base64 alphabets, and spaces in place of `+`, because form decoding turns
 * each `+` into a space. Undefined if there is no text. Throws `file_too_large`, and `malformed_json` for an invalid escape sequence.
 */
export function createBase64Sink(
  mostBytes: number,
  escapes: TextEscapes = 'none',
): BodySink<Buffer | undefined> {
  const decoded: Buffer[] = [];
  let bytes = 0;
  /** The beginning of an escape sequence that the next piece continues. */
  let openEscape = '';
  /** The beginning of the text, until it is known whether it is a prefix. */
  let beginning: string | undefined = '';
  /** Fewer digits than are decoded at once. */
  let rest = '';
  let isEmpty = true;

  function dropEscapes(text: string): string {
    if (escapes === 'none') return text;
    const whole = escapes === 'json' ? findOpenEscape(text) : findOpenPercent(text);
    openEscape = text.slice(whole);
    return (escapes === 'json' ? unescapeJson : unescapePercents)(text.slice(0, whole));
  }

  function decode(text: string): void {
    let digits = rest + text;
    let whole = digits.length - (digits.length % 4);
    let part = Buffer.from(digits.slice(0, whole), 'base64');
    // Node skips other characters, so their number shows in the length.
    if (part.length !== (whole / 4) * 3) {
      digits = pickDigits(digits);
      whole = digits.length - (digits.length % 4);
      part = Buffer.from(digits.slice(0, whole), 'base64');
    }
    rest = digits.slice(whole);
    bytes += part.length;
    if (bytes > mostBytes) throw fileTooLarge(mostBytes);
    decoded.push(part);
  }

  return {
    push(piece) {
      if (piece.length === 0) return;
      isEmpty = false;
      let text = dropEscapes(openEscape + piece.toString('latin1'));
      if (beginning !== undefined) {
        beginning += text;
        if (mayBePrefix(beginning)) return;
        text = dropPrefix(beginning);
        beginning = undefined;
      }
      decode(text);
    },
    end() {
      if (isEmpty) return undefined;
      if (beginning !== undefined) decode(dropPrefix(beginning));
      return Buffer.concat([...decoded, Buffer.from(rest, 'base64')]);
    },
  };
}

function mayBePrefix(beginning: string): boolean {
  const text = beginning.trimStart();
  const start = 'data:';
  if (text.length < start.length) return start.startsWith(text);
  return text.startsWith(start) && text.length < LONGEST_PREFIX && !text.includes(',');
}

function dropPrefix(beginning: string): string {
  const [prefix = ''] = /^\s*data:[^,]*,/.exec(beginning) ?? [];
  return beginning.slice(prefix.length);
}

function pickDigits(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (const byte of bytes) {
    if (isDigit[byte]) bytes[length++] = byte;
    else if (byte === SPACE) bytes[length++] = PLUS;
  }
  return bytes.toString('latin1', 0, length);
}

/** Where an incomplete escape sequence of JSON begins at the end of a text; the text's length if there is none. */
function findOpenEscape(text: string): number {
  const at = text.lastIndexOf('\\');
  if (at === -1 || at < text.length - 5) return text.length;
  let first = at;
  while (text[first - 1] === '\\') first--;
  const isEscaped = (at - first) % 2 === 1;
  const next = text[at + 1];
  const isWhole = next !== undefined && (next !== 'u' || at + 6 <= text.length);
  return isEscaped || isWhole ? text.length : at;
}

function findOpenPercent(text: string): number {
  const at = text.lastIndexOf('%');
  return at === -1 || at < text.length - 2 ? text.length : at;
}

function unescapeJson(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch (cause) {
    throw new PackshotError('malformed_json', 'The body is not valid JSON.', { cause });
  }
}

function unescapePercents(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
