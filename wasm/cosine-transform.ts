/** The 8 by 8 cosine transform of JPEG (ITU-T T.81, A.3.3) and its inverse, orthonormal, in place on 64 floats. */

/** Factors of the transform. `Ck` is cos(k pi / 16) / 2; `ROOT` is 1 / (2 sqrt 2), the factor of frequency 0. */
const C1: f32 = 0.4903926402016152;
const C2: f32 = 0.46193976625564337;
const C3: f32 = 0.4157348061512726;
const C5: f32 = 0.2777851165098011;
const C6: f32 = 0.19134171618254492;
const C7: f32 = 0.09754516100806417;
const ROOT: f32 = 0.35355339059327373;

/** Bytes of a row of eight floats. */
const ROW: usize = 32;

/**
 * Rows of samples become columns of coefficients: index 8 u + v has horizontal frequency u and vertical
 * frequency v. Transposing back would cost time, and no caller needs it.
 */
export function transformBlock(block: usize): void {
  forward(block);
  forward(block + 16);
  transpose(block);
  forward(block);
  forward(block + 16);
}

export function restoreBlock(block: usize): void {
  inverse(block);
  inverse(block + 16);
  transpose(block);
  inverse(block);
  inverse(block + 16);
}

/** Four columns at once. */
function forward(at: usize): void {
  const x0 = v128.load(at);
  const x1 = v128.load(at, ROW);
  const x2 = v128.load(at, 2 * ROW);
  const x3 = v128.load(at, 3 * ROW);
  const x4 = v128.load(at, 4 * ROW);
  const x5 = v128.load(at, 5 * ROW);
  const x6 = v128.load(at, 6 * ROW);
  const x7 = v128.load(at, 7 * ROW);
  const s0 = f32x4.add(x0, x7);
  const s1 = f32x4.add(x1, x6);
  const s2 = f32x4.add(x2, x5);
  const s3 = f32x4.add(x3, x4);
  const d0 = f32x4.sub(x0, x7);
  const d1 = f32x4.sub(x1, x6);
  const d2 = f32x4.sub(x2, x5);
  const d3 = f32x4.sub(x3, x4);
  const s03 = f32x4.add(s0, s3);
  const s12 = f32x4.add(s1, s2);
  const t03 = f32x4.sub(s0, s3);
  const t12 = f32x4.sub(s1, s2);
  v128.store(at, times(f32x4.add(s03, s12), ROOT));
  v128.store(at, times(f32x4.sub(s03, s12), ROOT), 4 * ROW);
  v128.store(at, f32x4.add(times(t03, C2), times(t12, C6)), 2 * ROW);
  v128.store(at, f32x4.sub(times(t03, C6), times(t12, C2)), 6 * ROW);
  v128.store(at, mix(d0, C1, d1, C3, d2, C5, d3, C7), ROW);
  v128.store(at, mix(d0, C3, d1, -C7, d2, -C1, d3, -C5), 3 * ROW);
  v128.store(at, mix(d0, C5, d1, -C1, d2, C7, d3, C3), 5 * ROW);
  v128.store(at, mix(d0, C7, d1, -C5, d2, C3, d3, -C1), 7 * ROW);
}

function inverse(at: usize): void {
  const y0 = v128.load(at);
  const y1 = v128.load(at, ROW);
  const y2 = v128.load(at, 2 * ROW);
  const y3 = v128.load(at, 3 * ROW);
  const y4 = v128.load(at, 4 * ROW);
  const y5 = v128.load(at, 5 * ROW);
  const y6 = v128.load(at, 6 * ROW);
  const y7 = v128.load(at, 7 * ROW);
  const e0 = times(f32x4.add(y0, y4), ROOT);
  const e1 = times(f32x4.sub(y0, y4), ROOT);
  const f0 = f32x4.add(times(y2, C2), times(y6, C6));
  const f1 = f32x4.sub(times(y2, C6), times(y6, C2));
  const g0 = f32x4.add(e0, f0);
  const g1 = f32x4.add(e1, f1);
  const g2 = f32x4.sub(e1, f1);
  const g3 = f32x4.sub(e0, f0);
  const o0 = mix(y1, C1, y3, C3, y5, C5, y7, C7);
  const o1 = mix(y1, C3, y3, -C7, y5, -C1, y7, -C5);
  const o2 = mix(y1, C5, y3, -C1, y5, C7, y7, C3);
  const o3 = mix(y1, C7, y3, -C5, y5, C3, y7, -C1);
  v128.store(at, f32x4.add(g0, o0));
  v128.store(at, f32x4.add(g1, o1), ROW);
  v128.store(at, f32x4.add(g2, o2), 2 * ROW);
  v128.store(at, f32x4.add(g3, o3), 3 * ROW);
  v128.store(at, f32x4.sub(g3, o3), 4 * ROW);
  v128.store(at, f32x4.sub(g2, o2), 5 * ROW);
  v128.store(at, f32x4.sub(g1, o1), 6 * ROW);
  v128.store(at, f32x4.sub(g0, o0), 7 * ROW);
}

function times(values: v128, factor: f32): v128 {
  return f32x4.mul(values, f32x4.splat(factor));
}

function mix(a: v128, ka: f32, b: v128, kb: f32, c: v128, kc: f32, d: v128, kd: f32): v128 {
  return f32x4.add(f32x4.add(times(a, ka), times(b, kb)), f32x4.add(times(c, kc), times(d, kd)));
}

export function transpose(block: usize): void {
  transposeQuarters(block, block);
  transposeQuarters(block + 16, block + 4 * ROW);
  transposeQuarters(block + 4 * ROW + 16, block + 4 * ROW + 16);
}

/** Transposes two 4 by 4 quarters and swaps them; if both are the same, transposes in place. */
function transposeQuarters(one: usize, other: usize): void {
  const a0 = v128.load(one);
  const a1 = v128.load(one, ROW);
  const a2 = v128.load(one, 2 * ROW);
  const a3 = v128.load(one, 3 * ROW);
  const b0 = v128.load(other);
  const b1 = v128.load(other, ROW);
  const b2 = v128.load(other, 2 * ROW);
  const b3 = v128.load(other, 3 * ROW);
  storeTransposed(other, a0, a1, a2, a3);
  storeTransposed(one, b0, b1, b2, b3);
}

function storeTransposed(at: usize, r0: v128, r1: v128, r2: v128, r3: v128): void {
  const low01 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5);
  const low23 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5);
  const high01 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7);
  const high23 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7);
  v128.store(at, v128.shuffle<i64>(low01, low23, 0, 2));
  v128.store(at, v128.shuffle<i64>(low01, low23, 1, 3), ROW);
  v128.store(at, v128.shuffle<i64>(high01, high23, 0, 2), 2 * ROW);
  v128.store(at, v128.shuffle<i64>(high01, high23, 1, 3), 3 * ROW);
}
