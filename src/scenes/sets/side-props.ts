/** Groups of props beside, in front of and behind the product. They do not touch the product. */

import type { PedestalLevel, Prop } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { Side } from './compositions.ts';
import { makeFinish } from './finishes.ts';
import { makeRimProps } from './rim-props.ts';
import { type BuiltStage, findPlace, footprintOf, makeProp, room, shaded } from './stage.ts';

export function makeSideProps(kind: Side, stage: BuiltStage, levels: readonly PedestalLevel[]): Prop[] {
  switch (kind) {
    case 'spheres':
      return makeSpheres(stage, levels);
    case 'stones':
      return makePebbles(stage, levels);
    case 'branches':
      return makeBranches(stage);
    case 'palms':
      return makePalmFronds(stage);
    case 'petals':
      return makePetals(stage, levels);
    case 'cubes':
      return makeCubes(stage, levels);
    case 'vases':
      return makeVases(stage, levels);
    case 'rim-branches':
    case 'rim-stones':
      return makeRimProps(kind, stage);
  }
}

function makeSpheres(stage: BuiltStage, levels: readonly PedestalLevel[]): Prop[] {
  const { finishes, random } = stage;
  const size = 0.2 * room(stage) * random.between(0.9, 1.1);
  for (const wished of [size, 0.55 * size]) {
    const place = findPlace(stage, levels, { side: shaded(stage), size: wished, z: 0.1, mayBeCut: true });
    if (!place) continue;
    const width = wished * place.scale;
    return [
      makeProp(stage, 'sphere', finishes.accent, { ...placed(place), width, height: width, depth: width }),
    ];
  }
  return [];
}

function makeCubes(stage: BuiltStage, levels: readonly PedestalLevel[]): Prop[] {
  const { finishes, random } = stage;
  const size = 0.17 * room(stage);
  // A rotated cube is as wide as its diagonal.
  const place = findPlace(stage, levels, { side: shaded(stage), size: size * 1.4, z: -0.1 });
  if (!place) return [];
  const width = size * place.scale;
  const finish = finishes.accent.material === 'metal' ? finishes.pedestal : finishes.accent;
  return [
    makeProp(stage, 'box', finish, {
      u: place.u,
      y: place.y,
      z: place.z,
      width,
      height: width,
      depth: width,
      turnDeg: random.between(18, 40),
    }),
  ];
}

function makePebbles(stage: BuiltStage, levels: readonly PedestalLevel[]): Prop[] {
  const { finishes, palette, random, side } = stage;
  const own =
    finishes.pedestal.material === 'stone'
      ? finishes.pedestal
      : makeFinish({ material: 'stone' }, palette.pedestal);
  const sizes = [0.26, 0.15, 0.1].map((size) => size * room(stage) * random.between(0.9, 1.1));
  return sizes.flatMap((size, index) => {
    const away = index === 1 ? side : shaded(stage);
    const place = findPlace(stage, levels, {
      side: away,
      size,
      z: -0.35 + 0.3 * index,
      mayBeCut: true,
    });
    if (!place) return [];
    const width = size * place.scale;
    // Sunk by a tenth, because pebbles lie in the ground rather than on it.
    return makeProp(stage, 'stone', own, {
      u: place.u,
      y: place.y - 0.1 * width,
      z: place.z,
      width,
      height: width * 0.55,
      depth: width * 0.8,
    });
  });
}

/** A tall vase with dry grass and a low vase, both on the shaded side. */
function makeVases(stage: BuiltStage, levels: readonly PedestalLevel[]): Prop[] {
  const { finishes, palette, random } = stage;
  const pale = makeFinish({ material: 'plaster', color: palette.pedestal }, palette.pedestal);
  const strong = finishes.accent.material === 'metal' ? finishes.pedestal : finishes.accent;
  const { back } = footprintOf(levels, stage);
  const size = 0.2 * room(stage);
  const z = Math.min(-0.7, back * 0.7);
  const tall = findPlace(stage, levels, { side: shaded(stage), size, z });
  const low = findPlace(stage, levels, { side: shaded(stage), size: size * 0.75, z: z + 0.4 });
  const height = random.between(0.34, 0.42) * room(stage);
  if (!tall) return [];
  const dry = makeFinish({ material: 'linen', color: { l: 0.84, c: 0.045, h: 75 } }, palette.pedestal);
  return [
    makeProp(stage, 'vase', pale, { ...placed(tall), width: size * tall.scale, height, depth: size }),
    ...(low
      ? [
          makeProp(stage, 'vase', strong, {
            ...placed(low),
            width: size * 0.75 * low.scale,
            height: height * 0.55,
            depth: size,
          }),
        ]
      : []),
    ...[-14, 4, 17].map((lean) =>
      makeProp(stage, 'pampas', dry, {
        u: tall.u,
        y: tall.y + height * 0.9,
        z: tall.z,
        width: 0.05,
        height: random.between(0.34, 0.44) * room(stage),
        depth: 0.05,
        leanDeg: lean + random.between(-4, 4),
      }),
    ),
  ];
}

const placed = ({ u, y, z }: { u: number; y: number; z: number }) => ({ u, y, z });

/** z of the frontmost branch or frond behind the product, whose body extends from z = 0 back to z = -0.8. */
const behindProduct = -1.05;

/** Branches reach in over the frame's edge on the lit side: two in a wide frame, one in a tall frame. */
function makeBranches(stage: BuiltStage): Prop[] {
  const { frame, palette, random, side } = stage;
  const leaf = makeFinish({ material: 'leaf' }, palette.accent);
  const kind = random.pick(['branch', 'olive'] as const);
  const isNarrow = frame.aspect < 0.85;
  return (isNarrow ? [0] : [0, 1]).map((index) =>
    makeProp(stage, kind, leaf, {
      u: side * random.between(1.03, 1.1),
      y: (isNarrow ? 0.16 : 0.06) + 0.1 * index,
      z: behindProduct - 0.3 * index,
      width: 0.055,
      height: random.between(0.62, 0.78) * (isNarrow ? 0.55 : 0.9),
      depth: 0.05,
      leanDeg: -side * random.between(26, 40) - side * 18 * index,
      tipDeg: random.between(-8, 4),
    }),
  );
}

function makePalmFronds(stage: BuiltStage): Prop[] {
  const { palette, random, side } = stage;
  const leaf = makeFinish({ material: 'leaf' }, palette.accent);
  return [0, 1].map((index) =>
    makeProp(stage, 'palm', leaf, {
      u: side * random.between(1.04, 1.12),
      y: 0.05 + 0.2 * index,
      z: behindProduct - 0.35 * index,
      width: 0.05,
      height: random.between(0.7, 0.9) * Math.max(0.72, room(stage)),
      depth: 0.05,
      leanDeg: -side * random.between(26, 42),
      tipDeg: random.between(-8, 2),
    }),
  );
}

/** A handful of petals on the ground in front of the pedestal, on the shaded side. */
function makePetals(stage: BuiltStage, levels: readonly PedestalLevel[]): Prop[] {
  const { palette, random } = stage;
  const color =
    palette.accent.c > 0.05 && palette.accent.l > 0.5
      ? { ...palette.accent, l: clamp(palette.accent.l + 0.06, 0, 0.9) }
      : undefined;
  const petal = makeFinish({ material: 'petal', color }, palette.accent);
  const size = 0.3 * room(stage);
  const place = findPlace(stage, levels, { side: shaded(stage), size, z: 0.25, mayBeCut: true });
  if (!place) return [];
  const spread = size * place.scale;
  return [
    makeProp(stage, 'petals', petal, {
      ...placed(place),
      y: place.y + 0.004,
      width: spread,
      height: 0.05,
      depth: spread,
      turnDeg: random.between(-90, 90),
    }),
  ];
}
