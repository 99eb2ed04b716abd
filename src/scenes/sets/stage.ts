/** What the parts of one set share while it is put together: the frame, the colours, the finishes, the side of the light. */
import { clamp } from '../oklch.ts';
import type { ScenePalette } from '../palette.ts';
import type { Camera, Finish, Frame, PedestalLevel, Prop, Shape } from '../scene-plan.ts';
import type { SeededRandom } from '../seeded-random.ts';

export interface Stage {
  readonly frame: Frame;
  /** Scene units. */
  readonly subject: { readonly width: number; readonly height: number };
  readonly palette: ScenePalette;
  readonly finishes: Readonly<Record<'wall' | 'floor' | 'pedestal' | 'accent', Finish>>;
  /** The key's side: -1 left, 1 right. */
  readonly side: -1 | 1;
  readonly random: SeededRandom;
}

/** The stage once the pedestal stands and the camera is set. */
export interface BuiltStage extends Stage {
  /** Depth of the wall, scene units. */
  readonly wallZ: number;
  /** Height of what the product stands on, scene units. */
  readonly baseY: number;
  readonly camera: Camera;
}

/** How high a thing on the ground at that depth may be before the frame cuts it, shares of Hf. */
export function headroom({ frame, camera, baseY }: BuiltStage, z: number): number {
  const eyeY = baseY + Math.tan((camera.elevDeg * Math.PI) / 180) * frame.distance;
  // The ground at that depth, seen in the plane of the product (similar triangles).
  const ground = camera.baseline + ((eyeY * -z) / (frame.distance - z) - baseY) / frame.height;
  return ((0.96 - ground) * (frame.distance - z)) / frame.distance;
}

/** Half a thing's width in `u` at its depth; `width` is a share of Hf. */
export function halfU({ frame }: Stage, width: number, z: number): number {
  return (width * frame.distance) / (frame.aspect * (frame.distance - z));
}

/** Scene units to shares of Hf. */
export function shareOf({ frame }: Stage, length: number): number {
  return length / frame.height;
}

/** Air between the product's outline and anything in front of it, in `u`. */
const air = 0.06;

/** Half the width of the zone that props in front must leave free, in `u`. */
export function freeZone({ frame }: Stage): number {
  return frame.subjectU + air;
}

interface Footprint {
  /** Half the width, scene units. */
  readonly half: number;
  /** Depth of its back and front edges, scene units. */
  readonly back: number;
  readonly front: number;
}

export function footprintOf(levels: readonly PedestalLevel[], stage: Stage): Footprint {
  const bare = { half: stage.subject.width / 2, back: -0.3, front: 0.1 };
  return levels.reduce(
    (all, { width, depth, x, z }) => ({
      half: Math.max(all.half, Math.abs(x) + width / 2),
      back: Math.min(all.back, z - depth / 2),
      front: Math.max(all.front, z + depth / 2),
    }),
    bare,
  );
}

/**
 * A place for a thing on the ground: beside the pedestal where the frame has room for most of it, else
 * behind the pedestal's back edge, where it may come as near to the middle as it likes.
 */
export function placeOnGround(
  stage: Stage,
  footprint: Footprint,
  { side, size, z }: { readonly side: -1 | 1; readonly size: number; readonly z: number },
): { u: number; z: number } {
  const { frame, random } = stage;
  const half = halfU(stage, size, z);
  const pedestalU =
    footprint.half / ((frame.height * frame.aspect * (frame.distance - z)) / (2 * frame.distance));
  const beside = Math.max(freeZone(stage), pedestalU) + half + 0.03;
  if (beside <= 1.02) return { u: side * (beside + random.between(0, Math.max(0, 0.86 - beside))), z };
  const behind = footprint.back - (size * frame.height) / 2 - random.between(0.08, 0.25);
  const halfBehind = halfU(stage, size, behind);
  // Peeping out from behind: a third hidden by the product or cut by the frame is a set, more is clutter.
  const u = clamp(frame.subjectU + halfBehind * 0.6 + random.between(0, 0.1), 0.5, 0.92);
  return { u: side * u, z: behind };
}

type PropWish = Pick<Prop, 'u' | 'z' | 'width' | 'height' | 'depth'> &
  Partial<Pick<Prop, 'y' | 'bevel' | 'turnDeg' | 'leanDeg' | 'tipDeg'>>;

export function makeProp(stage: Stage, shape: Shape, finish: Finish, wish: PropWish): Prop {
  return {
    shape,
    y: 0,
    bevel: shape === 'sphere' || shape === 'stone' ? 0.01 : 0.02,
    turnDeg: 0,
    leanDeg: 0,
    tipDeg: 0,
    ...finish,
    ...wish,
    seed: stage.random.seed(),
  };
}
