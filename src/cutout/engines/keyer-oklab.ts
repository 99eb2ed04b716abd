/** The keyer's color space: OKLab, in which equal distances look about equally different. */
import type { RgbImage } from '../../pixels.ts';

export interface LabImage {
  readonly width: number;
  readonly height: number;
  /** Planes: lightness 0 to 1, then green-red and blue-yellow, each about -0.4 to 0.4. */
  readonly planes: readonly [Float32Array, Float32Array, Float32Array];
}

/** sRGB byte to linear light (IEC 61966-2-1). */
const linear = Float32Array.from({ length: 256 }, (_, byte) => {
  const v = byte / 255;
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
});

/** Björn Ottosson, "A perceptual color space for image processing" (2020), the matrices for sRGB. */
export function makeLabImage({ width, height, data }: RgbImage): LabImage {
  const pixels = width * height;
  const lightness = new Float32Array(pixels);
  const greenRed = new Float32Array(pixels);
  const blueYellow = new Float32Array(pixels);
  for (let i = 0, p = 0; i < pixels; i++, p += 3) {
    const r = linear[data[p]!]!;
    const g = linear[data[p + 1]!]!;
    const b = linear[data[p + 2]!]!;
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    lightness[i] = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
    greenRed[i] = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
    blueYellow[i] = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  }
  return { width, height, planes: [lightness, greenRed, blueYellow] };
}
