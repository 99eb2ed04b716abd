/**
 * Draws a dark line along the feet of stands and props, on the ground and on their sides just above it. The light grids
 * are too coarse for this line; without it, objects seem to float.
 */
import type { SceneObject, StudioScene } from './studio-scene.ts';

/** Fraction of light, 0 to 1, that remains at a point. `ny` is the vertical component of the normal there. */
export type ContactShade = (x: number, y: number, z: number, ny: number) => number;

/**
 * Two shades on the ground, combined. Each decreases exponentially as the distance from the foot grows. `LINE` darkens
 * the narrow gap under the foot's edge: no edge is perfectly sharp, so there is always such a gap. `AROUND` darkens the
 * ground around the foot. `width` is in world units, `depth` is the fraction of light removed at the foot.
 */
const LINE = { width: 0.006, depth: 0.5 } as const;
const AROUND = { width: 0.055, depth: 0.28 } as const;
/** Maximum width of a shade, as a fraction of the object's height: a flat tile hides little light. */
const MAX_WIDTH = 0.5;
/** The same kind of shade on the object's side: it decreases as the height above the ground grows. */
const WALL = { width: 0.01, depth: 0.3 } as const;
/** The shades are negligible at this distance. */
const REACH = 0.25;
/** Maximum difference in height between a point of the ground and the foot. */
const LEVEL = 0.02;
/** A box that is less deep than this and not on the ground is a print on a wall, which has no foot. */
const THIN = 0.05;
/**
 * A point is on the ground if the vertical component of its normal is at least `UPWARD`. Otherwise, it is on an
 * object's side if it is at most `ON_WALL` (world units) from the foot's outline.
 */
const UPWARD = 0.7;
const ON_WALL = 0.004;

interface Foot {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Half the side lengths of a rectangle, around which the outline runs at the distance `round`. */
  readonly halfX: number;
  readonly halfZ: number;
  readonly round: number;
  /** Height of the object. */
  readonly tall: number;
  readonly cos: number;
  readonly sin: number;
}

export function makeContactShade({ objects, place, view }: StudioScene): ContactShade {
  const feet = place === undefined && view === 'standing' ? objects.flatMap(findFoot) : [];
  return (x, y, z, ny) => {
    let kept = 1;
    for (const foot of feet) {
      const above = y - foot.y;
      if (above < -LEVEL || above > REACH) continue;
      const distance = measureDistance(foot, x, z);
      if (ny < UPWARD) {
        if (Math.abs(distance) < ON_WALL) kept *= 1 - fallOff(WALL, above, foot);
      } else if (above < LEVEL && distance > -ON_WALL && distance < REACH) {
        kept *= (1 - fallOff(LINE, distance, foot)) * (1 - fallOff(AROUND, distance, foot));
      }
    }
    return kept;
  };
}

interface FallOff {
  readonly width: number;
  readonly depth: number;
}

function fallOff({ width, depth }: FallOff, distance: number, { tall }: Foot): number {
  return depth * Math.exp(-Math.max(0, distance) / Math.min(width, MAX_WIDTH * tall));
}

/** The foot of an upright object with a flat base; none for other objects. */
function findFoot({ shape, at, turn = [0, 0, 0] }: SceneObject): Foot[] {
  if (turn[0] !== 0 || turn[2] !== 0) return [];
  const [x, y, z] = at ?? [0, 0, 0];
  const tall = 'height' in shape ? shape.height : 0;
  const here = { x, y, z, tall, cos: Math.cos(turn[1]), sin: Math.sin(turn[1]) };
  switch (shape.kind) {
    case 'cylinder':
    case 'pot':
      return [{ ...here, halfX: 0, halfZ: 0, round: shape.radius }];
    case 'box': {
      if (shape.depth < THIN && y > LEVEL) return [];
      const round = Math.min(shape.bevel, shape.width / 2.01, shape.depth / 2.01);
      return [{ ...here, halfX: shape.width / 2 - round, halfZ: shape.depth / 2 - round, round }];
    }
    case 'arch': {
      const halfX = shape.thickness / 2;
      return [-1, 1].map((end) => {
        const away = end * (shape.width / 2 - halfX);
        const foot = { ...here, x: x + away * here.cos, z: z - away * here.sin };
        return { ...foot, halfX, halfZ: shape.depth / 2, round: 0 };
      });
    }
    case 'panel':
      return [{ ...here, halfX: shape.width / 2, halfZ: shape.depth / 2, round: 0 }];
    default:
      return [];
  }
}

/** Horizontal distance of a point from the foot's outline; negative inside. */
function measureDistance({ x, z, halfX, halfZ, round, cos, sin }: Foot, px: number, pz: number): number {
  const [dx, dz] = [px - x, pz - z];
  const beyondX = Math.abs(dx * cos - dz * sin) - halfX;
  const beyondZ = Math.abs(dx * sin + dz * cos) - halfZ;
  const outside = Math.hypot(Math.max(0, beyondX), Math.max(0, beyondZ));
  return outside + Math.min(0, Math.max(beyondX, beyondZ)) - round;
}
