/** Pass: blur of what lies behind the product, growing with distance. */
import type { Camera } from './camera.ts';
import type { GeometryBuffer } from './geometry-buffer.ts';

const TAPS = 24;
/** The golden angle spreads the taps evenly over the disc. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Sharp up to this far behind the product's plane: its whole depth (scenes, 3.8). */
const SHARP_BEHIND = 0.35;
const WIDEST_SHARE = 0.02;
const SMALLEST_PX = 0.5;

const tapX = Float64Array.from(
  { length: TAPS },
  (_, i) => Math.sqrt((i + 0.5) / TAPS) * Math.cos(i * GOLDEN_ANGLE),
);
const tapY = Float64Array.from(
  { length: TAPS },
  (_, i) => Math.sqrt((i + 0.5) / TAPS) * Math.sin(i * GOLDEN_ANGLE),
);

/** Radius of the circle of confusion in pixels. */
export function measureBlur(camera: Camera, strength: number, depth: number): number {
  const focus = camera.distance + SHARP_BEHIND;
  if (depth <= focus) {
    return 0;
  }
  // The longer side: wide and tall frames of one scene blur alike.
  const size = Math.max(camera.width, camera.height);
  return Math.min(WIDEST_SHARE * size, (strength * size * (depth - focus)) / depth);
}

/** Rows of `to` from the sharp `from`; a tap counts as far as its own blur reaches the pixel. */
export function blurDepth(
  camera: Camera,
  strength: number,
  { depth, width, height }: GeometryBuffer,
  from: Float32Array,
  to: Float32Array,
  fromRow: number,
  toRow: number,
): void {
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const radius = measureBlur(camera, strength, depth[at]!);
      let total = 1;
      let r = from[at * 3]!;
      let g = from[at * 3 + 1]!;
      let b = from[at * 3 + 2]!;
      if (radius >= SMALLEST_PX) {
        for (let tap = 0; tap < TAPS; tap++) {
          const x = Math.round(column + tapX[tap]! * radius);
          const y = Math.round(row + tapY[tap]! * radius);
          if (x < 0 || y < 0 || x >= width || y >= height) {
            continue;
          }
          const other = y * width + x;
          const own = measureBlur(camera, strength, depth[other]!);
          const weight = own >= radius ? 1 : own / radius;
          total += weight;
          r += weight * from[other * 3]!;
          g += weight * from[other * 3 + 1]!;
          b += weight * from[other * 3 + 2]!;
        }
      }
      to[at * 3] = r / total;
      to[at * 3 + 1] = g / total;
      to[at * 3 + 2] = b / total;
    }
  }
}
