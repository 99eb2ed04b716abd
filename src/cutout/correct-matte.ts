/** The pixel work of a correction, in order: from marks on a photo to its new matte. */
import type { Box, Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import { type Correction, KEEP, type Stroke } from './correction.ts';
import { drawMarks, type Grid } from './steps/draw-marks.ts';
import { dropPart } from './steps/drop-part.ts';
import { resampleRegion } from './steps/enlarge-matte.ts';
import { matteChanges } from './steps/matte-changes.ts';
import { settleMarks } from './steps/settle-marks.ts';
import { cropPhoto, fitInto } from './steps/shrink-photo.ts';

/** Regions are found on a copy of at most this side: what a stroke means is larger than its pixels. */
const SETTLE_SIDE_PX = 768;
/** Alpha is found at most at this side, as for every other cutout. */
const MATTE_SIDE_PX = 2048;
/** A stroke means the things beside it, a click a whole part. */
const STROKES = { most: 0.25, leastExtent: 0.08 };
const CLICKS = { most: 0.5, leastExtent: 0.3 };
/** Radius of a click, as a share of the photo's longer side. */
const DOT_SHARE = 0.006;
/** At least this share of the photo's longer side around the marks. */
const MARGIN_SHARE = 0.04;
/** Pixels of the copy around what changed: the widest band, twice, and the frame that matting leaves out. */
const MARGIN = 8;

export interface Corrected {
  readonly matte: Matte;
  /** Bounds of what changed, in source pixels. */
  readonly box: Box;
}

/** `null` where the correction changes nothing. */
export async function correctMatte(
  source: RgbImage,
  before: Matte,
  correction: Correction,
  clock: StepClock,
): Promise<Corrected | null> {
  let made: Corrected | null = null;
  const add = (next: Corrected | null): void => {
    if (next !== null) made = { matte: next.matte, box: made ? joinBoxes(made.box, next.box) : next.box };
  };
  const now = (): Matte => made?.matte ?? before;
  add(await clock.run('drop-parts', () => dropParts(before, correction)));
  for (const [strokes, reach] of [
    [toDots(correction, source), CLICKS],
    [correction.strokes, STROKES],
  ] as const) {
    if (strokes.length === 0) continue;
    const marks = { ...correction, strokes };
    add(await spreadStrokes({ source, before: now(), correction: marks, reach }, clock));
  }
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

/** A click on what was lost is a stroke too small to meet anything else. */
function toDots({ parts }: Correction, { width, height }: RgbImage): Stroke[] {
  const radius = DOT_SHARE * Math.max(width, height);
  return parts.flatMap(({ mode, x, y }) => (mode === 'keep' ? [{ mode, radius, points: [[x, y]] }] : []));
}

function fillAreas(before: Matte, correction: Correction): Corrected | null {
  const area = findArea(before, { ...correction, strokes: [] });
  if (area === null) return null;
  const { areas } = drawMarks(correction, { area, width: area.width, height: area.height });
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

function joinBoxes(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  const width = Math.max(a.x + a.width, b.x + b.width) - x;
  return { x, y, width, height: Math.max(a.y + a.height, b.y + b.height) - y };
}

interface Reach {
  /** Strokes spread at most this far, as a share of the photo's longer side, or as far as they are long. */
  readonly most: number;
  /** They are taken to mean at least this share of the window that they may spread in. */
  readonly leastExtent: number;
}

interface Spreading {
  readonly source: RgbImage;
  readonly before: Matte;
  readonly correction: Correction;
  readonly reach: Reach;
}

async function spreadStrokes(
  { source, before, correction, reach }: Spreading,
  clock: StepClock,
): Promise<Corrected | null> {
  const area = findArea(source, correction, reach);
  if (area === null) return null;
  const grid: Grid = { area, ...fitInto(area, SETTLE_SIDE_PX) };
  const outline = await clock.run('settle-marks', async () => {
    const photo = await cropPhoto(source, area, SETTLE_SIDE_PX);
    const matte = await resampleRegion(before, area, grid);
    const marks = drawMarks(correction, grid);
    return { matte, labels: settleMarks({ photo, matte, marks, leastExtent: reach.leastExtent }) };
  });
  return clock.run('matte-changes', () =>
    applyOutline(source, before, { correction, grid, ...outline }, clock.signal),
  );
}

interface Outline {
  readonly correction: Correction;
  readonly grid: Grid;
  /** On the grid, as it was. */
  readonly matte: Matte;
  readonly labels: Uint8Array;
}

async function applyOutline(
  source: RgbImage,
  before: Matte,
  { correction, grid, matte, labels }: Outline,
  signal: AbortSignal,
): Promise<Corrected | null> {
  const marks = drawMarks(correction, grid);
  const isTouched = labels.map((label, i) =>
    label !== (matte.data[i]! >= 128 ? 1 : 0) || marks.seeds[i] !== 0 || marks.areas[i] !== 0 ? 1 : 0,
  );
  const touched = findBounds(grid, isTouched);
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
  const spread: Matte = { ...matte, data: labels.map((label) => label * 255) };
  const fineMarks = drawMarks(correction, fine);
  const changed = matteChanges(
    {
      photo,
      before: await resampleRegion(before, box, fine),
      outline: await resampleRegion(spread, region, fine),
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

/** The marks and as much around them as strokes may spread; `null` where nothing of them lies in the photo. */
function findArea(
  { width, height }: Matte,
  { strokes, boxes, polygons }: Correction,
  reach = STROKES,
): Box | null {
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  // Room for the band of new alpha, also where the copy is a small one of a large photo.
  let margin = MARGIN_SHARE * Math.max(width, height);
  const add = (x: number, y: number, radius: number): void => {
    left = Math.min(left, x - radius);
    right = Math.max(right, x + radius);
    top = Math.min(top, y - radius);
    bottom = Math.max(bottom, y + radius);
  };
  for (const { radius, points } of strokes) for (const [x, y] of points) add(x, y, radius);
  if (strokes.length > 0) margin = Math.max(reach.most * Math.max(width, height), right - left, bottom - top);
  for (const box of boxes) {
    add(box.x, box.y, 0);
    add(box.x + box.width, box.y + box.height, 0);
  }
  for (const { points } of polygons) for (const [x, y] of points) add(x, y, 0);
  return clipBox(
    { left: left - margin, right: right + margin, top: top - margin, bottom: bottom + margin },
    { width, height },
  );
}

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function clipBox(
  sides: Sides,
  { width, height }: { readonly width: number; readonly height: number },
): Box | null {
  const x = Math.max(0, Math.floor(sides.left));
  const y = Math.max(0, Math.floor(sides.top));
  const right = Math.min(width, Math.ceil(sides.right));
  const bottom = Math.min(height, Math.ceil(sides.bottom));
  return right <= x || bottom <= y ? null : { x, y, width: right - x, height: bottom - y };
}

function findBounds({ width, height }: Grid, pixels: Uint8Array): Sides | null {
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let i = 0; i < pixels.length; i++) {
    if (pixels[i] === 0) continue;
    const x = i % width;
    const y = (i - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return right < 0 ? null : { left, right: right + 1, top, bottom: bottom + 1 };
}

function toSource({ area, width, height }: Grid, touched: Sides, source: RgbImage): Box {
  const across = area.width / width;
  const down = area.height / height;
  return clipBox(
    {
      left: area.x + Math.max(0, touched.left - MARGIN) * across,
      right: area.x + Math.min(width, touched.right + MARGIN) * across,
      top: area.y + Math.max(0, touched.top - MARGIN) * down,
      bottom: area.y + Math.min(height, touched.bottom + MARGIN) * down,
    },
    source,
  )!;
}
