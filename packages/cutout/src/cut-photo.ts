/** Decides what an upload's own transparency, and the wish to leave the photo uncut, mean for its cutout. */

import { PackshotError } from 'packshot-errors';
import type { AlphaWish, Source } from 'packshot-photos';
import { type CutOptions, type CutSubject, cutSubject } from './cut-subject.ts';
import type { RemovalEngine } from './removal-engine.ts';

/** `none`: the photo is left as it is. */
export const cutoutWishes = ['auto', 'none'] as const;
export type CutoutWish = (typeof cutoutWishes)[number];

/** What the uploader asked for. */
export interface CutWishes {
  readonly alpha?: AlphaWish | undefined;
  readonly cutout?: CutoutWish | undefined;
}

export const wishesOf = ({ alpha, cutout }: CutWishes): CutWishes => ({ alpha, cutout });

/**
 * If the engine finds a subject that covers at least this share of a convex transparent picture, the picture was
 * already cut out, like a box: its own edge is better than the engine's.
 */
const SAME_SUBJECT = 0.9;
/** Least share of transparent pixels in a picture that was cut out; with fewer, nothing was removed. */
const CUT_AWAY = 0.01;

/** Throws the errors of `cutSubject`. */
export async function cutPhoto(
  source: Source,
  engine: RemovalEngine,
  { alpha = 'auto', cutout = 'auto', ...options }: CutOptions & CutWishes,
): Promise<CutSubject> {
  if (cutout === 'none') return leaveUncut(source, engine, options);
  const visible = source.clip === null ? 1 : shareOf(source.clip);
  if (source.clip === null || alpha === 'ignore' || visible > 1 - CUT_AWAY)
    return cutSubject(source, engine, options);
  const owned = { ...source, alpha: source.clip, clip: null };
  try {
    const made = await cutSubject(source, engine, options);
    const isSame = made.subject.coverage >= SAME_SUBJECT * visible;
    return isSame ? await cutSubject(owned, engine, options) : made;
  } catch (error) {
    if (!(error instanceof PackshotError) || error.code !== 'no_subject_found') throw error;
    return cutSubject(owned, engine, options);
  }
}

/** Runs no engine: the whole photo is the subject. */
async function leaveUncut(source: Source, engine: RemovalEngine, options: CutOptions): Promise<CutSubject> {
  const alpha = source.alpha ?? source.clip ?? new Uint8Array(source.width * source.height).fill(255);
  const whole = { ...source, alpha, clip: null };
  const made = await cutSubject(whole, engine, { ...options, judge: undefined });
  return { ...made, subject: { ...made.subject, touchesEdges: [], isUncut: true } };
}

const shareOf = (alpha: Uint8Array): number =>
  alpha.reduce((sum, value) => sum + value, 0) / 255 / alpha.length;
