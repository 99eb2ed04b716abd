/**
 * Reads JSON while it arrives. Counts its values, its depth and the bytes of its text, so that a body that would be
 * expensive to parse is refused before it is parsed; and takes the files in it apart, so that they are never text.
 */
import { PackshotError } from 'packshot-errors';
import { createBase64Sink } from './base64-sink.ts';
import type { BodySink } from './receive-body.ts';

export interface JsonRules {
  /** Maximum bytes of the text, without the files. */
  readonly mostBytes: number;
  readonly mostValues: number;
  /** Valid bodies have few levels, and recursion over a deeply nested body could exhaust the stack. */
  readonly mostDepth: number;
  readonly hasLists: boolean;
  /** Fields of the outermost object that contain files as base64. */
  readonly files: readonly string[];
  /** Fields of any object that contain files as base64, which stay in the text, but do not count. */
  readonly uncounted: readonly string[];
  /** Maximum bytes of a file. */
  readonly mostFileBytes: number;
}

export interface SentJson {
  /** With empty strings in place of the files. */
  readonly text: Buffer;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The same limits for all bodies that contain no files. */
export const plainJson = {
  mostValues: 65_536,
  mostDepth: 32,
  hasLists: true,
  files: [],
  uncounted: [],
  mostFileBytes: 0,
} as const satisfies Partial<JsonRules>;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a] as const;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
/** Longer than the name of any field that contains a file. */
const LONGEST_NAME = 64;

/** `what` names the text in error messages. Throws `malformed_json`, `body_too_large` and `file_too_large`. */
export function createJsonSink(rules: JsonRules, what = 'body'): BodySink<SentJson> {
  const kept: Buffer[] = [];
  const files = new Map<string, Buffer>();
  let textBytes = 0;
  let values = 0;
  /** For each open list or object, whether it is a list. */
  const lists: boolean[] = [];
  let expectsName = false;
  let name = '';
  let inside: 'nothing' | 'name' | 'value' | 'uncounted' | 'file' = 'nothing';
  let file: BodySink<Buffer | undefined> | undefined;
  let isEscaped = false;

  function keep(piece: Buffer): void {
    textBytes += piece.length;
    if (textBytes > rules.mostBytes) {
      const beside =
        rules.files.length > 0 ? ` beside ${rules.files.map((one) => `"${one}"`).join(', ')}` : '';
      throw new PackshotError(
        'body_too_large',
        `The ${what} may have at most ${rules.mostBytes} bytes${beside}.`,
      );
    }
    kept.push(piece);
  }

  function countValue(): void {
    if (++values > rules.mostValues)
      throw new PackshotError('malformed_json', `The ${what} has more than ${rules.mostValues} values.`);
  }

  function open(isList: boolean): void {
    if (isList && !rules.hasLists)
      throw new PackshotError('malformed_json', `The ${what} contains a list, but no field accepts one.`);
    if (lists.push(isList) > rules.mostDepth)
      throw new PackshotError(
        'malformed_json',
        `The ${what} is nested deeper than ${rules.mostDepth} levels.`,
      );
    expectsName = !isList;
    countValue();
  }

  function beginString(): void {
    if (expectsName) [inside, name] = ['name', ''];
    else if (lists.length === 1 && rules.files.includes(name)) {
      inside = 'file';
      file = createBase64Sink(rules.mostFileBytes, 'json');
    } else inside = rules.uncounted.includes(name) ? 'uncounted' : 'value';
  }

  function endString(): void {
    // Of several fields with the same name, JSON uses the last.
    const bytes = file?.end();
    if (bytes) files.set(name, bytes);
    [inside, file] = ['nothing', undefined];
  }

  function readOutside(byte: number): void {
    if (byte === QUOTE) beginString();
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open(byte === OPEN_LIST);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) lists.pop();
    else if (byte === COLON) expectsName = false;
    else if (byte === COMMA) {
      expectsName = lists.at(-1) === false;
      countValue();
    }
  }

  function push(piece: Buffer): void {
    const findStringEnd = createStringEndFinder(piece);
    let keptTo = 0;
    for (let at = 0; at < piece.length; ) {
      if (inside === 'nothing') {
        readOutside(piece[at++]!);
        continue;
      }
      const found = findStringEnd(at, isEscaped);
      isEscaped = found.isEscaped;
      if (inside === 'name') name += piece.toString('latin1', at, Math.min(found.end, at + LONGEST_NAME));
      if (inside === 'file' || inside === 'uncounted') {
        keep(piece.subarray(keptTo, at));
        const part = piece.subarray(at, found.end);
        if (file) file.push(part);
        else kept.push(part);
        keptTo = found.end;
      }
      if (found.end < piece.length) endString();
      at = found.end + 1;
    }
    if (keptTo < piece.length) keep(piece.subarray(keptTo));
  }

  return { push, end: () => ({ text: Buffer.concat(kept), files }) };
}

/**
 * Returns a function that finds the quote that ends a string. Each byte of the piece is searched once, whatever the
 * piece contains.
 */
function createStringEndFinder(piece: Buffer) {
  let [quote, backslash] = [-1, -1];
  const find = (byte: number, from: number): number => {
    const at = piece.indexOf(byte, from);
    return at === -1 ? piece.length : at;
  };
  return (from: number, isEscaped: boolean): { readonly end: number; readonly isEscaped: boolean } => {
    let at = isEscaped ? from + 1 : from;
    for (;;) {
      if (at > piece.length) return { end: piece.length, isEscaped: true };
      if (quote < at) quote = find(QUOTE, at);
      if (backslash < at) backslash = find(BACKSLASH, at);
      if (quote <= backslash) return { end: quote, isEscaped: false };
      at = backslash + 2;
    }
  };
}
