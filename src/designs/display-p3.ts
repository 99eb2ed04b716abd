/** Converts Display P3 pixels to sRGB, for files that declare P3 by a code point instead of an embedded profile. */
import { decodeSrgb, encodeSrgb } from '../srgb.ts';

// Both color spaces share the D65 white and the sRGB curve. The matrix is XYZ-to-sRGB times P3-to-XYZ (CSS Color 4,
// section 17).
const MATRIX = [
  [1.2249401763, -0.2249401763, 0],
  [-0.0420569547, 1.0420569547, 0],
  [-0.0196375546, -0.0786360456, 1.0982736001],
] as const;

/**
 * Intervals of the table from linear light to sRGB. At black, where the curve is steepest (slope 12.92), one table step
 * changes an 8-bit value by 0.8.
 */
const STEPS = 4095;

const toLinear = Float32Array.from({ length: 256 }, (_, value) => decodeSrgb(value / 255));
const fromLinear = Uint8Array.from({ length: STEPS + 1 }, (_, step) =>
  Math.round(255 * encodeSrgb(step / STEPS)),
);

/** Converts in place and clips out-of-gamut colors. A fourth channel is left unchanged. */
export function displayP3ToSrgb(data: Uint8Array, channels: 3 | 4): void {
  const [red, green, blue] = MATRIX;
  for (let p = 0; p < data.length; p += channels) {
    const r = toLinear[data[p]!]!;
    const g = toLinear[data[p + 1]!]!;
    const b = toLinear[data[p + 2]!]!;
    data[p] = encode(red[0] * r + red[1] * g);
    data[p + 1] = encode(green[0] * r + green[1] * g);
    data[p + 2] = encode(blue[0] * r + blue[1] * g + blue[2] * b);
  }
}

function encode(linear: number): number {
  return fromLinear[Math.round(Math.min(1, Math.max(0, linear)) * STEPS)]!;
}
