/**
 * The inner loops of the exact JPEG encoder, compiled to WebAssembly with SIMD: pixels to tokens, one row of
 * blocks at a time, then all tokens to bits. `encodeFlatJpeg` describes the whole encoder.
 */
import { transformBlock } from './cosine-transform.ts';
import { flatMask, held, holdFlat } from './hold-flat.ts';
import { flatDcOf, levelOf, multiples, PLANE_BYTES, perFreeStep, planeSettings } from './plane-settings.ts';
import { codes, counts, pushBlock, resetTokens, writeBits } from './tokens.ts';

export { codes, counts, planeSettings, resetTokens, writeBits };

/** Start of free memory; the caller decides its layout. */
export const freeMemory: usize = (__heap_base + 15) & ~15;

/** Zigzag position (T.81, figure A.6) of coefficient 8 u + v. */
const zigzagOf = memory.data<u8>([
  0, 2, 3, 9, 10, 20, 21, 35, 1, 4, 8, 11, 19, 22, 34, 36, 5, 7, 12, 18, 23, 33, 37, 48, 6, 13, 17, 24, 32,
  38, 47, 49, 14, 16, 25, 31, 39, 46, 50, 57, 15, 26, 30, 40, 45, 51, 56, 58, 27, 29, 41, 44, 52, 55, 59, 62,
  28, 42, 43, 53, 54, 60, 61, 63,
]);

/** Baseline files encode at most 10 bits of a coefficient (T.81, F.1.2.2). */
const LIMIT: f32 = 1023;

const ALL_FLAT: u64 = (u64(0x01010101) << 32) | 0x01010101;
const BLOCK: usize = 256;

/** The samples of one block of each plane. */
const samples: usize = memory.data(768, 16);
const natural: usize = memory.data(128, 16);
const zigzagged: usize = memory.data(128, 16);

/**
 * One row of blocks: eight rows of `8 * columns` pixels of `rgb` (3 bytes each) and `flat` (1 byte each: 1 if
 * the pixel has exactly the flat color, otherwise 0). Writes at most 192 tokens per column; returns their
 * end.
 */
export function pushRow(rgb: usize, flat: usize, columns: i32, tokens: usize): usize {
  const stride: usize = 8 * columns;
  let next = tokens;
  for (let x: usize = 0; x < stride; x += 8) {
    let every = ALL_FLAT;
    let some: u64 = 0;
    for (let y: usize = 0; y < 8; y++) {
      const eight = load<u64>(flat + y * stride + x);
      every &= eight;
      some |= eight;
    }
    if (every === ALL_FLAT) {
      next = pushFlat(next);
      continue;
    }
    readSamples(rgb + 3 * x, 3 * stride);
    if (some !== 0) maskSamples(flat + x, stride);
    for (let n: usize = 0; n < 3; n++) {
      const plane = planeSettings + PLANE_BYTES * n;
      const block = samples + BLOCK * n;
      if (some === 0) {
        next = pushFree(next, n, plane, block);
      } else {
        holdFlat(plane, block);
        next = pushQuantised(next, n, held);
      }
    }
  }
  return next;
}

function pushFlat(tokens: usize): usize {
  let next = tokens;
  for (let n: usize = 0; n < 3; n++) {
    store<i16>(zigzagged, flatDcOf(planeSettings + PLANE_BYTES * n));
    next = pushBlock(next, n, zigzagged, 1);
  }
  return next;
}

/** RGB to YCbCr by JFIF 1.02 (the BT.601 matrix), minus 128. */
function readSamples(rgb: usize, stride: usize): void {
  const zero = i32x4.splat(0);
  for (let y: usize = 0; y < 8; y++) {
    const at = rgb + y * stride;
    const one = v128.load(at);
    const two = v128.load(at, 8);
    convert(
      samples + 32 * y,
      v128.shuffle<i8>(one, zero, 0, 16, 16, 16, 3, 16, 16, 16, 6, 16, 16, 16, 9, 16, 16, 16),
      v128.shuffle<i8>(one, zero, 1, 16, 16, 16, 4, 16, 16, 16, 7, 16, 16, 16, 10, 16, 16, 16),
      v128.shuffle<i8>(one, zero, 2, 16, 16, 16, 5, 16, 16, 16, 8, 16, 16, 16, 11, 16, 16, 16),
    );
    convert(
      samples + 32 * y + 16,
      v128.shuffle<i8>(two, zero, 4, 16, 16, 16, 7, 16, 16, 16, 10, 16, 16, 16, 13, 16, 16, 16),
      v128.shuffle<i8>(two, zero, 5, 16, 16, 16, 8, 16, 16, 16, 11, 16, 16, 16, 14, 16, 16, 16),
      v128.shuffle<i8>(two, zero, 6, 16, 16, 16, 9, 16, 16, 16, 12, 16, 16, 16, 15, 16, 16, 16),
    );
  }
}

function convert(at: usize, red: v128, green: v128, blue: v128): void {
  const r = f32x4.convert_i32x4_s(red);
  const g = f32x4.convert_i32x4_s(green);
  const b = f32x4.convert_i32x4_s(blue);
  v128.store(at, f32x4.sub(mix(r, 0.299, g, 0.587, b, 0.114), f32x4.splat(128)));
  v128.store(at, mix(r, -0.168735892, g, -0.331264108, b, 0.5), BLOCK);
  v128.store(at, mix(r, 0.5, g, -0.418687589, b, -0.081312411), 2 * BLOCK);
}

function mix(a: v128, ka: f32, b: v128, kb: f32, c: v128, kc: f32): v128 {
  return f32x4.add(
    f32x4.add(f32x4.mul(a, f32x4.splat(ka)), f32x4.mul(b, f32x4.splat(kb))),
    f32x4.mul(c, f32x4.splat(kc)),
  );
}

/** Sets `flatMask`, and the flat pixels' samples to the level that decodes to their color. */
function maskSamples(flat: usize, stride: usize): void {
  for (let i: usize = 0; i < BLOCK; i += 16) {
    const four = flat + (i >> 5) * stride + ((i >> 2) & 7);
    const flags = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(four)));
    const mask = i32x4.ne(flags, i32x4.splat(0));
    v128.store(flatMask + i, mask);
    for (let n: usize = 0; n < 3; n++) {
      const at = samples + BLOCK * n + i;
      const level = f32x4.splat(levelOf(planeSettings + PLANE_BYTES * n));
      v128.store(at, v128.bitselect(level, v128.load(at), mask));
    }
  }
}

function pushFree(tokens: usize, n: usize, plane: usize, block: usize): usize {
  transformBlock(block);
  for (let i: usize = 0; i < BLOCK; i += 16) {
    const wanted = f32x4.nearest(f32x4.mul(v128.load(block + i), perFreeStep(plane, i)));
    v128.store(block + i, f32x4.mul(wanted, multiples(plane, i)));
  }
  return pushQuantised(tokens, n, block);
}

/** Pushes a block of whole floats in the transform's order. The cost is proportional to the nonzero coefficients. */
function pushQuantised(tokens: usize, n: usize, quantised: usize): usize {
  let found: u64 = 0;
  for (let row: usize = 0; row < 8; row++) {
    const eight = i16x8.narrow_i32x4_s(
      toLimitedWhole(v128.load(quantised + 32 * row)),
      toLimitedWhole(v128.load(quantised + 32 * row, 16)),
    );
    v128.store(natural + 16 * row, eight);
    found |= u64(i16x8.bitmask(i16x8.ne(eight, i16x8.splat(0)))) << (8 * row);
  }
  let present: u64 = 0;
  for (; found !== 0; found &= found - 1) {
    const k = usize(ctz(found));
    const place = usize(load<u8>(zigzagOf + k));
    store<i16>(zigzagged + 2 * place, load<i16>(natural + 2 * k));
    present |= u64(1) << place;
  }
  return pushBlock(tokens, n, zigzagged, present);
}

function toLimitedWhole(values: v128): v128 {
  const limited = f32x4.max(f32x4.splat(-LIMIT), f32x4.min(f32x4.splat(LIMIT), values));
  return i32x4.trunc_sat_f32x4_s(limited);
}
