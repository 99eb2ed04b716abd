/** A photo in OKLab, where equal distances look about equally different. */
import type { RgbImage } from '../../pixels.ts';
import { decodeSrgb, oklabFromLinear } from '../../srgb.ts';

export interface Lab {
  readonly width: number;
  readonly height: number;
  /** OKLab, interleaved: lightness 0 to 1, then a and b, each about -0.4 to 0.4. */
  readonly data: Float32Array;
}

export function toLab({ width, height, data }: RgbImage): Lab {
  const lab = new Float32Array(data.length);
  for (let p = 0; p < data.length; p += 3) writeLab(data, p, lab, p);
  return { width, height, data: lab };
}

/** Converts the three bytes of sRGB at `from`, and writes three values to `into` at `at`. */
export function writeLab(rgb: Uint8Array, from: number, into: Float32Array, at: number): void {
  const color = oklabFromLinear([linear[rgb[from]!]!, linear[rgb[from + 1]!]!, linear[rgb[from + 2]!]!]);
  into[at] = color[0];
  into[at + 1] = color[1];
  into[at + 2] = color[2];
}

const linear = Float64Array.from({ length: 256 }, (_, byte) => decodeSrgb(byte / 255));
