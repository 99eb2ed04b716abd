/** The subject on the coarse grid on which light and shadow are computed. */
import type { Box, RgbaImage } from '../pixels.ts';
import type { CanvasSize } from './render-target.ts';

/**
 * Cells along the canvas' longer side. The same for previews and full pictures, so that both show one and the
 * same shadow; the tightest contact shadow is about one cell wide.
 */
const LONG_EDGE_CELLS = 400;

export interface Grid {
  readonly width: number;
  readonly height: number;
  /** Canvas pixels per cell, at least 1. */
  readonly cellPx: number;
}

export interface Silhouette {
  readonly grid: Grid;
  /** Share of each cell that the subject covers, 0 to 1, row-major. */
  readonly coverage: Float32Array;
}

export function makeGrid({ width, height }: CanvasSize): Grid {
  const cellPx = Math.max(1, Math.max(width, height) / LONG_EDGE_CELLS);
  return { width: Math.ceil(width / cellPx), height: Math.ceil(height / cellPx), cellPx };
}

export function makeSilhouette(subject: RgbaImage, box: Box, grid: Grid): Silhouette {
  const coverage = new Float32Array(grid.width * grid.height);
  const columns = new Uint16Array(box.width);
  for (let x = 0; x < box.width; x++) {
    columns[x] = Math.min(grid.width - 1, Math.floor((box.x + x + 0.5) / grid.cellPx));
  }
  for (let y = 0; y < box.height; y++) {
    const row = Math.min(grid.height - 1, Math.floor((box.y + y + 0.5) / grid.cellPx)) * grid.width;
    const source = y * box.width * 4 + 3;
    for (let x = 0; x < box.width; x++) {
      const cell = row + columns[x]!;
      coverage[cell] = coverage[cell]! + subject.data[source + 4 * x]!;
    }
  }
  const norm = 1 / (255 * grid.cellPx * grid.cellPx);
  for (let i = 0; i < coverage.length; i++) {
    coverage[i] = Math.min(1, coverage[i]! * norm);
  }
  return { grid, coverage };
}
