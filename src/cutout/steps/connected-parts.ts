/** Splits a one-channel picture into connected parts in time linear in its pixels. */
import type { Matte } from '../../pixels.ts';

export interface Part {
  /** Number of pixels. */
  readonly area: number;
  /** Sum of the pixels' values, each 0 to 255. */
  readonly mass: number;
  /** Highest value, 0 to 255. */
  readonly peak: number;
  /** Whether any of its pixels lies in an outermost row or column. */
  readonly touchesFrame: boolean;
  /** The part's pixels are `order[start]` to `order[end - 1]`. */
  readonly start: number;
  readonly end: number;
}

export interface Parts {
  readonly parts: readonly Part[];
  /** Pixel indices, part after part. */
  readonly order: Int32Array;
}

export interface PartRule {
  /** Values that belong to a part, both inclusive. */
  readonly min: number;
  readonly max: number;
  /**
   * Number of neighbors that count as connected. Use 8 for solid areas and 4 for the gaps in them. Then,
   * where two solid pixels touch only at a corner, they are connected and the gaps on both sides are not.
   */
  readonly neighbours: 4 | 8;
}

export function findParts({ width, height, data }: Matte, { min, max, neighbours }: PartRule): Parts {
  const order = new Int32Array(data.length);
  const parts: Part[] = [];
  const states = markStates({ width, height, data }, min, max);
  const diagonal = neighbours === 8;
  let filled = 0;
  const visit = (index: number): void => {
    const state = states[index]!;
    if (state !== INNER && state !== FRAME) return;
    states[index] = state + VISITED;
    order[filled++] = index;
  };
  for (let seed = 0; seed < data.length; seed++) {
    if (states[seed] !== INNER && states[seed] !== FRAME) continue;
    const start = filled;
    let mass = 0;
    let peak = 0;
    let touchesFrame = false;
    visit(seed);
    // `order` is also the breadth-first queue.
    for (let next = start; next < filled; next++) {
      const index = order[next]!;
      const value = data[index]!;
      mass += value;
      if (value > peak) peak = value;
      let left = true;
      let right = true;
      let up = true;
      let down = true;
      if (states[index] !== INNER + VISITED) {
        touchesFrame = true;
        const x = index % width;
        left = x > 0;
        right = x < width - 1;
        up = index >= width;
        down = index < data.length - width;
      }
      if (left) visit(index - 1);
      if (right) visit(index + 1);
      if (up) visit(index - width);
      if (down) visit(index + width);
      if (!diagonal) continue;
      if (up && left) visit(index - width - 1);
      if (up && right) visit(index - width + 1);
      if (down && left) visit(index + width - 1);
      if (down && right) visit(index + width + 1);
    }
    parts.push({ area: filled - start, mass, peak, touchesFrame, start, end: filled });
  }
  return { parts, order };
}

/**
 * State of a pixel; 0 if it belongs to no part. `FRAME` stands for pixels in an outermost row or column, which lack a
 * neighbor.
 */
const INNER = 1;
const FRAME = 2;
const VISITED = 4;

function markStates({ width, height, data }: Matte, min: number, max: number): Uint8Array {
  const states = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) if (data[i]! >= min && data[i]! <= max) states[i] = INNER;
  const frame = (i: number): void => {
    if (states[i] === INNER) states[i] = FRAME;
  };
  for (let x = 0; x < width; x++) {
    frame(x);
    frame((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    frame(y * width);
    frame(y * width + width - 1);
  }
  return states;
}
