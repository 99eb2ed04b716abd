/** The coarse grid on which light and shadow are computed. */
import type { CanvasSize } from 'packshot-pixels';

/**
 * Number of cells along the canvas's longer side; a smaller canvas has one cell per pixel. Previews and full pictures
 * use the same number, so that both have the same shadow.
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
