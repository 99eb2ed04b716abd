/**
 * Step: computes alpha near a changed outline, and leaves all other alpha unchanged.
 *
 * The outline comes from regions of a smaller copy of the photo, so it is accurate only to one or two pixels of that
 * copy. In a band of that width, closed-form matting finds the photo's edge; it takes the pixels on either side of the
 * band as known. Where the old matte's alpha is uncertain and connected to a change, it is replaced, too. For example,
 * a haze across a product's front disappears as a whole if a stroke marks a part of it.
 */
import { CHAMFER_STEP, type Matte, measureDistances, type RgbImage, SUBJECT } from 'packshot-pixels';
import { solveClosedForm } from './closed-form-matting.ts';

/** Old alpha is uncertain if it differs by more than this from 255 inside the new outline, or from 0 outside. */
const UNSETTLED = 12;
/**
 * Half the width of the band, in pixels of the copy that the outline comes from; and the minimum of that half width,
 * in pixels of the photo.
 */
const BAND = 1.5;
const LEAST_BAND_PX = 2.5;
/**
 * Solved alpha below `CLEAR_BELOW` becomes 0, and alpha from `SOLID_FROM` on becomes 1, because haze in such
 * a narrow band is an error.
 */
const CLEAR_BELOW = 0.15;
const SOLID_FROM = 0.85;

/** Values of `open`; resampled values between them count from half way on. */
export const OPEN = 100;
export const MOVED = 255;
const isOpen = (value: number): boolean => value >= OPEN / 2;
const isNear = (value: number): boolean => value >= (OPEN + MOVED) / 2;

export interface Change {
  readonly photo: RgbImage;
  /** The matte before the correction. `before`, `outline` and `certain` have the photo's size. */
  readonly before: Matte;
  /** The new outline; values of at least 128 are inside. */
  readonly outline: Matte;
  /**
   * Where the marks can change alpha, resampled like `outline`: `OPEN` where they may, `MOVED` where they moved the
   * outline, otherwise 0.
   */
  readonly open: Uint8Array;
  /** Nonzero where a person marked exact pixels. */
  readonly certain: Uint8Array;
  /** Pixels of the photo per pixel of the copy that the outline comes from, at least 1. */
  readonly scale: number;
}

export interface Changed {
  readonly matte: Matte;
  /** 255 for each pixel with new alpha, otherwise 0. */
  readonly weights: Matte;
}

/** `null` if the outline and the marks change nothing. Throws the signal's reason once aborted. */
export function matteChanges(change: Change, signal: AbortSignal): Changed | null {
  const { photo, before, open, certain } = change;
  const { width, height } = photo;
  const band = Math.max(LEAST_BAND_PX, BAND * change.scale);
  // Elsewhere, the old matte is finer than the copy that the outline comes from, and stays.
  const outline = before.data.map((old, i) => (isNear(open[i]!) ? change.outline.data[i]! : old));
  const inside = outline.map((value) => (value >= SUBJECT ? 255 : 0));
  const depths = measureDistances(photo, markBorder({ width, height, data: inside }));
  const changed = findChanged(change, inside, { depths, band });
  if (changed === null) return null;
  const reach = measureDistances(photo, changed);
  const most = band * CHAMFER_STEP;
  const unknown = new Uint8Array(width * height);
  const alpha = new Float32Array(width * height);
  for (let i = 0; i < alpha.length; i++) {
    const x = i % width;
    const y = (i - x) / width;
    const isInner = x > 1 && y > 1 && x < width - 2 && y < height - 2;
    const isBand = depths[i]! <= most && reach[i]! <= most && certain[i] === 0;
    if (isInner && isBand && (changed[i] === 1 || !isRidge(depths, i, width))) unknown[i] = 1;
    alpha[i] = (unknown[i] === 1 ? outline[i]! : changed[i] === 1 ? inside[i]! : before.data[i]!) / 255;
  }
  solveClosedForm({ photo, unknown, alpha }, signal);
  const data = before.data.map((old, i) => {
    if (unknown[i] === 0) return changed[i] === 1 ? inside[i]! : old;
    return Math.round(255 * Math.min(1, Math.max(0, (alpha[i]! - CLEAR_BELOW) / (SOLID_FROM - CLEAR_BELOW))));
  });
  const weights = unknown.map((is, i) => (is | changed[i]!) * 255);
  return { matte: { width, height, data }, weights: { width, height, data: weights } };
}

/** Whether the pixel is in the middle of a strand, which would be lost if all its width were unknown. */
function isRidge(depths: Uint16Array, i: number, width: number): boolean {
  for (const j of [
    i - 1,
    i + 1,
    i - width,
    i + width,
    i - width - 1,
    i - width + 1,
    i + width - 1,
    i + width + 1,
  ])
    if (depths[j]! > depths[i]!) return false;
  return true;
}

/**
 * Finds the pixels changed by the new outline or by exact marks, and the pixels with uncertain alpha that are connected
 * to them.
 */
function findChanged(
  { photo: { width }, before, open, certain }: Change,
  inside: Uint8Array,
  { depths, band }: { readonly depths: Uint16Array; readonly band: number },
): Uint8Array | null {
  const changed = new Uint8Array(inside.length);
  const queue: number[] = [];
  const visit = (i: number): void => {
    if (i < 0 || i >= inside.length || changed[i] === 1 || !isOpen(open[i]!)) return;
    if (depths[i]! <= band * CHAMFER_STEP || Math.abs(before.data[i]! - inside[i]!) <= UNSETTLED) return;
    changed[i] = 1;
    queue.push(i);
  };
  for (let i = 0; i < inside.length; i++) {
    if (!isNear(open[i]!)) continue;
    const old = before.data[i]!;
    const isMoved = old >= SUBJECT !== inside[i]! >= SUBJECT;
    if (!isMoved && (certain[i] === 0 || Math.abs(old - inside[i]!) <= UNSETTLED)) continue;
    changed[i] = 1;
    queue.push(i);
  }
  if (queue.length === 0) return null;
  for (const i of queue) {
    const x = i % width;
    if (x > 0) visit(i - 1);
    if (x < width - 1) visit(i + 1);
    visit(i - width);
    visit(i + width);
  }
  return changed;
}

/** Marks with 1 the pixels on both sides of the outline. */
function markBorder({ width, data }: Matte): Uint8Array {
  const border = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const right = (i + 1) % width === 0 ? data[i] : data[i + 1];
    const below = data[i + width] ?? data[i];
    if (right !== data[i]) border[i] = border[i + 1] = 1;
    if (below !== data[i]) border[i] = border[i + width] = 1;
  }
  return border;
}
