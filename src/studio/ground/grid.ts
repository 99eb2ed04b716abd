/** The coarse grid on which light and shadow are computed. */
import type { CanvasSize } from '../../pixels.ts';

/**
 * Cells along the canvas' longer side; the same for previews and full pictures, so that both have the same
 * shadow.
 */
const LONG_EDGE_CELLS = 400;

export interface Grid {
  readonly width: number;
  readonly height: number;
  /** Canvas pixels per cell, at least 1. */
  readonly cellPx: number;
}

export function makeGrid({ width, height }: CanvasSize): Grid {
  const cellPx = Math.max(1, Math.max(width, height) / LONG_EDGE_CELLS);
  return { width: Math.ceil(width / cellPx), height: Math.ceil(height / cellPx), cellPx };
}
