/** The cutout room's pixel work, in order: from a decoded photo to the product on its own. */
import type { Source } from '../designs/read-image.ts';
import type { SubjectFacts } from '../designs/subject.ts';
import { PackshotError } from '../errors.ts';
import type { Matte, RgbaImage, RgbImage } from '../pixels.ts';
import { StepClock, type StepTiming } from '../step-clock.ts';
import { lookCloser, lookThroughExposures } from './full-looks.ts';
import { describeLook, findConfidence } from './judge/confidence.ts';
import { createLookPace, type LookPace } from './look-pace.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { cleanEdges } from './steps/clean-edges.ts';
import { type EncodedCutout, encodeCutout } from './steps/encode-cutout.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { curveExposure } from './steps/exposure-views.ts';
import { followPhotoEdges } from './steps/follow-photo-edges.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import { matteSoftEdges } from './steps/matte-soft-edges.ts';
import { lookAtQuarters } from './steps/quarter-looks.ts';
import { refineMatte } from './steps/refine-matte.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import { type Evidence, findSubjectFacts, weighLooks } from './steps/subject-facts.ts';
import { type Extent, type Looks, type Stage, takeLooks } from './take-looks.ts';
import { lookByTriage, type TriagedMatte } from './triage-looks.ts';

/**
 * `fast` asks the engine once, and through other exposures only where it was unsure. `quality` looks coarsely first, then at
 * the subject's part of the photo, asks for other opinions where those two disagree, and mattes fur anew.
 */
export type CutoutMode = 'fast' | 'quality';

/** Soft edges are matted at this longer side where there was no second look. */
const SOFT_SIDE_PX = 1536;
/** Soft edges are matted where the looks agree at least so much: elsewhere a soft matte means a wrong one. */
const SOFT_AGREEMENT = 0.95;
/** Most looks at quarters. */
const MOST_QUARTERS = 4;
/** About what a medium look costs of a full one. */
const MEDIUM_SHARE = 0.53;

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
    const canTriage = engine.lookShares !== undefined;
    const rough = await lookAtPhoto(source, { looks, clock, signal, mode, canTriage });
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
  readonly looks: Looks;
  readonly clock: StepClock;
  readonly signal: AbortSignal;
  readonly mode: CutoutMode;
  /** Whether the engine has looks that cost less than full ones. */
  readonly canTriage: boolean;
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
  const subject = await clock.run('subject-facts', () => findSubjectFacts(matte, evidence));
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
async function lookAtPhoto(source: Source, run: Run): Promise<RoughMatte> {
  const { looks, clock, mode, canTriage } = run;
  if (source.alpha !== null) {
    return { matte: { width: source.width, height: source.height, data: source.alpha }, evidence: null };
  }
  if (mode === 'quality' && canTriage) {
    const triaged = await lookByTriage(source, looks, clock);
    if ('coarse' in triaged) return followCoarseLook(source, triaged.coarse, clock);
    return { matte: await drawTriaged(source, triaged, run), evidence: triaged.evidence };
  }
  const first = await clock.run('predict-matte', () => looks.first());
  // Nothing more is asked of the engine; the better cutout begins with a full look.
  if (looks.leftOut.includes('full-look')) return followCoarseLook(source, first, clock);
  const view = await lookThroughExposures(source, first, run);
  const ofView = { softness: measureSoftness(view.matte), agreement: view.agreement };
  const evidence: Evidence = { confidence: weighLooks(ofView), disputed: view.disputed };
  if (mode === 'fast') return { matte: view.matte, evidence };
  const second = await lookCloser(source, view, run);
  const matte = await drawFinely(source, { ...second, gamma: view.gamma }, run);
  const agreement = second.agreement ?? 1;
  if (agreement >= view.agreement) return { matte, evidence };
  return {
    matte,
    evidence: { confidence: weighLooks({ ...ofView, agreement }), disputed: second.disputed },
  };
}

async function followCoarseLook(source: RgbImage, coarse: Matte, clock: StepClock): Promise<RoughMatte> {
  const matte = await clock.run('follow-photo-edges', () => followPhotoEdges(coarse, source));
  return {
    matte,
    evidence: { confidence: findConfidence('coarse', describeLook(coarse, source)), disputed: null },
  };
}

/** With cheaper looks at meshes than where each look is a full one. */
async function drawTriaged(
  source: RgbImage,
  { matte, softer, agreement, isMesh }: TriagedMatte,
  { looks, clock, signal }: Run,
): Promise<Matte> {
  const closer = !isMesh
    ? matte
    : await clock.run('quarter-looks', () =>
        looks.refine(
          'quarter-looks',
          MOST_QUARTERS * MEDIUM_SHARE,
          (look) => lookAtQuarters(source, matte, (part) => look(part, 'medium')),
          matte,
        ),
      );
  return clock.run('matte-soft-edges', () =>
    looks.refineEdges(
      'matte-soft-edges',
      async (begin) => {
        const drawn = softer === null || isMesh ? closer : softer;
        const matted = await matteFur(source, { matte: drawn, agreement }, { begin, signal });
        return matted === drawn ? closer : matted;
      },
      closer,
    ),
  );
}

interface Drawn {
  readonly matte: Matte;
  /** Of two looks; `null` where there was one. */
  readonly agreement: number | null;
  readonly gamma: number;
}

/** Meshes and fur, which take more than the looks that found the subject. */
async function drawFinely(
  source: RgbImage,
  { matte, agreement, gamma }: Drawn,
  { looks, clock, signal }: Run,
): Promise<Matte> {
  const closer = await clock.run('quarter-looks', () =>
    looks.refine(
      'quarter-looks',
      MOST_QUARTERS,
      (look) => lookAtQuarters(source, matte, (part) => look(curveExposure(part, gamma))),
      matte,
    ),
  );
  return clock.run('matte-soft-edges', () =>
    looks.refineEdges(
      'matte-soft-edges',
      (begin) => matteFur(source, { matte: closer, agreement }, { begin, signal }),
      closer,
    ),
  );
}

async function matteFur(
  source: RgbImage,
  { matte, agreement }: Omit<Drawn, 'gamma'>,
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
