/** The encoder's settings for one plane (Y, Cb or Cr): an array of floats filled by the TypeScript side. */

/**
 * Three blocks of 64 floats, each in the order of `transformBlock`'s coefficients. The first holds
 * 1 / (step * multiple), the second the multiple, the third the step. Blocks with flat pixels are quantized with the
 * fine step alone; free blocks, which have no flat pixels, with step * multiple.
 */
const FREE_PER_STEP: usize = 0;
const MULTIPLES: usize = 256;
const STEPS: usize = 512;
/** Followed by single floats: see the readers below. */
const LOW: usize = 768;
const HIGH: usize = 772;
const LEVEL: usize = 776;
const SEARCH: usize = 780;
const FLAT_DC: usize = 784;

export const PLANE_BYTES: usize = 1024;

/** Three planes. */
export const planeSettings: usize = memory.data(3072, 16);

export function perFreeStep(plane: usize, four: usize): v128 {
  return v128.load(plane + four, FREE_PER_STEP);
}

export function multiples(plane: usize, four: usize): v128 {
  return v128.load(plane + four, MULTIPLES);
}

export function steps(plane: usize, four: usize): v128 {
  return v128.load(plane + four, STEPS);
}

export function stepOf(plane: usize, k: usize): f32 {
  return load<f32>(plane + 4 * k, STEPS);
}

/** The smallest value, minus 128, to which flat pixels may decode; -Infinity if the decoder clips at that end. */
export function lowOf(plane: usize): f32 {
  return load<f32>(plane, LOW);
}

/** The largest value, minus 128, to which flat pixels may decode; Infinity if the decoder clips at that end. */
export function highOf(plane: usize): f32 {
  return load<f32>(plane, HIGH);
}

/** The flat color's value, minus 128. */
export function levelOf(plane: usize): f32 {
  return load<f32>(plane, LEVEL);
}

/**
 * Whether to continue with a search if the projections (see `holdFlat`) leave a pixel one level off. This takes long,
 * so it is done only for white and black.
 */
export function searches(plane: usize): bool {
  return load<f32>(plane, SEARCH) !== 0;
}

/** DC coefficient of a fully flat block. */
export function flatDcOf(plane: usize): i32 {
  return i32(load<f32>(plane, FLAT_DC));
}
