/** Step: computes the position and size of the subject on the canvas. */

import type { Box, CanvasSize, Edge } from 'packshot-pixels';
import { clamp } from 'packshot-pixels/numbers';
import type { PlacedLayout } from '../recipes/catalogue.ts';

export interface SubjectLayout {
  /** The scaled box of the subject, in whole canvas pixels, inside the canvas. */
  readonly box: Box;
  /** Canvas pixels per photo pixel, above 0. */
  readonly scale: number;
  /** Ground line: the canvas row at the lower end of `box`. */
  readonly footY: number;
}

export interface LayoutRequest {
  /** Size of the subject, in photo pixels. */
  readonly boundingBox: CanvasSize;
  /**
   * Photo edges that crop the subject. Unless the caller sets its position, the subject is placed flush to the same
   * canvas edges, so that its cropped side does not end inside the picture.
   */
  readonly touchesEdges: readonly Edge[];
  readonly layout: PlacedLayout;
  readonly canvas: CanvasSize;
}

export function makeLayout({ boundingBox, touchesEdges, layout, canvas }: LayoutRequest): SubjectLayout {
  const marginPx = layout.margin * Math.min(canvas.width, canvas.height);
  const cut = (edge: Edge): boolean => touchesEdges.includes(edge);
  const standsOnBaseline = layout.align === 'baseline' && !cut('bottom') && !cut('top');
  const baselineY = baselineOf(canvas);
  const freeWidth = canvas.width - (cut('left') ? 0 : marginPx) - (cut('right') ? 0 : marginPx);
  const freeHeight = standsOnBaseline
    ? baselineY - Math.min(marginPx, baselineY / 2)
    : canvas.height - (cut('top') ? 0 : marginPx) - (cut('bottom') ? 0 : marginPx);
  const fit = Math.min(freeWidth / boundingBox.width, freeHeight / boundingBox.height);
  const scale = fit * layout.scale;
  const width = clamp(Math.round(boundingBox.width * scale), 1, canvas.width);
  const height = clamp(Math.round(boundingBox.height * scale), 1, canvas.height);
  const x = alignAxis(canvas.width - width, cut('left'), cut('right'), 0.5);
  const y = standsOnBaseline
    ? Math.round(baselineY) - height
    : alignAxis(canvas.height - height, cut('top'), cut('bottom'), 1);
  const box = moveBox({ x, y: clamp(y, 0, canvas.height - height), width, height }, layout, canvas);
  return { box, scale, footY: box.y + height };
}

/** Centers the box at the caller's position, but keeps it inside the canvas. */
export function moveBox(box: Box, { x, y }: Pick<PlacedLayout, 'x' | 'y'>, canvas: CanvasSize): Box {
  const start = (share: number, size: number, all: number): number =>
    clamp(Math.round(share * all - size / 2), 0, all - size);
  return {
    ...box,
    ...(x !== undefined && { x: start(x, box.width, canvas.width) }),
    ...(y !== undefined && { y: start(y, box.height, canvas.height) }),
  };
}

/**
 * Canvas row of the baseline that standing subjects share: 17 % of the height above the lower edge of a square, more in
 * tall pictures and less in wide ones, so that the product stays near the middle third (the scenes' camera uses 17 to
 * 31 %).
 */
export function baselineOf({ width, height }: CanvasSize): number {
  return height * (1 - clamp(0.17 + 0.12 * (height / width - 1), 0.14, 0.26));
}

/**
 * Returns the start of a span on an axis that has `free` pixels left over. A span cropped at both ends cannot touch
 * both edges; `whenBoth` (0 to 1) then divides the free pixels.
 */
function alignAxis(free: number, cutAtStart: boolean, cutAtEnd: boolean, whenBoth: number): number {
  if (cutAtStart && cutAtEnd) return Math.round(free * whenBoth);
  if (cutAtStart || cutAtEnd) return cutAtStart ? 0 : free;
  return Math.round(free / 2);
}
