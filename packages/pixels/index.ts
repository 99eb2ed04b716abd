/** The pixels' door: what all picture libraries share. */
export { clamp, ramp, smoothstep } from './numbers.ts';
export { type Variant, variants } from './ratios.ts';
export { boundPixels, findMatteBounds, growBox, joinBoxes, roundOut, scaleBox } from './src/boxes.ts';
export { CHAMFER_STEP, measureDistances } from './src/chamfer-distance.ts';
export { findCheapest } from './src/cheapest-cell.ts';
export { findParts, type Part, type Parts } from './src/connected-parts.ts';
export { findHull, measureHull, type Point } from './src/convex-hull.ts';
export { cutWindow } from './src/cut-window.ts';
export { blurGaussian } from './src/gaussian-blur.ts';
export { type Lab, toLab } from './src/lab-photo.ts';
export { type Address, ensureMemory, type Kernels, openKernels } from './src/open-kernels.ts';
export { markContour, markOutline } from './src/outlines.ts';
export {
  type Box,
  type CanvasSize,
  type Edge,
  type Matte,
  type RgbaImage,
  type RgbImage,
  type Size,
  SUBJECT,
} from './src/pixels.ts';
export { createRandom, hashSeed, type SeededRandom } from './src/seeded-random.ts';
export {
  decodeSrgb,
  encodeSrgb,
  encodeSrgb255,
  linearColor,
  linearFromOklab,
  linearLevels,
  luminanceOf,
  oklabFromLinear,
  oklabFromRgb,
  parseHexColor,
  type Rgb,
} from './src/srgb.ts';
export { StepClock, type StepTiming } from './src/step-clock.ts';
export { averageWindows, sumWindows } from './src/window-sums.ts';
