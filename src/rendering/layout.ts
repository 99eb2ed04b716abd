/** Step: where on the canvas the subject goes and how large. */
import type { Box, CanvasSize } from '../pixels.ts';
import type { PlacedLayout } from '../recipes/catalogue.ts';

export type Edge = 'top' | 'right' | 'bottom' | 'left';

export interface SubjectLayout {
  /** The scaled subject box, in whole canvas pixels, inside the canvas. */
  readonly box: Box;
  /** Canvas pixels per photo pixel, above 0. */
  readonly scale: number;
  /** Canvas row on which the subject stands: the lower end of its box. */
  readonly footY: number;
}

export interface LayoutRequest {
  /** The subject's own size, in photo pixels. */
  readonly boundingBox: CanvasSize;
  /**
   * Photo edges that cut the subject. It goes flush to the same edges of the canvas, since a cut may not float, unless
   * the caller says where the subject's middle is.
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

/** With its middle where the caller wants it, inside the canvas. */
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
 * The line that standing subjects share: 17 % above the lower edge of a square, more in tall pictures and less
 * in wide ones, so that the product stays near the middle third (the scenes' camera rule has 17 to 31 %).
 */
export function baselineOf({ width, height }: CanvasSize): number {
  return height * (1 - clamp(0.17 + 0.12 * (height / width - 1), 0.14, 0.26));
}

/** Start of a span that leaves `free` pixels; cut at both ends it cannot touch both, so `whenBoth` decides. */
function alignAxis(free: number, cutAtStart: boolean, cutAtEnd: boolean, whenBoth: number): number {
  if (cutAtStart && cutAtEnd) {
    return Math.round(free * whenBoth);
  }
  if (cutAtStart || cutAtEnd) {
    return cutAtStart ? 0 : free;
  }
  return Math.round(free / 2);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
