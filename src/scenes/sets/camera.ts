/** Frames a set: how large the product is, where its foot lies, how high the camera is, where the wall meets the ground. */

import type { Variant } from '../../recipes/catalogue.ts';
import {
  type Camera,
  type Frame,
  measureFrame,
  type ScenePlan,
  type Staging,
} from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { CompositionParts, Stand } from './compositions.ts';

/** Products wider than this are measured by their width. */
const wideFrom = 1.3;
const wideWidth = 1.35;

/** Scene units from the product's width to height. */
export function sizeSubject(aspect: number): ScenePlan['subject'] {
  // A line is no product: a pencil is 20 times as long as it is wide.
  const known = clamp(aspect, 0.05, 25);
  return known > wideFrom
    ? { width: wideWidth, height: Math.min(1, wideWidth / known) }
    : { width: known, height: 1 };
}

/** Most that the box is moved so that the area is in the middle: shares of the frame's and of the product's width. */
const mostOfFrame = 0.06;
/** Every stand is at least 1.15 times as wide as the product. */
const mostOfSubject = 0.07;

/** The product where the middle of its area, not of its box, is the picture's: a handle weighs little. */
export function centreSubject(
  subject: ScenePlan['subject'],
  { height, aspect }: Frame,
  { areaOffset }: ProductFeatures,
): ScenePlan['subject'] {
  const most = Math.min(mostOfFrame * height * aspect, mostOfSubject * subject.width);
  return { ...subject, shift: clamp(0 - areaOffset * subject.width, -most, most) };
}

interface FramingWish {
  readonly parts: CompositionParts;
  readonly staging: Staging;
  readonly ratio: Variant;
  readonly subject: ScenePlan['subject'];
  readonly stand: Stand;
  readonly isFlatlay: boolean;
  readonly features: ProductFeatures;
}

export function frameSet(wish: FramingWish, random: SeededRandom): Camera {
  const { staging, ratio, subject, isFlatlay } = wish;
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const aspect = across / down;
  if (isFlatlay)
    return {
      tan: 0.16,
      elevDeg: 0,
      fillW: 0.66,
      fillH: 0.72,
      baseline: centredBaseline({ ...wish, aspect }),
    };
  const camera = {
    tan: 0.21,
    elevDeg: chooseElevation(wish, random),
    // 0.45 to 0.72 of the height or at most 0.66 of the width, a fifth of a 9:16 frame free above; a room
    // wants air around its furniture.
    fillW: staging === 'small-precious' ? 0.54 : staging === 'large' ? 0.56 : aspect < 0.7 ? 0.66 : 0.62,
    fillH: chooseHeight(staging, aspect),
  };
  const frame = measureFrame({ ratio, subject, camera: { ...camera, baseline: 0 } });
  // The product's middle a little below the picture's; a tall frame lifts it so that the ground is not a desert.
  const rest = 0.5 - subject.height / (2 * frame.height) - 0.05;
  return { ...camera, baseline: clamp(rest, 0.17, aspect < 0.7 ? 0.36 : 0.31) };
}

function chooseHeight(staging: Staging, aspect: number): number {
  if (staging === 'small-precious') return 0.46;
  if (aspect > 1.2) return 0.6;
  return staging === 'large' || aspect < 0.6 ? 0.5 : 0.555;
}

/** Most of the frame that the product's top may reach: a tall frame is for words above it. */
export function highestTop({ aspect }: Frame): number {
  return aspect < 0.6 ? 0.79 : 0.93;
}

function centredBaseline({ ratio, subject, aspect }: FramingWish & { aspect: number }): number {
  const height = Math.max(subject.height / 0.72, subject.width / (0.66 * aspect));
  const frame = measureFrame({
    ratio,
    subject,
    camera: { tan: 0.16, elevDeg: 0, fillW: 0.66, fillH: 0.72, baseline: 0 },
  });
  return clamp(0.5 - subject.height / (2 * Math.max(height, frame.height)), 0.05, 0.5);
}

/** The product's own viewpoint where its foot tells; big things are seen from low, as people see them from afar. */
function chooseElevation({ parts, staging, features, stand }: FramingWish, random: SeededRandom): number {
  const drawn = random.between(parts.elevDeg[0], parts.elevDeg[1]);
  const { viewElevationDeg, legsElevationDeg } = features;
  // A shelf is at eye level; from high above its front would fill the picture.
  if (viewElevationDeg !== undefined) return clamp(viewElevationDeg, 4, stand === 'shelf' ? 16 : 25);
  if (staging !== 'large') return drawn;
  // From 20 degrees on the line between floor and wall would rise above the criterion's 60 % of the product.
  return legsElevationDeg === undefined ? clamp(drawn - 3, 5, 8) : clamp(legsElevationDeg, 4, 20);
}

interface WallWish {
  readonly camera: Camera;
  readonly frame: Frame;
  readonly subject: ScenePlan['subject'];
  readonly baseY: number;
  readonly stand: Stand;
  readonly kind: ScenePlan['backdrop']['kind'];
}

/** Where the line between floor and wall is wanted above the foot, and how near it may come, shares of the product's height. */
const wantedHorizon = 0.22;
const highestHorizon = 0.55;
const tooNearFoot = 0.045;
/** How much less deep than usual a set may be, scene units: the product itself takes 0.8. */
const shallower = 0.4;

/** Depth of the wall such that its foot line neither runs through the product's foot nor across its upper half. */
export function placeWall({ camera, frame, subject, baseY, stand, kind }: WallWish): number {
  if (stand === 'shelf') return -0.85;
  const cameraY = baseY + Math.tan((camera.elevDeg * Math.PI) / 180) * frame.distance;
  let best = { z: -2.4, cost: Number.POSITIVE_INFINITY };
  // A sweep's wall is farther off: things at the back must stand on its floor, not in its curve.
  const nearest = kind === 'horizon' ? 3.2 : kind === 'cyclorama' ? 2.8 : 2.2;
  const farthest = kind === 'horizon' ? 6 : 4.6;
  // Seen from far above, the line is lower the nearer the wall stands: sets get shallower before it crosses the product.
  for (let depth = nearest - shallower; depth <= farthest; depth += 0.1) {
    // A point on the floor at that depth, seen through the plane z = 0 (similar triangles).
    const line = (cameraY * depth) / (frame.distance + depth) - baseY;
    const share = line / subject.height;
    const throughFoot = Math.abs(share) < tooNearFoot ? 10 : 0;
    const tooHigh = Math.max(0, share - highestHorizon) * 10;
    const tooNear = Math.max(0, nearest - depth);
    const cost = Math.abs(share - wantedHorizon) + throughFoot + tooHigh + tooNear + 0.12 * (depth - nearest);
    if (cost < best.cost) best = { z: -depth, cost };
  }
  return Math.round(best.z * 10) / 10;
}
