/**
 * The inner loops of closed-form matting. `closed-form-matting.ts` explains the method and lays out the memory:
 *
 * - `photo`: three bytes per pixel of a picture that is `width` pixels wide.
 * - `rows`: per pixel, the row of the linear system that belongs to it, or -1 if its alpha is known.
 * - `pairs`: the rows' pixels, two horizontal neighbors at a time, so that SIMD computes two rows at once. One number
 *   per pair: the index of its left pixel. If the alpha of the right pixel is known, its row stays 0 throughout.
 * - `stencils`: 25 weights per row, as floats. The same weight of the two rows of a pair is adjacent.
 * - `values`, `alpha`, `direction`: a float per pixel. `residual`, `image` and `inverse`: a double per row.
 *
 * All sums are doubles that are added up in a fixed order.
 */

/** Start of free memory; the caller decides its layout. */
export const freeMemory: usize = (__heap_base + 15) & ~15;

const STENCIL = 25;
/** Bytes of the two stencils of a pair. */
const PAIR: usize = 8 * STENCIL;
/** Position of a pixel's own weight in its stencil. */
const CENTER: usize = 12;

/** Per pixel of a window: color minus mean, and inverse covariance times that; three doubles each. */
const colors: usize = memory.data(27 * 8, 16);
const whitened: usize = memory.data(27 * 8, 16);

/**
 * Adds up the matting Laplacian (equation 12 of Levin et al. 2008) in `stencils`, which must be 0, from all windows of
 * 3x3 pixels that contain an unknown pixel. `levels` has 256 doubles: the values of the photo's bytes.
 */
export function makeStencils(
  photo: usize,
  levels: usize,
  rows: usize,
  stencils: usize,
  width: i32,
  height: i32,
  epsilon: f64,
): void {
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      if (!touchesUnknown(rows, width, i)) continue;
      readColors(photo, levels, width, i);
      whiten(epsilon);
      addWindow(rows, stencils, width, i);
    }
  }
}

/** Known pixels have a row of -1, so the sign bit survives the bitwise AND only if all nine are known. */
function touchesUnknown(rows: usize, width: i32, i: i32): bool {
  const middle = rows + 4 * usize(i);
  const above = middle - 4 * usize(width);
  const below = middle + 4 * usize(width);
  return (
    (load<i32>(above - 4) &
      load<i32>(above) &
      load<i32>(above + 4) &
      load<i32>(middle - 4) &
      load<i32>(middle) &
      load<i32>(middle + 4) &
      load<i32>(below - 4) &
      load<i32>(below) &
      load<i32>(below + 4)) >=
    0
  );
}

/** Reads the window's colors, and subtracts their mean. */
function readColors(photo: usize, levels: usize, width: i32, center: i32): void {
  let r: f64 = 0;
  let g: f64 = 0;
  let b: f64 = 0;
  let to = colors;
  for (let v = -1; v <= 1; v++) {
    let from = photo + 3 * usize(center + v * width - 1);
    for (let u = 0; u < 3; u++, from += 3, to += 24) {
      const red = load<f64>(levels + 8 * usize(load<u8>(from)));
      const green = load<f64>(levels + 8 * usize(load<u8>(from + 1)));
      const blue = load<f64>(levels + 8 * usize(load<u8>(from + 2)));
      store<f64>(to, red);
      store<f64>(to + 8, green);
      store<f64>(to + 16, blue);
      r += red;
      g += green;
      b += blue;
    }
  }
  r /= 9;
  g /= 9;
  b /= 9;
  for (let at = colors; at < colors + 27 * 8; at += 24) {
    store<f64>(at, load<f64>(at) - r);
    store<f64>(at + 8, load<f64>(at + 8) - g);
    store<f64>(at + 16, load<f64>(at + 16) - b);
  }
}

/** Multiplies the colors by the inverse of their covariance. */
function whiten(epsilon: f64): void {
  let rr = epsilon;
  let gg = epsilon;
  let bb = epsilon;
  let rg: f64 = 0;
  let rb: f64 = 0;
  let gb: f64 = 0;
  for (let at = colors; at < colors + 27 * 8; at += 24) {
    const r = load<f64>(at);
    const g = load<f64>(at + 8);
    const b = load<f64>(at + 16);
    rr += r * r;
    gg += g * g;
    bb += b * b;
    rg += r * g;
    rb += r * b;
    gb += g * b;
  }
  const c00 = gg * bb - gb * gb;
  const c01 = rb * gb - rg * bb;
  const c02 = rg * gb - rb * gg;
  // The sums are nine times the covariance, hence the 9.
  const scale = 9 / (rr * c00 + rg * c01 + rb * c02);
  const c11 = rr * bb - rb * rb;
  const c12 = rb * rg - rr * gb;
  const c22 = rr * gg - rg * rg;
  for (let at: usize = 0; at < 27 * 8; at += 24) {
    const r = load<f64>(colors + at);
    const g = load<f64>(colors + at + 8);
    const b = load<f64>(colors + at + 16);
    store<f64>(whitened + at, (c00 * r + c01 * g + c02 * b) * scale);
    store<f64>(whitened + at + 8, (c01 * r + c11 * g + c12 * b) * scale);
    store<f64>(whitened + at + 16, (c02 * r + c12 * g + c22 * b) * scale);
  }
}

function addWindow(rows: usize, stencils: usize, width: i32, center: i32): void {
  for (let ya = 0, a: usize = 0; ya < 3; ya++) {
    for (let xa = 0; xa < 3; xa++, a += 24) {
      const row = load<i32>(rows + 4 * usize(center + (ya - 1) * width + xa - 1));
      if (row < 0) continue;
      const stencil = stencils + usize(row >> 1) * PAIR + 4 * usize(row & 1);
      const r = load<f64>(whitened + a);
      const g = load<f64>(whitened + a + 8);
      const b = load<f64>(whitened + a + 16);
      // The window's first pixel in this pixel's 5x5 neighborhood.
      let at = stencil + 8 * usize((2 - ya) * 5 + 2 - xa);
      for (let line = 0, c = colors; line < 3; line++, at += 8 * 5) {
        for (let k: usize = 0; k < 3; k++, c += 24) {
          const weight = -(1 + r * load<f64>(c) + g * load<f64>(c + 8) + b * load<f64>(c + 16)) / 9;
          store<f32>(at + 8 * k, f32(f64(load<f32>(at + 8 * k)) + weight));
        }
      }
      store<f32>(stencil + 8 * CENTER, f32(f64(load<f32>(stencil + 8 * CENTER)) + 1));
    }
  }
}

/** The two rows' products with the values around them. `corner` is the address of the neighborhood's first value. */
function multiplyPair(stencil: usize, corner: usize, line: usize): v128 {
  let sum = multiplyLine(stencil, corner);
  sum = f64x2.add(sum, multiplyLine(stencil + 40, corner + line));
  sum = f64x2.add(sum, multiplyLine(stencil + 80, corner + 2 * line));
  sum = f64x2.add(sum, multiplyLine(stencil + 120, corner + 3 * line));
  return f64x2.add(sum, multiplyLine(stencil + 160, corner + 4 * line));
}

function multiplyLine(stencil: usize, line: usize): v128 {
  let sum = multiplyTwo(stencil, line);
  sum = f64x2.add(sum, multiplyTwo(stencil + 8, line + 4));
  sum = f64x2.add(sum, multiplyTwo(stencil + 16, line + 8));
  sum = f64x2.add(sum, multiplyTwo(stencil + 24, line + 12));
  return f64x2.add(sum, multiplyTwo(stencil + 32, line + 16));
}

function multiplyTwo(a: usize, b: usize): v128 {
  return f64x2.mul(readTwo(a), readTwo(b));
}

function readTwo(at: usize): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(at));
}

/**
 * Prepares the first step from the values in `alpha`. Returns the squared length of the residual, in the metric of the
 * preconditioner, which is the diagonal.
 */
export function begin(
  pairs: usize,
  count: i32,
  width: i32,
  stencils: usize,
  alpha: usize,
  direction: usize,
  residual: usize,
  inverse: usize,
): f64 {
  const line: usize = 4 * usize(width);
  const least = f64x2.splat(1e-6);
  let product: f64 = 0;
  for (let n: usize = 0; n < usize(count); n++) {
    const at: usize = 4 * usize(load<i32>(pairs + 4 * n));
    const stencil = stencils + n * PAIR;
    const rest = f64x2.neg(multiplyPair(stencil, alpha + at - 2 * line - 8, line));
    const scale = f64x2.div(f64x2.splat(1), f64x2.max(least, readTwo(stencil + 8 * CENTER)));
    const step = f64x2.mul(scale, rest);
    v128.store(residual + 16 * n, rest);
    v128.store(inverse + 16 * n, scale);
    v128.store64_lane(direction + at, f32x4.demote_f64x2_zero(step), 0);
    const square = f64x2.mul(f64x2.mul(rest, rest), scale);
    product += f64x2.extract_lane(square, 0);
    product += f64x2.extract_lane(square, 1);
  }
  return product;
}

/**
 * Takes up to `steps` steps of the conjugate gradient method, and stops when the residual's squared length, which is
 * `start` at first, is at most `enough`. Returns that length, or 0 if no step can improve the solution.
 */
export function descend(
  pairs: usize,
  count: i32,
  width: i32,
  stencils: usize,
  alpha: usize,
  direction: usize,
  residual: usize,
  inverse: usize,
  image: usize,
  steps: i32,
  start: f64,
  enough: f64,
): f64 {
  const line: usize = 4 * usize(width);
  let product = start;
  for (let step = 0; step < steps && product > enough; step++) {
    let curvature: f64 = 0;
    for (let n: usize = 0; n < usize(count); n++) {
      const at = direction + 4 * usize(load<i32>(pairs + 4 * n));
      const changed = multiplyPair(stencils + n * PAIR, at - 2 * line - 8, line);
      v128.store(image + 16 * n, changed);
      const part = f64x2.mul(readTwo(at), changed);
      curvature += f64x2.extract_lane(part, 0);
      curvature += f64x2.extract_lane(part, 1);
    }
    if (!(curvature > 0)) return 0;
    const length = f64x2.splat(product / curvature);
    let next: f64 = 0;
    for (let n: usize = 0; n < usize(count); n++) {
      const at: usize = 4 * usize(load<i32>(pairs + 4 * n));
      const moved = f64x2.add(readTwo(alpha + at), f64x2.mul(length, readTwo(direction + at)));
      v128.store64_lane(alpha + at, f32x4.demote_f64x2_zero(moved), 0);
      const rest = f64x2.sub(v128.load(residual + 16 * n), f64x2.mul(length, v128.load(image + 16 * n)));
      v128.store(residual + 16 * n, rest);
      const square = f64x2.mul(f64x2.mul(rest, rest), v128.load(inverse + 16 * n));
      next += f64x2.extract_lane(square, 0);
      next += f64x2.extract_lane(square, 1);
    }
    const keep = f64x2.splat(next / product);
    for (let n: usize = 0; n < usize(count); n++) {
      const at = direction + 4 * usize(load<i32>(pairs + 4 * n));
      const own = f64x2.mul(v128.load(inverse + 16 * n), v128.load(residual + 16 * n));
      const turned = f64x2.add(own, f64x2.mul(keep, readTwo(at)));
      v128.store64_lane(at, f32x4.demote_f64x2_zero(turned), 0);
    }
    product = next;
  }
  return product;
}
