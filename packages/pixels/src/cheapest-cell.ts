/**
 * The distance transform of sampled functions (Felzenszwalb and Huttenlocher 2012, "Distance Transforms of Sampled
 * Functions"): for each cell of a grid, the cell whose cost plus squared distance is least.
 */

/**
 * `costs`: one per cell, row by row; infinite for cells that cannot be chosen. Returns the index of the chosen cell for
 * each cell, or -1 if no cell can be chosen.
 */
export function findCheapest(width: number, height: number, costs: Float64Array): Int32Array {
  const longer = Math.max(width, height);
  const line = { costs: new Float64Array(longer), chosen: new Int32Array(longer), ...makeEnvelope(longer) };
  const inColumn = new Int32Array(width * height);
  const columnCosts = new Float64Array(width * height);
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) line.costs[y] = costs[y * width + x]!;
    chooseInLine(line, height);
    for (let y = 0; y < height; y++) {
      const other = line.chosen[y]!;
      const at = y * width + x;
      inColumn[at] = other;
      columnCosts[at] = other < 0 ? Number.POSITIVE_INFINITY : line.costs[other]! + (y - other) ** 2;
    }
  }
  const cheapest = new Int32Array(width * height);
  for (let y = 0; y < height; y++) {
    line.costs.set(columnCosts.subarray(y * width, (y + 1) * width));
    chooseInLine(line, width);
    for (let x = 0; x < width; x++) {
      const other = line.chosen[x]!;
      cheapest[y * width + x] = other < 0 ? -1 : inColumn[y * width + other]! * width + other;
    }
  }
  return cheapest;
}

/**
 * The lower envelope of parabolas, one per cell with a finite cost: the cells whose parabola is lowest somewhere, and the
 * position from which each is lowest.
 */
interface Envelope {
  readonly cells: Int32Array;
  readonly from: Float64Array;
}

const makeEnvelope = (length: number): Envelope => ({
  cells: new Int32Array(length),
  from: new Float64Array(length + 1),
});

interface Line extends Envelope {
  readonly costs: Float64Array;
  readonly chosen: Int32Array;
}

function chooseInLine({ costs, chosen, cells, from }: Line, length: number): void {
  let last = -1;
  for (let i = 0; i < length; i++) {
    const cost = costs[i]!;
    if (cost === Number.POSITIVE_INFINITY) continue;
    let start = Number.NEGATIVE_INFINITY;
    while (last >= 0) {
      const other = cells[last]!;
      start = (cost + i * i - costs[other]! - other * other) / (2 * (i - other));
      if (start > from[last]!) break;
      last--;
      start = Number.NEGATIVE_INFINITY;
    }
    last++;
    cells[last] = i;
    from[last] = start;
  }
  if (last < 0) {
    chosen.fill(-1, 0, length);
    return;
  }
  from[last + 1] = Number.POSITIVE_INFINITY;
  let current = 0;
  for (let i = 0; i < length; i++) {
    while (from[current + 1]! < i) current++;
    chosen[i] = cells[current]!;
  }
}
