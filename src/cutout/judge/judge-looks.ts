/** Judges what several looks at one photo dispute: what is held changes part by part, and how far to trust the result. */
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { findMatteBounds } from '../steps/matte-bounds.ts';
import type { Evidence } from '../steps/subject-facts.ts';
import { describeAgreement, describeLook, describeSettlement, findConfidence } from './confidence.ts';
import type { Dispute } from './find-disputes.ts';
import { disputeModel } from './judge.ts';
import { GRID_PX, type Opinions, scaleGridBox } from './opinions.ts';
import { type Settlement, settleDisputes } from './settle-disputes.ts';

export interface Judgement {
  /** See `applySettlement`. */
  readonly changes: readonly Dispute[];
  readonly evidence: Evidence;
}

export function judgeLooks(opinions: Opinions, source: RgbImage): Judgement {
  const settlement = settleDisputes(opinions, disputeModel);
  const [full, coarse] = opinions.all as readonly [{ readonly matte: Matte }, { readonly matte: Matte }];
  const confidence = findConfidence('settled', {
    ...describeLook(settlement.held, source),
    ...describeAgreement(full.matte, coarse.matte),
    ...describeSettlement(settlement, opinions),
  });
  return {
    changes: settlement.changes,
    evidence: { confidence, disputed: findDisputed(settlement, source) },
  };
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
  return box && scaleGridBox(box, source);
}
