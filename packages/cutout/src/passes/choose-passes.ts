/**
 * Chooses the passes over a photo, and combines their results into a matte. The whole choice stands here:
 *
 * - A **coarse** pass finds the product, and a **close** one draws it. These two are enough unless the close one left a veil or
 *   they contradict each other.
 * - If not, a pass over the **whole** photo decides where the two disagree; for soft mattes on bright paper, one through
 *   another exposure.
 *   Where it does not contradict the close pass, the close pass keeps most of the weight.
 * - If the coarse pass shows a part that the matte lacks, a pass from **further away** confirms or rejects that part.
 * - A mesh gets a pass over each half instead, because its gaps need more resolution; and fur is matted.
 */
import type { Source } from 'packshot-photos';
import type { Matte, RgbImage, StepClock } from 'packshot-pixels';
import { addLostParts, mayLackParts } from '../steps/add-lost-parts.ts';
import { type Evidence, isContested } from '../steps/doubtful-cutout.ts';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { followPhotoEdges } from '../steps/follow-photo-edges.ts';
import { measureSoftness } from '../steps/matte-evidence.ts';
import { matteSoftEdges } from '../steps/matte-soft-edges.ts';
import { fitInto, shrinkPhoto } from '../steps/shrink-photo.ts';
import { type ClosePass, runAnotherClosePass, runClosePass } from './close-pass.ts';
import { comparePasses, type FirstPasses } from './compare-passes.ts';
import type { Comparison } from './contradictions.ts';
import { asSeen, chooseExposure, needsExposure, type View } from './exposures.ts';
import { runFarPass } from './far-pass.ts';
import { isMesh, runHalfPasses } from './half-passes.ts';
import { isEnough } from './judge-passes.ts';
import { type MixedPass, mixClosePass } from './mix-passes.ts';
import { type Passes, REDUCED_SHARE } from './run-passes.ts';

/**
 * `fast` runs the engine once over the whole photo, and again over darker copies only if that pass was unsure and the
 * photo's border is bright, as on white paper. `quality` is described at the head of this file.
 */
export type CutoutMode = 'fast' | 'quality';

/** Longer side of the copy in which fur is matted, unless the matte is already larger. */
const FUR_SIDE_PX = 1536;
/** Minimum agreement of the passes for matting fur. */
const FUR_AGREEMENT = 0.95;

interface Run {
  readonly passes: Passes;
  readonly clock: StepClock;
  readonly signal: AbortSignal;
  readonly mode: CutoutMode;
}

export interface RoughMatte {
  /** At any resolution. */
  readonly matte: Matte;
  /** `null` if no engine was run. */
  readonly evidence: Evidence | null;
}

type SeenMatte = RoughMatte & { readonly evidence: Evidence };

/** A photo with real transparency has already been cut out by its owner, so no engine runs. */
export async function choosePasses(source: Source, run: Run): Promise<RoughMatte> {
  const { passes, clock, mode } = run;
  if (source.alpha !== null) {
    return { matte: { width: source.width, height: source.height, data: source.alpha }, evidence: null };
  }
  if (mode === 'fast' || !passes.hasCoarse) return startWithWholePhoto(source, run);
  const coarse = await runCoarsePass(source, run);
  if (!passes.isTimeForFull()) return followCoarsePass(source, coarse, run);
  const close = await clock.run('close-pass', () => runClosePass(source, coarse, passes));
  const first = await clock.run('compare-passes', () => comparePasses(source, coarse, close));
  const { matte, isAgreed, measures } = first;
  const seen = { matte, evidence: gatherEvidence(first.softness, [first]) };
  // If two passes disagree on what the product is, the matte is soft because of that, not because of a mesh.
  if (isAgreed && (await isMesh(matte))) return { ...seen, matte: await drawMesh(source, matte, run) };
  if (isEnough(measures)) return seen;
  const settled = await settle(source, first, run);
  if (!isContested(settled.evidence)) return settled;
  return { ...settled, matte: await addPartsSeenFromAfar(source, settled.matte, coarse, run) };
}

/** Fast mode, and engines without coarse passes. */
async function startWithWholePhoto(source: RgbImage, run: Run): Promise<RoughMatte> {
  const { passes, clock, mode } = run;
  if (passes.hasCoarse && !passes.isTimeForFull()) {
    // This pass also measures the machine's current speed, which may show that there is time for a full one.
    const coarse = await runCoarsePass(source, run);
    if (!passes.isTimeForFull()) return followCoarsePass(source, coarse, run);
  }
  const whole = await clock.run('whole-pass', () => passes.run('whole', source));
  const view = await clock.run('exposures', () => chooseExposure(source, whole, passes));
  if (mode === 'fast')
    return { matte: view.matte, evidence: gatherEvidence(measureSoftness(view.matte), [view]) };
  const close = await clock.run('close-pass', () => runAnotherClosePass(source, view, passes));
  const seen = await joinPasses(source, view, { close, compared: [] }, run);
  return (await isMesh(seen.matte)) ? { ...seen, matte: await drawMesh(source, seen.matte, run) } : seen;
}

/** Decides between the first two passes by one or more passes over the whole photo. */
async function settle(source: RgbImage, first: FirstPasses, run: Run): Promise<SeenMatte> {
  const { passes, clock } = run;
  const { close, crop } = first;
  const join = (view: View): Promise<SeenMatte> =>
    joinPasses(source, view, { close: crop && { close, crop }, compared: [first] }, run);
  if (crop === null || needsExposure(source, first.matte)) {
    return join(await clock.run('exposures', () => chooseExposure(source, first.matte, passes)));
  }
  if (!passes.mayRun('whole-pass', 1)) {
    return { matte: first.matte, evidence: gatherEvidence(first.softness, [first]) };
  }
  return join(asSeen(await clock.run('whole-pass', () => passes.run('whole', source))));
}

/** Mixes `view`, which shows the whole photo, with a close pass that does not contradict it, and mattes fur. */
async function joinPasses(
  source: RgbImage,
  view: View,
  { close, compared }: { readonly close: ClosePass | null; readonly compared: readonly Comparison[] },
  run: Run,
): Promise<SeenMatte> {
  const mixed = close && (await mixClosePass(source, view.matte, close));
  const matte = await drawFur(source, mixed ?? { matte: view.matte, agreement: 1 }, run);
  const comparisons = [...compared, view, ...(mixed ? [mixed] : [])];
  return { matte, evidence: gatherEvidence(measureSoftness(view.matte), comparisons) };
}

function gatherEvidence(softness: number, compared: readonly Comparison[]): Evidence {
  const worstFirst = compared.toSorted((a, b) => a.agreement - b.agreement);
  return {
    softness,
    agreement: worstFirst[0]!.agreement,
    disputed: worstFirst.flatMap(({ disputed }) => disputed),
  };
}

const runCoarsePass = (source: RgbImage, { passes, clock }: Run): Promise<Matte> =>
  clock.run('coarse-pass', () => passes.run('whole', source, 'coarse'));

/** For lack of time. The improved cutout will begin with a full pass. */
async function followCoarsePass(source: RgbImage, coarse: Matte, { passes, clock }: Run): Promise<SeenMatte> {
  passes.leaveOut('full-pass');
  const matte = await clock.run('follow-photo-edges', () => followPhotoEdges(coarse, source));
  return { matte, evidence: { softness: measureSoftness(matte), agreement: 1, disputed: [] } };
}

const drawMesh = (source: RgbImage, matte: Matte, { passes, clock }: Run): Promise<Matte> =>
  clock.run('half-passes', async () =>
    passes.mayRun('half-passes', 2) ? runHalfPasses(source, matte, passes) : matte,
  );

/** If two passes contradict each other, a soft outline is more often an error than fur. */
async function drawFur(
  source: RgbImage,
  { matte, agreement }: Pick<MixedPass, 'matte' | 'agreement'>,
  { passes, clock, signal }: Run,
): Promise<Matte> {
  if (agreement < FUR_AGREEMENT) return matte;
  return clock.run('matte-soft-edges', async () => {
    const isLarge = Math.max(matte.width, matte.height) >= FUR_SIDE_PX;
    const fitting = isLarge ? matte : await enlargeMatte(matte, fitInto(source, FUR_SIDE_PX));
    const readPhoto = async () => (passes.mayRun('matting', 1) ? shrinkPhoto(source, fitting) : null);
    return matteSoftEdges(fitting, readPhoto, signal);
  });
}

/** Returns the given matte itself if it lacks no part that the coarse pass shows, or if there is no time for the pass. */
const addPartsSeenFromAfar = (
  source: RgbImage,
  matte: Matte,
  coarse: Matte,
  { passes, clock }: Run,
): Promise<Matte> =>
  clock.run('far-pass', async () => {
    if (!(await mayLackParts(matte, coarse)) || !passes.mayRun('far-pass', REDUCED_SHARE)) return matte;
    return addLostParts(matte, coarse, await runFarPass(source, passes));
  });
