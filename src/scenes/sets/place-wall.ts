/** The position of a set's wall, whose lower edge is visible as a line behind the product. */
import type { Camera, Frame, ScenePlan, Staging } from '../../studio/scene-plan.ts';
import { wideWidth } from './camera.ts';
import type { Stand } from './compositions.ts';

/**
 * From this elevation upward, in degrees, a line right behind the product, such as a wall's lower edge, makes the
 * product seem to tip forward.
 */
const highView = 22;
/**
 * From such an elevation, the line is placed above the product's top: this high above the foot, as a multiple of the
 * product's height or of its width / 1.35, whichever is larger.
 */
const clearAbove = 1.15;
/**
 * The same for furniture. Furniture does not seem to tip, so the line may be behind it rather than above its top. At
 * this height, the line shows that the wall is more than a step away from the rear legs.
 */
const clearBehindLarge = 0.74;

const clearLine = ({ width, height }: ScenePlan['subject'], staging: Staging): number =>
  (staging === 'large' ? clearBehindLarge : clearAbove) * Math.max(height, width / wideWidth);

/**
 * Depth behind the product, in scene units, at which the ground appears as high in the picture as `clearLine`.
 * Undefined for usual viewpoints, and if even the horizon is not that high.
 */
export function clearDepth({
  camera,
  frame,
  subject,
  staging,
  baseY,
}: Pick<WallWish, 'camera' | 'frame' | 'subject' | 'staging' | 'baseY'>): number | undefined {
  const line = clearLine(subject, staging);
  return camera.elevDeg < highView ? undefined : depthAt(line, { camera, frame, baseY });
}

/** Depth at which the ground appears `line` above the product's foot; undefined at and above the horizon. */
function depthAt(line: number, { camera, frame, baseY }: Pick<WallWish, 'camera' | 'frame' | 'baseY'>) {
  const rise = Math.tan((camera.elevDeg * Math.PI) / 180) * frame.distance - line;
  return rise > 0 ? ((line + baseY) * frame.distance) / rise : undefined;
}

/**
 * `clearDepth`, or the depth at which the ground fills the frame, whichever is nearer. Undefined for usual viewpoints,
 * beyond `farthestWall`, and if too little of a requested wall would be visible.
 */
function clearWall(wish: WallWish): number | undefined {
  const { camera, frame, subject, staging, isWallAsked } = wish;
  const top = (1 - camera.baseline) * frame.height;
  const isShown = clearLine(subject, staging) < leastWall * top;
  if (camera.elevDeg < highView || (isWallAsked && !isShown)) return undefined;
  const depth = depthAt(Math.min(clearLine(subject, staging), outOfFrame * top), wish);
  return depth !== undefined && depth <= farthestWall ? depth : undefined;
}

interface WallWish {
  readonly camera: Camera;
  readonly frame: Frame;
  readonly subject: ScenePlan['subject'];
  readonly staging: Staging;
  readonly baseY: number;
  readonly stand: Stand;
  readonly kind: ScenePlan['backdrop']['kind'];
  /** Whether the wall must be visible, because its color or material was requested. */
  readonly isWallAsked: boolean;
}

/**
 * Position of the line between floor and wall relative to the product's foot, as fractions of the product's height:
 * preferred height, maximum height, and minimum distance above or below the foot.
 */
const preferredHorizon = 0.22;
const maxHorizon = 0.55;
const tooNearFoot = 0.045;
/** Maximum reduction of a set's usual depth, in scene units. The wall stays clear of the product, which is 0.8 deep. */
const shallower = 0.4;

/** In scene units. */
const farthestWall = 16;
/**
 * Heights of a wall's lower edge above the foot, as fractions of the part of the frame above the foot. `leastWall`: if
 * the wall was requested, its edge must be lower than this, so that enough of the wall is visible. `outOfFrame`: at
 * this height, the wall is just above the frame.
 */
const leastWall = 0.9;
const outOfFrame = 1.01;

/**
 * Chooses the wall's depth so that the wall's lower edge crosses neither the product's foot nor its upper half. From a
 * high viewpoint, the edge of a plain wall is instead at `clearLine` or just above the frame, if `clearWall` allows it.
 */
export function placeWall(wish: WallWish): number {
  const { camera, frame, subject, baseY, stand, kind } = wish;
  if (stand === 'shelf') return -0.85;
  const cameraY = baseY + Math.tan((camera.elevDeg * Math.PI) / 180) * frame.distance;
  const clear = kind === 'wall' ? clearWall(wish) : undefined;
  if (clear !== undefined) return -Math.round(clear * 10) / 10;
  let best = { z: -2.4, cost: Number.POSITIVE_INFINITY };
  // A sweep's wall is further away: props at the back must stand on its floor rather than in its curve.
  const nearest = kind === 'horizon' ? 3.2 : kind === 'cyclorama' ? 2.8 : 2.2;
  const farthest = kind === 'horizon' ? 6 : 4.6;
  // From a high viewpoint, a nearer wall lowers the line between floor and wall. So sets become shallower rather
  // than let the line cross the product's upper half.
  for (let depth = nearest - shallower; depth <= farthest; depth += 0.1) {
    // Projects the floor at this depth onto the plane z = 0 (similar triangles).
    const line = (cameraY * depth) / (frame.distance + depth) - baseY;
    const share = line / subject.height;
    const throughFoot = Math.abs(share) < tooNearFoot ? 10 : 0;
    const tooHigh = Math.max(0, share - maxHorizon) * 10;
    const tooNear = Math.max(0, nearest - depth);
    const cost =
      Math.abs(share - preferredHorizon) + throughFoot + tooHigh + tooNear + 0.12 * (depth - nearest);
    if (cost < best.cost) best = { z: -depth, cost };
  }
  return Math.round(best.z * 10) / 10;
}
