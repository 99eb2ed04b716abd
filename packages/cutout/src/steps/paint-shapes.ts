/**
 * Paints shapes over one another, row by row, each pixel once: from the last shape, which lies on top, to the first.
 * So the time depends on the pixels that the shapes touch, not on how often they overlap.
 */
import type { Size } from 'packshot-pixels';

/** A shape on a grid. Rows are visited from `top` to `bottom`, both inclusive. */
export interface Shape {
  readonly top: number;
  readonly bottom: number;
  readonly mark: number;
  /** Calls `paint` with the shape's spans in a row: from the first pixel to before the last. */
  readonly visit: (y: number, paint: Paint) => void;
}

type Paint = (from: number, to: number) => void;

/** The marks of the uppermost shapes; 0 where there is no shape. */
export function paintShapes(shapes: readonly Shape[], { width, height }: Size): Uint8Array {
  const pixels = new Uint8Array(width * height);
  const coming = shapes
    .map((shape, depth) => ({ shape, depth }))
    .filter(({ shape }) => shape.bottom >= 0 && shape.top < height)
    .sort((a, b) => b.shape.top - a.shape.top);
  let active: typeof coming = [];
  /** For each pixel of the row, itself if it is free, otherwise a later pixel that may be. */
  const nextFree = new Int32Array(width + 1);
  let row = 0;
  let mark = 0;
  const paint: Paint = (from, to) => {
    const end = Math.min(width, to);
    for (let x = findFree(nextFree, Math.max(0, from)); x < end; x = findFree(nextFree, x + 1)) {
      pixels[row + x] = mark;
      nextFree[x] = x + 1;
    }
  };
  for (let y = 0; y < height && coming.length + active.length > 0; y++, row += width) {
    active = active.filter(({ shape }) => shape.bottom >= y);
    const left = active.length;
    while (coming.length > 0 && coming.at(-1)!.shape.top <= y) active.push(coming.pop()!);
    if (active.length > left) active.sort((a, b) => b.depth - a.depth);
    for (let x = 0; x <= width; x++) nextFree[x] = x;
    for (const { shape } of active) {
      mark = shape.mark;
      shape.visit(y, paint);
      if (findFree(nextFree, 0) === width) break;
    }
  }
  return pixels;
}

function findFree(nextFree: Int32Array, from: number): number {
  let x = Math.min(from, nextFree.length - 1);
  while (nextFree[x] !== x) {
    nextFree[x] = nextFree[nextFree[x]!]!;
    x = nextFree[x]!;
  }
  return x;
}
