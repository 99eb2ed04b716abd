/** Visual difference of two pictures: the mean of the CIELAB distances between their pixels (CIE 1976, D65). */
import { linearLevels } from '../../../pixels/src/srgb.ts';

/** Both pictures are 8-bit sRGB with three channels. A difference of 1 is just visible. */
export function labDifference(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  for (let p = 0; p < one.length; p += 3) {
    const [l, a, b] = toLab(one, p);
    const [m, c, d] = toLab(other, p);
    sum += Math.hypot(l - m, a - c, b - d);
  }
  return sum / (one.length / 3);
}

/** IEC 61966-2-1 and CIE 15:2004, 8.2.1. */
function toLab(rgb: Uint8Array, p: number): readonly [number, number, number] {
  const [r, g, b] = [linearLevels[rgb[p]!]!, linearLevels[rgb[p + 1]!]!, linearLevels[rgb[p + 2]!]!];
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const curve = (t: number): number => (t > (6 / 29) ** 3 ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29);
