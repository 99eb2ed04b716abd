/** The room around furniture indoors: a wall with a baseboard, sometimes lit through a window. */
import type { PlaceName } from '../../studio/places/place-names.ts';
import type { Finish, Frame, Gobo, Prop, ScenePlan } from '../../studio/scene-plan.ts';
import { measureDepth } from '../../studio/stage-scene.ts';
import { clamp } from '../oklch.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { type PlaceFacts, places } from './place-facts.ts';

export interface Room {
  readonly wallZ: number;
  readonly props: readonly Prop[];
  readonly gobo: Gobo;
}

interface RoomWish {
  readonly place: PlaceName;
  readonly walls: NonNullable<PlaceFacts['walls']>;
  readonly frame: Frame;
  readonly size: ScenePlan['subject'];
  /** 1 for light from the right, -1 for light from the left. */
  readonly toward: 1 | -1;
}

/** Limits of the free space behind furniture, in scene units: parts such as armrests extend behind the visible feet. */
const behind = [0.5, 0.65] as const;
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

/** Scene units per meter. */
export function unitsPerMeter({ width, height }: ScenePlan['subject']): number {
  return width / height > wideFrom ? width / sofaWidth : height / chairHeight;
}

/**
 * Scale of a concrete wall, to be divided by the number of scene units per meter. The holes in the concrete are then
 * one centimeter wide.
 */
const CONCRETE_SCALE = 3.4;

/** Of the rooms with directional light, the fraction in which window light falls on the wall. */
const WINDOW_SHARE = 0.6;

export function buildRoom({ place, walls, frame, size, toward }: RoomWish, random: SeededRandom): Room {
  const wallZ = -measureDepth(size) - random.between(...behind);
  const meter = unitsPerMeter(size);
  const paint = random.pick(walls);
  const wall: Finish = {
    material: paint.material ?? 'plaster',
    colors: [paint.color],
    scale: paint.material === undefined ? 1 : clamp(CONCRETE_SCALE / meter, 1, 4),
    roughness: 0.9,
    bump: paint.material === undefined ? 0.1 : 0.3,
  };
  const trim: Finish = { material: 'matte', colors: [paint.trim], scale: 1, roughness: 0.5, bump: 1 };
  const hasWindow = places[place].light !== undefined && random.next() < WINDOW_SHARE;
  const box = (finish: Finish, [height, depth]: readonly [number, number], bevel: number): Prop => ({
    ...finish,
    shape: 'box',
    u: 0,
    y: 0,
    z: wallZ + depth / 2,
    width: 4,
    height: height / frame.height,
    depth: depth / frame.height,
    bevel,
    turnDeg: 0,
    leanDeg: 0,
    tipDeg: 0,
    seed: 1,
  });
  const thickness = 0.02 * frame.height;
  return {
    wallZ,
    props: [
      { ...box(wall, [2.5 * frame.height, thickness], 0.002), z: wallZ - thickness / 2 },
      ...(paint.material === undefined
        ? [{ ...box(trim, [baseboardHeight * meter, thickness], 0.002), z: wallZ + relief - thickness / 2 }]
        : []),
    ],
    gobo: hasWindow ? shineThrough({ toward, wallZ, meter, frame }, random) : { kind: 'none' },
  };
}

/** In meters: distance from the wall to the window, and width of a pane. */
const window = { distance: 2.1, pane: 0.68 } as const;
/** Width of panes at a scale of 1, as a fraction of the frame's height. */
const PANE_SHARE = 0.5;

interface Shine {
  readonly toward: 1 | -1;
  readonly wallZ: number;
  /** Scene units per meter. */
  readonly meter: number;
  readonly frame: Frame;
}

/** Returns a window's panes of light across furniture, floor and wall. */
function shineThrough({ toward, wallZ, meter, frame }: Shine, random: SeededRandom): Gobo {
  const scale = (window.pane * meter * random.between(0.95, 1.15)) / (PANE_SHARE * frame.height);
  const panes = Math.round((frame.height / (window.pane * meter)) * 0.75);
  return {
    kind: 'window',
    target: { u: -toward * random.between(0.05, 0.3), v: random.between(0.5, 0.62), z: wallZ },
    distance: window.distance * meter,
    scale: clamp(scale, 0.3, 1.3),
    leak: 0.35,
    tiltDeg: toward * random.between(2, 6),
    columns: clamp(panes, 2, 3),
    rows: clamp(panes, 2, 4),
    paneWidth: 0.75,
    paneHeight: random.between(0.78, 0.95),
    bar: 0.07,
  };
}
