/**
 * Decides which looks to believe, part by part: from the finest look on, the part from which most is to be gained by the
 * judge's probability is added or removed as another look has it, until it is sure of none.
 */
import type { Matte } from '../../pixels.ts';
import { describeDispute, describeScene } from './dispute-features.ts';
import { type Dispute, findDisputes } from './find-disputes.ts';
import { type LogisticModel, predictProbability } from './logistic.ts';
import { GRID_PX, type Opinions, SUBJECT } from './opinions.ts';

/** Most parts that change; photos with more are beyond help. */
const MOST_CHANGES = 6;

export interface DisputeModel extends LogisticModel {
  /** How far the probability must be beyond one half before a part changes. */
  readonly margin: number;
}

export interface Settlement {
  /** Of the grid's size. */
  readonly held: Matte;
  readonly changes: readonly Dispute[];
  /** What stays disputed, and the probability that it is decided wrongly. */
  readonly open: readonly { readonly dispute: Dispute; readonly risk: number }[];
}

export function settleDisputes(opinions: Opinions, model: DisputeModel): Settlement {
  const scene = describeScene(opinions);
  const full = opinions.all.find(({ kind }) => kind === 'full')!;
  const others = opinions.all.filter((opinion) => opinion !== full);
  const held: Matte = { ...full.matte, data: full.matte.data.slice() };
  const changes: Dispute[] = [];
  for (;;) {
    const judged = others
      .flatMap((other) => findDisputes(held, other))
      .map((dispute) => {
        const probability = predictProbability(model, describeDispute(dispute, held, scene));
        return { dispute, risk: dispute.adds ? probability : 1 - probability };
      });
    const best = judged
      .filter(({ risk }) => risk > 0.5 + model.margin)
      .map((each) => ({ ...each, gain: (each.risk - 0.5) * each.dispute.pixels.length }))
      .reduce<((typeof judged)[number] & { gain: number }) | null>(
        (most, each) => (most === null || each.gain > most.gain ? each : most),
        null,
      );
    if (best === null || changes.length === MOST_CHANGES) return { held, changes, open: judged };
    const { pixels, other } = best.dispute;
    for (const i of pixels) held.data[i] = other.matte.data[i]!;
    changes.push(best.dispute);
  }
}

/** The share of the subject that is probably decided wrongly, 0 or more. */
export function measureRisk({ held, open }: Settlement): number {
  const risks = new Float32Array(GRID_PX ** 2);
  for (const { dispute, risk } of open) {
    for (const i of dispute.pixels) risks[i] = Math.max(risks[i]!, risk);
  }
  const subject = held.data.reduce((count, alpha) => count + (alpha >= SUBJECT ? 1 : 0), 0);
  return risks.reduce((sum, risk) => sum + risk, 0) / Math.max(1, subject);
}
