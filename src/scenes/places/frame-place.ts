/** The camera of a scene in a place: at the elevation of the camera that took the product's photo. */
import type { Variant } from '../../recipes/catalogue.ts';
import { type Camera, measureFrame, type ScenePlan, type Staging } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { SeededRandom } from '../seeded-random.ts';

interface FrameWish {
  readonly staging: Staging;
  readonly ratio: Variant;
  readonly size: ScenePlan['subject'];
  readonly features: ProductFeatures;
  /** Whether the product stands in front of a wall; a picture of furniture shows more of the wall than of the floor. */
  readonly isRoom: boolean;
}

/** Maximum fraction of the frame's width for a product. */
const maxWidth = 0.66;
/**
 * Maximum fraction of the frame's height for a product, in a tall, a usual and a wide frame. A tall frame
 * leaves a fifth free for text above.
 */
const maxHeights = [0.54, 0.59, 0.64] as const;
const tallBelow = 0.6;
const wideFrom = 1.2;
const highestTop = 0.79;

export function framePlace(
  { staging, ratio, size, features, isRoom }: FrameWish,
  random: SeededRandom,
): Camera {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const isTall = across / down < tallBelow;
  const camera = {
    tan: 0.21,
    elevDeg: chooseElevation(staging, features, random),
    fillW: maxWidth - (staging === 'small-precious' || (staging === 'large' && !isRoom) ? 0.04 : 0),
    fillH: maxHeights[isTall ? 0 : across / down < wideFrom ? 1 : 2],
  };
  const frame = measureFrame({ ratio, subject: size, camera: { ...camera, baseline: 0 } });
  const share = size.height / frame.height;
  const top = isTall ? highestTop : 0.92;
  const [middle, highest] = isRoom ? [0.4, 0.24] : [0.46, 0.34];
  return { ...camera, baseline: clamp(middle - share / 2, 0.16, Math.min(highest, top - share)) };
}

/** Typical camera elevations, in degrees, for products whose cutout does not reveal the elevation. */
const usualElevation = { large: 10, tall: 13, other: 17 } as const;
/** Feet whose heights differ by less may simply be uneven. */
const clearElevation = 9;
const lowestElevation = 6;
const highestElevation = 28;

function chooseElevation(
  staging: Staging,
  { viewElevationDeg, legsElevationDeg, aspect }: ProductFeatures,
  random: SeededRandom,
): number {
  const kind = staging === 'large' ? 'large' : aspect < 0.6 ? 'tall' : 'other';
  const usual = usualElevation[kind] + random.between(-1, 1);
  const fromLegs = legsElevationDeg !== undefined && legsElevationDeg >= clearElevation;
  return clamp(viewElevationDeg ?? (fromLegs ? legsElevationDeg : usual), lowestElevation, highestElevation);
}
