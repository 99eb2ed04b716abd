/** The room around a product indoors: a wall behind it. Behind furniture, the wall has a baseboard. */
import type { Camera, Finish, Frame, Prop, ScenePlan } from '../../studio/scene-plan.ts';
import { measureDepth } from '../../studio/stage-scene.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { roomWallBehind } from '../sets/airy-light.ts';
import { clearDepth } from '../sets/place-wall.ts';
import { hangPictures } from '../sets/wall-picture.ts';
import type { Standing } from './aim-key.ts';
import type { Paint } from './place-facts.ts';

export interface Room {
  readonly wallZ: number;
  readonly props: readonly Prop[];
}

interface RoomWish {
  readonly paint: Paint;
  readonly camera: Camera;
  readonly frame: Frame;
  readonly size: ScenePlan['subject'];
  readonly features: ProductFeatures;
}

/** Limits of the free space behind furniture, in scene units: parts such as armrests extend behind the visible feet. */
const behind = [0.5, 0.65] as const;
/** Maximum distance of the wall, in scene units. */
const farthest = 5.8;
/**
 * How far the baseboard stands out from the wall, in scene units. If it stood out more, its upper side would
 * show as a row of dots.
 */
const relief = 0.003;
/** In meters. A chair is assumed to be 0.85 m high, and a sofa 2.1 m wide. */
const baseboardHeight = 0.085;
const chairHeight = 0.85;
const sofaWidth = 2.1;
/** From this aspect ratio (width to height) on, furniture is assumed to be as wide as a sofa. */
const wideFrom = 1.6;

/** As a fraction of the frame's height. */
const WALL_THICKNESS = 0.02;

/** Colors of prints on the wall. */
const inks = ['#8A6A52', '#5F6F68', '#A9745A'] as const;

/** Scene units per meter. */
export function unitsPerMeter({ width, height }: ScenePlan['subject']): number {
  return width / height > wideFrom ? width / sofaWidth : height / chairHeight;
}

export function buildRoom(standing: Standing, wish: RoomWish, random: SeededRandom): Room | undefined {
  if (standing === 'room') return furnish(wish, random);
  if (standing !== 'wall') return undefined;
  const wallZ = roomWallBehind(wish.size, wish.features);
  return { wallZ, props: [raiseWall(wish.paint, wish.frame, wallZ)] };
}

/** From a high viewpoint, the wall is further back, so that its lower edge appears above the furniture. */
function furnish({ paint, camera, frame, size }: RoomWish, random: SeededRandom): Room {
  const near = measureDepth(size) + random.between(...behind);
  const clear = clearDepth({ camera, frame, subject: size, staging: 'large', baseY: 0 }) ?? 0;
  const wallZ = -Math.min(farthest, Math.max(near, clear));
  const meter = unitsPerMeter(size);
  const trim: Finish = { material: 'matte', colors: [paint.trim], scale: 1, roughness: 0.5, bump: 1 };
  const thickness = WALL_THICKNESS * frame.height;
  const board = raiseBox(trim, {
    height: (baseboardHeight * meter) / frame.height,
    z: wallZ + relief - thickness / 2,
  });
  return {
    wallZ,
    props: [
      raiseWall(paint, frame, wallZ),
      board,
      ...hangPictures({ frame, camera, subject: size, wallZ, ink: random.pick(inks) }, random),
    ],
  };
}

function raiseWall(paint: Paint, frame: Frame, wallZ: number): Prop {
  const finish: Finish = {
    material: 'plaster',
    colors: [paint.color],
    scale: 1,
    roughness: 0.9,
    bump: 0.1,
  };
  return raiseBox(finish, { height: 2.5, z: wallZ - (WALL_THICKNESS * frame.height) / 2 });
}

/** A box as wide as the room. */
function raiseBox(finish: Finish, { height, z }: Pick<Prop, 'height' | 'z'>): Prop {
  return {
    ...finish,
    shape: 'box',
    u: 0,
    y: 0,
    z,
    width: 6,
    height,
    depth: WALL_THICKNESS,
    bevel: 0.002,
    turnDeg: 0,
    leanDeg: 0,
    tipDeg: 0,
    seed: 1,
  };
}
