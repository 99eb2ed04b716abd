/** The baseboard of a room behind furniture. */

import type { Prop } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import { makeFinish } from './finishes.ts';
import { type BuiltStage, makeProp } from './stage.ts';

/** Fractions of the frame's height. If a chair 0.8 m high fills half the frame, the baseboard is 8 cm high. */
const baseboardHeight = 0.05;
const baseboardDepth = 0.012;

/**
 * Makes the baseboard of the rear wall, the only wall of a room. The corner of a side wall would have to match the
 * perspective of the product's photo, which is known too roughly for that.
 */
export function makeBaseboard(stage: BuiltStage): Prop {
  const { frame, palette, wallZ } = stage;
  const { l, c, h } = palette.wall;
  const trim = makeFinish(
    { material: 'matte', color: l < 0.5 ? palette.wall : { l: clamp(l + 0.07, 0, 0.95), c: c * 0.5, h } },
    palette.pedestal,
  );
  const wallWidth = (frame.height * frame.aspect * (frame.distance - wallZ)) / frame.distance;
  return makeProp(stage, 'box', trim, {
    u: 0,
    z: wallZ + (baseboardDepth * frame.height) / 2,
    width: clamp((1.15 * wallWidth) / frame.height, 0.6, 12),
    height: baseboardHeight,
    depth: baseboardDepth,
    bevel: 0.006,
  });
}
