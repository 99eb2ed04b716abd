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

/**
 * A table of colors converted earlier: each slot keeps the last color that was hashed to it. It saves time because
 * photos repeat colors, and cube roots are slow. It fits into a core's cache.
 */
const SLOTS = 2 ** 15;
const held = new Int32Array(SLOTS).fill(-1);
const heldLab = new Float32Array(3 * SLOTS);

/** Converts the three bytes of sRGB at `from`, and writes three values to `into` at `at`. */
export function writeLab(rgb: Uint8Array, from: number, into: Float32Array, at: number): void {
  const slot = findSlot(rgb[from]!, rgb[from + 1]!, rgb[from + 2]!);
  into[at] = heldLab[slot]!;
  into[at + 1] = heldLab[slot + 1]!;
  into[at + 2] = heldLab[slot + 2]!;
}

function findSlot(red: number, green: number, blue: number): number {
  const color = (red << 16) | (green << 8) | blue;
  // Multiplicative hashing (Knuth, volume 3, section 6.4): the factor is 2^32 divided by the golden ratio, and the slot
  // is the upper 15 bits of the 32-bit result.
  const slot = Math.imul(color, 0x9e3779b1) >>> 17;
  if (held[slot] !== color) {
    held[slot] = color;
    heldLab.set(oklabFromLinear([linear[red]!, linear[green]!, linear[blue]!]), 3 * slot);
  }
  return 3 * slot;
}

const linear = Float64Array.from({ length: 256 }, (_, byte) => decodeSrgb(byte / 255));
