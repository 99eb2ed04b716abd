/** The backdrop of a place: the part of the panorama that the camera sees behind the set, blurred by defocus. */
import type { Camera } from '../camera.ts';
import type { PictureMemory } from '../picture-memory.ts';
import type { PlaceSetting, StudioScene } from '../studio-scene.ts';
import type { BalancedLight } from './place-light.ts';

export interface PlaceView {
  readonly setting: PlaceSetting;
  readonly light: BalancedLight;
  /** Blur radius at infinity, in pixels. */
  readonly farBlurPx: number;
  readonly focusDepth: number;
  /**
   * Pixels of the picture per grid pixel, in each direction. `margin` is the width, in grid pixels, of the extra border
   * that is needed to blur the picture's edges.
   */
  readonly step: number;
  readonly margin: number;
  /** Height of the horizon above the picture's lower edge, as a fraction of the picture's height. */
  readonly horizon: number;
  /**
   * The sharp backdrop as prefix sums along each row: three numbers per entry, and one more entry than the row has
   * pixels.
   */
  readonly raw: Grid;
  readonly blurred: Grid;
}

interface Grid {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Angle of the panorama, in degrees, that fills the picture's shorter side. */
export const VIEW_DEG = 38;
/**
 * Maximum number of grid pixels along the picture's longer side. The visible part of the panorama is only about 55
 * pixels wide, and the blur hides missing detail.
 */
const GRID_EDGE = 256;
/**
 * Limits of `horizon` if the setting does not specify it. Between them, the horizon is at the camera's height. Without
 * limits, only the place's ground would be visible behind a product photographed from above.
 */
const HORIZON_LIMITS = [0.5, 0.64] as const;
/** Maximum radiance, as if the sensor saturated; without it, the blurred disc of one lamp would be far too bright. */
const MAX_RADIANCE = 12;

export function makePlaceView(
  scene: StudioScene,
  camera: Camera,
  light: BalancedLight,
  setting: PlaceSetting,
  memory: PictureMemory,
): PlaceView {
  const { width, height } = camera;
  const longer = Math.max(width, height);
  const step = Math.max(1, Math.ceil(longer / GRID_EDGE));
  const farBlurPx = scene.depthOfField * longer;
  const margin = Math.ceil(farBlurPx / step) + 1;
  const grid = { width: Math.ceil(width / step) + 3, height: Math.ceil(height / step) + 3 };
  const raw = { width: grid.width + 2 * margin, height: grid.height + 2 * margin };
  const seen = 0.5 - camera.shift / (2 * camera.tanY);
  return {
    setting,
    light,
    farBlurPx,
    focusDepth: camera.distance,
    step,
    margin,
    horizon: setting.horizon ?? Math.min(HORIZON_LIMITS[1], Math.max(HORIZON_LIMITS[0], seen)),
    raw: { ...raw, data: memory.float32('place-raw', (raw.width + 1) * raw.height * 3) },
    blurred: { ...grid, data: memory.float32('place-blurred', grid.width * grid.height * 3) },
  };
}

const weightsX = new Float64Array(4);
const weightsY = new Float64Array(4);

/**
 * Weights of a cubic B-spline, which is smoother than interpolation. Interpolation would show the panorama's pixels.
 */
function spline(fraction: number, out: Float64Array): void {
  const t = fraction;
  const s = 1 - t;
  out[0] = (s * s * s) / 6;
  out[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
  out[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
  out[3] = (t * t * t) / 6;
}

/** Fills rows of the raw grid with prefix sums. */
export function sampleBackdrop(place: PlaceView, fromRow: number, toRow: number): void {
  const { light, setting, margin, raw, blurred, horizon } = place;
  const { width, height, data } = light.soft;
  const size = Math.min(blurred.width, blurred.height) - 3;
  const perDegree = width / 360;
  const toRight = setting.isMirrored ? -1 : 1;
  for (let row = fromRow; row < toRow; row++) {
    const v = 1 - (row - margin - 1) / (blurred.height - 3);
    const latitude = (((v - horizon) * (blurred.height - 3)) / size) * VIEW_DEG;
    const y = Math.min(height - 1, Math.max(0, (90 - latitude) * perDegree - 0.5));
    const top = Math.floor(y);
    spline(y - top, weightsY);
    let at = row * (raw.width + 1) * 3;
    // Start the sums at 0: the memory may hold values of an earlier picture.
    raw.data.fill(0, at, at + 3);
    for (let column = 0; column < raw.width; column++, at += 3) {
      const u = (column - margin - 1 - (blurred.width - 3) / 2) / size;
      const x = (setting.headingDeg + toRight * u * VIEW_DEG + 180) * perDegree - 0.5;
      const left = Math.floor(x);
      spline(x - left, weightsX);
      let [r, g, b] = [0, 0, 0];
      for (let j = 0; j < 4; j++) {
        const line = Math.min(height - 1, Math.max(0, top + j - 1)) * width;
        for (let i = 0; i < 4; i++) {
          const from = (line + ((((left + i - 1) % width) + width) % width)) * 3;
          const weight = weightsX[i]! * weightsY[j]!;
          r += weight * data[from]!;
          g += weight * data[from + 1]!;
          b += weight * data[from + 2]!;
        }
      }
      const share = Math.min(1, MAX_RADIANCE / Math.max(r, g, b, 1e-6));
      raw.data[at + 3] = raw.data[at]! + share * r;
      raw.data[at + 4] = raw.data[at + 1]! + share * g;
      raw.data[at + 5] = raw.data[at + 2]! + share * b;
    }
  }
}

/** Blurs by averaging over a disc, so that highlights become discs, as with a wide-open lens. */
export function blurBackdrop(
  { raw, blurred, margin, farBlurPx, step }: PlaceView,
  fromRow: number,
  toRow: number,
) {
  const radius = Math.max(0.5, farBlurPx / step);
  const stride = (raw.width + 1) * 3;
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < blurred.width; column++) {
      const middle = column + margin + 0.5;
      let [r, g, b, area] = [0, 0, 0, 0];
      for (let dy = -Math.floor(radius); dy <= radius; dy++) {
        const half = Math.sqrt(radius * radius - dy * dy);
        const start = middle - half;
        const end = middle + half;
        const i = Math.floor(start);
        const j = Math.floor(end);
        const line = (row + margin + dy) * stride;
        const a = line + i * 3;
        const z = line + j * 3;
        const fa = start - i;
        const fz = end - j;
        area += 2 * half;
        const { data } = raw;
        r += data[z]! + fz * (data[z + 3]! - data[z]!) - data[a]! - fa * (data[a + 3]! - data[a]!);
        g +=
          data[z + 1]! +
          fz * (data[z + 4]! - data[z + 1]!) -
          data[a + 1]! -
          fa * (data[a + 4]! - data[a + 1]!);
        b +=
          data[z + 2]! +
          fz * (data[z + 5]! - data[z + 2]!) -
          data[a + 2]! -
          fa * (data[a + 5]! - data[a + 2]!);
      }
      const to = (row * blurred.width + column) * 3;
      blurred.data[to] = r / area;
      blurred.data[to + 1] = g / area;
      blurred.data[to + 2] = b / area;
    }
  }
}

/** Reads the blurred backdrop at a pixel of the picture. */
export function readBackdrop(
  { blurred, step }: PlaceView,
  column: number,
  row: number,
  out: Float64Array,
): void {
  const x = (column + 0.5) / step + 0.5;
  const y = (row + 0.5) / step + 0.5;
  const left = Math.floor(x);
  const top = Math.floor(y);
  spline(x - left, weightsX);
  spline(y - top, weightsY);
  out.fill(0);
  for (let j = 0; j < 4; j++) {
    const line = Math.min(blurred.height - 1, Math.max(0, top + j - 1)) * blurred.width;
    for (let i = 0; i < 4; i++) {
      const from = (line + Math.min(blurred.width - 1, Math.max(0, left + i - 1))) * 3;
      const weight = weightsX[i]! * weightsY[j]!;
      for (let c = 0; c < 3; c++) out[c] = out[c]! + weight * blurred.data[from + c]!;
    }
  }
}
