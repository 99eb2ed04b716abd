/**
 * Estimates whether the ground that is found below a product would let it float: trees that are fitted to seeded solids
 * (`node evals/standing/fit-stand-odds.ts`), on measurements of the silhouette.
 */
import { readFileSync } from 'node:fs';
import { isCovered, type Silhouette, type StandingLine } from 'packshot-studio';
import { z } from 'zod';

/** A tree of three levels: the measurements that its seven nodes compare, their limits, and what its eight leaves add. */
const treeSchema = z.tuple([
  z.array(z.int().min(0)).length(7),
  z.array(z.number()).length(7),
  z.array(z.number()).length(8),
]);
const oddsSchema = z.strictObject({ base: z.number(), trees: z.array(treeSchema) });
export type Odds = z.infer<typeof oddsSchema>;

const fitted = oddsSchema.parse(
  JSON.parse(readFileSync(new URL('../data/stand-odds.json', import.meta.url), 'utf8')),
);

/**
 * Log odds that the ground misses a visible contact by more than 1.5 % of the height, or that the camera looked down by
 * more than 25 degrees.
 */
export function findFloatOdds(
  silhouette: Silhouette,
  line: StandingLine,
  aspect: number,
  { base, trees }: Odds = fitted,
): number {
  const shape = describeShape(silhouette, line, aspect);
  return trees.reduce((sum, [measures, limits, leaves]) => {
    let node = 0;
    for (let level = 0; level < 3; level++)
      node = 2 * node + (shape[measures[node]!]! >= limits[node]! ? 2 : 1);
    return sum + leaves[node - 7]!;
  }, base);
}

/** Measurements of a silhouette and its ground, which do not change if it is mirrored. Lengths are in its heights. */
export function describeShape(silhouette: Silhouette, line: StandingLine, aspect: number): number[] {
  const { columns, rows } = silhouette;
  const { contour, touches } = line;
  const lowest = contour.indexOf(contour.reduce((most, row) => Math.max(most, row)));
  const [first, last] = [touches.indexOf(1), touches.lastIndexOf(1)];
  const riseAt = (column: number): number => {
    const row = contour[Math.max(0, Math.min(columns - 1, column))]!;
    return row < 0 ? 1 : Math.min(1, (contour[lowest]! - row) / rows);
  };
  const beside = (share: number): number[] => {
    const away = Math.round(share * columns);
    return inOrder(riseAt(lowest - away), riseAt(lowest + away));
  };
  const column = aspect / columns;
  // How far beyond the feet the outline stays below a height above them.
  const reach = (height: number): number[] =>
    inOrder(
      ...([first, last] as const).map((from, i) => {
        const side = i === 0 ? -1 : 1;
        let to = from;
        while (contour[to + side]! >= 0 && contour[from]! - contour[to + side]! <= height * rows) to += side;
        return Math.abs(to - from) * column;
      }),
    );
  return [
    Math.log(aspect),
    touches.reduce((sum, one) => sum + one, 0) / columns,
    (last - first + 1) / columns,
    Math.abs((lowest + 0.5) / columns - 0.5),
    ...inOrder(first * column, (columns - 1 - last) * column),
    ...[0.015, 0.03, 0.1, 0.4].flatMap(reach),
    ...[0.08, 0.16, 0.3].flatMap(beside),
    ...measureBetween(line, { rows, column, first, last }),
    ...measureCover(silhouette),
  ];
}

const inOrder = (...values: readonly number[]): number[] => values.toSorted((a, b) => a - b);

/** Between the outermost feet: the longest flat run of the outline just above the ground, and the highest step. */
function measureBetween(
  { contour, ground, touches }: StandingLine,
  {
    rows,
    column,
    first,
    last,
  }: { readonly rows: number; readonly column: number; readonly first: number; readonly last: number },
): [flat: number, step: number] {
  let [longest, run, step] = [0, 0, 0];
  for (let at = first + 1; at <= last; at++) {
    const gap = (ground[at]! - contour[at]!) / rows;
    const rise = Math.abs(contour[at]! - contour[at - 1]!) / rows;
    const isFlat = touches[at] === 0 && rise <= 0.3 * column + 0.35 / rows && gap > 0.015 && gap <= 0.15;
    run = isFlat ? run + 1 : 0;
    longest = Math.max(longest, run);
    if (gap < 0.34 && contour[at]! >= 0 && contour[at - 1]! >= 0) step = Math.max(step, rise);
  }
  return [longest * column, step];
}

/** Widths from top to bottom, how well it covers its own mirror images, and where its outermost columns are covered. */
function measureCover(silhouette: Silhouette): number[] {
  const { columns, rows } = silhouette;
  const widths = new Array<number>(6).fill(0);
  const ends = [0, columns - 1].map(() => ({ count: 0, height: 0 }));
  const kept = [0, 0, 0];
  let area = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!isCovered(silhouette, column, row)) continue;
      area++;
      widths[Math.floor((6 * row) / rows)]! += 6 / (rows * columns);
      const [x, y] = [columns - 1 - column, rows - 1 - row];
      if (isCovered(silhouette, x, row)) kept[0]!++;
      if (isCovered(silhouette, column, y)) kept[1]!++;
      if (isCovered(silhouette, x, y)) kept[2]!++;
      for (const [i, end] of ends.entries()) {
        if (column !== i * (columns - 1)) continue;
        end.count++;
        end.height += y / rows;
      }
    }
  }
  return [
    ...widths,
    ...kept.map((count) => count / Math.max(1, area)),
    ...inOrder(...ends.map(({ count, height }) => height / Math.max(1, count))),
    ...inOrder(...ends.map(({ count }) => count / rows)),
  ];
}
