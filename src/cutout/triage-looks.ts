/**
 * The first looks of quality mode, for engines that have cheaper ones: a coarse look finds the subject, a full one at the
 * subject's own part of the photo draws it. Where the two agree, that is all: about 1.3 full looks.
 */
import type { Box, Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import { describeAgreement, describeLook, findConfidence } from './judge/confidence.ts';
import { GRID_PX, scaleGridBox } from './judge/opinions.ts';
import { compareLooks } from './steps/compare-looks.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import { cropClose, findCloseCrop, mixCloseLook } from './steps/second-look.ts';
import type { Evidence } from './steps/subject-facts.ts';
import type { Looks } from './take-looks.ts';

/**
 * Share of the subject on which the coarse look and the full one may contradict each other. Of 50 rendered photos, none
 * of the 38 that stay below was bad, but for two wire baskets; of 27 real ones 15 stay below.
 */
const SURE_AGREEMENT = 0.97;
/** Of a side of the crop, which the subject may cross: specks do. */
const BEYOND_SHARE = 0.004;
const SUBJECT = 128;
/** Below this probability more looks are taken, whatever the two agree on. */
const SURE_CONFIDENCE = 0.5;
/** A softer matte is a mesh or a net, or wrong. */
const SURE_SOFTNESS = 0.055;
/** Confidence at most where there was no time for more looks. */
const UNSETTLED = 0.45;
/** The closer look's share of the mixture. */
const CLOSE_SHARE = 0.7;

export interface Triaged {
  readonly coarse: Matte;
  /** At the photo's part `crop`, or all of it; `null` where there was no time for it. */
  readonly close: Matte | null;
  readonly crop: Box | null;
  /** What the two make of the photo together, at any size. */
  readonly matte: Matte;
  readonly evidence: Evidence;
  /** Whether no more looks are worth their cost. */
  readonly isSure: boolean;
}

export async function lookByTriage(source: RgbImage, looks: Looks, clock: StepClock): Promise<Triaged> {
  const coarse = await clock.run('coarse-look', () => looks.coarse());
  const crop = findCloseCrop(coarse, source);
  const close = await clock.run('close-look', () =>
    looks.full(async () => (crop === null ? source : cropClose(source, crop))),
  );
  if (close === null) {
    const evidence = { confidence: findConfidence('coarse', describeLook(coarse, source)), disputed: null };
    return { coarse, close, crop, matte: coarse, evidence, isSure: false };
  }
  return clock.run('triage', () => triage(source, { coarse, close, crop }));
}

async function triage(
  source: RgbImage,
  looks: { readonly coarse: Matte; readonly close: Matte; readonly crop: Box | null },
): Promise<Triaged> {
  const { coarse, close, crop } = looks;
  const matte =
    crop === null
      ? close
      : (await mixCloseLook(source, coarse, { close, crop, share: CLOSE_SHARE, minAgreement: 0 })).matte;
  const alone =
    crop === null
      ? close
      : (await mixCloseLook(source, coarse, { close, crop, share: 1, minAgreement: 0 })).matte;
  const grid = { width: GRID_PX, height: GRID_PX };
  const [small, smallCoarse] = [await enlargeMatte(alone, grid), await enlargeMatte(coarse, grid)];
  const { agreement, worst } = compareLooks(small, smallCoarse);
  const confidence = findConfidence('agreeing', {
    ...describeLook(small, source),
    ...describeAgreement(small, smallCoarse),
  });
  const isSure =
    agreement >= SURE_AGREEMENT &&
    confidence >= SURE_CONFIDENCE &&
    measureSoftness(small) < SURE_SOFTNESS &&
    (crop === null || !goesOnBeyond(close, crop, source));
  return {
    ...looks,
    matte,
    isSure,
    evidence: {
      confidence: isSure ? confidence : Math.min(UNSETTLED, confidence),
      disputed: worst && scaleGridBox(worst, source),
    },
  };
}

/** Whether the subject reaches a side of the crop that is none of the photo: then the coarse look missed a part of it. */
function goesOnBeyond({ width, height, data }: Matte, crop: Box, photo: RgbImage): boolean {
  const isSubjectAlong = (length: number, start: number, step: number): boolean => {
    let count = 0;
    for (let n = 0; n < length; n++) if (data[start + n * step]! >= SUBJECT) count++;
    return count > BEYOND_SHARE * length;
  };
  return (
    (crop.y > 0 && isSubjectAlong(width, 0, 1)) ||
    (crop.x > 0 && isSubjectAlong(height, 0, width)) ||
    (crop.y + crop.height < photo.height && isSubjectAlong(width, (height - 1) * width, 1)) ||
    (crop.x + crop.width < photo.width && isSubjectAlong(height, width - 1, width))
  );
}
