/**
 * Step: computes alpha near a changed outline, and leaves all other alpha unchanged.
 *
 * The outline comes from regions of a smaller copy of the photo, so it is accurate only to one or two pixels of that
 * copy. In a band of that width, closed-form matting finds the photo's edge; it takes the pixels on either side of the
 * band as known. Where the old matte's alpha is uncertain and connected to a change, it is replaced, too. For example,
 * a haze across a product's front disappears as a whole if a stroke marks a part of it.
 */
import { CHAMFER_STEP, measureDistances } from '../../pixels/chamfer-distance.ts';
import { type Matte, type RgbImage, SUBJECT } from '../../pixels.ts';
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

export interface Change {
  readonly photo: RgbImage;
  /** The matte before the correction. `before`, `outline` and `certain` have the photo's size. */
  readonly before: Matte;
  /** The new outline; values of at least 128 are inside. */
  readonly outline: Matte;
  /** Nonzero where a person marked exact pixels. */
  readonly certain: Uint8Array;
  /** Pixels of the photo per pixel of the copy that the outline comes from, at least 1. */
  readonly scale: number;
}

export interface Changed {
  readonly matte: Matte;
  /** Weight of the new alpha for each pixel, 0 to 255; 0 where nothing changed. */
  readonly weights: Matte;
}

/** `null` if the outline and the marks change nothing. Throws the signal's reason once aborted. */
export function matteChanges(change: Change, signal: AbortSignal): Changed | null {
  const { photo, before, outline, certain } = change;
  const { width, height } = photo;
  const band = Math.max(LEAST_BAND_PX, BAND * change.scale);
  const inside = outline.data.map((value) => (value >= SUBJECT ? 255 : 0));
  const depths = measureDistances(photo, markBorder({ width, height, data: inside }));
  const changed = findChanged(change, inside, { depths, band });
  if (changed === null) return null;
  const reach = measureDistances(photo, changed);
  const weights = Uint8Array.from(reach, (distance) => {
    const steps = distance / CHAMFER_STEP / band;
    return Math.round(255 * Math.min(1, Math.max(0, 2 - steps)));
  });
  const unknown = new Uint8Array(width * height);
  const alpha = new Float32Array(width * height);
  for (let i = 0; i < alpha.length; i++) {
    const x = i % width;
    const y = (i - x) / width;
    const isInner = x > 1 && y > 1 && x < width - 2 && y < height - 2;
    const isBand = depths[i]! <= band * CHAMFER_STEP && weights[i]! > 0 && certain[i] === 0;
    if (isInner && isBand) unknown[i] = 1;
    alpha[i] = (weights[i] === 0 ? before.data[i]! : isBand ? outline.data[i]! : inside[i]!) / 255;
  }
  solveClosedForm({ photo, unknown, alpha }, signal);
  const data = before.data.map((old, i) => {
    if (weights[i] === 0) return old;
    const value = unknown[i] === 0 ? alpha[i]! : (alpha[i]! - CLEAR_BELOW) / (SOLID_FROM - CLEAR_BELOW);
    const solved = 255 * Math.min(1, Math.max(0, value));
    return Math.round(old + (weights[i]! / 255) * (solved - old));
  });
  return { matte: { width, height, data }, weights: { width, height, data: weights } };
}

/**
 * Finds the pixels changed by the new outline or by exact marks, and the pixels with uncertain alpha that are connected
 * to them.
 */
function findChanged(
  { photo: { width }, before, certain }: Change,
  inside: Uint8Array,
  { depths, band }: { readonly depths: Uint16Array; readonly band: number },
): Uint8Array | null {
  const changed = new Uint8Array(inside.length);
  const queue: number[] = [];
  const visit = (i: number): void => {
    if (i < 0 || i >= inside.length || changed[i] === 1) return;
    if (depths[i]! <= band * CHAMFER_STEP || Math.abs(before.data[i]! - inside[i]!) <= UNSETTLED) return;
    changed[i] = 1;
    queue.push(i);
  };
  for (let i = 0; i < inside.length; i++) {
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
