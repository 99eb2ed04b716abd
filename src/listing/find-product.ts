/** Finds the product on a plain background. */
import type { Source } from 'packshot-photos';
import type { Box, Rgb } from 'packshot-pixels';
import { findParts, type Parts } from './find-parts.ts';
import { distance, NOISE } from './pixel-samples.ts';

export type Background = 'transparent' | Rgb;

interface Product extends Pick<Parts, 'cutEdges' | 'otherEdges' | 'fragments'> {
  /** Null if nothing differs from the background. */
  readonly box: Box | null;
  readonly pixels: number;
}

/** Null if the background turns out not to be plain. */
export function findProduct(picture: Source, background: Background): Product | null {
  const { width, height, alpha } = picture;
  const stands = new Uint8Array(width * height);
  for (let p = 0; p < stands.length; p++) {
    if (background === 'transparent' ? alpha![p]! > NOISE : distance(picture, p, background) > NOISE)
      stands[p] = 1;
  }
  const { belongs, touchedEdges, ...counts } = findParts(stands, picture);
  // Parts that together touch three edges are a floor, a wall or a shadow rather than a product.
  if (touchedEdges > 2) return null;
  const columns = new Uint32Array(width);
  const rows = new Uint32Array(height);
  let pixels = 0;
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      if (stands[p] === 0 || !belongs(x, y)) continue;
      pixels++;
      columns[x]!++;
      rows[y]!++;
    }
  }
  // Ignore specks.
  const across = findSpan(columns, Math.max(2, height * 0.0005));
  const down = findSpan(rows, Math.max(2, width * 0.0005));
  if (!across || !down) return { box: null, pixels: 0, cutEdges: 0, otherEdges: 0, fragments: 0 };
  const box = { x: across.from, y: down.from, width: across.length, height: down.length };
  return { box, pixels, ...counts };
}

function findSpan(counts: Uint32Array, least: number): { from: number; length: number } | null {
  const from = counts.findIndex((count) => count >= least);
  if (from === -1) return null;
  return { from, length: counts.findLastIndex((count) => count >= least) - from + 1 };
}
