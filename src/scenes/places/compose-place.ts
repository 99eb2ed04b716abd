/**
 * Composes one scene in a place: the view, a ground that belongs there, and a camera that matches the photo.
 */
import type { Variant } from '../../recipes/catalogue.ts';
import type { PlaceName } from '../../studio/places/place-names.ts';
import {
  type Finish,
  measureFrame,
  type ScenePlan,
  type Staging,
  scenePlanVersion,
} from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import { realScale, slabWidth } from '../product/real-scale.ts';
import type { ProductFeatures } from '../product-features.ts';
import { createRandom } from '../seeded-random.ts';
import { azimuthAtWall, azimuthInSun, freeBeside, suitsRoom } from '../sets/airy-light.ts';
import { isChair, isSofaShaped, placeSubject, roomBlur, sizeSubject } from '../sets/camera.ts';
import { isAiry, isBushy } from '../sets/fill-frame.ts';
import { aimKey, type Standing } from './aim-key.ts';
import { buildRoom, unitsPerMeter } from './build-room.ts';
import { fitTone } from './fit-tone.ts';
import { framePlace } from './frame-place.ts';
import { joinFloor, makeSlab } from './lay-ground.ts';
import { type Paint, places } from './place-facts.ts';

/** The direction in which the camera looks in a panorama. */
export type PlaceAim = Pick<NonNullable<ScenePlan['place']>, 'headingDeg' | 'isMirrored'>;

export interface PlaceWish {
  readonly place: PlaceName;
  readonly aim: PlaceAim;
  /** Paint of the wall in a room. */
  readonly paint: Paint;
  /** The side that the light comes from. */
  readonly side: 'left' | 'right';
  readonly ground: Finish;
  /** Width of the slabs that a table is laid with, in centimeters; undefined for one piece. */
  readonly slabCm?: number | undefined;
  readonly staging: Staging;
  readonly ratio: Variant;
  readonly features: ProductFeatures;
  /** Usual length of the product's longer side, in centimeters. */
  readonly lengthCm: number;
  readonly seed: number;
}

/**
 * Blur of an infinitely far background, as a fraction of the picture's longer side: that of an 85 mm lens at
 * f/1.4, focused at two meters.
 */
const BLUR = 0.042;
/**
 * Exposure of a room. The place's usual exposure is 1, but the wall behind the product blocks half of the
 * place's light.
 */
const ROOM_EXPOSURE = 1.6;
/** Scale of a floor, to be divided by the number of scene units per meter. Boards are then 12 cm wide. */
const FLOOR_SCALE = 2.6;
/**
 * The same below a sofa in a room, where boards are 16 cm wide. The camera is so low there that narrower boards look
 * smeared at 640 px.
 */
const SOFA_FLOOR_SCALE = 1.9;
/** Makes boards narrower in a wide frame around a slender product; boards of usual size would look like a deck. */
const NARROW_BOARDS = 1.35;
const wideFrom = 1.5;

export function composePlace({ place, aim, ground, slabCm, ...wish }: PlaceWish): ScenePlan {
  const { staging, ratio, features, lengthCm, seed } = wish;
  const random = createRandom(seed);
  const size = sizeSubject(features.aspect);
  const isFloor = staging === 'large';
  const { roomBalance } = places[place];
  const standing = chooseStanding(place, staging, features);
  const isRoom = standing === 'room';
  const isHung = staging === 'hung';
  const camera = framePlace({ staging, ratio, size, features, lengthCm, isRoom }, random);
  const frame = measureFrame({ ratio, subject: size, camera });
  const isDeck = !isFloor && ground.material === 'wood' && frame.aspect > wideFrom && size.width < 0.8;
  const scale = isFloor
    ? (isRoom && isSofaShaped(features.aspect) ? SOFA_FLOOR_SCALE : FLOOR_SCALE) / unitsPerMeter(size)
    : (isDeck ? NARROW_BOARDS : 1) * realScale(ground.material, size, lengthCm);
  const finish = {
    ...ground,
    scale: clamp(ground.scale * scale, 0.2, 4),
    ...(slabCm && !isFloor ? { slabWidth: slabWidth(slabCm, size, lengthCm) } : {}),
  };
  const room = buildRoom(standing, { paint: wish.paint, camera, frame, size, features }, random);
  const slab = makeSlab({ finish, camera, frame, size, isFloor, wallZ: room?.wallZ }, random);
  const placed = placeSubject(size, frame, features);
  const subject = isHung ? { ...placed, hangs: true } : placed;
  const [color] = finish.colors;
  return {
    version: scenePlanVersion,
    seed,
    composition: isHung ? 'flatlay' : 'table',
    staging,
    ratio,
    subject,
    place: {
      name: place,
      ...aim,
      ...(isFloor && !room ? joinFloor(place, { camera, frame, size }) : {}),
    },
    surface: { ...finish, relief: 'flat', amplitude: 0 },
    backdrop: { ...finish, kind: 'horizon', z: -6, sweepRadius: 0 },
    pedestal: isHung ? null : { y: -slab.height, levels: [slab] },
    backProps: [...(room?.props ?? [])],
    sideProps: [],
    palette: [room ? wish.paint.color : color!, color!, color!, color!],
    key: aimKey(place, aim.headingDeg, wish.side, {
      standing,
      ...(isAiry(features) && !isFloor && !isHung
        ? { airyAzimuth: standing === 'wall' ? azimuthAtWall(frame, size) : azimuthInSun(frame, size) }
        : {}),
      isBushy: isBushy(features) && !isFloor && !isHung,
      isChair: isChair(staging, features),
      freeWidth: freeBeside(frame, subject) / size.height,
    }),
    env: { top: [0, 0, 0], bottom: [0, 0, 0], front: [0, 0, 0], softbox: noSoftbox },
    gobo: { kind: 'none' },
    camera,
    dof: room ? roomBlur : BLUR,
    tone: {
      ...fitTone(features, room ? { exposure: ROOM_EXPOSURE, balance: roomBalance } : { exposure: 1 }),
      // Film grain as in sets. With more, the noise of fine stone and boards exceeds our limit of 1.6 out of 255.
      grain: 0.005,
      vignette: 0.16,
    },
  };
}

function chooseStanding(place: PlaceName, staging: Staging, features: ProductFeatures): Standing {
  const { hasWall } = places[place];
  if (staging === 'large') return hasWall ? 'room' : 'floor';
  return hasWall && suitsRoom(staging, features) ? 'wall' : 'table';
}

const noSoftbox: ScenePlan['env']['softbox'] = { direction: [0, 1, 0], intensity: 0 };
