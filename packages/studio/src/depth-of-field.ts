/** Depth of field: blurs everything behind and in front of the product, more with increasing distance from it. */
import type { Camera } from './camera.ts';
import type { GeometryBuffer } from './geometry-buffer.ts';

/** Maximum number of taps, reached at a blur radius of 2 pixels. A smaller blur needs fewer, depending on its area. */
const MAX_TAPS = 24;
const MIN_TAPS = 6;
const TAPS_PER_PIXEL = 1.5;
/** The golden angle distributes the taps evenly over the disc. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/**
 * Distance in front of and behind the product's plane, in world units, within which everything stays sharp, as the
 * product itself does.
 */
const SHARP_DEPTH = 0.35;
const MAX_BLUR_SHARE = 0.02;
const SMALLEST_PX = 0.5;

const tapX = Float64Array.from(
  { length: MAX_TAPS },
  (_, i) => Math.sqrt(i + 0.5) * Math.cos(i * GOLDEN_ANGLE),
);
const tapY = Float64Array.from(
  { length: MAX_TAPS },
  (_, i) => Math.sqrt(i + 0.5) * Math.sin(i * GOLDEN_ANGLE),
);

/** Radius of the circle of confusion at `depth`, in pixels. */
export function measureBlur(camera: Camera, strength: number, depth: number): number {
  const away = Math.abs(depth - camera.distance) - SHARP_DEPTH;
  // A pixel that shows nothing has a depth of 0.
  if (away <= 0 || depth === 0) return 0;
  // Relative to the longer side, so that wide and tall frames of a scene have the same blur.
  const size = Math.max(camera.width, camera.height);
  return Math.min(MAX_BLUR_SHARE * size, (strength * size * away) / depth);
}

/**
 * Blurs one row of the sharp picture and writes it to `line`. A tap gets less weight if its own blur is too small to
 * reach the pixel.
 */
export function blurRow(
  camera: Camera,
  strength: number,
  { depth, width, height }: GeometryBuffer,
  sharp: Float32Array,
  row: number,
  line: Float32Array,
): void {
  for (let column = 0; column < width; column++) {
    const at = row * width + column;
    const radius = measureBlur(camera, strength, depth[at]!);
    let total = 1;
    let r = sharp[at * 3]!;
    let g = sharp[at * 3 + 1]!;
    let b = sharp[at * 3 + 2]!;
    const taps = radius < SMALLEST_PX ? 0 : tapsFor(radius);
    const reach = radius / Math.sqrt(taps);
    for (let tap = 0; tap < taps; tap++) {
      const x = Math.floor(column + tapX[tap]! * reach + 0.5);
      const y = Math.floor(row + tapY[tap]! * reach + 0.5);
      if (x < 0 || y < 0 || x >= width || y >= height) {
        continue;
      }
      const other = y * width + x;
      const own = measureBlur(camera, strength, depth[other]!);
      const weight = own >= radius ? 1 : own / radius;
      total += weight;
      r += weight * sharp[other * 3]!;
      g += weight * sharp[other * 3 + 1]!;
      b += weight * sharp[other * 3 + 2]!;
    }
    line[column * 3] = r / total;
    line[column * 3 + 1] = g / total;
    line[column * 3 + 2] = b / total;
  }
}

function tapsFor(radius: number): number {
  return Math.min(MAX_TAPS, Math.ceil(MIN_TAPS + TAPS_PER_PIXEL * Math.PI * radius * radius));
}
