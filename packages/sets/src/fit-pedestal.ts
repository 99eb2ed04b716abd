/** Fits the stand of a set to a product, and the camera so that the whole stand is visible. */
import { clamp, hashSeed } from 'packshot-pixels';
import type { Camera, Finish, Frame, PedestalLevel, ScenePlan } from 'packshot-studio';
import type { Part } from './color-wish.ts';
import { maxTop } from './fit-camera.ts';
import type { FinishSlot, SetFile } from './set-file.ts';

interface StandWish {
  readonly subject: ScenePlan['subject'];
  readonly frame: Frame;
  readonly features: { readonly roundness: number };
  readonly seed: number;
  readonly finishOf: (slot: FinishSlot, part: Part) => Finish;
}

/**
 * A stand is 1.45 times as wide as the product; for a narrow product, wider, but not so wide that it looks as if it were
 * made for another one. Its edges, and so its shape, stay in the picture.
 */
function standWidth({ width }: ScenePlan['subject'], { height, aspect }: Frame): number {
  const across = height * aspect;
  const narrow = Math.min(0.58 * across, 0.95);
  return clamp(Math.max(1.45 * width, narrow), 1.15 * width, Math.max(0.85 * across, 1.15 * width));
}

export function fitPedestal(
  { stand }: SetFile,
  { subject, frame, features, seed, finishOf }: StandWish,
): ScenePlan['pedestal'] {
  if (stand === undefined) return null;
  const usual = standWidth(subject, frame);
  // Stands below long, low products are lower, or they would look like towers.
  const low = subject.height < 0.7 ? 0.72 : 1;
  const levels = stand.levels.map(({ shape, width, height, depth, ...slot }, number): PedestalLevel => {
    const isRound = shape === 'cylinder';
    const wide = Math.max(width * usual, 1.15 * subject.width);
    const deep = isRound ? wide : Math.max(depth * wide, 0.6);
    // The stand's middle is below that of a box-shaped product; a ball touches the stand near the product's front.
    const back = isRound
      ? (1 - features.roundness) * Math.max(Math.min(0.3, 0.2 * wide), 0.44 * subject.width) +
        features.roundness * 0.15 * subject.width
      : 0.34 * deep - 0.02;
    const tall = low * height;
    return {
      ...finishOf(slot, 'stand'),
      shape,
      width: Math.min(16, wide),
      height: tall,
      depth: Math.min(16, deep),
      bevel: shape === 'stone' ? 0.04 : Math.min(0.025, tall / 4),
      x: 0,
      z: -back,
      turnDeg: 0,
      seed: hashSeed(seed, 'level', number),
    };
  });
  return { y: -stand.sunk, levels };
}

export interface Raised {
  readonly baseY: number;
  readonly frame: Frame;
  readonly camera: Camera;
  readonly subject: ScenePlan['subject'];
}

export const eyeOver = ({ camera, frame }: Pick<Raised, 'camera' | 'frame'>): number =>
  Math.tan((camera.elevDeg * Math.PI) / 180) * frame.distance;

/** Raises the product in the picture until the whole stand and some ground below it are visible. */
export function showStand(pedestal: NonNullable<ScenePlan['pedestal']>, raised: Raised): Camera {
  const { baseY, frame, camera, subject } = raised;
  const front = Math.max(0, ...pedestal.levels.map(({ z, depth }) => z + depth / 2));
  const eye = eyeOver(raised);
  const edge = ((eye + baseY) * frame.distance) / (frame.distance - front) - eye;
  const shown = Math.min(0.36, edge / frame.height + 0.06);
  const most = Math.min(0.5, maxTop(frame) - subject.height / frame.height);
  return { ...camera, baseline: clamp(Math.max(camera.baseline, shown), 0.05, Math.max(0.05, most)) };
}
