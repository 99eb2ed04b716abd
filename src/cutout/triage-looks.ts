/**
 * The looks of quality mode, for engines that have cheaper ones: a coarse look finds the subject, a full one at the
 * subject's own part of the photo draws it. Where the two agree, that is all: about 1.3 full looks. Where they do not,
 * other opinions are asked for and a fitted judge decides part by part, at about four full looks at most.
 */
import type { Box, Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import { applySettlement } from './judge/apply-settlement.ts';
import { describeAgreement, describeLook, describeSettlement, findConfidence } from './judge/confidence.ts';
import { disputeModel } from './judge/judge.ts';
import { GRID_PX, gatherOpinions, type OpinionKind } from './judge/opinions.ts';
import { type Settlement, settleDisputes } from './judge/settle-disputes.ts';
import type { Resolution } from './removal-engine.ts';
import { compareLooks } from './steps/compare-looks.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import { chooseGammas, curveExposure } from './steps/exposure-views.ts';
import { lookFromAfar } from './steps/far-look.ts';
import { findMatteBounds } from './steps/matte-bounds.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import { cropClose, findCloseCrop, mixCloseLook } from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
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
/** Below this probability other opinions are asked for, whatever the two looks agree on. */
const SURE_CONFIDENCE = 0.5;
/** Confidence at most where the looks disagree and there was no time to ask on. */
const UNSETTLED = 0.45;
/**
 * A matte that is softer is a mesh or a net: its parts are not disputed but unclear, and closer looks tell more than other
 * opinions.
 */
const MESH_SOFTNESS = 0.055;
/** The closer look's share where it is mixed with one at all of the photo, and with a coarse one along fur. */
const CLOSE_SHARE = 0.7;
/** Exposures are made of a copy of this longer side at most: coarse looks see less. */
const VIEW_SIDE_PX = 1024;
/** Of looks at most, in full ones: a whole one, one from afar, two exposures. */
const MOST_OPINIONS = 2.2;

export interface TriagedMatte {
  /** At any size. */
  readonly matte: Matte;
  /** The same with the coarse look in it, which knows more of fur and less of hard edges; `null` where there is none. */
  readonly softer: Matte | null;
  readonly evidence: Evidence;
  /** Of the close look with the one that saw all of the photo, see `compareLooks`; `null` where that is one look. */
  readonly agreement: number | null;
  /** Whether looks at parts of it may be worth their cost. */
  readonly isMesh: boolean;
}

/** `null` where there was time for the coarse look alone, which is `coarse`. */
export async function lookByTriage(
  source: RgbImage,
  looks: Looks,
  clock: StepClock,
): Promise<TriagedMatte | { readonly coarse: Matte }> {
  const coarse = await clock.run('coarse-look', () => looks.coarse());
  const crop = findCloseCrop(coarse, source);
  const close = await clock.run('full-look', () =>
    looks.full(async () => (crop === null ? source : cropClose(source, crop))),
  );
  if (close === null) return { coarse };
  const first = { coarse, close, crop };
  const { triaged, isSure } = await clock.run('triage', () => triage(source, first));
  if (isSure) return triaged;
  const { evidence } = triaged;
  return clock.run('other-opinions', () =>
    looks.refine<TriagedMatte>(
      'other-opinions',
      MOST_OPINIONS,
      (look) =>
        triaged.isMesh ? askForWhole(source, first, { look, triaged }) : askOthers(source, first, look),
      { ...triaged, evidence: { ...evidence, confidence: Math.min(UNSETTLED, evidence.confidence) } },
    ),
  );
}

interface FirstLooks {
  readonly coarse: Matte;
  readonly close: Matte;
  /** What the close look saw; `null` for all of the photo. */
  readonly crop: Box | null;
}

/** What the first two looks make of the photo together, and whether that is enough. */
async function triage(
  source: RgbImage,
  { coarse, close, crop }: FirstLooks,
): Promise<{ readonly triaged: TriagedMatte; readonly isSure: boolean }> {
  const mix = (share: number) => mixCloseLook(source, coarse, { close, crop: crop!, share, minAgreement: 0 });
  const matte = crop === null ? close : (await mix(1)).matte;
  const softer = crop === null ? null : (await mix(CLOSE_SHARE)).matte;
  const grid = { width: GRID_PX, height: GRID_PX };
  const [small, smallCoarse] = [await enlargeMatte(matte, grid), await enlargeMatte(coarse, grid)];
  const { agreement, worst } = compareLooks(small, smallCoarse);
  const confidence = findConfidence('agreeing', {
    ...describeLook(small, source),
    ...describeAgreement(small, smallCoarse),
  });
  const doAgree = agreement >= SURE_AGREEMENT && (crop === null || !goesOnBeyond(close, crop, source));
  const isMesh = doAgree && measureSoftness(small) >= MESH_SOFTNESS;
  return {
    triaged: {
      matte,
      softer,
      agreement: crop === null ? null : agreement,
      isMesh,
      evidence: { confidence, disputed: worst && scaleBox(worst, source) },
    },
    isSure: doAgree && confidence >= SURE_CONFIDENCE,
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

type Look = (photo: RgbImage, resolution?: Resolution) => Promise<Matte>;

/** The look at all of the photo, with the closer one in it where the two agree. */
async function askForWhole(
  source: RgbImage,
  { close, crop }: FirstLooks,
  { look, triaged }: { readonly look: Look; readonly triaged: TriagedMatte },
): Promise<TriagedMatte> {
  if (crop === null) return triaged;
  const mixed = await mixCloseLook(source, await look(source), { close, crop, share: CLOSE_SHARE });
  return { ...triaged, matte: mixed.matte, softer: null, agreement: mixed.agreement };
}

async function askOthers(
  source: RgbImage,
  { coarse, close, crop }: FirstLooks,
  look: Look,
): Promise<TriagedMatte> {
  // A part of the photo may pass for something else: what belongs to the product, the whole has to tell.
  const full = crop === null ? close : await look(source);
  const far = await lookFromAfar(source, (wide) => look(wide, 'medium'));
  const others: { kind: OpinionKind; matte: Matte }[] = [
    { kind: 'coarse', matte: coarse },
    { kind: 'far', matte: far },
  ];
  const copy = await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
  for (const gamma of chooseGammas(source)) {
    others.push({ kind: 'exposure', matte: await look(curveExposure(copy, gamma), 'coarse') });
  }
  const opinions = await gatherOpinions(source, [{ kind: 'full', matte: full }, ...others]);
  const settlement = settleDisputes(opinions, disputeModel);
  const settled = await applySettlement(full, settlement.changes, source);
  const numbers = {
    ...describeLook(settlement.held, source),
    ...describeAgreement(opinions.all[0]!.matte, opinions.all[1]!.matte),
    ...describeSettlement(settlement, opinions),
  };
  const evidence = {
    confidence: findConfidence('settled', numbers),
    disputed: findDisputed(settlement, source),
  };
  const { matte, agreement } =
    crop === null
      ? { matte: settled, agreement: null }
      : await mixCloseLook(source, settled, { close, crop, share: CLOSE_SHARE });
  return { matte, softer: null, agreement, isMesh: false, evidence };
}

/** Bounds of the part that is most probably wrong, by its size, in source pixels. */
function findDisputed({ open }: Settlement, source: RgbImage): Box | null {
  const worst = open.reduce<(typeof open)[number] | null>(
    (most, each) =>
      most === null || each.risk * each.dispute.pixels.length > most.risk * most.dispute.pixels.length
        ? each
        : most,
    null,
  );
  if (worst === null) return null;
  const data = new Uint8Array(GRID_PX ** 2);
  for (const i of worst.dispute.pixels) data[i] = 255;
  const box = findMatteBounds({ width: GRID_PX, height: GRID_PX, data }, 1);
  return box && scaleBox(box, source);
}

function scaleBox(box: Box, { width, height }: { readonly width: number; readonly height: number }): Box {
  const x = Math.floor((box.x * width) / GRID_PX);
  const y = Math.floor((box.y * height) / GRID_PX);
  return {
    x,
    y,
    width: Math.ceil(((box.x + box.width) * width) / GRID_PX) - x,
    height: Math.ceil(((box.y + box.height) * height) / GRID_PX) - y,
  };
}
