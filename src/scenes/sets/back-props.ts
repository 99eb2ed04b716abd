/** Groups of props behind the product, placed in frame coordinates so that they fit every aspect ratio. */

import type { Prop } from '../../studio/scene-plan.ts';
import { clamp, hexFromOklch } from '../oklch.ts';
import { makeBaseboard } from './baseboard.ts';
import type { Back } from './compositions.ts';
import { makeFinish } from './finishes.ts';
import { type BuiltStage, headroom, makeProp } from './stage.ts';
import { hangPictures } from './wall-picture.ts';

/** Distance of props from the wall, in scene units. */
const fromWall = 0.35;

export function makeBackProps(back: Back, stage: BuiltStage): Prop[] {
  switch (back) {
    case 'none':
      return [];
    case 'arch':
      return makeArch(stage);
    case 'disc':
      return makeDisc(stage);
    case 'panels':
      return makePanels(stage);
    case 'blocks':
      return makeBlocks(stage);
    case 'columns':
      return makeColumns(stage);
    case 'curtain':
      return [makeCurtain(stage)];
    case 'stones':
      return makeStones(stage);
    case 'palms':
      return makePalms(stage);
    case 'room':
      return [
        makeBaseboard(stage),
        ...hangPictures({ ...stage, ink: hexFromOklch(stage.palette.accent) }, stage.random),
      ];
  }
}

/** Factor on widths: from 0.56 for a 9:16 frame to 1.25 for a wide frame. */
function breadth({ frame }: BuiltStage): number {
  return clamp(frame.aspect, 0.56, 1.25);
}

function nearWall({ wallZ }: BuiltStage): number {
  return clamp(wallZ + fromWall, -2.4, -1.2);
}

/** Matte paint in a slightly paler variant of the pedestal's color. */
function paleFinish({ palette }: BuiltStage) {
  const { l, c, h } = palette.pedestal;
  return makeFinish(
    { material: 'matte', color: l < 0.5 ? palette.pedestal : { l: clamp(l + 0.02, 0, 0.95), c, h } },
    palette.pedestal,
  );
}

/** An arch up to 0.95 frame heights wide and 1.08 high, usually offset to the shaded side. */
function makeArch(stage: BuiltStage): Prop[] {
  const { random, side } = stage;
  const z = Math.max(-1.9, nearWall(stage));
  const height = Math.min(1.08, Math.max(0.5, headroom(stage, z)));
  const width = Math.min(0.95, 0.98 * breadth(stage), height * 0.92);
  const offset = random.next() < 0.35 ? 0 : random.between(0.28, 0.4);
  const { accent } = stage.finishes;
  const finish = stage.isAccentAsked && accent.material !== 'metal' ? accent : paleFinish(stage);
  return [makeProp(stage, 'arch', finish, { u: -side * offset, z, width, height, depth: 0.14 })];
}

/** A sun-like disc behind the product's upper half, with a radius of about 0.36 frame heights. */
function makeDisc(stage: BuiltStage): Prop[] {
  const { frame, palette, random, subject, finishes } = stage;
  const z = nearWall(stage);
  const room = headroom(stage, z);
  const diameter = Math.min(Math.min(0.74, 0.8 * breadth(stage)) * random.between(0.9, 1.05), 0.86 * room);
  const finish =
    finishes.accent.material === 'metal'
      ? finishes.accent
      : makeFinish({ material: 'matte', color: palette.accent }, palette.accent);
  return [
    makeProp(stage, 'disc', finish, {
      u: 0,
      // The disc's center is level with the product's upper third, so that the disc looks like a halo.
      y: clamp(
        (0.62 * subject.height) / frame.height - diameter / 2 + 0.16,
        0.04,
        Math.max(0.04, room - diameter),
      ),
      z,
      width: diameter,
      height: diameter,
      depth: 0.05,
    }),
  ];
}

/**
 * Two panels with round tops on the shaded side, the taller panel behind the other. A wide frame gets a third
 * panel on the lit side.
 */
function makePanels(stage: BuiltStage): Prop[] {
  const { frame, palette, random, side } = stage;
  const pale = paleFinish(stage);
  const strong = makeFinish({ material: 'matte', color: palette.accent }, palette.accent);
  const wide = breadth(stage);
  const z = nearWall(stage);
  const panels = [
    makeProp(stage, 'panel', pale, {
      u: -side * random.between(0.34, 0.46),
      z,
      width: 0.52 * wide,
      height: Math.min(random.between(0.85, 0.95), 0.98 * headroom(stage, z)),
      depth: 0.08,
    }),
    makeProp(stage, 'panel', strong, {
      u: -side * random.between(0.7, 0.82),
      z: z + 0.35,
      width: 0.42 * wide,
      height: Math.min(random.between(0.55, 0.66), 0.72 * headroom(stage, z + 0.35)),
      depth: 0.08,
    }),
  ];
  if (frame.aspect > 1.2) {
    panels.push(
      makeProp(stage, 'panel', strong, {
        u: side * random.between(0.66, 0.78),
        z,
        width: 0.46,
        height: Math.min(0.75, 0.85 * headroom(stage, z)),
        depth: 0.08,
      }),
    );
  }
  return panels;
}

function makeBlocks(stage: BuiltStage): Prop[] {
  const { finishes, random, side } = stage;
  const wide = breadth(stage);
  return [
    makeProp(stage, 'box', finishes.pedestal, {
      u: -side * random.between(0.52, 0.62),
      z: -1.35,
      width: 0.42 * wide,
      height: random.between(0.4, 0.5),
      depth: 0.36,
      turnDeg: side * random.between(3, 10),
    }),
    makeProp(stage, 'box', finishes.accent.material === 'metal' ? finishes.pedestal : finishes.accent, {
      u: side * random.between(0.66, 0.78),
      z: -1.75,
      width: 0.38 * wide,
      height: random.between(0.62, 0.82),
      depth: 0.32,
      turnDeg: -side * random.between(3, 8),
    }),
  ];
}

function makeColumns(stage: BuiltStage): Prop[] {
  const { finishes, frame, random, side } = stage;
  const wide = breadth(stage);
  const places = [
    { u: -side * random.between(0.55, 0.66), height: random.between(0.75, 0.95), width: 0.22 },
    { u: side * random.between(0.6, 0.72), height: random.between(0.34, 0.46), width: 0.24 },
    ...(frame.aspect >= 1 ? [{ u: -side * 0.94, height: random.between(0.4, 0.55), width: 0.2 }] : []),
  ];
  return places.map(({ u, height, width }, index) =>
    makeProp(stage, 'cylinder', finishes.pedestal, {
      u,
      z: -1.5 - 0.12 * index,
      width: width * Math.max(0.75, wide),
      height,
      depth: width * Math.max(0.75, wide),
    }),
  );
}

/** A curtain slightly wider than the frame at the curtain's depth. */
function makeCurtain(stage: BuiltStage): Prop {
  const { frame, palette, finishes, wallZ } = stage;
  const z = Math.min(-1.3, wallZ + 0.2);
  const seen = (frame.aspect * (frame.distance - z)) / frame.distance;
  const finish =
    finishes.wall.material === 'linen' || finishes.wall.material === 'satin'
      ? finishes.wall
      : makeFinish({ material: 'satin', color: palette.wall }, palette.wall);
  return makeProp(
    stage,
    'curtain',
    { ...finish, roughness: Math.max(0.45, finish.roughness) },
    {
      u: 0,
      z,
      width: clamp(seen * 1.25, 0.6, 12),
      height: 1.6,
      depth: 0.055,
    },
  );
}

function makeStones(stage: BuiltStage): Prop[] {
  const { finishes, palette, random, side } = stage;
  const own =
    finishes.pedestal.material === 'stone'
      ? finishes.pedestal
      : makeFinish({ material: 'stone' }, palette.pedestal);
  const wide = breadth(stage);
  return [
    makeProp(stage, 'stone', own, {
      u: -side * random.between(0.6, 0.74),
      y: -0.02,
      z: -1.1,
      width: 0.44 * wide,
      height: 0.26,
      depth: 0.34,
    }),
    makeProp(stage, 'stone', own, {
      u: side * random.between(0.7, 0.84),
      y: -0.02,
      z: -1.5,
      width: 0.34 * wide,
      height: 0.16,
      depth: 0.3,
    }),
    makeProp(stage, 'stone', own, {
      u: -side * random.between(0.25, 0.4),
      y: -0.02,
      z: -1.9,
      width: 0.3 * wide,
      height: 0.13,
      depth: 0.26,
    }),
  ];
}

/** Fronds reach in from outside the frame, so that their roots are hidden. */
function makePalms(stage: BuiltStage): Prop[] {
  const { palette, random, side } = stage;
  const leaf = makeFinish({ material: 'leaf' }, palette.accent);
  return [-1, 1].flatMap((edge) =>
    [0, 1].slice(0, edge === side ? 1 : 2).map((index) =>
      makeProp(stage, 'palm', leaf, {
        u: edge * random.between(1.02, 1.1),
        y: random.between(0.02, 0.12) + 0.2 * index,
        z: -1.1 - 0.35 * index,
        width: 0.05,
        height: random.between(0.75, 0.95) * Math.max(0.7, breadth(stage)),
        depth: 0.05,
        leanDeg: -edge * random.between(24, 40) - edge * 14 * index,
        tipDeg: random.between(-10, 4),
      }),
    ),
  );
}
