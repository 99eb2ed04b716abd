/** File names of a batch's results: unique, and safe to unpack on any system. */
import type { RenderFormat } from '../rendering/render-target.ts';

interface Named {
  /** The caller's name for the file, with or without an extension. */
  readonly name?: string | undefined;
  /** The caller's name for the folder of the file; default: none. */
  readonly folder?: string | undefined;
  readonly format: RenderFormat;
}

/** Maximum bytes of a name. With its number and extension, it stays below 255, the limit of most file systems. */
const longestBytes = 200;
/** Control characters, and characters that are special to Windows, URLs or shells. A name does not start with a dash, which commands read as an option. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern is for removing control characters.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\\/:*?"<>|%]+/g;
/** Names that Windows reserves: learn.microsoft.com, "Naming Files, Paths, and Namespaces". */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const extension = /\.(jpe?g|png|webp|avif|tiff?|gif)$/i;

/** Returns one name per item, in order, with its folder: `shop/mug.jpeg`. An item without a usable name is named after its number, starting at 0001. */
export function nameFiles(items: readonly Named[]): string[] {
  const taken = new Set<string>();
  /**
   * The last number tried for each name. If each search began at 1, a thousand equal names would need half a million
   * attempts.
   */
  const copies = new Map<string, number>();
  return items.map(({ name, folder, format }, index) => {
    const place = cleanName(folder ?? '');
    const base = `${place && `${place}/`}${cleanName(name ?? '') || String(index + 1).padStart(4, '0')}`;
    // Windows and macOS treat names that differ only in case as names of the same file.
    const key = `${base}.${format}`.toLowerCase();
    for (let copy = (copies.get(key) ?? 0) + 1; ; copy++) {
      const candidate = `${base}${copy === 1 ? '' : `-${copy}`}.${format}`;
      copies.set(key, copy);
      if (taken.has(candidate.toLowerCase())) continue;
      taken.add(candidate.toLowerCase());
      return candidate;
    }
  });
}

function cleanName(name: string): string {
  const plain = name.normalize('NFC').replace(extension, '').replace(unsafe, '_');
  const trimmed = cutToBytes(plain.replace(/^[\s.-]+/, '')).replace(/[\s.]+$/, '');
  return device.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** Shortens the text to `longestBytes`, at a character boundary. */
function cutToBytes(text: string): string {
  let bytes = 0;
  let cut = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > longestBytes) break;
    cut += character;
  }
  return cut;
}
