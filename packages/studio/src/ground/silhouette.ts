/** The subject's shape in a few thousand cells, used to find its ground contact and to compute its shadow. */
import type { RgbaImage } from 'packshot-pixels';

/** The subject at its final size, and the position of its top left corner on the canvas, in pixels. */
export interface PlacedSubject {
  readonly image: RgbaImage;
  readonly x: number;
  readonly y: number;
  /**
   * Whether the subject lies down and was photographed from above, so that its whole lower outline touches the ground;
   * default false.
   */
  readonly lies?: boolean | undefined;
}

/** A grid of cells over the subject's box. Row 0 is at the top. */
export interface Silhouette {
  readonly columns: number;
  readonly rows: number;
  /** Fraction of each cell that the subject covers, 0 to 1, row-major. */
  readonly coverage: Float32Array;
}

/** Number of cells along the longer side: enough to resolve legs and straps, but not spokes. */
const LONG_CELLS = 88;
const MIN_CELLS = 12;
/** Minimum coverage for a cell to count as subject; thin straps and spokes cover little of a cell. */
const COVERED = 0.4;

export function makeSilhouette({ data, width, height }: RgbaImage, longCells = LONG_CELLS): Silhouette {
  const scale = longCells / Math.max(width, height);
  const columns = Math.max(MIN_CELLS, Math.min(width, Math.round(width * scale)));
  const rows = Math.max(MIN_CELLS, Math.min(height, Math.round(height * scale)));
  const coverage = new Float32Array(columns * rows);
  const counts = new Float32Array(columns * rows);
  const columnOf = Uint16Array.from({ length: width }, (_, x) =>
    Math.min(columns - 1, Math.floor(((x + 0.5) * columns) / width)),
  );
  for (let y = 0; y < height; y++) {
    const row = Math.min(rows - 1, Math.floor(((y + 0.5) * rows) / height)) * columns;
    for (let x = 0, alpha = y * width * 4 + 3; x < width; x++, alpha += 4) {
      const cell = row + columnOf[x]!;
      coverage[cell] = coverage[cell]! + data[alpha]!;
      counts[cell] = counts[cell]! + 255;
    }
  }
  return { columns, rows, coverage: coverage.map((sum, i) => sum / Math.max(1, counts[i]!)) };
}

export function isCovered({ coverage, columns }: Silhouette, column: number, row: number): boolean {
  return coverage[row * columns + column]! >= COVERED;
}
