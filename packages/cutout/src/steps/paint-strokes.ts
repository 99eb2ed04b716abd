/** Step: applies exact brush strokes to a matte, with their hardness, and without spreading. */
import { type Box, CHAMFER_STEP, type Matte, measureDistances } from 'packshot-pixels';
import type { Stroke } from '../correction.ts';
import { findArea } from '../marked-area.ts';
import { drawMarks } from './draw-marks.ts';

export interface ExactStroke extends Stroke {
  readonly hardness: number;
}

/** `null` if the strokes change nothing, or if there are none. */
export function paintStrokes(
  before: Matte,
  strokes: readonly ExactStroke[],
): { readonly matte: Matte; readonly box: Box } | null {
  const area = findArea(before, { strokes, boxes: [], polygons: [] }, nextPixel);
  if (area === null) return null;
  const data = before.data.slice();
  let isChanged = false;
  for (const run of toRuns(strokes)) {
    const own = findArea(before, { strokes: run, boxes: [], polygons: [] }, nextPixel);
    if (own === null) continue;
    const { mode, radius, hardness } = run[0]!;
    const { seeds } = drawMarks({ strokes: run, boxes: [], polygons: [] }, { area: own, ...own });
    const depths = measureDistances(
      own,
      seeds.map((seed) => (seed === 0 ? 1 : 0)),
    );
    const deepest = depths.reduce((one, other) => Math.max(one, other), 0) / CHAMFER_STEP - 0.5;
    // An edge of one pixel is not jagged. A stroke thinner than its edge has full strength in its middle.
    const soft = Math.min(Math.max(1, radius * (1 - hardness)), deepest);
    const goal = mode === 'keep' ? 255 : 0;
    for (let i = 0; i < depths.length; i++) {
      if (depths[i] === 0) continue;
      const at = (own.y + Math.floor(i / own.width)) * before.width + own.x + (i % own.width);
      const share = Math.min(1, (depths[i]! / CHAMFER_STEP - 0.5) / soft);
      const alpha = Math.round(data[at]! + share * (goal - data[at]!));
      if (alpha !== data[at]) isChanged = true;
      data[at] = alpha;
    }
  }
  return isChanged ? { matte: { ...before, data }, box: area } : null;
}

/** Pixels beside a stroke, from which its depth is measured. */
const nextPixel = () => 1;

/** Strokes of one brush that follow each other are one shape: where they overlap, they count once. */
function toRuns(strokes: readonly ExactStroke[]): ExactStroke[][] {
  const runs: ExactStroke[][] = [];
  for (const stroke of strokes) {
    const last = runs.at(-1);
    const brush = last?.[0];
    const isSame = (['mode', 'radius', 'hardness'] as const).every((each) => brush?.[each] === stroke[each]);
    if (last && isSame) last.push(stroke);
    else runs.push([stroke]);
  }
  return runs;
}
