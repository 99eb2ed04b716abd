/** The pixel steps of a cutout, in order: from a decoded photo to the cutout. */
import type { Source } from '../designs/read-image.ts';
import type { SubjectFacts } from '../designs/subject.ts';
import { PackshotError } from '../errors.ts';
import type { Matte, RgbaImage, RgbImage } from '../pixels.ts';
import { StepClock, type StepTiming } from '../step-clock.ts';
import { tellGlass } from './clear-cutout.ts';
import { type CutoutMode, lookAtPhoto, type RoughMatte } from './look-at-photo.ts';
import { createLookPace, type LookPace } from './look-pace.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { cleanEdges } from './steps/clean-edges.ts';
import { closeFalseGaps } from './steps/close-false-gaps.ts';
import { completeParts } from './steps/complete-parts.ts';
import { type EncodedCutout, encodeCutout } from './steps/encode-cutout.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { fillDents } from './steps/fill-dents.ts';
import { fillGlass } from './steps/fill-glass.ts';
import { finishGaps } from './steps/finish-gaps.ts';
import { isMesh } from './steps/half-looks.ts';
import { measureFragments } from './steps/matte-evidence.ts';
import { refineMatte } from './steps/refine-matte.ts';
import { roundOff } from './steps/round-off.ts';
import { sharpenEdges } from './steps/sharpen-edges.ts';
import { findSubjectFacts } from './steps/subject-facts.ts';
import { type Extent, type Stage, takeLooks } from './take-looks.ts';

export interface CutSubject extends EncodedCutout {
  readonly subject: SubjectFacts;
  readonly timings: readonly StepTiming[];
  /** Skipped stages that could improve the cutout. */
  readonly leftOut: readonly Stage[];
}

export interface CutOptions {
  readonly signal: AbortSignal;
  /** Default: `quality`. */
  readonly mode?: CutoutMode;
  /** How many passes to run. Default: all that the photo needs. */
  readonly extent?: Extent;
  /** Durations measured on earlier photos, used to plan for `extent.dueAt`. Default: none are known yet. */
  readonly pace?: LookPace;
  /** See `LookOptions`. */
  readonly remembered?: Matte[];
  readonly mostNewLooks?: number;
}

/**
 * The cutout and its matte have the photo's size, and the subject stays at its position. Rejects with
 * `no_subject_found`, with `MoreLooksNeeded`, or with the signal's reason; the signal is checked between
 * steps.
 */
export async function cutSubject(
  source: Source,
  engine: RemovalEngine,
  options: CutOptions,
): Promise<CutSubject> {
  const { signal, mode = 'quality', extent = {}, pace = createLookPace(), remembered = [] } = options;
  const clock = new StepClock(signal);
  const mostNewLooks = options.mostNewLooks ?? Number.POSITIVE_INFINITY;
  const looks = takeLooks(source, engine, {
    signal,
    extent,
    pace,
    remembered,
    mostNewLooks,
    clock: () => Date.now(),
  });
  try {
    const canTriage = engine.coarseShare !== undefined;
    const rough = await lookAtPhoto(source, { looks, clock, signal, mode, canTriage });
    const startedAt = Date.now();
    const cut = await finishCutout(source, rough, { clock, signal });
    if (rough.evidence) pace.noteFinish(Date.now() - startedAt, source.width * source.height);
    return { ...cut, timings: clock.timings, leftOut: looks.leftOut };
  } catch (error) {
    const isIncomplete =
      looks.leftOut.length > 0 && error instanceof PackshotError && error.code === 'no_subject_found';
    if (!isIncomplete) throw error;
    // Cut again with all passes: other exposures may reveal the product that the first pass missed.
    return cutSubject(source, engine, { ...options, extent: {}, remembered });
  }
}

interface Run {
  readonly clock: StepClock;
  readonly signal: AbortSignal;
}

/** The steps after the last pass. */
export async function finishCutout(
  source: Source,
  { matte: rough, evidence, mayClose = false }: RoughMatte,
  run: Run,
): Promise<EncodedCutout & { readonly subject: SubjectFacts }> {
  const { clock } = run;
  const matte = evidence === null ? rough : await refine(rough, source, { ...run, mayClose });
  const subject = await clock.run('subject-facts', async () => {
    const fragments = evidence === null ? 0 : await measureFragments(rough);
    const facts = findSubjectFacts(matte, evidence && { ...evidence, fragments });
    return source.alpha === null ? tellGlass(facts, source, matte) : facts;
  });
  const cutout = await clock.run('clean-edges', () =>
    source.alpha === null ? cleanEdges(source, matte, subject.boundingBox) : keepColours(source, matte),
  );
  const encoded = await clock.run('encode-cutout', () => encodeCutout(cutout, matte));
  return { ...encoded, subject };
}

async function refine(
  rough: Matte,
  source: RgbImage,
  { clock, signal, mayClose }: Run & { readonly mayClose: boolean },
): Promise<Matte> {
  const finished = await clock.run('finish-gaps', () => finishGaps(rough, source, signal));
  const isNet = await isMesh(rough);
  const closed = mayClose && !isNet ? await closeUp(finished, source, clock) : finished;
  const refined = await clock.run('refine-matte', () => refineMatte(closed, source, { hasPinholes: !isNet }));
  const enlarged = await clock.run('enlarge-matte', () => enlargeMatte(refined, source));
  const scale = Math.max(1, source.width / refined.width);
  const sharp = await clock.run('sharpen-edges', () => sharpenEdges(enlarged, source, scale));
  const filled = await clock.run('fill-dents', () => fillDents(sharp, source, scale));
  return clock.run('round-off', () => roundOff(filled, scale));
}

async function closeUp(matte: Matte, source: RgbImage, clock: StepClock): Promise<Matte> {
  const whole = await clock.run('complete-parts', () => completeParts(matte, source));
  const closed = await clock.run('close-false-gaps', () => closeFalseGaps(whole, source));
  // On glass, the engine is unsure and leaves semi-transparent areas (veils), and `complete-parts` completes some of
  // them. So if it changed nothing, there is no glass to fill.
  return whole === matte ? closed : clock.run('fill-glass', () => fillGlass(closed, source));
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
