/** Reads an urlencoded form while it arrives: counts its fields and bytes, and takes the files in it apart. */
import { PackshotError } from 'packshot-errors';
import { createBase64Sink } from './base64-sink.ts';
import type { JsonRules, SentJson } from './json-sink.ts';
import type { BodySink } from './receive-body.ts';

const [EQUALS, AND] = [0x3d, 0x26] as const;

/** Throws `body_too_large`, `file_too_large`, and `malformed_json` if there are too many fields. */
export function createUrlEncodedSink(
  rules: Pick<JsonRules, 'mostBytes' | 'mostValues' | 'files' | 'mostFileBytes'>,
): BodySink<SentJson> {
  const kept: Buffer[] = [];
  const files = new Map<string, Buffer>();
  let textBytes = 0;
  let fields = 0;
  let name = '';
  let inside: 'name' | 'value' | 'file' = 'name';
  let file: BodySink<Buffer | undefined> | undefined;

  function keep(piece: Buffer): void {
    textBytes += piece.length;
    if (textBytes > rules.mostBytes)
      throw new PackshotError(
        'body_too_large',
        `The form may have at most ${rules.mostBytes} bytes beside its files.`,
      );
    kept.push(piece);
  }

  function endField(): void {
    if (++fields >= rules.mostValues)
      throw new PackshotError('malformed_json', `The form has more than ${rules.mostValues} fields.`);
    endFile();
    [inside, name] = ['name', ''];
  }

  function endFile(): void {
    const bytes = file?.end();
    // Of several fields with the same name, the first counts.
    if (bytes && !files.has(name)) files.set(name, bytes);
    file = undefined;
  }

  function beginValue(): void {
    inside = rules.files.includes(name) ? 'file' : 'value';
    if (inside === 'file') file = createBase64Sink(rules.mostFileBytes, 'url');
  }

  function push(piece: Buffer): void {
    const find = (byte: number, from: number): number => {
      const at = piece.indexOf(byte, from);
      return at === -1 ? piece.length : at;
    };
    for (let at = 0; at < piece.length; ) {
      const and = find(AND, at);
      const end = inside === 'name' ? Math.min(and, find(EQUALS, at)) : and;
      const part = piece.subarray(at, end);
      if (inside === 'name') name += part.toString('latin1', 0, 64);
      if (file) file.push(part);
      else keep(part);
      if (end === piece.length) return;
      keep(piece.subarray(end, end + 1));
      if (piece[end] === AND) endField();
      else beginValue();
      at = end + 1;
    }
  }

  return {
    push,
    end() {
      endFile();
      return { text: Buffer.concat(kept), files };
    },
  };
}
