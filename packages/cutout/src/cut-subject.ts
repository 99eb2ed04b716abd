/** The pixel steps of a cutout, in order: from a decoded photo to the cutout. */

import { PackshotError } from 'packshot-errors';
import type { Source } from 'packshot-photos';
import { type Matte, type RgbaImage, type RgbImage, StepClock, type StepTiming } from 'packshot-pixels';
import { type CutoutMode, choosePasses, type RoughMatte } from './passes/choose-passes.ts';
import { createPassPace, type PassPace } from './passes/pass-pace.ts';
import { type Extent, type KnownPasses, openPasses, type Stage } from './passes/run-passes.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { cleanEdges } from './steps/clean-edges.ts';
import { type EncodedCutout, encodeCutout } from './steps/encode-cutout.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { measureFragments } from './steps/matte-evidence.ts';
import { refineMatte } from './steps/refine-matte.ts';
import { sharpenEdges } from './steps/sharpen-edges.ts';
import { findSubjectFacts } from './steps/subject-facts.ts';
import type { SubjectFacts } from './subject.ts';

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
  readonly pace?: PassPace;
  /** See `PassOptions`. */
  readonly known?: KnownPasses;
  readonly mostNewPasses?: number;
  /** Adds what the photo shows to the facts. Default: they are returned without. */
  readonly judge?: JudgePhoto | undefined;
}

export type JudgePhoto = (photo: Source, matte: Matte, subject: SubjectFacts) => SubjectFacts;

/**
 * The cutout and its matte have the photo's size, and the subject stays at its position. Rejects with
 * `no_subject_found`, with `MorePassesNeeded`, or with the signal's reason; the signal is checked between
 * steps.
 */
export async function cutSubject(
  source: Source,
  engine: RemovalEngine,
  options: CutOptions,
): Promise<CutSubject> {
  const { signal, mode = 'quality', extent = {}, pace = createPassPace(), known = new Map() } = options;
  const clock = new StepClock(signal);
  const { mostNewPasses = Number.POSITIVE_INFINITY } = options;
  const settings = { signal, extent, pace, known, mostNewPasses, clock: () => Date.now() };
  const passes = openPasses(source, engine, settings);
  try {
    const rough = await choosePasses(source, { passes, clock, signal, mode });
    const startedAt = Date.now();
    const cut = await finishCutout(source, rough, clock, options.judge);
    if (rough.evidence) pace.noteFinish(Date.now() - startedAt, source.width * source.height);
    return { ...cut, timings: clock.timings, leftOut: passes.leftOut };
  } catch (error) {
    const isIncomplete =
      passes.leftOut.length > 0 && error instanceof PackshotError && error.code === 'no_subject_found';
    if (!isIncomplete) throw error;
    // Cut again with all passes: other exposures may reveal the product that the first pass missed.
    return cutSubject(source, engine, { ...options, extent: {}, known });
  }
}

/** The steps after the last pass. */
export async function finishCutout(
  source: Source,
  { matte: rough, evidence }: RoughMatte,
  clock: StepClock,
  judge?: JudgePhoto,
): Promise<EncodedCutout & { readonly subject: SubjectFacts }> {
  const refined = evidence === null ? rough : await refine(rough, source, clock);
  const matte = source.clip === null ? refined : limitMatte(refined, source.clip);
  const subject = await clock.run('subject-facts', async () => {
    const fragments = evidence === null ? 0 : await measureFragments(rough);
    const facts = findSubjectFacts(matte, evidence && { ...evidence, fragments });
    return judge ? judge(source, matte, facts) : facts;
  });
  const cutout = await clock.run('clean-edges', () =>
    source.alpha === null ? cleanEdges(source, matte, subject.boundingBox) : keepColours(source, matte),
  );
  const encoded = await clock.run('encode-cutout', () => encodeCutout(cutout, matte));
  return { ...encoded, subject };
}

/** What the photo hides stays hidden. */
const limitMatte = (matte: Matte, clip: Uint8Array): Matte => ({
  ...matte,
  data: matte.data.map((value, i) => Math.min(value, clip[i]!)),
});

async function refine(rough: Matte, source: RgbImage, clock: StepClock): Promise<Matte> {
  const refined = await clock.run('refine-matte', () => refineMatte(rough));
  const enlarged = await clock.run('enlarge-matte', () => enlargeMatte(refined, source));
  const scale = Math.max(1, source.width / refined.width);
  return clock.run('sharpen-edges', () => sharpenEdges(enlarged, source, scale));
}

function keepColours(source: RgbImage, matte: Matte): RgbaImage {
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
