/** Fits a photographed place to a product: the view, a ground that ends behind the product, and the light of the place. */
import { clamp, createRandom, type SeededRandom, type Variant } from 'packshot-pixels';
import {
  type Camera,
  type Finish,
  type Frame,
  measureDepth,
  measureFrame,
  type PedestalLevel,
  type Prop,
  type ScenePlan,
  scenePlanVersion,
  VIEW_DEG,
} from 'packshot-studio';
import { frameFlat, frameStanding, placeSubject, sizeSubject } from './fit-camera.ts';
import { fitFinish } from './fit-finish.ts';
import { eyeOver } from './fit-pedestal.ts';
import { fitTone } from './fit-tone.ts';
import { colorDistance, oklchFromHex } from './oklch.ts';
import { realScale, slabWidth } from './product/real-scale.ts';
import type { FittedProduct } from './product-suit.ts';
import type { PlaceFile } from './set-file.ts';
import type { Wanted } from './wanted.ts';

export interface PlaceRequest {
  readonly product: FittedProduct;
  readonly ratio: Variant;
  readonly wanted?: Wanted | undefined;
  readonly seed: number;
}

/** Cameras that suit a table or a floor in a place, in degrees. */
const band = { table: [7, 20], floor: [5, 20] } as const;
/** Blur of an infinitely far background, as a fraction of the longer side: of an 85 mm lens at f/1.4, focused at 2 m. */
const blur = { place: 0.042, room: 0.003 } as const;
/** The wall behind furniture blocks half of the place's light. */
const roomExposure = 1.6;

interface Laid {
  readonly camera: Camera;
  readonly frame: Frame;
  readonly size: ScenePlan['subject'];
  readonly random: SeededRandom;
}

export function fitPlace(place: PlaceFile, { product, ratio, wanted, seed }: PlaceRequest): ScenePlan {
  const { features, suit, lengthCm, side } = product;
  const random = createRandom(seed);
  const size = sizeSubject(features.aspect);
  const isHung = suit === 'hung';
  const isFloor = place.ground.continues;
  const camera = isHung
    ? frameFlat({ ratio, features }, true, 0.21)
    : frameStanding({
        suit,
        ratio,
        features,
        lengthCm,
        elevDeg: product.elevDeg,
        band: band[isFloor ? 'floor' : 'table'],
        tan: 0.21,
        sharesFrame: false,
      });
  const frame = measureFrame({ ratio, subject: size, camera });
  const finish = layGround(place, wanted, { size, lengthCm });
  const laid: Laid = { camera, frame, size, random };
  const room = place.wall && raiseRoom(place.wall, features.mainColor, laid);
  const slab = isHung ? undefined : laySlab(place, finish, laid, room?.wallZ);
  const placed = placeSubject(size, frame, features);
  const [color] = finish.colors;
  return {
    version: scenePlanVersion,
    seed,
    composition: isHung ? 'flatlay' : 'table',
    staging: product.staging,
    ratio,
    subject: isHung ? { ...placed, hangs: true } : { ...placed, ...(product.lies && { lies: true }) },
    place: {
      name: place.panorama,
      ...aim(place, side, random),
      ...(isFloor && !room ? joinFloor(place, laid) : {}),
    },
    surface: { ...finish, relief: 'flat', amplitude: 0 },
    backdrop: { ...finish, kind: 'horizon', z: -6, sweepRadius: 0 },
    pedestal: slab ? { y: -slab.height, levels: [slab] } : null,
    backProps: room ? [...room.props] : [],
    sideProps: [],
    palette: [room?.color ?? color!, color!, color!, color!],
    key: aimKey(place, side, isFloor),
    env: {
      top: [0, 0, 0],
      bottom: [0, 0, 0],
      front: [0, 0, 0],
      softbox: { direction: [0, 1, 0], intensity: 0 },
    },
    gobo: { kind: 'none' },
    camera,
    dof: room ? blur.room : blur.place,
    tone: {
      ...fitTone(features, { exposure: room ? roomExposure : 1, balance: place.balance }),
      grain: 0.005,
      vignette: 0.16,
    },
  };
}

/** The ground that the prompt names, or the place's own, with boards and veins in their real size. */
function layGround(
  { ground }: PlaceFile,
  wanted: Wanted | undefined,
  { size, lengthCm }: { readonly size: ScenePlan['subject']; readonly lengthCm: number },
): Finish {
  const { slabCm, continues, ...slot } = ground;
  const asked = wanted?.materials.floor ?? wanted?.materials.stand ?? wanted?.materials.any;
  const gray = { l: 0.72, c: 0.01, h: 80 };
  const palette = { wall: gray, floor: wanted?.colors.floor ?? gray, stand: gray, accent: gray };
  const isOther = asked !== undefined && asked.material !== slot.material;
  const paint = asked && asked.colors.length > 0 ? [...asked.colors] : undefined;
  const chosen = isOther
    ? { material: asked.material, wear: 0.6, ...(paint && { paint }) }
    : { ...slot, ...(paint && { paint }) };
  const finish = fitFinish(wanted?.colors.floor ? { ...chosen, paint: 'floor' } : chosen, 'floor', palette);
  const scale = continues ? 2.2 / unitsPerMeter(size) : realScale(finish.material, size, lengthCm);
  return {
    ...finish,
    scale: clamp(finish.scale * scale, 0.2, 4),
    ...(slabCm && !isOther ? { slabWidth: slabWidth(slabCm, size, lengthCm) } : {}),
  };
}

/** Chairs are taken to be 0.85 m high, sofas 2.1 m wide. */
const unitsPerMeter = ({ width, height }: ScenePlan['subject']): number =>
  width / height > 1.6 ? width / 2.1 : height / 0.85;

/** Azimuth of a light for a camera aimed at `headingDeg`: negative from the left, 0 from behind the camera. */
function azimuthOf(longitudeDeg: number, headingDeg: number): number {
  const azimuth = 180 - (longitudeDeg - headingDeg);
  return azimuth - 360 * Math.round(azimuth / 360);
}

/** A view lit from the product's side; mirrored if need be, which cannot be noticed in the blur. */
function aim({ views, light }: PlaceFile, side: -1 | 1, random: SeededRandom) {
  const { headingDeg } = random.pick(views);
  if (light === undefined || light.latitudeDeg > 70) return { headingDeg };
  return side * azimuthOf(light.longitudeDeg, headingDeg) >= -10
    ? { headingDeg }
    : { headingDeg, isMirrored: true };
}

/** Light from a window on a floor, and from the brightest part of the sky on a table, where the place's light is soft. */
const softKeys = {
  floor: { az: 46, el: 58, angularRadius: 20, intensity: 1.3, distance: 5 },
  table: { az: 76, el: 51, angularRadius: 8, intensity: 2.6 },
} as const;
/** The sun stands at the side, so that the product does not hide its own shadow, and high enough to keep it in the frame. */
const sunKey = { az: 66, lowest: 42, highest: 60, angularRadius: 1.6, intensity: 1.9 } as const;

function aimKey({ light }: PlaceFile, side: -1 | 1, isFloor: boolean): ScenePlan['key'] {
  const color: [number, number, number] = [1, 1, 1];
  if (isFloor || light === undefined || light.latitudeDeg > 70) {
    const key = softKeys[isFloor ? 'floor' : 'table'];
    return { ...key, az: side * key.az, color };
  }
  const { az, lowest, highest, ...sun } = sunKey;
  return { ...sun, az: side * az, el: clamp(light.latitudeDeg, lowest, highest), color };
}

/** Depth behind the product at which the ground appears `line` scene units above its foot. */
function depthAt(line: number, laid: Pick<Laid, 'camera' | 'frame'>): number {
  const eye = eyeOver(laid);
  const { distance } = laid.frame;
  return line < eye ? (line * distance) / (eye - line) : 10;
}

const seenHeight = ({ height }: ScenePlan['subject']): number => Math.max(0.7, height);

/** Heights above the foot, in heights of the product, at which a floor starts and ends fading into the place's own. */
const fades = [0.42, 0.8] as const;

function fadeDepths(laid: Laid): [from: number, to: number] {
  const [from, to] = fades.map((share) => depthAt(share * seenHeight(laid.size), laid));
  return [clamp(from!, 0.8, 6), clamp(to!, 2, 10)];
}

function joinFloor({ floorEndDeg }: PlaceFile, laid: Laid) {
  const { camera, frame, size } = laid;
  const line = camera.baseline + (fades[1] * seenHeight(size)) / frame.height;
  const below = floorEndDeg / (VIEW_DEG * Math.max(1, 1 / frame.aspect));
  return { groundFade: fadeDepths(laid), horizon: clamp(line + below, 0.5, 1.25) };
}

/** A table that fills the bottom of the picture and ends behind the product, or a floor. */
function laySlab(
  { ground }: PlaceFile,
  finish: Finish,
  laid: Laid,
  wallZ: number | undefined,
): PedestalLevel {
  const { camera, frame, size, random } = laid;
  const isFloor = ground.continues;
  const rise = clamp((camera.elevDeg - 8) / 20, 0, 1);
  const back =
    wallZ !== undefined
      ? 0.12 - wallZ
      : isFloor
        ? fadeDepths(laid)[1]
        : clamp(depthAt((0.3 + 0.36 * rise) * seenHeight(size), laid), 0.8, 3);
  const eye = eyeOver(laid);
  const below = camera.baseline * frame.height;
  const front = (frame.distance * below) / (eye + below) + 0.5;
  const turn = random.between(-1, 1);
  const toward = (turn < 0 ? 90 : -90) + (isFloor ? 4 * turn : Math.sign(turn) * (10 + 10 * Math.abs(turn)));
  return {
    ...finish,
    ...(finish.material === 'wood' && { boardsDeg: isFloor && camera.elevDeg < 8 ? 3 * turn : toward }),
    shape: 'box',
    width: isFloor ? 16 : 12,
    height: 0.11,
    depth: back + front,
    bevel: finish.material === 'marble' ? 0.02 : 0.042,
    x: 0,
    z: (front - back) / 2,
    // In photos, a table's edge is never exactly parallel to the frame.
    turnDeg: isFloor || wallZ !== undefined ? 0 : random.between(-3, 3),
    seed: 1,
  };
}

/** A painted wall with a baseboard behind furniture; the paint farthest from the product's color comes first. */
function raiseRoom(
  { colors, trim }: NonNullable<PlaceFile['wall']>,
  product: Parameters<typeof colorDistance>[0],
  { frame, size, random }: Laid,
) {
  const far = colors.toSorted(
    (one, other) => colorDistance(oklchFromHex(other), product) - colorDistance(oklchFromHex(one), product),
  );
  const color = random.pick(far.slice(0, Math.max(1, Math.ceil(far.length / 2))));
  const wallZ = -Math.min(5.8, measureDepth(size) + random.between(0.5, 0.65));
  const thick = 0.02;
  const box = (finish: Finish, height: number, z: number): Prop => ({
    ...finish,
    shape: 'box',
    u: 0,
    y: 0,
    z: z - (thick * frame.height) / 2,
    width: 6,
    height,
    depth: thick,
    bevel: 0.002,
    turnDeg: 0,
    leanDeg: 0,
    tipDeg: 0,
    seed: 1,
  });
  const board = (0.085 * unitsPerMeter(size)) / frame.height;
  return {
    color,
    wallZ,
    props: [
      box({ material: 'plaster', colors: [color], scale: 1, roughness: 0.9, bump: 0.1 }, 2.5, wallZ),
      box({ material: 'matte', colors: [trim], scale: 1, roughness: 0.5, bump: 1 }, board, wallZ + 0.003),
    ],
  };
}
