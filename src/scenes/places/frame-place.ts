/** The camera of a scene in a place: at the elevation of the camera that took the product's photo. */
import type { Variant } from '../../recipes/catalogue.ts';
import { type Camera, measureFrame, type ScenePlan, type Staging } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { frameHung, hideRearLegs, lowestForLarge, usualForPlants, usualLens } from '../sets/camera.ts';
import { fillFrame, isAiry } from '../sets/fill-frame.ts';
import { reachEdges } from '../sets/flush.ts';

interface FrameWish {
  readonly staging: Staging;
  readonly ratio: Variant;
  readonly size: ScenePlan['subject'];
  readonly features: ProductFeatures;
  readonly lengthCm: number;
  /**
   * Whether the scene is a room: furniture on a floor, in front of a wall. Its picture shows more of the wall than of
   * the floor.
   */
  readonly isRoom: boolean;
}

const tallBelow = 0.6;
const highestTop = { tall: 0.79, usual: 0.92 };
/**
 * Preferred height of the product's middle, and maximum height of its foot, as fractions of the frame's height: in
 * front of a view (`inView`), and in a room (`inRoom`). In a tall frame, a low product that stood higher up would have
 * an empty half of the picture below it.
 */
const inView = { tall: [0.42, 0.28], usual: [0.46, 0.34] } as const;
const inRoom = { tall: [0.36, 0.24], usual: [0.4, 0.22] } as const;

export function framePlace(
  { staging, ratio, size, features, lengthCm, isRoom }: FrameWish,
  random: SeededRandom,
): Camera {
  if (staging === 'hung') return frameHung({ ratio, subject: size }, features);
  const fills = fillFrame({
    staging,
    ratio,
    subject: size,
    fill: features.fill,
    lengthCm,
    sharesFrame: false,
  });
  const lens = { tan: usualLens, ...fills };
  const frame = measureFrame({ ratio, subject: size, camera: { ...lens, elevDeg: 0, baseline: 0 } });
  const hidden = staging === 'large' ? hideRearLegs(features, size, frame) : 0;
  const camera = { ...lens, elevDeg: Math.max(hidden, chooseElevation(staging, features, random)) };
  const share = size.height / frame.height;
  const format = frame.aspect < tallBelow ? 'tall' : 'usual';
  const top = highestTop[format];
  const [middle, highest] = isRoom ? inRoom[format] : inView[format];
  const baseline = clamp(middle - share / 2, 0.16, Math.min(highest, top - share));
  return reachEdges({ ...camera, baseline }, { ratio, subject: size }, features);
}

/** Typical camera elevations, in degrees, for products whose cutout does not reveal the elevation. */
const usualElevation = { large: lowestForLarge, tall: 13, other: 17 } as const;
/**
 * An elevation estimated from the feet, in degrees, is used only from this value upward: a smaller one may merely mean
 * that the feet are uneven.
 */
const clearElevation = 9;
const limits = { large: lowestForLarge, other: 6, highest: 30 } as const;

function chooseElevation(
  staging: Staging,
  { viewElevationDeg, legsElevationDeg, aspect, fill }: ProductFeatures,
  random: SeededRandom,
): number {
  const kind = staging === 'large' ? 'large' : aspect < 0.6 ? 'tall' : 'other';
  const usual =
    (staging !== 'large' && isAiry({ fill }) ? usualForPlants : usualElevation[kind]) + random.between(-1, 1);
  const lowest = limits[kind === 'large' ? 'large' : 'other'];
  const fromLegs = legsElevationDeg !== undefined && legsElevationDeg >= clearElevation;
  return clamp(viewElevationDeg ?? (fromLegs ? legsElevationDeg : usual), lowest, limits.highest);
}
