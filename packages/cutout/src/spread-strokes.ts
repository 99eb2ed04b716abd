/** Applies a correction's strokes: derives a new outline from the strokes, and new alpha near the changed outline. */
import {
  type Box,
  CHAMFER_STEP,
  findMatteBounds,
  type Matte,
  measureDistances,
  type RgbImage,
  roundOut,
  type StepClock,
} from 'packshot-pixels';
import type { Correction } from './correction.ts';
import { findArea } from './marked-area.ts';
import { drawMarks, type Grid, type Marks } from './steps/draw-marks.ts';
import { resampleRegion } from './steps/enlarge-matte.ts';
import { MOVED, matteChanges, OPEN } from './steps/matte-changes.ts';
import { settleMarks } from './steps/settle-marks.ts';
import { cropPhoto, fitInto } from './steps/shrink-photo.ts';

/**
 * Maximum side of the copy in which regions are found, in pixels. The copy can be small, because strokes
 * refer to large areas.
 */
const SETTLE_SIDE_PX = 768;
/** Maximum side at which alpha is computed, in pixels; the same as for automatic cutouts. */
const MATTE_SIDE_PX = 2048;
/**
 * Margin around the changes, in pixels of the copy in which regions are found. New alpha in `matteChanges` reaches up
 * to 5 px (twice the greatest half width of the band there), and matting finds no alpha in the two outermost rings of
 * pixels.
 */
const MARGIN = 8;

export interface Corrected {
  readonly matte: Matte;
  /** Bounds of the changes, in source pixels. */
  readonly box: Box;
}

/** How far a stroke may reach: this multiple of its extent, and at least `least`, a fraction of the photo's longer side. */
export interface Reach {
  readonly least: number;
  readonly extents: number;
}

interface Spreading {
  readonly source: RgbImage;
  readonly before: Matte;
  readonly correction: Correction;
  readonly reach: Reach;
}

/** `null` if the strokes change nothing, or lie outside the photo. */
export async function spreadStrokes(
  { source, before, correction, reach }: Spreading,
  clock: StepClock,
): Promise<Corrected | null> {
  const least = reach.least * Math.max(source.width, source.height);
  const area = findArea(source, correction, (extent) => Math.max(least, reach.extents * extent));
  if (area === null) return null;
  const grid: Grid = { area, ...fitInto(area, SETTLE_SIDE_PX) };
  const outline = await clock.run('settle-marks', async () => {
    const photo = await cropPhoto(source, area, SETTLE_SIDE_PX);
    const matte = await resampleRegion(before, area, grid);
    const marks = drawMarks(correction, grid);
    const scale = grid.width / area.width;
    const reachOf = (extent: number) => Math.max(scale * least, reach.extents * extent);
    return { matte, marks, ...settleMarks({ photo, matte, marks, reachOf }) };
  });
  return clock.run('matte-changes', () =>
    applyOutline(source, before, { correction, grid, ...outline }, clock.signal),
  );
}

interface Outline {
  readonly correction: Correction;
  readonly grid: Grid;
  /** The matte before the correction, resampled to the grid. */
  readonly matte: Matte;
  readonly marks: Marks;
  readonly labels: Uint8Array;
  readonly open: Uint8Array;
}

async function applyOutline(
  source: RgbImage,
  before: Matte,
  { correction, grid, matte, marks, labels, open }: Outline,
  signal: AbortSignal,
): Promise<Corrected | null> {
  const isTouched = labels.map((label, i) =>
    label !== (matte.data[i]! >= 128 ? 1 : 0) || marks.seeds[i] !== 0 || marks.areas[i] !== 0 ? 1 : 0,
  );
  const touched = findMatteBounds({ ...grid, data: isTouched }, 1);
  if (touched === null) return null;
  const box = toSource(grid, touched, source);
  const photo = await cropPhoto(source, box, MATTE_SIDE_PX);
  const fine: Grid = { area: box, width: photo.width, height: photo.height };
  const across = grid.width / grid.area.width;
  const down = grid.height / grid.area.height;
  const region = {
    x: (box.x - grid.area.x) * across,
    y: (box.y - grid.area.y) * down,
    width: box.width * across,
    height: box.height * down,
  };
  // One pixel more, so that no seam stays between the new outline and the finer old one.
  const toTouched = measureDistances(grid, isTouched);
  const near = open.map((is, i) => (toTouched[i]! <= CHAMFER_STEP ? MOVED : is * OPEN));
  const spread: Matte = { ...matte, data: labels.map((label) => label * 255) };
  const fineMarks = drawMarks(correction, fine);
  const changed = matteChanges(
    {
      photo,
      before: await resampleRegion(before, box, fine),
      outline: await resampleRegion(spread, region, fine),
      open: (await resampleRegion({ ...matte, data: near }, region, fine)).data,
      certain: fineMarks.seeds.map((seed, i) => seed | fineMarks.areas[i]!),
      scale: Math.max(1, fine.width / region.width),
    },
    signal,
  );
  if (changed === null) return null;
  const whole = { x: 0, y: 0, width: fine.width, height: fine.height };
  const solved = await resampleRegion(changed.matte, whole, box);
  const weights = await resampleRegion(changed.weights, whole, box);
  const data = before.data.slice();
  for (let y = 0, i = 0; y < box.height; y++) {
    for (let x = 0, at = (box.y + y) * source.width + box.x; x < box.width; x++, i++, at++) {
      if (weights.data[i]! > 0) data[at] = solved.data[i]!;
    }
  }
  return { matte: { width: source.width, height: source.height, data }, box };
}

function toSource({ area, width, height }: Grid, touched: Box, source: RgbImage): Box {
  const across = area.width / width;
  const down = area.height / height;
  return roundOut(
    {
      left: area.x + Math.max(0, touched.x - MARGIN) * across,
      right: area.x + Math.min(width, touched.x + touched.width + MARGIN) * across,
      top: area.y + Math.max(0, touched.y - MARGIN) * down,
      bottom: area.y + Math.min(height, touched.y + touched.height + MARGIN) * down,
    },
    source,
  )!;
}
