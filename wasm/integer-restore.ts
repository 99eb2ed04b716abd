/**
 * The inverse transform exactly as in decoders: libjpeg's "islow" (Loeffler, Ligtenberg and Moschytz 1989;
 * `jidctint.c`), which the SIMD code of libjpeg-turbo and MozJPEG matches bit for bit. The rounding of its first pass
 * is an error of at most 0.044 of a level. After the second pass, before the samples are rounded, the error is at most
 * 0.12 of a level.
 */
import { transpose } from './cosine-transform.ts';

/** Bytes of a row of eight numbers. */
const ROW: usize = 32;

/** Fraction bits of the factors, and those kept by the first pass. */
const FACTOR_BITS = 13;
const KEPT_BITS = 2;

/**
 * In place: 64 whole floats in the order of `transformBlock`'s coefficients become whole samples minus 128,
 * row-major.
 */
export function restoreAsDecoder(block: usize): void {
  for (let i: usize = 0; i < 8 * ROW; i += 16) {
    v128.store(block + i, i32x4.trunc_sat_f32x4_s(v128.load(block + i)));
  }
  transpose(block);
  restoreFour(block, FACTOR_BITS - KEPT_BITS);
  restoreFour(block + 16, FACTOR_BITS - KEPT_BITS);
  transpose(block);
  // The row pass also divides by 8, the scale of the transform.
  restoreFour(block, FACTOR_BITS + KEPT_BITS + 3);
  restoreFour(block + 16, FACTOR_BITS + KEPT_BITS + 3);
  transpose(block);
  for (let i: usize = 0; i < 8 * ROW; i += 16) {
    v128.store(block + i, f32x4.convert_i32x4_s(v128.load(block + i)));
  }
}

/** Four columns at once; names and factors (times 8192) as in `jidctint.c`. */
function restoreFour(at: usize, shift: i32): void {
  const in2 = v128.load(at, 2 * ROW);
  const in6 = v128.load(at, 6 * ROW);
  const shared = times(i32x4.add(in2, in6), 4433);
  const even2 = i32x4.sub(shared, times(in6, 15137));
  const even3 = i32x4.add(shared, times(in2, 6270));
  const in0 = v128.load(at);
  const in4 = v128.load(at, 4 * ROW);
  const even0 = i32x4.shl(i32x4.add(in0, in4), FACTOR_BITS);
  const even1 = i32x4.shl(i32x4.sub(in0, in4), FACTOR_BITS);

  const in7 = v128.load(at, 7 * ROW);
  const in5 = v128.load(at, 5 * ROW);
  const in3 = v128.load(at, 3 * ROW);
  const in1 = v128.load(at, ROW);
  const sum73 = i32x4.add(in7, in3);
  const sum51 = i32x4.add(in5, in1);
  const z5 = times(i32x4.add(sum73, sum51), 9633);
  const z1 = times(i32x4.add(in7, in1), -7373);
  const z2 = times(i32x4.add(in5, in3), -20995);
  const z3 = i32x4.sub(z5, times(sum73, 16069));
  const z4 = i32x4.sub(z5, times(sum51, 3196));
  const odd0 = i32x4.add(times(in7, 2446), i32x4.add(z1, z3));
  const odd1 = i32x4.add(times(in5, 16819), i32x4.add(z2, z4));
  const odd2 = i32x4.add(times(in3, 25172), i32x4.add(z2, z3));
  const odd3 = i32x4.add(times(in1, 12299), i32x4.add(z1, z4));

  storePair(at, 0, i32x4.add(even0, even3), odd3, shift);
  storePair(at, 1, i32x4.add(even1, even2), odd2, shift);
  storePair(at, 2, i32x4.sub(even1, even2), odd1, shift);
  storePair(at, 3, i32x4.sub(even0, even3), odd0, shift);
}

function times(values: v128, factor: i32): v128 {
  return i32x4.mul(values, i32x4.splat(factor));
}

/** Stores rows n and 7 - n, rounded: the sum and the difference of `even` and `odd`. */
function storePair(at: usize, n: usize, even: v128, odd: v128, shift: i32): void {
  const half = i32x4.add(even, i32x4.splat(1 << (shift - 1)));
  v128.store(at + ROW * n, i32x4.shr_s(i32x4.add(half, odd), shift));
  v128.store(at + ROW * (7 - n), i32x4.shr_s(i32x4.sub(half, odd), shift));
}
