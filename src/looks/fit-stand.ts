/**
 * Sizes the one stand that all products of a look (a saved scene) share: as wide and deep as the largest product needs.
 */
import type { ProductFeatures } from 'packshot-sets';
import { type Frame, MAX_DEPTH, measureFrame, type PedestalLevel, type ScenePlan } from 'packshot-studio';

/** How far above the front feet the rear feet may appear in the picture, as a fraction of the frame's height. */
const maxRise = 0.2;
/** Products whose rear feet appear higher than `maxRise` are shrunk, but not below this fraction of their size. */
const minShrink = 0.8;
/** Maximum rise of a lying product's lower outline above its lowest point, as a fraction of the product's height. */
const lyingRise = 0.6;
/** Depth of stand left clear behind the rear feet, in scene units. */
const behindFeet = 0.06;
/** Maximum width of a stand, as a fraction of the frame's width: the shape of a wider stand would not be visible. */
const maxStandShare = 0.92;
/**
 * Width of a stand divided by the width of the widest product on it. A round stand gets a higher value, because
 * its rim is closer to the product's corners.
 */
const overhang = { box: 1.15, round: 1.25 };
/**
 * Maximum width of a product on a stand. `round`: on a round stand, as a fraction of the frame's width. `height`: on
 * any stand, as a fraction of the frame's height, so that the stand stays recognizable in a wide frame.
 */
const maxWidth = { round: 0.6, height: 0.9 };

const overhangOf = ({ shape }: PedestalLevel): number => (shape === 'box' ? overhang.box : overhang.round);

/** Maximum width of a product on the plan's stand, in scene units; infinite without a stand. */
export function widestOnStand(plan: ScenePlan): number {
  const top = plan.pedestal?.levels.at(-1);
  if (top === undefined) return Number.POSITIVE_INFINITY;
  const { height, aspect } = measureFrame(plan);
  const room = top.shape === 'box' ? maxWidth.height : Math.min(maxWidth.height, maxWidth.round * aspect);
  return Math.max(room * height, top.width / overhangOf(top));
}

interface StandingProduct extends Partial<Pick<ProductFeatures, 'legsElevationDeg'>> {
  /** Width divided by height. */
  readonly aspect: number;
  /** Height in scene units. */
  readonly height: number;
  readonly lies: boolean;
}

/** Returns the factor, 0.8 to 1, by which to scale a product so that its rear feet are on the stand. */
export function shrinkOntoStand(
  { aspect, height, lies, legsElevationDeg = 0 }: StandingProduct,
  frame: Pick<Frame, 'height'>,
): number {
  const rise = height * (lies ? lyingRise : Math.sin((legsElevationDeg * Math.PI) / 180) * aspect);
  return Math.min(1, Math.max(minShrink, (maxRise * frame.height) / Math.max(rise, Number.EPSILON)));
}

/** Enlarges the plan's stand, if it has one. `widest` is the width of the look's widest product, in scene units. */
export function makeStand(plan: ScenePlan, widest: number): ScenePlan['pedestal'] {
  const { pedestal } = plan;
  if (pedestal === null) return null;
  const { distance, height, aspect } = measureFrame(plan);
  // The depth at which rear feet appear `maxRise` above the front feet, seen from the elevation of the scene's camera.
  const rise = maxRise * height;
  const eye = Math.tan((plan.camera.elevDeg * Math.PI) / 180) * distance;
  const depth = rise < eye ? Math.min(MAX_DEPTH, (rise * distance) / (eye - rise)) : MAX_DEPTH;
  const back = depth + behindFeet;
  const top = pedestal.levels.at(-1)!;
  const wanted = overhangOf(top) * widest;
  const largest = Math.max(maxStandShare * height * aspect, wanted, top.width);
  // A round stand is centered between the product's front and rear feet.
  const shift = top.shape === 'box' ? 0 : Math.max(0, top.z + back / 2);
  const round = top.shape === 'box' ? 0 : 2 * Math.hypot(0.4 * widest, back / 2);
  const factor = Math.min(largest, Math.max(top.width, wanted, round)) / top.width;
  return { ...pedestal, levels: pedestal.levels.map((level) => fitLevel(level, { factor, shift, back })) };
}

interface StandFit {
  /** Factor on the stand's width, 1 or more. */
  readonly factor: number;
  /** How far a round stand is moved back, in scene units. */
  readonly shift: number;
  /** How far a box-shaped stand extends behind the product's front, in scene units. */
  readonly back: number;
}

function fitLevel(level: PedestalLevel, { factor, shift, back }: StandFit): PedestalLevel {
  const width = Math.min(16, level.width * factor);
  if (level.shape !== 'box')
    return { ...level, width, depth: Math.min(16, level.depth * factor), z: level.z - shift };
  const front = level.z + level.depth / 2;
  const depth = Math.max(level.depth, front + back);
  return { ...level, width, depth, z: front - depth / 2 };
}
