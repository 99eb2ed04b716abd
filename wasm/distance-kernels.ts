/**
 * One line of a chamfer distance transform, eight pixels at a time. Lines hold 16-bit distances, in thirds of a pixel.
 * There must be room for 16 bytes before each line and 32 after it. The caller fills this room with `FAR` before the
 * first call; the kernels leave it at `FAR`.
 */

/** Start of free memory; the caller decides its layout. */
export const freeMemory: usize = (__heap_base + 15) & ~15;

const STRAIGHT: i16 = 3;
const DIAGONAL: i16 = 4;
/** 60000, as the signed 16-bit integer with the same bits. */
const FAR: i16 = -5536;
/** Bytes of eight pixels. */
const GROUP: usize = 16;

/**
 * Lowers each distance of a line to a neighbor's distance plus the step from there, if that is less. The neighbors are
 * those in the line `beside` it, and then, from left to right, the one on the left.
 */
export function relaxRightward(line: usize, beside: usize, width: i32): void {
  const far = i16x8.splat(FAR);
  const reach = i16x8(3, 6, 9, 12, 15, 18, 21, 24);
  const end = line + 2 * usize(width);
  let before = far;
  for (let at = line, other = beside; at < end; at += GROUP, other += GROUP) {
    let near = relaxBeside(at, other);
    near = i16x8.min_u(near, add(v128.shuffle<i16>(far, near, 0, 8, 9, 10, 11, 12, 13, 14), STRAIGHT));
    near = i16x8.min_u(near, add(v128.shuffle<i16>(far, near, 0, 1, 8, 9, 10, 11, 12, 13), 2 * STRAIGHT));
    near = i16x8.min_u(near, add(v128.shuffle<i16>(far, near, 0, 1, 2, 3, 8, 9, 10, 11), 4 * STRAIGHT));
    near = i16x8.min_u(near, i16x8.add_sat_u(before, reach));
    v128.store(at, near);
    before = v128.shuffle<i16>(near, near, 7, 7, 7, 7, 7, 7, 7, 7);
  }
  v128.store(end, far);
}

/** Like `relaxRightward`, but from right to left, with the neighbor on the right. */
export function relaxLeftward(line: usize, beside: usize, width: i32): void {
  const far = i16x8.splat(FAR);
  const reach = i16x8(24, 21, 18, 15, 12, 9, 6, 3);
  let before = far;
  const last: usize = 2 * ((usize(width) - 1) & ~7);
  for (let offset = last + GROUP; offset > 0; ) {
    offset -= GROUP;
    let near = relaxBeside(line + offset, beside + offset);
    near = i16x8.min_u(near, add(v128.shuffle<i16>(near, far, 1, 2, 3, 4, 5, 6, 7, 8), STRAIGHT));
    near = i16x8.min_u(near, add(v128.shuffle<i16>(near, far, 2, 3, 4, 5, 6, 7, 8, 9), 2 * STRAIGHT));
    near = i16x8.min_u(near, add(v128.shuffle<i16>(near, far, 4, 5, 6, 7, 8, 9, 10, 11), 4 * STRAIGHT));
    near = i16x8.min_u(near, i16x8.add_sat_u(before, reach));
    v128.store(line + offset, near);
    before = v128.shuffle<i16>(near, near, 0, 0, 0, 0, 0, 0, 0, 0);
    // The group that is processed first may include pixels after the line; resets them to `FAR`.
    if (offset === last) v128.store(line + 2 * usize(width), far);
  }
}

function relaxBeside(at: usize, other: usize): v128 {
  const straight = add(v128.load(other), STRAIGHT);
  const diagonal = add(i16x8.min_u(v128.load(other - 2), v128.load(other + 2)), DIAGONAL);
  return i16x8.min_u(v128.load(at), i16x8.min_u(straight, diagonal));
}

function add(values: v128, distance: i16): v128 {
  return i16x8.add_sat_u(values, i16x8.splat(distance));
}
