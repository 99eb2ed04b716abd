/** Converts wide-gamut pixels to sRGB, for files that declare their color space by a code instead of a profile. */
import { decodeSrgb, encodeSrgb } from 'packshot-pixels';

export type WideGamut = 'Display P3' | 'Adobe RGB';

type Row = readonly [number, number, number];

interface Conversion {
  /** From linear light to linear sRGB; both have the white D65. */
  readonly matrix: readonly [Row, Row, Row];
  readonly toLinear: Float32Array;
}

const tableOf = (decode: (value: number) => number) =>
  Float32Array.from({ length: 256 }, (_, value) => decode(value / 255));

/** Matrices: XYZ-to-sRGB times the color space's own matrix to XYZ (CSS Color 4, section 17). */
const conversions: Readonly<Record<WideGamut, Conversion>> = {
  'Display P3': {
    matrix: [
      [1.2249401763, -0.2249401763, 0],
      [-0.0420569547, 1.0420569547, 0],
      [-0.0196375546, -0.0786360456, 1.0982736001],
    ],
    toLinear: tableOf(decodeSrgb),
  },
  'Adobe RGB': {
    matrix: [
      [1.3983557439, -0.3983557439, 0],
      [0, 1, 0],
      [0, -0.0429289893, 1.0429289893],
    ],
    // Adobe RGB (1998) Color Image Encoding, 4.3.1.2.
    toLinear: tableOf((value) => value ** (563 / 256)),
  },
};

/**
 * Intervals of the table from linear light to sRGB. At black, where the curve is steepest (slope 12.92), one table step
 * changes an 8-bit value by 0.8.
 */
const STEPS = 4095;

const fromLinear = Uint8Array.from({ length: STEPS + 1 }, (_, step) =>
  Math.round(255 * encodeSrgb(step / STEPS)),
);

/** Converts in place and clips out-of-gamut colors. A fourth channel is left unchanged. */
export function convertToSrgb(gamut: WideGamut, data: Uint8Array, channels: 3 | 4): void {
  const { matrix, toLinear } = conversions[gamut];
  const [red, green, blue] = matrix;
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
