/**
 * Random products, built from the studio's shapes: furniture, screens, vessels, plants, machines, and pairs of the same
 * product.
 */
import type { SeededRandom } from '../../../packages/pixels/src/seeded-random.ts';
import type { Vec3 } from '../../../packages/studio/src/meshes/mesh.ts';
import type { Shape } from '../../../packages/studio/src/meshes/shape.ts';

/** `material` is the index of one of the product's three materials: 0 is the main material, 2 an accent. */
export interface ProductPart {
  readonly shape: Shape;
  readonly at: Vec3;
  readonly turn?: Vec3;
  readonly material: 0 | 1 | 2;
}

export interface Product {
  readonly kind: string;
  /** Width in world units. */
  readonly width: number;
  /** Height in world units. */
  readonly height: number;
  /** The product that they form stands on the ground (y = 0) at the origin. */
  readonly parts: readonly ProductPart[];
}

const BEVEL = 0.015;

const box = (width: number, height: number, depth: number): Shape => ({
  kind: 'box',
  width,
  height,
  depth,
  bevel: Math.min(BEVEL, width / 4, height / 4, depth / 4),
});
const rod = (radius: number, height: number): Shape => ({
  kind: 'cylinder',
  radius,
  height,
  bevel: Math.min(BEVEL, radius / 3, height / 3),
});

function makeSeat(random: SeededRandom): Product {
  const width = random.between(0.9, 2.1);
  const legs = random.between(0.1, 0.4);
  const gap = random.next() < 0.6 ? random.between(0.05, 0.14) : 0;
  const legAt = width / 2 - 0.1;
  const backY = legs + 0.22 + gap;
  const parts: ProductPart[] = [
    { shape: box(width, 0.22, 0.8), at: [0, legs, 0], material: 0 },
    { shape: box(width, 0.4, 0.16), at: [0, backY, -0.33], material: 0 },
    ...[-legAt, legAt].flatMap((x): ProductPart[] => [
      { shape: rod(0.035, legs), at: [x, 0, 0.3], material: 1 },
      { shape: rod(0.035, legs), at: [x, 0, -0.3], material: 1 },
    ]),
  ];
  if (gap > 0)
    for (const x of [-legAt, legAt])
      parts.push({ shape: box(0.1, 0.4, 0.1), at: [x, legs + 0.2, -0.33], material: 0 });
  if (random.next() < 0.5)
    for (const x of [-legAt, legAt])
      parts.push({ shape: box(0.16, 0.42, 0.8), at: [x, legs, 0], material: 0 });
  if (random.next() < 0.5)
    parts.push({
      shape: box(0.36, 0.3, 0.12),
      at: [random.between(-0.3, 0.3), legs + 0.22, -0.1],
      material: 2,
    });
  return { kind: 'seat', width, height: backY + 0.4, parts };
}

function makeTable(random: SeededRandom): Product {
  const width = random.between(1, 1.7);
  const height = random.between(0.5, 1);
  const parts: ProductPart[] = [
    {
      shape: random.next() < 0.5 ? rod(width / 2, 0.06) : box(width, 0.07, 0.7),
      at: [0, height, 0],
      material: 0,
    },
    ...[-0.35, 0.35].flatMap((x): ProductPart[] => [
      { shape: rod(0.03, height), at: [x * width, 0, 0.2], material: 1 },
      { shape: rod(0.03, height), at: [x * width, 0, -0.2], material: 1 },
    ]),
  ];
  if (random.next() < 0.6)
    parts.push({
      shape: { kind: 'vase', radius: 0.12, height: 0.35 },
      at: [0.2, height + 0.06, 0],
      material: 2,
    });
  return { kind: 'table', width, height: height + 0.3, parts };
}

function makeScreen(random: SeededRandom): Product {
  const width = random.between(1.1, 1.9);
  const height = random.between(0.6, 0.95);
  const foot = random.between(0.1, 0.3);
  const parts: ProductPart[] = [
    { shape: box(width, height, 0.06), at: [0, foot, -0.1], material: 0 },
    { shape: box(width - 0.08, height - 0.08, 0.02), at: [0, foot + 0.04, -0.065], material: 1 },
    { shape: box(0.1, foot + 0.1, 0.05), at: [0, 0, -0.16], material: 0 },
    { shape: box(0.5, 0.025, 0.3), at: [0, 0, -0.12], material: 0 },
  ];
  if (random.next() < 0.6)
    parts.push({ shape: box(width * 0.6, 0.04, 0.22), at: [-0.1, 0, 0.35], turn: [0, 0.1, 0], material: 2 });
  return { kind: 'screen', width, height: foot + height, parts };
}

function makeMachine(random: SeededRandom): Product {
  const width = random.between(0.6, 1.4);
  const height = random.between(0.5, 1);
  const depth = random.between(0.3, 0.7);
  const front = depth / 2;
  const lid = height * random.between(0.25, 0.5);
  const parts: ProductPart[] = [
    { shape: box(width, height - lid, depth), at: [0, 0, 0], material: 0 },
    { shape: box(width * 0.98, lid, depth * 0.98), at: [0, height - lid, 0], material: 1 },
    {
      shape: { kind: 'disc', radius: height * 0.22, depth: 0.06 },
      at: [random.between(-0.1, 0.1), height * 0.5, front + 0.03],
      material: 2,
    },
  ];
  const knobs = Math.floor(random.between(0, 4));
  for (let k = 0; k < knobs; k++)
    parts.push({
      shape: { kind: 'sphere', radius: 0.05 },
      at: [(k - 1.5) * 0.14, height * 0.15, front],
      material: 2,
    });
  if (random.next() < 0.5)
    parts.push({
      shape: { kind: 'arch', width: width * 0.7, height: 0.3, thickness: 0.04, depth: 0.04 },
      at: [0, height, 0],
      material: 2,
    });
  return { kind: 'machine', width, height, parts };
}

function makeVessels(random: SeededRandom): Product {
  const count = Math.floor(random.between(1, 4));
  const parts: ProductPart[] = [];
  for (let k = 0; k < count; k++) {
    const x = (k - (count - 1) / 2) * 0.62;
    const height = random.between(0.5, 1);
    const material = random.pick([0, 1, 0] as const);
    const radius = random.between(0.15, 0.28);
    parts.push({
      shape: { kind: random.pick(['vase', 'vase'] as const), radius, height },
      at: [x, 0, 0],
      material,
    });
    if (random.next() < 0.4) parts.push({ shape: rod(radius * 0.4, 0.1), at: [x, height, 0], material: 2 });
  }
  return { kind: 'vessels', width: 0.62 * count, height: 1, parts };
}

function makePlant(random: SeededRandom): Product {
  const seed = random.seed() % 1000;
  const kind = random.pick(['olive', 'palm', 'monstera', 'olive'] as const);
  const parts: ProductPart[] = [
    { shape: { kind: 'pot', radius: 0.22, height: 0.4, flare: 1.15 }, at: [0, 0, 0], material: 0 },
  ];
  for (let k = 0; k < 3; k++)
    parts.push({
      shape: { kind, length: random.between(0.5, 0.8), seed: seed + k },
      at: [0, 0.36, 0],
      turn: [0, k * 2.1, random.between(-0.35, 0.35)],
      material: 2,
    });
  return { kind: 'plant', width: 0.9, height: 1.1, parts };
}

function makePair(random: SeededRandom): Product {
  const parts: ProductPart[] = [];
  const size = random.between(0.24, 0.36);
  for (const side of [-1, 1]) {
    const at = side * random.between(0.36, 0.5);
    parts.push(
      {
        shape: box(size * 1.1, size, 0.9),
        at: [at, 0, 0],
        turn: [0, side * random.between(0, 0.5), 0],
        material: 0,
      },
      { shape: box(size * 1.2, 0.07, 0.98), at: [at, -0.01, 0], turn: [0, side * 0.2, 0], material: 1 },
      {
        shape: { kind: 'sphere', radius: size * 0.62 },
        at: [at, size, 0.1],
        material: random.pick([0, 2] as const),
      },
    );
  }
  return { kind: 'pair', width: 1.4, height: 0.7, parts };
}

const kinds = [makeSeat, makeTable, makeScreen, makeMachine, makeVessels, makePlant, makePair] as const;

export function makeProduct(random: SeededRandom, number: number): Product {
  return kinds[number % kinds.length]!(random);
}
