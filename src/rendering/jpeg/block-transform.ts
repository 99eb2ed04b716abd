/** The 8 by 8 cosine transform of JPEG (ITU-T T.81, A.3.3) and its inverse, orthonormal, in place. */

const cosine = (k: number): number => Math.cos((k * Math.PI) / 16) / 2;
const [C1, C2, C3, C5, C6, C7] = [cosine(1), cosine(2), cosine(3), cosine(5), cosine(6), cosine(7)];
const ROOT = Math.SQRT1_2 / 2;

/** 64 samples, row-major, become 64 coefficients, row-major. */
export function transformBlock(block: Float32Array): void {
  for (let row = 0; row < 64; row += 8) {
    forward(block, row, 1);
  }
  for (let column = 0; column < 8; column++) {
    forward(block, column, 8);
  }
}

export function restoreBlock(block: Float32Array): void {
  for (let column = 0; column < 8; column++) {
    inverse(block, column, 8);
  }
  for (let row = 0; row < 64; row += 8) {
    inverse(block, row, 1);
  }
}

function forward(v: Float32Array, at: number, step: number): void {
  const [x0, x1, x2, x3] = [v[at]!, v[at + step]!, v[at + 2 * step]!, v[at + 3 * step]!];
  const [x4, x5, x6, x7] = [v[at + 4 * step]!, v[at + 5 * step]!, v[at + 6 * step]!, v[at + 7 * step]!];
  const s0 = x0 + x7;
  const s1 = x1 + x6;
  const s2 = x2 + x5;
  const s3 = x3 + x4;
  const d0 = x0 - x7;
  const d1 = x1 - x6;
  const d2 = x2 - x5;
  const d3 = x3 - x4;
  v[at] = ROOT * (s0 + s1 + s2 + s3);
  v[at + 4 * step] = ROOT * (s0 - s1 - s2 + s3);
  v[at + 2 * step] = C2 * (s0 - s3) + C6 * (s1 - s2);
  v[at + 6 * step] = C6 * (s0 - s3) - C2 * (s1 - s2);
  v[at + step] = C1 * d0 + C3 * d1 + C5 * d2 + C7 * d3;
  v[at + 3 * step] = C3 * d0 - C7 * d1 - C1 * d2 - C5 * d3;
  v[at + 5 * step] = C5 * d0 - C1 * d1 + C7 * d2 + C3 * d3;
  v[at + 7 * step] = C7 * d0 - C5 * d1 + C3 * d2 - C1 * d3;
}

function inverse(v: Float32Array, at: number, step: number): void {
  const y1 = v[at + step]!;
  const y2 = v[at + 2 * step]!;
  const y3 = v[at + 3 * step]!;
  const y5 = v[at + 5 * step]!;
  const y6 = v[at + 6 * step]!;
  const y7 = v[at + 7 * step]!;
  const e0 = ROOT * (v[at]! + v[at + 4 * step]!);
  const e1 = ROOT * (v[at]! - v[at + 4 * step]!);
  const f0 = C2 * y2 + C6 * y6;
  const f1 = C6 * y2 - C2 * y6;
  const o0 = C1 * y1 + C3 * y3 + C5 * y5 + C7 * y7;
  const o1 = C3 * y1 - C7 * y3 - C1 * y5 - C5 * y7;
  const o2 = C5 * y1 - C1 * y3 + C7 * y5 + C3 * y7;
  const o3 = C7 * y1 - C5 * y3 + C3 * y5 - C1 * y7;
  v[at] = e0 + f0 + o0;
  v[at + step] = e1 + f1 + o1;
  v[at + 2 * step] = e1 - f1 + o2;
  v[at + 3 * step] = e0 - f0 + o3;
  v[at + 4 * step] = e0 - f0 - o3;
  v[at + 5 * step] = e1 - f1 - o2;
  v[at + 6 * step] = e1 + f1 - o1;
  v[at + 7 * step] = e0 + f0 - o0;
}
