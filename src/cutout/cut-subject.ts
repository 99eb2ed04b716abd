/** The cutout room's pixel work, in order: from a decoded photo to the product on its own. */
import type { Source } from '../designs/read-image.ts';
import type { SubjectFacts } from '../designs/subject.ts';
import { PackshotError } from '../errors.ts';
import type { Matte, RgbaImage, RgbImage } from '../pixels.ts';
import { StepClock, type StepTiming } from '../step-clock.ts';
import { tellGlass } from './clear-cutout.ts';
import { createLookPace, type LookPace } from './look-pace.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { cleanEdges } from './steps/clean-edges.ts';
import { type EncodedCutout, encodeCutout } from './steps/encode-cutout.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { chooseExposure, curveExposure } from './steps/exposure-views.ts';
import { followPhotoEdges } from './steps/follow-photo-edges.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import { matteSoftEdges } from './steps/matte-soft-edges.ts';
import { lookAtQuarters } from './steps/quarter-looks.ts';
import { refineMatte } from './steps/refine-matte.ts';
import { type SecondLook, takeSecondLook } from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import { type Evidence, findSubjectFacts } from './steps/subject-facts.ts';
import { type Extent, type Looks, type Stage, takeLooks } from './take-looks.ts';

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
/** Most looks of a stage. */
const MOST_LOOKS = { 'exposure-views': 2, 'second-look': 1, 'quarter-looks': 4 } as const;

export interface CutSubject extends EncodedCutout {
  readonly subject: SubjectFacts;
  readonly timings: readonly StepTiming[];
  /** Empty for a cutout that is as good as it gets. */
  readonly leftOut: readonly Stage[];
}

export interface CutOptions {
  readonly signal: AbortSignal;
  /** Default: `quality`. */
  readonly mode?: CutoutMode;
  /** Default: to the end. */
  readonly extent?: Extent;
  /** Kept from photo to photo by a caller that sets `extent.dueAt`. */
  readonly pace?: LookPace;
  /** See `LookOptions`. */
  readonly remembered?: Matte[];
  readonly mostNewLooks?: number;
}

/**
 * Both pictures have the photo's own size, and the subject its own place in it. Rejects with
 * `no_subject_found`, with `MoreLooksNeeded`, and with the signal's reason once aborted, between two steps.
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
    const rough = await lookAtPhoto(source, looks, { clock, signal, mode });
    const startedAt = Date.now();
    const cut = await finish(source, rough, clock);
    if (rough.evidence) pace.noteFinish(Date.now() - startedAt, source.width * source.height);
    return { ...cut, timings: clock.timings, leftOut: looks.leftOut };
  } catch (error) {
    const isIncomplete =
      looks.leftOut.length > 0 && error instanceof PackshotError && error.code === 'no_subject_found';
    if (!isIncomplete) throw error;
    // Other exposures may show what the first look did not.
    return cutSubject(source, engine, { ...options, extent: {}, remembered });
  }
}

interface Run {
  readonly clock: StepClock;
  readonly signal: AbortSignal;
  readonly mode: CutoutMode;
}

interface RoughMatte {
  /** In any size. */
  readonly matte: Matte;
  /** `null` where no engine was asked. */
  readonly evidence: Evidence | null;
}

async function finish(
  source: Source,
  { matte: rough, evidence }: RoughMatte,
  clock: StepClock,
): Promise<EncodedCutout & { readonly subject: SubjectFacts }> {
  const matte = evidence === null ? rough : await refine(rough, source, clock);
  const subject = await clock.run('subject-facts', () => {
    const facts = findSubjectFacts(matte, evidence);
    return source.alpha === null ? tellGlass(facts, source, matte) : facts;
  });
  const cutout = await clock.run('clean-edges', () =>
    source.alpha === null ? cleanEdges(source, matte, subject.boundingBox) : keepColours(source, matte),
  );
  const encoded = await clock.run('encode-cutout', () => encodeCutout(cutout, matte));
  return { ...encoded, subject };
}

async function refine(rough: Matte, source: RgbImage, clock: StepClock): Promise<Matte> {
  const refined = await clock.run('refine-matte', () => refineMatte(rough, source));
  return clock.run('enlarge-matte', () => enlargeMatte(refined, source));
}

/** A photo that brings real transparency was cut out by its owner, who knows best: no engine is asked. */
async function lookAtPhoto(source: Source, looks: Looks, { clock, signal, mode }: Run): Promise<RoughMatte> {
  if (source.alpha !== null) {
    return { matte: { width: source.width, height: source.height, data: source.alpha }, evidence: null };
  }
  const first = await clock.run('predict-matte', () => looks.first());
  if (looks.leftOut.includes('full-look')) {
    // Nothing more is asked of the engine; the better cutout begins with a full look.
    const matte = await clock.run('follow-photo-edges', () => followPhotoEdges(first, source));
    return { matte, evidence: { softness: measureSoftness(matte), agreement: 1, disputed: [] } };
  }
  const view = await clock.run('exposure-views', () =>
    looks.refine(
      'exposure-views',
      MOST_LOOKS['exposure-views'],
      async (look) => {
        let copy: RgbImage | null = null;
        return chooseExposure(source, first, async (gamma) => {
          copy ??= await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
          return look(curveExposure(copy, gamma));
        });
      },
      { matte: first, gamma: 1, agreement: 1, disputed: [] },
    ),
  );
  const softness = measureSoftness(view.matte);
  const evidence: Evidence = { softness, agreement: view.agreement, disputed: view.disputed };
  if (mode === 'fast') return { matte: view.matte, evidence };
  const second = await clock.run('second-look', () =>
    looks.refine<SecondLook>(
      'second-look',
      MOST_LOOKS['second-look'],
      (look) => takeSecondLook(source, view.matte, (part) => look(curveExposure(part, view.gamma))),
      { matte: view.matte, agreement: null, disputed: [] },
    ),
  );
  const closer = await clock.run('quarter-looks', () =>
    looks.refine(
      'quarter-looks',
      MOST_LOOKS['quarter-looks'],
      (look) => lookAtQuarters(source, second.matte, (part) => look(curveExposure(part, view.gamma))),
      second.matte,
    ),
  );
  const matte = await clock.run('matte-soft-edges', () =>
    looks.refineEdges(
      'matte-soft-edges',
      (begin) => matteFur(source, { ...second, matte: closer }, { begin, signal }),
      closer,
    ),
  );
  const isDoubted = (second.agreement ?? 1) < evidence.agreement;
  return {
    matte,
    evidence: isDoubted
      ? {
          softness,
          agreement: second.agreement ?? 1,
          disputed: [...second.disputed, ...view.disputed],
        }
      : { ...evidence, disputed: [...view.disputed, ...second.disputed] },
  };
}

async function matteFur(
  source: RgbImage,
  { matte, agreement }: SecondLook,
  { begin, signal }: { readonly begin: () => void; readonly signal: AbortSignal },
): Promise<Matte> {
  if (agreement !== null && agreement < SOFT_AGREEMENT) return matte;
  const grid = agreement === null ? fitInto(source, SOFT_SIDE_PX) : matte;
  const fitting = await enlargeMatte(matte, grid);
  const readPhoto = async () => {
    begin();
    return shrinkPhoto(source, grid);
  };
  return matteSoftEdges(fitting, readPhoto, signal);
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
