/**
 * Splits a one-channel picture into connected parts. Works on runs, which are the unbroken lines of a part's pixels
 * within one row, and joins runs of adjacent rows that touch (Rosenfeld, Pfaltz 1966, with the union-find of Tarjan
 * 1975).
 */
import type { Matte } from './pixels.ts';

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
  /** Pixel indices, part after part, and in ascending order within a part. */
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

/** Lists the parts in the order of their first pixels. */
export function findParts(matte: Matte, rule: PartRule): Parts {
  const runs = listRuns(matte, rule);
  joinRuns(matte, runs, rule.neighbours === 8 ? 1 : 0);
  return collectParts(matte, runs);
}

interface Runs {
  /** Pixel indices of each run's first pixel and of the pixel after its last one; row by row, from left to right. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The first run of each row; the last entry is the number of runs. */
  readonly firstOfRow: Int32Array;
  /** For each run, an earlier run of the same part, or the run itself. */
  readonly parent: Int32Array;
}

function listRuns({ width, height, data }: Matte, { min, max }: PartRule): Runs {
  let from = new Int32Array(FIRST_RUNS);
  let to = new Int32Array(FIRST_RUNS);
  const firstOfRow = new Int32Array(height + 1);
  let count = 0;
  for (let y = 0, i = 0; y < height; y++) {
    firstOfRow[y] = count;
    if (count + width > from.length) {
      from = enlarge(from, width);
      to = enlarge(to, width);
    }
    const end = i + width;
    while (i < end) {
      while (i < end && (data[i]! < min || data[i]! > max)) i++;
      if (i === end) break;
      from[count] = i;
      while (i < end && data[i]! >= min && data[i]! <= max) i++;
      to[count] = i;
      count++;
    }
  }
  firstOfRow[height] = count;
  const parent = new Int32Array(count);
  for (let run = 0; run < count; run++) parent[run] = run;
  return { from, to, firstOfRow, parent };
}

/**
 * Initial room for runs, enough for most mattes. Many steps call `findParts`, and room for the largest possible number
 * of runs would make V8 collect garbage after every few calls.
 */
const FIRST_RUNS = 2 ** 14;

function enlarge(list: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * list.length + least);
  larger.set(list);
  return larger;
}

/** `reach` is 1 if runs that touch only at a corner are connected, else 0. */
function joinRuns({ width, height }: Matte, { from, to, firstOfRow, parent }: Runs, reach: 0 | 1): void {
  for (let y = 1; y < height; y++) {
    let above = firstOfRow[y - 1]!;
    const endAbove = firstOfRow[y]!;
    const end = firstOfRow[y + 1]!;
    for (let run = endAbove; run < end && above < endAbove; ) {
      const starts = from[run]! - width;
      const ends = to[run]! - width;
      if (to[above]! + reach <= starts) above++;
      else if (from[above]! >= ends + reach) run++;
      else {
        join(parent, above, run);
        // The run that ends first cannot touch another run of the other row.
        if (to[above]! < ends) above++;
        else run++;
      }
    }
  }
}

/** The first run of a part is its root. */
function join(parent: Int32Array, one: number, other: number): void {
  const a = findRoot(parent, one);
  const b = findRoot(parent, other);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

function findRoot(parent: Int32Array, run: number): number {
  let root = run;
  while (parent[root] !== root) {
    // Halves the path for later searches.
    parent[root] = parent[parent[root]!]!;
    root = parent[root]!;
  }
  return root;
}

function collectParts({ width, height, data }: Matte, { from, to, firstOfRow, parent }: Runs): Parts {
  const count = firstOfRow[height]!;
  const partOf = new Int32Array(count);
  const found: { area: number; mass: number; peak: number; touchesFrame: boolean }[] = [];
  for (let run = 0; run < count; run++) {
    const root = findRoot(parent, run);
    if (root === run) partOf[run] = found.push({ area: 0, mass: 0, peak: 0, touchesFrame: false }) - 1;
    else partOf[run] = partOf[root]!;
    const part = found[partOf[run]!]!;
    const start = from[run]!;
    const end = to[run]!;
    let mass = 0;
    let peak = 0;
    for (let i = start; i < end; i++) {
      mass += data[i]!;
      if (data[i]! > peak) peak = data[i]!;
    }
    part.area += end - start;
    part.mass += mass;
    part.peak = Math.max(part.peak, peak);
    const isOnFrame =
      start < width || start >= width * (height - 1) || start % width === 0 || end % width === 0;
    if (isOnFrame) part.touchesFrame = true;
  }
  let filled = 0;
  const parts = found.map((part): Part => {
    const start = filled;
    filled += part.area;
    return { ...part, start, end: filled };
  });
  const next = Int32Array.from(parts, ({ start }) => start);
  const order = new Int32Array(filled);
  for (let run = 0; run < count; run++) {
    let at = next[partOf[run]!]!;
    for (let i = from[run]!; i < to[run]!; i++) order[at++] = i;
    next[partOf[run]!] = at;
  }
  return { parts, order };
}
