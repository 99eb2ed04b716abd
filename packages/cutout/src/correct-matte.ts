/** The pixel steps of a correction, in order: from the marks on a photo to the new matte. */
import { type Box, joinBoxes, type Matte, type RgbImage, type StepClock } from 'packshot-pixels';
import { type Correction, KEEP, type Stroke } from './correction.ts';
import { findArea } from './marked-area.ts';
import type { MarkedPass } from './passes/marked-pass.ts';
import { mergePass } from './passes/merge-pass.ts';
import { type Corrected, spreadStrokes } from './spread-strokes.ts';
import { applyMask } from './steps/apply-mask.ts';
import { drawAreas } from './steps/draw-marks.ts';
import { dropPart } from './steps/drop-part.ts';
import { type ExactStroke, paintStrokes } from './steps/paint-strokes.ts';

/**
 * How far strokes and clicks spread; see `Reach` in `spread-strokes.ts`. A click spreads further, because it refers to a
 * whole part.
 */
const STROKES = { least: 0.2, extents: 1.5 };
const CLICKS = { least: 0.5, extents: 0 };
/** Radius of a click, as a fraction of the photo's longer side. */
const DOT_SHARE = 0.006;

export interface Wishes {
  readonly correction: Correction;
  /** The engine's new matte, and the box in which it replaces the old matte. */
  readonly again: (MarkedPass & { readonly box: Box }) | null;
  /** See `applyMask`. */
  readonly mask: Matte | null;
}

/** Returns the corrected matte, or `null` if the correction changes nothing. */
export async function correctMatte(
  source: RgbImage,
  before: Matte,
  { correction, again, mask }: Wishes,
  clock: StepClock,
): Promise<Corrected | null> {
  let made: Corrected | null = null;
  const add = (next: Corrected | null): void => {
    if (next !== null) made = { matte: next.matte, box: made ? joinBoxes(made.box, next.box) : next.box };
  };
  const now = (): Matte => made?.matte ?? before;
  if (again !== null) {
    const { matte: pass, ...place } = again;
    add(await clock.run('merge-pass', () => mergePass({ before, pass, ...place })));
  }
  if (mask !== null) add(await clock.run('apply-mask', () => applyMask(now(), mask)));
  add(await clock.run('drop-parts', () => dropParts(now(), correction)));
  const isExact = (stroke: Stroke): stroke is ExactStroke => stroke.hardness !== undefined;
  for (const [strokes, reach] of [
    [toDots(correction, source), CLICKS],
    [correction.strokes.filter((stroke) => !isExact(stroke)), STROKES],
  ] as const) {
    if (strokes.length === 0) continue;
    const marks = { ...correction, strokes };
    add(await spreadStrokes({ source, before: now(), correction: marks, reach }, clock));
  }
  const exact = correction.strokes.filter(isExact);
  if (exact.length > 0) add(await clock.run('paint-strokes', () => paintStrokes(now(), exact)));
  add(fillAreas(now(), correction));
  return made;
}

function dropParts(before: Matte, { parts }: Correction): Corrected | null {
  const clicks = parts.filter(({ mode }) => mode === 'erase');
  if (clicks.length === 0) return null;
  const matte = { ...before, data: before.data.slice() };
  const boxes = clicks.flatMap(({ x, y }) => dropPart(matte, [x, y]) ?? []);
  return boxes.length === 0 ? null : { matte, box: boxes.reduce(joinBoxes) };
}

/** A click on a lost part acts as a tiny stroke. */
function toDots({ parts }: Correction, { width, height }: RgbImage): Stroke[] {
  const radius = DOT_SHARE * Math.max(width, height);
  return parts.flatMap(({ mode, x, y }) => (mode === 'keep' ? [{ mode, radius, points: [[x, y]] }] : []));
}

function fillAreas(before: Matte, correction: Correction): Corrected | null {
  const area = findArea(before, { ...correction, strokes: [] });
  if (area === null) return null;
  const areas = drawAreas(correction, { area, width: area.width, height: area.height });
  const data = before.data.slice();
  let isChanged = false;
  for (let i = 0; i < areas.length; i++) {
    if (areas[i] === 0) continue;
    const at = (area.y + Math.floor(i / area.width)) * before.width + area.x + (i % area.width);
    const alpha = areas[i] === KEEP ? 255 : 0;
    if (data[at] !== alpha) isChanged = true;
    data[at] = alpha;
  }
  return isChanged ? { matte: { ...before, data }, box: area } : null;
}
