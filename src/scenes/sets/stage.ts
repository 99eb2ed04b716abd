/**
 * State shared by the parts of a set during composition: frame, colors, finishes, lit side.
 *
 * `u` is a horizontal position: the distance from the frame's middle as a fraction of half the frame's width at the
 * object's depth. ±1 is the frame's edge.
 */

import type {
  Camera,
  Finish,
  Frame,
  PedestalLevel,
  Prop,
  ScenePlan,
  Shape,
} from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { ScenePalette } from '../palette.ts';
import type { SeededRandom } from '../seeded-random.ts';

export interface Stage {
  readonly frame: Frame;
  /** In scene units. */
  readonly subject: ScenePlan['subject'];
  readonly palette: ScenePalette;
  readonly finishes: Readonly<Record<'wall' | 'floor' | 'pedestal' | 'accent', Finish>>;
  /** Whether the prompt requests the accent's color, which must then be visible. */
  readonly isAccentAsked: boolean;
  /** The key light's side: -1 left, 1 right. */
  readonly side: -1 | 1;
  readonly random: SeededRandom;
}

/** The stage with pedestal and camera in place. */
export interface BuiltStage extends Stage {
  /** Depth of the wall, in scene units. */
  readonly wallZ: number;
  /** Height of the stand, in scene units. */
  readonly baseY: number;
  readonly camera: Camera;
}

/** Maximum height of an object that stands on the ground at depth `z`, as a fraction of the frame's height Hf. */
export function headroom({ frame, camera, baseY }: BuiltStage, z: number): number {
  const eyeY = baseY + Math.tan((camera.elevDeg * Math.PI) / 180) * frame.distance;
  // Projects the ground at this depth onto the product's plane (similar triangles).
  const ground = camera.baseline + ((eyeY * -z) / (frame.distance - z) - baseY) / frame.height;
  return ((0.96 - ground) * (frame.distance - z)) / frame.distance;
}

/** Half an object's width at depth `z`, in units of `u`; `width` is a fraction of Hf. */
export function halfU({ frame }: Stage, width: number, z: number): number {
  return (width * frame.distance) / (frame.aspect * (frame.distance - z));
}

/** Scale of props: a narrow frame has room only for smaller props. */
export function room({ frame }: BuiltStage): number {
  return clamp(frame.aspect, 0.62, 1);
}

/** The side away from the key light, where props balance the light. */
export const shaded = ({ side }: BuiltStage): -1 | 1 => (side === 1 ? -1 : 1);

/** Converts scene units to fractions of Hf. */
export function shareOf({ frame }: Stage, length: number): number {
  return length / frame.height;
}

/** Minimum gap between the product's outline and props in front of the product, in units of `u`. */
const gap = 0.06;

/** Half the width of the zone around the product that props in front must keep free, in units of `u`. */
export function freeZone(stage: Stage): number {
  return reachU(stage) + gap;
}

/** Distance from the frame's middle to the product's farther side, in units of `u`. */
export function reachU({ frame, subject }: Stage): number {
  return frame.subjectU * (1 + (2 * Math.abs(subject.shift ?? 0)) / subject.width);
}

interface Footprint {
  /** Half the width, in scene units. */
  readonly half: number;
  /** z coordinates of the back and front edges, in scene units. */
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

interface Place {
  readonly u: number;
  /** Height of the prop's lower edge above the ground, as a fraction of Hf. */
  readonly y: number;
  readonly z: number;
  /** Factor on the prop's size that makes the prop fit, 0.7 to 1. */
  readonly scale: number;
}

interface PlaceWish {
  readonly side: -1 | 1;
  /** Width, as a fraction of Hf. */
  readonly size: number;
  /** In scene units. */
  readonly z: number;
  /** Whether the frame may crop the prop if there is no room: for round props, recognizable even from a part. */
  readonly mayBeCut?: boolean;
}

/** Outer limit of a prop in units of `u`, slightly inside the frame. */
const maxU = 0.97;

/**
 * Finds a place for a prop: on the ground beside the pedestal, slightly smaller if necessary; otherwise on top of
 * the pedestal beside the product; otherwise, if the prop may be cut, cropped by the frame. Returns undefined if there
 * is no room: props that peek out from behind the product look like mistakes.
 */
export function findPlace(
  stage: BuiltStage,
  levels: readonly PedestalLevel[],
  { side, size, z, mayBeCut = false }: PlaceWish,
): Place | undefined {
  const { frame, random } = stage;
  const footprint = footprintOf(levels, stage);
  const halfFrame = (frame.height * frame.aspect * (frame.distance - z)) / (2 * frame.distance);
  const inner = Math.max(freeZone(stage), footprint.half / halfFrame) + 0.03;
  for (const scale of [1, 0.85, 0.7]) {
    const half = halfU(stage, size * scale, z);
    const spare = maxU - inner - 2 * half;
    if (spare >= 0) return { u: side * (inner + half + random.between(0, 0.6 * spare)), y: 0, z, scale };
  }
  const onTop = findPlaceOnTop(stage, levels, { side, size });
  if (onTop || !mayBeCut) return onTop;
  // The frame may crop half of the prop, but the product must not hide the prop.
  const half = halfU(stage, 0.8 * size, z);
  return inner + half <= maxU ? { u: side * (inner + half), y: 0, z, scale: 0.8 } : undefined;
}

function findPlaceOnTop(
  stage: BuiltStage,
  levels: readonly PedestalLevel[],
  { side, size }: { readonly side: -1 | 1; readonly size: number },
): Place | undefined {
  const top = levels.at(-1);
  if (!top || top.shape === 'stone') return undefined;
  const { frame, subject } = stage;
  const z = -0.12;
  // A round top is narrower toward its back and front.
  const off = z - top.z;
  const half =
    top.shape === 'cylinder' ? Math.sqrt(Math.max(0, (top.width / 2) ** 2 - off ** 2)) : top.width / 2;
  const from = subject.width / 2 + Math.abs(subject.shift ?? 0) + 0.03 * frame.height;
  for (const scale of [0.85, 0.7]) {
    const width = size * scale * frame.height;
    if (half - from < width + 0.02) continue;
    const x = from + width / 2;
    const u = (2 * x * frame.distance) / (frame.height * frame.aspect * (frame.distance - z));
    return { u: side * u, y: shareOf(stage, stage.baseY), z, scale };
  }
  return undefined;
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
