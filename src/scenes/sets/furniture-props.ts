/** Props beside furniture in a room: a stool with a vase, a floor lamp. */

import type { Prop } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import { makeFinish } from './finishes.ts';
import { type BuiltStage, freeZone, halfU, makeProp, room, shaded, shareOf } from './stage.ts';

/** A round stool with a vase, at the wall on the shaded side. */
export function makeStool(stage: BuiltStage): Prop[] {
  const { finishes, frame, palette, random } = stage;
  const scale = room(stage);
  const z = -0.9;
  const width = 0.24 * scale;
  const u = shaded(stage) * besideLarge(stage, width, z);
  const height = 0.24 * scale;
  const vase = 0.13 * scale;
  const wood = makeFinish({ material: 'wood' }, palette.accent);
  const pale = makeFinish({ material: 'plaster', color: palette.pedestal }, palette.pedestal);
  const leaf = makeFinish({ material: 'leaf' }, palette.accent);
  const top = height + shareOf(stage, 0.01);
  return [
    makeProp(stage, 'cylinder', finishes.floor.material === 'wood' ? pale : wood, {
      u,
      z,
      width,
      height,
      depth: width,
    }),
    makeProp(stage, 'vase', finishes.floor.material === 'wood' ? finishes.accent : pale, {
      u,
      y: top,
      z,
      width: vase,
      height: vase * 1.4,
      depth: vase,
    }),
    ...[-16, 14].map((lean) =>
      makeProp(stage, 'branch', leaf, {
        u,
        y: top + vase * 1.25,
        z,
        width: 0.04,
        height: random.between(0.28, 0.36) * clamp(frame.aspect, 0.7, 1),
        depth: 0.04,
        leanDeg: lean + random.between(-5, 5),
      }),
    ),
  ];
}

/**
 * Position beside a large product: fully in the frame if there is room, otherwise cropped by the frame rather
 * than hidden by the product.
 */
function besideLarge(stage: BuiltStage, width: number, z: number): number {
  const half = halfU(stage, width, z);
  return Math.max(freeZone(stage) + 0.75 * half, Math.min(0.78, 0.95 - half));
}

export function makeFloorLamp(stage: BuiltStage): Prop[] {
  const { palette, random } = stage;
  const z = -1;
  const shade = 0.2 * room(stage);
  const height = random.between(0.72, 0.8) * clamp(stage.frame.aspect, 0.8, 1);
  const u = shaded(stage) * besideLarge(stage, shade, z);
  const brass = makeFinish({ material: 'metal' }, palette.accent);
  const cloth = makeFinish({ material: 'linen', color: { l: 0.94, c: 0.02, h: 85 } }, palette.pedestal);
  return [
    makeProp(stage, 'cylinder', brass, { u, z, width: 0.14, height: 0.012, depth: 0.14, bevel: 0.004 }),
    makeProp(stage, 'cylinder', brass, { u, z, width: 0.012, height, depth: 0.012, bevel: 0.002 }),
    makeProp(stage, 'cylinder', cloth, {
      u,
      y: height - 0.03,
      z,
      width: shade,
      height: 0.15,
      depth: shade,
      bevel: 0.006,
    }),
  ];
}
