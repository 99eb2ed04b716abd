/** Groups of props beside and in front of the product: they keep out of its free zone and off its pedestal. */
import { clamp, type Oklch } from '../oklch.ts';
import type { PedestalLevel, Prop } from '../scene-plan.ts';
import type { Side } from './compositions.ts';
import { makeFinish } from './finishes.ts';
import { footprintOf, freeZone, halfU, makeProp, placeOnGround, type Stage } from './stage.ts';

export function makeSideProps(kind: Side, stage: Stage, levels: readonly PedestalLevel[]): Prop[] {
  switch (kind) {
    case 'none':
      return [];
    case 'spheres':
      return makeSpheres(stage, levels);
    case 'stones':
      return makePebbles(stage, levels);
    case 'potted-plant':
      return makePottedPlant(stage, levels);
    case 'branches':
      return makeBranches(stage, -1);
    case 'palms':
      return makePalmFronds(stage);
    case 'petals':
      return makePetals(stage, levels);
    case 'cubes':
      return makeCubes(stage, levels);
    case 'rim-branches':
      return makeRimBranches(stage);
  }
}

/** Sizes are shares of Hf; a narrow frame has room for smaller things only. */
function room({ frame }: Stage): number {
  return clamp(frame.aspect, 0.62, 1);
}

function makeSpheres(stage: Stage, levels: readonly PedestalLevel[]): Prop[] {
  const { finishes, palette, side, random } = stage;
  const footprint = footprintOf(levels, stage);
  const big = 0.19 * room(stage) * random.between(0.9, 1.1);
  const small = big * 0.55;
  const pale = makeFinish({ material: 'matte', color: palette.pedestal }, palette.pedestal);
  // On the shaded side, where they balance the light; the small one before the big one.
  const far = placeOnGround(stage, footprint, { side: side === 1 ? -1 : 1, size: big, z: 0.1 });
  const spheres = [
    makeProp(stage, 'sphere', finishes.accent, { ...far, width: big, height: big, depth: big }),
  ];
  const near = placeOnGround(stage, footprint, { side, size: small, z: footprint.front + 0.12 });
  spheres.push(makeProp(stage, 'sphere', pale, { ...near, width: small, height: small, depth: small }));
  return spheres;
}

function makeCubes(stage: Stage, levels: readonly PedestalLevel[]): Prop[] {
  const { finishes, side, random } = stage;
  const size = 0.17 * room(stage);
  const place = placeOnGround(stage, footprintOf(levels, stage), {
    side: side === 1 ? -1 : 1,
    size: size * 1.4,
    z: -0.1,
  });
  return [
    makeProp(stage, 'box', finishes.accent.material === 'metal' ? finishes.pedestal : finishes.accent, {
      ...place,
      width: size,
      height: size,
      depth: size,
      turnDeg: random.between(18, 40),
    }),
  ];
}

function makePebbles(stage: Stage, levels: readonly PedestalLevel[]): Prop[] {
  const { finishes, palette, random, side } = stage;
  const own =
    finishes.pedestal.material === 'stone'
      ? finishes.pedestal
      : makeFinish({ material: 'stone' }, palette.pedestal);
  const footprint = footprintOf(levels, stage);
  const scale = room(stage);
  const sizes = [0.26, 0.15, 0.1].map((size) => size * scale * random.between(0.9, 1.1));
  return sizes.map((size, index) => {
    const away = index === 1 ? side : side === 1 ? -1 : 1;
    const place = placeOnGround(stage, footprint, { side: away, size, z: -0.35 + 0.3 * index });
    // Sunk by a tenth: pebbles lie in the ground, not on it.
    return makeProp(stage, 'stone', own, {
      ...place,
      y: -0.1 * size,
      width: size,
      height: size * 0.55,
      depth: size * 0.8,
    });
  });
}

/** Terracotta, cream, grey: pots that are sold; a pale accent makes a fourth. */
function potColors(accent: Oklch): readonly Oklch[] {
  const sold = [
    { l: 0.62, c: 0.1, h: 42 },
    { l: 0.92, c: 0.02, h: 85 },
    { l: 0.7, c: 0.008, h: 90 },
  ];
  return accent.c < 0.1 ? [...sold, accent] : sold;
}

/** A pot on the side of the light with three branches, tall enough to frame the product, never before it. */
function makePottedPlant(stage: Stage, levels: readonly PedestalLevel[]): Prop[] {
  const { palette, random, side } = stage;
  const footprint = footprintOf(levels, stage);
  const size = 0.26 * room(stage);
  const z = Math.min(-0.95, footprint.back - (size * stage.frame.height) / 2 - 0.05);
  const u = side * clamp(freeZone(stage) + halfU(stage, size, z) * 0.6, 0.58, 0.86);
  const pot = makeFinish(
    { material: 'matte', color: random.pick(potColors(palette.accent)) },
    palette.accent,
  );
  const leaf = makeFinish({ material: 'leaf' }, palette.accent);
  const height = size * 1.05;
  return [
    makeProp(stage, 'pot', pot, { u, z, width: size, height, depth: size }),
    ...[-22, 0, 20].map((lean) =>
      makeProp(stage, 'branch', leaf, {
        u,
        y: height * 0.9,
        z: z - 0.01 * lean * 0.2,
        width: 0.05,
        height: random.between(0.5, 0.68) * room(stage),
        depth: 0.05,
        leanDeg: lean + random.between(-5, 5),
        tipDeg: random.between(-4, 12),
      }),
    ),
  ];
}

/** Branches reach in over the rim of the frame on the lit side; `edge` 1 would be the shaded one. */
function makeBranches(stage: Stage, edge: 1 | -1): Prop[] {
  const { palette, random, side } = stage;
  const leaf = makeFinish({ material: 'leaf' }, palette.accent);
  const from = -side * edge;
  return [0, 1].map((index) =>
    makeProp(stage, 'branch', leaf, {
      u: from * random.between(1.03, 1.1),
      y: 0.06 + 0.1 * index,
      z: -0.75 - 0.3 * index,
      width: 0.055,
      height: random.between(0.62, 0.78) * Math.max(0.75, room(stage)),
      depth: 0.05,
      leanDeg: -from * random.between(26, 40) - from * 18 * index,
      tipDeg: random.between(-8, 4),
    }),
  );
}

function makePalmFronds(stage: Stage): Prop[] {
  const { palette, random, side } = stage;
  const leaf = makeFinish({ material: 'leaf' }, palette.accent);
  return [0, 1].map((index) =>
    makeProp(stage, 'palm', leaf, {
      u: side * random.between(1.04, 1.12),
      y: 0.05 + 0.2 * index,
      z: -0.8 - 0.35 * index,
      width: 0.05,
      height: random.between(0.7, 0.9) * Math.max(0.72, room(stage)),
      depth: 0.05,
      leanDeg: -side * random.between(26, 42),
      tipDeg: random.between(-8, 2),
    }),
  );
}

/** A handful on the ground before the pedestal, off to the shaded side. */
function makePetals(stage: Stage, levels: readonly PedestalLevel[]): Prop[] {
  const { palette, random, side } = stage;
  const color =
    palette.accent.c > 0.05 && palette.accent.l > 0.5
      ? { ...palette.accent, l: clamp(palette.accent.l + 0.06, 0, 0.9) }
      : undefined;
  const petal = makeFinish({ material: 'petal', color }, palette.accent);
  const spread = 0.3 * room(stage);
  const place = placeOnGround(stage, footprintOf(levels, stage), {
    side: side === 1 ? -1 : 1,
    size: spread * 0.6,
    z: 0.25,
  });
  return [
    makeProp(stage, 'petals', petal, {
      ...place,
      y: 0.004,
      width: spread,
      height: 0.05,
      depth: spread,
      turnDeg: random.between(-90, 90),
    }),
  ];
}

/** Flat lay: branches at two opposite corners and petals at a third, all beyond |u| = 0.7. */
function makeRimBranches(stage: Stage): Prop[] {
  const { palette, random, side } = stage;
  const leaf = makeFinish({ material: 'leaf' }, palette.accent);
  const petal = makeFinish({ material: 'petal' }, palette.accent);
  const scale = room(stage);
  return [
    makeProp(stage, 'branch', leaf, {
      u: side * 1.04,
      y: 0.02,
      z: 0.03,
      width: 0.05,
      height: 0.46 * scale,
      depth: 0.03,
      leanDeg: -side * random.between(28, 42),
    }),
    makeProp(stage, 'branch', leaf, {
      u: -side * 1.04,
      y: 0.98,
      z: 0.03,
      width: 0.05,
      height: 0.42 * scale,
      depth: 0.03,
      leanDeg: side * random.between(140, 155),
    }),
    makeProp(stage, 'petals', petal, {
      u: -side * 0.82,
      y: 0.12,
      z: 0.02,
      width: 0.2 * scale,
      height: 0.04,
      depth: 0.2 * scale,
    }),
  ];
}
