/** A photo in OKLab, where equal distances look about equally different. */
import type { RgbImage } from './pixels.ts';
import { oklabFromRgb } from './srgb.ts';

export interface Lab {
  readonly width: number;
  readonly height: number;
  /** OKLab, interleaved: lightness 0 to 1, then a and b, each about -0.4 to 0.4. */
  readonly data: Float32Array;
}

export function toLab({ width, height, data }: RgbImage): Lab {
  const lab = new Float32Array(data.length);
  for (let p = 0; p < data.length; p += 3) {
    const slot = findSlot(data[p]!, data[p + 1]!, data[p + 2]!);
    lab[p] = heldLab[slot]!;
    lab[p + 1] = heldLab[slot + 1]!;
    lab[p + 2] = heldLab[slot + 2]!;
  }
  return { width, height, data: lab };
}

/**
 * A table of colors converted earlier: each slot keeps the last color that was hashed to it. It saves time because
 * photos repeat colors, and cube roots are slow. It fits into a core's cache.
 */
const SLOTS = 2 ** 15;
const held = new Int32Array(SLOTS).fill(-1);
const heldLab = new Float32Array(3 * SLOTS);

function findSlot(red: number, green: number, blue: number): number {
  const color = (red << 16) | (green << 8) | blue;
  // Multiplicative hashing (Knuth, volume 3, section 6.4): the factor is 2^32 divided by the golden ratio, and the slot
  // is the upper 15 bits of the 32-bit result.
  const slot = Math.imul(color, 0x9e3779b1) >>> 17;
  if (held[slot] !== color) {
    held[slot] = color;
    heldLab.set(oklabFromRgb(red, green, blue), 3 * slot);
  }
  return 3 * slot;
}
