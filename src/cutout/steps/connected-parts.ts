/** Splits a one-channel picture into connected parts in time linear in its pixels. */
import type { Matte } from '../../pixels.ts';

export interface Part {
  /** Pixels. */
  readonly area: number;
  /** Sum of the values, 0 to 255 each. */
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
   * 8 for solid areas, 4 for the gaps in them. Where two pixels touch at a corner, only one of the two is
   * then connected.
   */
  readonly neighbours: 4 | 8;
}

export function findParts({ width, height, data }: Matte, { min, max, neighbours }: PartRule): Parts {
  const visited = new Uint8Array(data.length);
  const order = new Int32Array(data.length);
  const parts: Part[] = [];
  const diagonal = neighbours === 8;
  let filled = 0;
  const visit = (index: number): void => {
    const value = data[index]!;
    if (visited[index] || value < min || value > max) return;
    visited[index] = 1;
    order[filled++] = index;
  };
  for (let seed = 0; seed < data.length; seed++) {
    if (visited[seed] || data[seed]! < min || data[seed]! > max) continue;
    const start = filled;
    let mass = 0;
    let peak = 0;
    let touchesFrame = false;
    visit(seed);
    // `order` is also the breadth-first queue.
    for (let next = start; next < filled; next++) {
      const index = order[next]!;
      const x = index % width;
      const y = (index - x) / width;
      const value = data[index]!;
      mass += value;
      if (value > peak) peak = value;
      const left = x > 0;
      const right = x < width - 1;
      const up = y > 0;
      const down = y < height - 1;
      if (!(left && right && up && down)) touchesFrame = true;
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
