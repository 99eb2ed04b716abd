/** A corner of a room behind furniture: side wall and baseboard. */

import type { Finish, Prop } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import { makeFinish } from './finishes.ts';
import { type BuiltStage, makeProp } from './stage.ts';

/** Half the frame's width at depth `z`, in scene units. */
function halfFrame({ frame }: BuiltStage, z: number): number {
  return (frame.height * frame.aspect * (frame.distance - z)) / (2 * frame.distance);
}

/** Fractions of the frame's height. If a chair 0.8 m high fills half the frame, the baseboard is 8 cm high. */
const baseboardHeight = 0.05;
const baseboardDepth = 0.012;

/**
 * A baseboard along the wall, and a side wall that faces the key light. The corner is well beside the
 * product; narrow frames have no room for a corner, and so no side wall.
 */
export function makeRoom(stage: BuiltStage): Prop[] {
  const { finishes, frame, palette, side, subject, wallZ } = stage;
  const { l, c, h } = palette.wall;
  const trim = makeFinish(
    { material: 'matte', color: l < 0.5 ? palette.wall : { l: clamp(l + 0.07, 0, 0.95), c: c * 0.5, h } },
    palette.pedestal,
  );
  const baseboard = makeProp(stage, 'box', trim, {
    u: 0,
    z: wallZ + (baseboardDepth * frame.height) / 2,
    width: clamp((2.3 * halfFrame(stage, wallZ)) / frame.height, 0.6, 4),
    height: baseboardHeight,
    depth: baseboardDepth,
    bevel: 0.006,
  });
  const x = 0.76 * halfFrame(stage, wallZ);
  if (x < subject.width / 2 + 0.3) return [baseboard];
  // The side wall extends from behind the back wall to the edge of the frame.
  const near = Math.min(1, wallZ + 3 * frame.height - 0.2);
  const z = (wallZ - 0.1 + near) / 2;
  const depth = clamp((near - wallZ + 0.1) / frame.height, 0.1, 3);
  const along = (thickness: number, height: number, finish: Finish): Prop => {
    const half = (thickness * frame.height) / 2;
    return makeProp(stage, 'box', finish, {
      u: (-side * (x + (height > 1 ? half : -half))) / halfFrame(stage, z),
      z,
      width: thickness,
      height,
      depth,
      bevel: 0.004,
    });
  };
  return [baseboard, along(0.06, 1.9, finishes.wall), along(baseboardDepth, baseboardHeight, trim)];
}
