/**
 * The scene of a random photo: a product in a studio sweep or in a room. Many scenes are made difficult at random: the
 * product has the color of its background, is dark on a dark background, fills the frame, is cropped by the frame, or
 * is surrounded by other objects.
 */
import { createRandom, hashSeed, type SeededRandom } from '../../../packages/pixels/src/seeded-random.ts';
import type {
  MaterialSettings,
  SceneObject,
  StudioScene,
} from '../../../packages/studio/src/studio-scene.ts';
import { makeProduct, type Product } from './products.ts';

/** Materials with this name prefix belong to the product. */
export const PRODUCT_PREFIX = 'product-';

export interface TrainingScene {
  readonly product: Product;
  readonly scene: StudioScene;
  readonly tags: readonly string[];
}

const hex = (value: number): string =>
  Math.round(Math.min(255, Math.max(0, value)))
    .toString(16)
    .padStart(2, '0');

/** A color with a lightness of 0 to 1 and a slight tint of any hue. */
function makeColor(random: SeededRandom, lightness: number, tint = random.between(0, 0.5)): string {
  const hue = random.between(0, 2 * Math.PI);
  const channel = (turn: number) => 255 * lightness * (1 + tint * Math.cos(hue + turn));
  return `#${hex(channel(0))}${hex(channel(2.09))}${hex(channel(4.19))}`;
}

function shiftColor(color: string, by: number): string {
  const channel = (at: number) => hex(Number.parseInt(color.slice(at, at + 2), 16) + by);
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

type Mood = 'bright' | 'dark' | 'middle';
const moodLightness = { bright: [0.8, 0.97], dark: [0.02, 0.16], middle: [0.2, 0.75] } as const;
const smooth = ['matte', 'lacquer', 'satin', 'plaster', 'metal'] as const;
const rough = ['wood', 'concrete', 'linen', 'marble', 'stone', 'terrazzo', 'plaster', 'matte'] as const;

function makeMaterials(random: SeededRandom, { mood, isMatched }: { mood: Mood; isMatched: boolean }) {
  const [low, high] = moodLightness[mood];
  const wall = makeColor(random, random.between(low, high), random.between(0, 0.25));
  const materials: Record<string, MaterialSettings> = {
    wall: { kind: random.pick(['matte', 'plaster', 'concrete', 'matte'] as const), color: wall },
    floor: { kind: random.pick(rough), color: makeColor(random, random.between(low, high), 0.15) },
  };
  for (let k = 0; k < 4; k++)
    materials[`thing-${k}`] = {
      kind: random.pick(rough),
      color: makeColor(random, random.between(0.05, 0.9)),
    };
  for (let k = 0; k < 3; k++) {
    const isLikeWall = isMatched && k !== 2;
    materials[`${PRODUCT_PREFIX}${k}`] = {
      kind: random.pick(smooth),
      color: isLikeWall
        ? shiftColor(wall, random.between(-22, 22))
        : makeColor(random, random.between(0.03, 0.95), k === 2 ? 0.9 : undefined),
      roughness: random.between(0.1, 0.9),
    };
  }
  return materials;
}

function makeClutter(random: SeededRandom, wallZ: number, width: number): SceneObject[] {
  const count = Math.floor(random.between(3, 9));
  return Array.from({ length: count }, (): SceneObject => {
    const side = random.pick([-1, 1]);
    const z = random.between(wallZ + 0.3, -0.6);
    const x = side * random.between(0.2, 0.9) * (width + 1 - z * 0.35);
    const material = `thing-${Math.floor(random.between(0, 4))}`;
    const height = random.between(0.3, 1.8);
    const form = random.next();
    if (form < 0.45) {
      const size = random.between(0.3, 0.9);
      return {
        shape: { kind: 'box', width: size, height, depth: 0.4, bevel: 0.02 },
        material,
        at: [x, 0, z],
      };
    }
    if (form < 0.7)
      return {
        shape: { kind: 'vase', radius: random.between(0.1, 0.3), height: height / 2 },
        material,
        at: [x, 0, z],
      };
    if (form < 0.85)
      return { shape: { kind: 'palm', length: height, seed: random.seed() % 999 }, material, at: [x, 0, z] };
    return {
      shape: { kind: 'panel', width: 0.9, height: 0.7, depth: 0.04 },
      material,
      at: [x, 1.1, wallZ + 0.05],
    };
  });
}

export function makeTrainingScene(number: number): TrainingScene {
  const random = createRandom(hashSeed('cutout judge', number));
  const product = makeProduct(random, number);
  const mood = random.pick(['bright', 'dark', 'middle', 'middle'] as const);
  const isMatched = random.next() < 0.35;
  const isFilling = random.next() < 0.45;
  const isRoom = random.next() < 0.55;
  const wallZ = isRoom ? random.between(-4, -1.2) : random.between(-6, -2);
  const fill = isFilling ? random.between(0.8, 1.15) : random.between(0.4, 0.75);
  const light = mood === 'dark' ? random.between(0.5, 1.1) : random.between(1, 1.8);
  const ambient = random.between(0.12, 0.5);
  const tags = [
    mood,
    isMatched ? 'matched' : 'distinct',
    isFilling ? 'filling' : 'framed',
    isRoom ? 'room' : 'sweep',
  ];
  const objects: SceneObject[] = product.parts.map(({ shape, at, turn, material }) => ({
    shape,
    at,
    ...(turn ? { turn } : {}),
    material: `${PRODUCT_PREFIX}${material}`,
  }));
  const scene: StudioScene = {
    seed: random.seed() % 100_000,
    view: 'standing',
    subject: { width: product.width, height: product.height, shift: random.between(-0.1, 0.1) },
    baseY: 0,
    camera: {
      tan: random.between(0.18, 0.34),
      elevDeg: random.between(4, 24),
      fillH: fill,
      fillW: fill,
      baseline: isFilling ? random.between(-0.05, 0.12) : random.between(0.1, 0.3),
      offset: { x: random.between(-0.1, 0.1), y: 0 },
    },
    backdrop: {
      z: wallZ,
      sweepRadius: isRoom ? 0 : random.between(0.4, 1.2),
      floor: isRoom ? 'floor' : 'wall',
      wall: 'wall',
    },
    materials: makeMaterials(random, { mood, isMatched }),
    objects: isRoom ? [...objects, ...makeClutter(random, wallZ, product.width)] : objects,
    key: {
      az: random.between(-80, 80),
      el: random.between(20, 65),
      angularRadius: random.between(0.5, 12),
      color: [1, random.between(0.85, 1), random.between(0.7, 1)],
      intensity: light,
    },
    environment: {
      bottom: [ambient * 0.6, ambient * 0.6, ambient * 0.6],
      top: [ambient, ambient, ambient * random.between(0.9, 1.2)],
      front: [ambient * 0.4, ambient * 0.4, ambient * 0.4],
    },
    gobo: undefined,
    depthOfField: isRoom ? random.between(0, 0.006) : 0,
    tone: {
      exposure: random.between(0.8, 1.2),
      grain: random.between(0, 0.01),
      vignette: random.between(0, 0.12),
    },
    productDepth: 0.5,
  };
  return { product, scene, tags };
}
