/** Groups of props in the corners of a flat lay, seen from above, at a distance from the product. */

import type { Prop } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { Side } from './compositions.ts';
import { makeFinish } from './finishes.ts';
import { makeProp, type Stage } from './stage.ts';

export function makeRimProps(kind: Side, stage: Stage): Prop[] {
  switch (kind) {
    case 'rim-branches':
      return makeBranches(stage);
    case 'rim-stones':
      return makeStones(stage);
    default:
      return [];
  }
}

function room({ frame }: Stage): number {
  return clamp(frame.aspect, 0.62, 1);
}

/** Branches in two opposite corners and petals in a third corner. */
function makeBranches(stage: Stage): Prop[] {
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
      u: -side * 0.8,
      y: 0.1,
      z: 0.02,
      width: 0.2 * scale,
      height: 0.04,
      depth: 0.2 * scale,
    }),
  ];
}

/** A loose row of pebbles in one corner, a single pebble in the opposite corner. */
function makeStones(stage: Stage): Prop[] {
  const { palette, random, side } = stage;
  const scale = room(stage);
  const stone = makeFinish(
    { material: 'stone', color: { l: palette.wall.l > 0.7 ? 0.7 : 0.8, c: 0.02, h: 75 } },
    palette.pedestal,
  );
  const row = [
    [0.86, 0.06, 0.17],
    [0.72, 0.03, 0.09],
    [0.9, 0.26, 0.11],
    [-0.86, 0.82, 0.13],
  ] as const;
  return row.map(([u, y, size]) =>
    makeProp(stage, 'stone', stone, {
      u: side * u,
      y: y + random.between(-0.01, 0.02),
      z: 0.02,
      width: size * scale,
      height: size * scale * 0.86,
      depth: size * scale * 0.5,
      turnDeg: random.between(-60, 60),
    }),
  );
}
