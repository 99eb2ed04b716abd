/** Counts small parts that stand apart from the product, such as leftovers of the photo's own background. */

/** Parts with fewer pixels than this fraction of the largest part's are fragments; larger ones belong to a set. */
const FRAGMENT_SHARE = 0.01;
/** Fragments with fewer pixels than this fraction of the picture's are noise. */
const SPECK_SHARE = 2e-6;
const SPECK_PX = 4;
/** Cells along the shorter side of the grid, and the gap in cells up to which two parts count as one. */
const GRID = 500;
const GAP = 2;

/** `stands` has one byte per pixel, nonzero where a pixel differs from the background. */
export function countFragments(
  stands: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const cell = Math.max(1, Math.round(Math.min(width, height) / GRID));
  const columns = Math.ceil(width / cell);
  const rows = Math.ceil(height / cell);
  const pixels = new Uint32Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / cell) * columns;
    for (let x = 0; x < width; x++) if (stands[y * width + x]) pixels[row + Math.floor(x / cell)]!++;
  }
  const sizes = measureParts(pixels, columns, rows);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  const least = Math.max(SPECK_PX, SPECK_SHARE * width * height);
  return sizes.filter((size) => size >= least && size < FRAGMENT_SHARE * largest).length;
}

/** Pixels of each connected part. Clears `pixels`. */
function measureParts(pixels: Uint32Array, columns: number, rows: number): number[] {
  const open = new Uint32Array(pixels.length);
  const sizes: number[] = [];
  for (let start = 0; start < pixels.length; start++) {
    if (pixels[start] === 0) continue;
    let size = 0;
    let count = 0;
    const visit = (at: number) => {
      size += pixels[at]!;
      pixels[at] = 0;
      open[count++] = at;
    };
    visit(start);
    for (let next = 0; next < count; next++) {
      const column = open[next]! % columns;
      const row = Math.floor(open[next]! / columns);
      for (let y = Math.max(0, row - GAP); y <= Math.min(rows - 1, row + GAP); y++) {
        for (let x = Math.max(0, column - GAP); x <= Math.min(columns - 1, column + GAP); x++) {
          if (pixels[y * columns + x]! > 0) visit(y * columns + x);
        }
      }
    }
    sizes.push(size);
  }
  return sizes;
}
