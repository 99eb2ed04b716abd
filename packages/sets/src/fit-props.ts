/** Fits the props of a set: beside the product as far out as it needs, and mirrored to the light's side. */
import { clamp, hashSeed } from 'packshot-pixels';
import type { Camera, Finish, Frame, Prop, ScenePlan } from 'packshot-studio';
import type { Part } from './color-wish.ts';
import type { ScenePalette } from './palette.ts';
import type { FinishSlot, PropSlot } from './set-file.ts';
import type { Wanted } from './wanted.ts';

/** What the parts of a set need to know of each other. */
export interface Stage {
  readonly subject: ScenePlan['subject'];
  readonly camera: Camera;
  readonly frame: Frame;
  readonly palette: ScenePalette;
  readonly wallZ: number;
  /** The light's side: sets are written with light from the left (-1), and mirrored for products lit from the right. */
  readonly side: -1 | 1;
  readonly seed: number;
}

/** Half the width that props in front of the product's back leave free, beyond the product itself, in units of `u`. */
const gap = 0.08;
/** Props beside the product must at least show their inner half. */
const farthestU = 1.06;
const plants: ReadonlySet<Prop['shape']> = new Set(['branch', 'olive', 'palm', 'monstera', 'pampas']);

/** Corners of a flat lay, from its lower edge. */
const corners = [0.06, 0.86, 0.16, 0.76] as const;
/** Things that lie about; arches and curtains stand. */
const lyingShapes: ReadonlySet<Prop['shape']> = new Set([...plants, 'petals', 'stone', 'sphere']);

export function layOnRim(slots: readonly PropSlot[]): PropSlot[] {
  return slots
    .filter(({ shape }) => lyingShapes.has(shape))
    .map((slot, number) => ({ ...slot, y: corners[number % corners.length]!, z: 0.03, u: 1.2 * slot.u }));
}

export function fitProps(
  slots: readonly PropSlot[],
  stage: Stage,
  finishOf: (slot: FinishSlot, part: Part) => Finish,
  wanted: Wanted | undefined,
): Prop[] {
  const { frame, subject, side, wallZ, seed, camera } = stage;
  const across = frame.height * frame.aspect;
  const reach = (subject.width + 2 * Math.abs(subject.shift ?? 0)) / across + gap;
  const room = clamp(frame.aspect, 0.62, 1);
  const props = slots.flatMap((slot, number): Prop[] => {
    const { atWall, spans, ...rest } = slot;
    const z = atWall ? wallZ + slot.z : Math.max(slot.z, camera.elevDeg > 0 ? wallZ + 0.1 : slot.z);
    const seen = (frame.aspect * (frame.distance - z)) / frame.distance;
    const scale = spans || atWall ? 1 : room;
    const width = spans ? clamp(slot.width * seen, 0.005, 12) : slot.width * scale;
    const half = (width * frame.distance) / (frame.aspect * (frame.distance - z));
    const isFree = spans || z <= -0.8 || plants.has(slot.shape) || camera.elevDeg === 0;
    const away = isFree ? 0 : Math.max(0, reach + half - Math.abs(slot.u));
    const u = slot.u + Math.sign(slot.u || 1) * away;
    if (!isFree && Math.abs(u) > farthestU) return [];
    if (wanted?.unwanted.has(slot.shape)) return [];
    const finish = finishOf(rest, 'accent');
    return [
      {
        ...finish,
        shape: slot.shape,
        u: 0 - side * u,
        y: slot.y,
        z,
        width,
        height: slot.height * scale,
        depth: slot.depth * scale,
        bevel: slot.shape === 'sphere' || slot.shape === 'stone' ? 0.01 : Math.min(0.02, slot.height / 4),
        turnDeg: 0 - side * slot.turnDeg,
        leanDeg: 0 - side * slot.leanDeg,
        tipDeg: slot.tipDeg,
        seed: hashSeed(seed, 'prop', slot.shape, number),
      },
    ];
  });
  return props.slice(0, 12);
}
