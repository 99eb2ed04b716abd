/**
 * Which size a picture has at an engine. It depends on the canvas' shape only, not on its pixels: a preview and a full
 * version are then the same picture, made once, and models work at the size that they were trained on.
 */
import type { CanvasSize } from '../../pixels.ts';

export type Ratio = `${number}:${number}`;

/** The canvas' shape with `longSidePx` as its longer side; both sides multiples of `multiple`, at least one of them. */
export function fitFrame(canvas: CanvasSize, longSidePx: number, multiple: number): CanvasSize {
  const scale = longSidePx / Math.max(canvas.width, canvas.height);
  const round = (side: number) => Math.max(multiple, Math.round((side * scale) / multiple) * multiple);
  return { width: round(canvas.width), height: round(canvas.height) };
}

export function nearestFrame(canvas: CanvasSize, frames: readonly CanvasSize[]): CanvasSize {
  return frames.reduce((best, frame) => (drift(canvas, frame) < drift(canvas, best) ? frame : best));
}

export function nearestRatio(canvas: CanvasSize, ratios: readonly Ratio[]): Ratio {
  const shapeOf = (ratio: Ratio) => {
    const [width, height] = ratio.split(':').map(Number) as [number, number];
    return { width, height };
  };
  return ratios.reduce((best, ratio) =>
    drift(canvas, shapeOf(ratio)) < drift(canvas, shapeOf(best)) ? ratio : best,
  );
}

/** How far two shapes are apart, as the logarithm of the quotient of their ratios. */
function drift(a: CanvasSize, b: CanvasSize): number {
  return Math.abs(Math.log((a.width * b.height) / (a.height * b.width)));
}
