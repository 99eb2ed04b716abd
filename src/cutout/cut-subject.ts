/** The cutout room's pixel work, in order: from a decoded photo to the product on its own. */
import type { Source } from '../designs/read-image.ts';
import type { SubjectFacts } from '../designs/subject.ts';
import type { Matte, RgbaImage, RgbImage } from '../pixels.ts';
import { StepClock, type StepTiming } from '../step-clock.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { cleanEdges } from './steps/clean-edges.ts';
import { type EncodedCutout, encodeCutout } from './steps/encode-cutout.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { chooseExposure, curveExposure } from './steps/exposure-views.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import { matteSoftEdges } from './steps/matte-soft-edges.ts';
import { lookAtQuarters } from './steps/quarter-looks.ts';
import { refineMatte } from './steps/refine-matte.ts';
import { type SecondLook, takeSecondLook } from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import { type Evidence, findSubjectFacts } from './steps/subject-facts.ts';

/**
 * `fast` asks the engine once, and through other exposures only where it was unsure. `quality` also takes a second
 * look at the subject's part of the photo and mattes fur anew.
 */
export type CutoutMode = 'fast' | 'quality';

/** Exposure views are offered at this longer side at most: engines look at about 1024 px. */
const VIEW_SIDE_PX = 1536;
/** Soft edges are matted at this longer side where there was no second look. */
const SOFT_SIDE_PX = 1536;
/** Soft edges are matted where the looks agree at least so much: elsewhere a soft matte means a wrong one. */
const SOFT_AGREEMENT = 0.95;

export interface CutSubject extends EncodedCutout {
  readonly subject: SubjectFacts;
  readonly timings: readonly StepTiming[];
}

interface CutOptions {
  readonly signal: AbortSignal;
  /** `quality` unless told. */
  readonly mode?: CutoutMode;
}

/**
 * Both pictures have the photo's own size, and the subject its own place in it. Rejects with
 * `no_subject_found`, and with the signal's reason once aborted, between two steps.
 */
export async function cutSubject(
  source: Source,
  engine: RemovalEngine,
  { signal, mode = 'quality' }: CutOptions,
): Promise<CutSubject> {
  const clock = new StepClock(signal);
  const { matte, evidence } = await makeMatte(source, engine, { clock, signal, mode });
  const subject = await clock.run('subject-facts', () => findSubjectFacts(matte, evidence));
  const cutout = await clock.run('clean-edges', () =>
    source.alpha === null ? cleanEdges(source, matte, subject.boundingBox) : keepColours(source, matte),
  );
  const encoded = await clock.run('encode-cutout', () => encodeCutout(cutout, matte));
  return { ...encoded, subject, timings: clock.timings };
}

interface Run {
  readonly clock: StepClock;
  readonly signal: AbortSignal;
  readonly mode: CutoutMode;
}

interface JudgedMatte {
  readonly matte: Matte;
  /** `null` where no engine was asked. */
  readonly evidence: Evidence | null;
}

/** A photo that brings real transparency was cut out by its owner, who knows best: no engine is asked. */
async function makeMatte(
  source: Source,
  engine: RemovalEngine,
  { clock, signal, mode }: Run,
): Promise<JudgedMatte> {
  if (source.alpha !== null) {
    return { matte: { width: source.width, height: source.height, data: source.alpha }, evidence: null };
  }
  const look = (photo: RgbImage): Promise<Matte> => engine.predictMatte(photo, { signal });
  const first = await clock.run('predict-matte', () => look(source));
  const view = await clock.run('exposure-views', async () => {
    let copy: RgbImage | null = null;
    return chooseExposure(source, first, async (gamma) => {
      copy ??= await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
      return look(curveExposure(copy, gamma));
    });
  });
  const softness = measureSoftness(view.matte);
  let matte = view.matte;
  let evidence: Evidence = { softness, agreement: view.agreement, disputed: view.disputed };
  if (mode === 'quality') {
    const lookCloser = (part: RgbImage): Promise<Matte> => look(curveExposure(part, view.gamma));
    const second = await clock.run('second-look', () => takeSecondLook(source, view.matte, lookCloser));
    if ((second.agreement ?? 1) < evidence.agreement) {
      evidence = { softness, agreement: second.agreement ?? 1, disputed: second.disputed };
    }
    matte = await clock.run('quarter-looks', () => lookAtQuarters(source, second.matte, lookCloser));
    matte = await clock.run('matte-soft-edges', () => matteFur(source, { ...second, matte }, signal));
  }
  const refined = await clock.run('refine-matte', () => refineMatte(matte, source));
  return { matte: await clock.run('enlarge-matte', () => enlargeMatte(refined, source)), evidence };
}

async function matteFur(
  source: RgbImage,
  { matte, agreement }: SecondLook,
  signal: AbortSignal,
): Promise<Matte> {
  if (agreement !== null && agreement < SOFT_AGREEMENT) return matte;
  const grid = agreement === null ? fitInto(source, SOFT_SIDE_PX) : matte;
  const fitting = await enlargeMatte(matte, grid);
  return matteSoftEdges(fitting, () => shrinkPhoto(source, grid), signal);
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
