/** The cutout room's pixel work, in order: from a decoded photo to the product on its own. */
import type { Source } from '../designs/read-image.ts';
import type { SubjectFacts } from '../designs/subject.ts';
import type { Matte, RgbaImage, RgbImage } from '../pixels.ts';
import { StepClock, type StepTiming } from '../step-clock.ts';
import { cleanEdges } from './clean-edges.ts';
import { type EncodedCutout, encodeCutout } from './encode-cutout.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { chooseExposure, curveExposure } from './exposure-views.ts';
import { matteSoftEdges } from './matte-soft-edges.ts';
import { refineMatte } from './refine-matte.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { takeSecondLook } from './second-look.ts';
import { shrinkPhoto } from './shrink-photo.ts';
import { findSubjectFacts } from './subject-facts.ts';

export interface CutSubject extends EncodedCutout {
  readonly subject: SubjectFacts;
  readonly timings: readonly StepTiming[];
}

/**
 * Both pictures have the photo's own size, and the subject its own place in it. Rejects with
 * `no_subject_found`, and with the signal's reason once aborted, between two steps.
 */
export async function cutSubject(
  source: Source,
  engine: RemovalEngine,
  { signal, mode = 'quality' }: { readonly signal: AbortSignal; readonly mode?: CutoutMode },
): Promise<CutSubject> {
  const clock = new StepClock(signal);
  const matte = await makeMatte(source, engine, { clock, signal, mode });
  const subject = await clock.run('subject-facts', () => findSubjectFacts(matte));
  const cutout = await clock.run('clean-edges', () =>
    source.alpha === null ? cleanEdges(source, matte, subject.boundingBox) : keepColours(source, matte),
  );
  const encoded = await clock.run('encode-cutout', () => encodeCutout(cutout, matte));
  return { ...encoded, subject, timings: clock.timings };
}

/** `fast` asks the engine once, and again only where it was unsure; `quality` takes a second look and mattes soft edges. */
export type CutoutMode = 'fast' | 'quality';

/** Exposure views are offered at this longer side at most: engines look at 1024 px. */
const VIEW_SIDE_PX = 1536;

/** Soft edges are matted where both looks agree at least so much: elsewhere a soft matte means a wrong one. */
const SOFT_AGREEMENT = 0.95;
/** They are matted at this longer side where there was no second look. */
const SOFT_SIDE_PX = 1536;

interface Run {
  readonly mode: CutoutMode;
  readonly clock: StepClock;
  readonly signal: AbortSignal;
}

/** A photo that brings real transparency was cut out by its owner, who knows best: no engine is asked. */
async function makeMatte(
  source: Source,
  engine: RemovalEngine,
  { clock, signal, mode }: Run,
): Promise<Matte> {
  if (source.alpha !== null) return { width: source.width, height: source.height, data: source.alpha };
  const look = (photo: RgbImage): Promise<Matte> => engine.predictMatte(photo, { signal });
  const first = await clock.run('predict-matte', () => look(source));
  const view = await clock.run('exposure-views', async () => {
    let copy: RgbImage | null = null;
    return chooseExposure(source, first, async (gamma) => {
      copy ??= await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
      return look(curveExposure(copy, gamma));
    });
  });
  let matte = view.matte;
  if (mode === 'quality') {
    const second = await clock.run('second-look', () =>
      takeSecondLook(source, matte, (part) =>
        look(view.gamma === 1 ? part : curveExposure(part, view.gamma)),
      ),
    );
    matte = second.matte;
    if (second.agreement === null || second.agreement >= SOFT_AGREEMENT) {
      matte = await clock.run('matte-soft-edges', async () => {
        const grid = second.agreement === null ? fitInto(source, SOFT_SIDE_PX) : matte;
        const fitting = await enlargeMatte(matte, grid);
        return matteSoftEdges(fitting, await shrinkPhoto(source, grid), signal);
      });
    }
  }
  const refined = await clock.run('refine-matte', () => refineMatte(matte, source));
  return clock.run('enlarge-matte', () => enlargeMatte(refined, source));
}

function fitInto({ width, height }: RgbImage, sidePx: number): { width: number; height: number } {
  const scale = Math.min(1, sidePx / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

function keepColours(source: Source, matte: Matte): RgbaImage {
  const data = new Uint8Array(matte.data.length * 4);
  for (let i = 0, p = 0, q = 0; i < matte.data.length; i++, p += 3, q += 4) {
    const a = matte.data[i]!;
    if (a === 0) continue;
    data[q] = source.data[p]!;
    data[q + 1] = source.data[p + 1]!;
    data[q + 2] = source.data[p + 2]!;
    data[q + 3] = a;
  }
  return { width: source.width, height: source.height, data };
}
