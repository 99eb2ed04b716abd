/** Names of a batch's files: safe to unpack anywhere, and no two alike. */
import type { RenderFormat } from '../rendering/render-target.ts';

interface Named {
  /** As the caller wrote it, with or without an extension. */
  readonly name?: string | undefined;
  readonly format: RenderFormat;
}

/** Longest name without its extension; room for a number and an extension within the 255 bytes of most file systems. */
const longestBytes = 200;
/** Control characters, and what Windows, URLs or shells take for something else. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that must go.
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\\/:*?"<>|%]+/g;
/** Devices to Windows, whatever follows the dot: learn.microsoft.com, "Naming Files, Paths, and Namespaces". */
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const extension = /\.(jpe?g|png|webp|avif|tiff?|gif)$/i;

/** In the order given; an item without a name that could be kept is called by its number, from 0001. */
export function nameFiles(items: readonly Named[]): string[] {
  const taken = new Set<string>();
  /** Of each name the last number that was tried: a thousand alike would try half a million. */
  const copies = new Map<string, number>();
  return items.map(({ name, format }, index) => {
    const base = cleanName(name ?? '') || String(index + 1).padStart(4, '0');
    // Two names that differ in case alone are one file to Windows and macOS.
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
  const trimmed = cutToBytes(plain.replace(/^[\s.]+/, '')).replace(/[\s.]+$/, '');
  return device.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** Whole characters only. */
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
