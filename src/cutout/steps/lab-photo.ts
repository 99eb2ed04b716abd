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
  for (let p = 0; p < data.length; p += 3) {
    const color = oklabFromLinear([linear[data[p]!]!, linear[data[p + 1]!]!, linear[data[p + 2]!]!]);
    lab[p] = color[0];
    lab[p + 1] = color[1];
    lab[p + 2] = color[2];
  }
  return { width, height, data: lab };
}

const linear = Float64Array.from({ length: 256 }, (_, byte) => decodeSrgb(byte / 255));
