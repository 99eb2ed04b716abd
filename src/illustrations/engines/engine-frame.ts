/**
 * The size of the picture that an engine generates. It depends only on the canvas' aspect ratio, so that preview and
 * full version share one generated picture, and so that models work at their training resolution.
 */
import type { CanvasSize } from 'packshot-pixels';

export type Ratio = `${number}:${number}`;

/**
 * Multiple for both sides of pictures from servers that run any model. stable-diffusion.cpp enlarges other sizes to what its model
 * needs, and stretches the picture and the mask that it was sent: asked for 48×64 px, a model of the SD 1.x shape painted 64×64.
 */
export const ANY_MODEL_PX = 64;

/** Scales the canvas to a longer side of `longSidePx`. Rounds both sides to multiples of `multiple`, but not to 0. */
export function fitFrame(canvas: CanvasSize, longSidePx: number, multiple: number): CanvasSize {
  const scale = longSidePx / Math.max(canvas.width, canvas.height);
  const round = (side: number) => Math.max(multiple, Math.round((side * scale) / multiple) * multiple);
  return { width: round(canvas.width), height: round(canvas.height) };
}

export function nearestFrame(canvas: CanvasSize, frames: readonly CanvasSize[]): CanvasSize {
  return frames.reduce((best, frame) =>
    aspectDistance(canvas, frame) < aspectDistance(canvas, best) ? frame : best,
  );
}

export function nearestRatio(canvas: CanvasSize, ratios: readonly Ratio[]): Ratio {
  const shapeOf = (ratio: Ratio) => {
    const [width, height] = ratio.split(':').map(Number) as [number, number];
    return { width, height };
  };
  return ratios.reduce((best, ratio) =>
    aspectDistance(canvas, shapeOf(ratio)) < aspectDistance(canvas, shapeOf(best)) ? ratio : best,
  );
}

/** Distance of two aspect ratios: the absolute value of the logarithm of their quotient. */
function aspectDistance(a: CanvasSize, b: CanvasSize): number {
  return Math.abs(Math.log((a.width * b.height) / (a.height * b.width)));
}
