/** Measures how much of a white background is slightly off-white. */
import type { Source } from 'packshot-photos';
import { darkest, isWhite } from './pixel-samples.ts';

const NEAR_WHITE = 250;
/** Width of the product's soft edge, which is not measured, as a fraction of the picture's width. */
const SOFT_EDGE = 0.01;

/** Null if there is no light background at the picture's edges. */
export function measureNearWhite(picture: Source): number | null {
  const { width, height } = picture;
  const { background, count } = fillBackground(picture);
  if (count === 0) return null;
  const reach = Math.max(1, Math.round(width * SOFT_EDGE));
  // Two passes, along rows and along columns, exclude the square within `reach` pixels of each pixel of the
  // product.
  const along = new Uint8Array(background.length);
  for (let y = 0; y < height; y++)
    keepAway(background, along, { from: y * width, step: 1, length: width }, reach);
  const away = new Uint8Array(background.length);
  for (let x = 0; x < width; x++) keepAway(along, away, { from: x, step: width, length: height }, reach);
  let near = 0;
  for (let p = 0; p < away.length; p++) if (away[p] === 1 && !isWhite(picture, p)) near++;
  return near / count;
}

/** Flood-fills from the edges through levels of at least 250, so that light areas inside the product do not count. */
function fillBackground(picture: Source): { background: Uint8Array; count: number } {
  const { width, height } = picture;
  const background = new Uint8Array(width * height);
  const open = new Uint32Array(width * height);
  let count = 0;
  const visit = (p: number) => {
    if (background[p] === 1 || darkest(picture, p) < NEAR_WHITE) return;
    background[p] = 1;
    open[count++] = p;
  };
  for (let x = 0; x < width; x++) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  for (let next = 0; next < count; next++) {
    const p = open[next]!;
    const x = p % width;
    if (x > 0) visit(p - 1);
    if (x < width - 1) visit(p + 1);
    if (p >= width) visit(p - width);
    if (p < width * (height - 1)) visit(p + width);
  }
  return { background, count };
}

interface Line {
  readonly from: number;
  readonly step: number;
  readonly length: number;
}

/** Sets `away` to 1 for each pixel of the line if `inside` has no zero within `reach` pixels of it. */
function keepAway(inside: Uint8Array, away: Uint8Array, { from, step, length }: Line, reach: number): void {
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < length + reach; i++) {
    if (i < length && inside[from + i * step] === 0) last = i;
    const middle = i - reach;
    if (middle >= 0 && last < middle - reach) away[from + middle * step] = 1;
  }
}
