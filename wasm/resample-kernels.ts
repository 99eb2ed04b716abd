/**
 * The inner loops of `scaleSubject`, compiled to WebAssembly with SIMD: lines of the cutout are filtered
 * horizontally, then vertically. A pixel is four floats with premultiplied color. Nothing is clipped or
 * rounded before the end, so alpha and color overshoot alike, and the division cancels the overshoot.
 */

/** Start of free memory; the caller decides its layout. */
export const freeMemory: usize = (__heap_base + 15) & ~15;

/** Bytes of a pixel of four floats. */
const PIXEL: usize = 16;

/**
 * Alpha that differs from 0 or 255 by less than this (1.5 % of full alpha) is ripple of the filter, not part of the
 * matte: it becomes 0 or 255.
 */
const ALPHA_RIPPLE: f32 = 4;

/**
 * `source`: `width` RGBA pixels, one byte per channel; `work`: room for `width` pixels of four floats. `plan`
 * holds, for each of the `targetWidth` pixels, the index of its first source pixel and the weights of `taps`
 * pixels from there, 4 bytes each.
 */
export function filterAcross(
  source: usize,
  width: i32,
  work: usize,
  plan: usize,
  taps: i32,
  target: usize,
  targetWidth: i32,
): void {
  for (let x: usize = 0; x < usize(width); x++) {
    v128.store(work + PIXEL * x, premultiply(load<u32>(source + 4 * x)));
  }
  let at = plan;
  for (let x: usize = 0; x < usize(targetWidth); x++) {
    let from = work + PIXEL * usize(load<u32>(at));
    at += 4;
    let sum = f32x4.splat(0);
    for (const end = at + 4 * usize(taps); at < end; at += 4, from += PIXEL) {
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(at), v128.load(from)));
    }
    v128.store(target + PIXEL * x, sum);
  }
}

/**
 * `rows`: addresses of `taps` lines of `width` pixels; `weights`: their weights. Writes RGBA bytes with
 * straight alpha.
 */
export function filterDown(rows: usize, weights: usize, taps: i32, width: i32, target: usize): void {
  for (let x: usize = 0; x < usize(width); x++) {
    let sum = f32x4.splat(0);
    for (let k: usize = 0; k < 4 * usize(taps); k += 4) {
      const pixel = v128.load(usize(load<u32>(rows + k)) + PIXEL * x);
      sum = f32x4.add(sum, f32x4.mul(v128.load32_splat(weights + k), pixel));
    }
    store<u32>(target + 4 * x, straighten(sum));
  }
}

/** Four lanes: red, green and blue times alpha, 0 to 255 * 255; then alpha, 0 to 255. */
function premultiply(rgba: u32): v128 {
  const lanes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(i32x4.splat(rgba)));
  const alpha = f32(rgba >> 24);
  return f32x4.mul(f32x4.replace_lane(f32x4.convert_i32x4_s(lanes), 3, 1), f32x4.splat(alpha));
}

function straighten(sum: v128): u32 {
  const own = f32x4.extract_lane(sum, 3);
  const alpha = min<f32>(255, nearest<f32>((own - ALPHA_RIPPLE) * (255 / (255 - 2 * ALPHA_RIPPLE))));
  if (alpha <= 0) return 0;
  const color = f32x4.nearest(f32x4.div(sum, f32x4.splat(own)));
  const lanes = i32x4.trunc_sat_f32x4_s(f32x4.replace_lane(color, 3, alpha));
  const words = i16x8.narrow_i32x4_s(lanes, lanes);
  return i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0);
}
