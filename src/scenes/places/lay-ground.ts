/** The ground of a scene in a place: a table that ends behind the product, or a floor that continues. */
import { VIEW_DEG } from '../../studio/places/place-backdrop.ts';
import type { PlaceName } from '../../studio/places/place-names.ts';
import type { Camera, Finish, Frame, PedestalLevel, ScenePlan } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { acrossBelow } from '../sets/camera.ts';
import { clearDepth } from '../sets/place-wall.ts';
import { places } from './place-facts.ts';

interface SlabWish {
  readonly finish: Finish;
  readonly camera: Camera;
  readonly frame: Frame;
  readonly size: ScenePlan['subject'];
  readonly isFloor: boolean;
  /** z coordinate of the wall at which a floor ends; undefined if there is no wall. */
  readonly wallZ?: number | undefined;
}

/**
 * Height of a table's far edge above the product's foot in the picture, as a fraction of the product's height,
 * for cameras at elevations of 8 and 28 degrees: a higher camera sees more of the table.
 */
const edgeShares = [0.3, 0.66] as const;
/** Limits of a table's depth behind the product's middle, in scene units. The product itself reaches up to 0.4 back. */
const tableBack = [0.8, 3] as const;
/**
 * From a high viewpoint, a table's edge right behind the product looks wrong, so the table extends until its far edge
 * appears above the top of the product. But the edge stays below this height (a fraction of the frame's height, from
 * the bottom), so that the place remains visible.
 */
const highestEdge = 0.84;
const longestTable = 8;
/** Heights, measured like `edgeShares`, of the lines where a floor starts and finishes fading into the place's own. */
const fadeShares = [0.42, 0.8] as const;
const floorBack = 10;
const slabHeight = 0.11;
/** How far a floor extends behind the wall, in scene units. The wall hides the floor's rounded edge. */
const UNDER_WALL = 0.12;

/**
 * Depth behind the product at which the ground appears at height `line` above the product's foot in the picture. The
 * depth and `line` are in scene units.
 */
function depthAt(line: number, { elevDeg }: Camera, { distance }: Frame): number {
  // The ground at depth d appears eye * d / (distance + d) above the foot.
  const eye = Math.tan((elevDeg * Math.PI) / 180) * distance;
  return line < eye ? (line * distance) / (eye - line) : floorBack;
}

/**
 * Product height from which depths on the ground are computed. It has a minimum, because the frame of a low product is
 * sized by the product's width.
 */
const seenHeight = ({ height }: ScenePlan['subject']): number => Math.max(0.7, height);

function fadeDepths(camera: Camera, frame: Frame, size: ScenePlan['subject']): [from: number, to: number] {
  const [from, to] = fadeShares.map((share) => depthAt(share * seenHeight(size), camera, frame));
  return [clamp(from!, 0.8, 6), clamp(to!, 2, 10)];
}

/**
 * `groundFade`: depths behind the product at which the traced floor starts and finishes fading into the panorama's
 * floor. `horizon`: height of the panorama's horizon, as a fraction of the picture's height. With this height, the
 * panorama's floor ends where the fading finishes.
 */
export function joinFloor(
  place: PlaceName,
  { camera, frame, size }: Pick<SlabWish, 'camera' | 'frame' | 'size'>,
): Pick<NonNullable<ScenePlan['place']>, 'groundFade' | 'horizon'> {
  const line = camera.baseline + (fadeShares[1] * seenHeight(size)) / frame.height;
  const below = (places[place].floorEndDeg ?? 3) / (VIEW_DEG * Math.max(1, 1 / frame.aspect));
  return {
    groundFade: fadeDepths(camera, frame, size),
    horizon: clamp(line + below, 0.5, 1.25),
  };
}

/**
 * In degrees: maximum turn of a table's edge and of a floor's boards (`mostTurn`), and range of the turn of a table's
 * boards (`tableBoards`). In photos, a table's edge is never exactly parallel to the frame.
 */
const mostTurn = { edge: 3, floorboards: 4 } as const;
const tableBoards = { least: 10, most: 20 } as const;

/**
 * Boards run toward the camera, which gives depth; boards across the picture, seen from high up, would look like the
 * slats of a blind. There are two exceptions, where boards run across the picture: on a floor seen from a low viewpoint
 * (the product is large, such as furniture), and on a table at a wall. On other tables, which are seen close up, boards
 * straight toward the camera would look smeared, so they are turned. A floor's boards are turned less, because they
 * nearly follow the room.
 */
function layBoards(
  { isFloor, camera, wallZ }: Pick<SlabWish, 'isFloor' | 'camera' | 'wallZ'>,
  random: SeededRandom,
): Pick<PedestalLevel, 'boardsDeg'> {
  const side = random.between(-1, 1);
  if (wallZ && !isFloor) return { boardsDeg: 0 };
  if (isFloor && camera.elevDeg < acrossBelow) return { boardsDeg: side * mostTurn.edge };
  const { least, most } = tableBoards;
  const turn = isFloor
    ? side * mostTurn.floorboards
    : Math.sign(side) * (least + (most - least) * Math.abs(side));
  return { boardsDeg: (side < 0 ? 90 : -90) + turn };
}

/** Depth of a table that ends above the product in the picture; 0 for usual viewpoints. */
function clearTable({ camera, frame, size }: Pick<SlabWish, 'camera' | 'frame' | 'size'>): number {
  const clear = clearDepth({ camera, frame, subject: size, staging: 'irregular', baseY: 0 });
  if (clear === undefined) return 0;
  return Math.min(
    clear,
    longestTable,
    depthAt((highestEdge - camera.baseline) * frame.height, camera, frame),
  );
}

export function makeSlab(
  { finish, camera, frame, size, isFloor, wallZ }: SlabWish,
  random: SeededRandom,
): PedestalLevel {
  const { distance } = frame;
  const eye = Math.tan((camera.elevDeg * Math.PI) / 180) * distance;
  const rise = clamp((camera.elevDeg - 8) / 20, 0, 1);
  const share = edgeShares[0] + (edgeShares[1] - edgeShares[0]) * rise;
  const back = wallZ
    ? -wallZ + UNDER_WALL
    : isFloor
      ? fadeDepths(camera, frame, size)[1]
      : Math.max(
          clamp(depthAt(share * seenHeight(size), camera, frame), ...tableBack),
          clearTable({ camera, frame, size }),
        );
  const below = camera.baseline * frame.height;
  const nearest = (distance * below) / (eye + below);
  // The table fills the bottom of the picture. With a visible front edge, the table would look like a slab
  // floating in the place.
  const front = nearest + 0.5;
  return {
    ...finish,
    ...(finish.material === 'wood' ? layBoards({ isFloor, camera, wallZ }, random) : {}),
    shape: 'box',
    width: isFloor ? 16 : 12,
    height: slabHeight,
    depth: back + front,
    bevel: finish.material === 'marble' ? 0.02 : 0.042,
    x: 0,
    z: (front - back) / 2,
    turnDeg: isFloor || wallZ ? 0 : random.between(-mostTurn.edge, mostTurn.edge),
    seed: 1,
  };
}
