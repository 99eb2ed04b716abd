/** Fits the judge and tells, by cross-validation over products, what it is worth on products that it has not seen. */
import { describeAgreement, describeLook, describeSettlement } from '../../src/cutout/judge/confidence.ts';
import { disputeFeatures } from '../../src/cutout/judge/dispute-features.ts';
import type { LogisticModel } from '../../src/cutout/judge/logistic.ts';
import { predictProbability } from '../../src/cutout/judge/logistic.ts';
import { settleDisputes } from '../../src/cutout/judge/settle-disputes.ts';
import { measureAgreement } from '../../src/cutout/steps/matte-evidence.ts';
import type { Matte } from '../../src/pixels.ts';
import { fitLogistic, type Sample, type Signs } from './fit-logistic.ts';
import type { Case } from './judge-cases.ts';
import { foldOf, sampleDisputes } from './judge-samples.ts';

const FOLDS = 8;
/** A cutout of less overlap with the truth lacks a part that anyone sees, or has one too many. */
const GOOD_IOU = 0.9;
/** How far beyond one half a probability has to be; the one that loses fewest photos is taken. */
const MARGINS = [0.05, 0.1, 0.15, 0.2, 0.3] as const;
/** A photo whose looks contradict each other less is not settled. */
const SURE_CONTRADICTION = Math.log10(1.003 - 0.97);

const lookNumbers = ['logSoftness', 'logCoverage', 'atFrame', 'contrast'] as const;
const agreementNumbers = ['contradiction', 'overlap'] as const;
const settlementNumbers = ['logRisk', 'changes', 'farthest', 'mean'] as const;
const confidenceNumbers = {
  coarse: lookNumbers,
  agreeing: [...lookNumbers, ...agreementNumbers],
  settled: [...lookNumbers, ...agreementNumbers, ...settlementNumbers],
} as const;
/** Looks vote for what they see; what stands out, and looks like the product, is product. */
const disputeSigns: Signs = {
  full: 1,
  coarse: 1,
  far: 1,
  exposure: 1,
  least: 1,
  most: 1,
  exposureOnBright: 1,
  fullWhereSoft: -1,
  farWhereLarge: 1,
  fullWhereLarge: -1,
  enclosed: 1,
  contrastToBackground: 1,
  color: 1,
  detail: 1,
};
const confidenceSigns: Signs = {
  logSoftness: -1,
  contradiction: -1,
  overlap: -1,
  logRisk: -1,
  farthest: -1,
  mean: -1,
};
type Which = keyof typeof confidenceNumbers;

interface Outcome {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

export interface Validation {
  readonly margin: number;
  readonly byMargin: readonly { readonly margin: number; readonly outcomes: readonly Outcome[] }[];
  readonly confidence: readonly {
    readonly probability: number;
    readonly isGood: boolean;
    readonly name: string;
  }[];
}

const score = (matte: Matte, truth: Matte): number => measureAgreement(matte, truth);
const inFold = (fold: number) => (each: Case) => foldOf(each.product, FOLDS) === fold;

export function crossValidate(cases: readonly Case[]): Validation {
  const disputes = new Map(cases.map((each) => [each, sampleDisputes(each)]));
  const outcomes = new Map<number, Outcome[]>(MARGINS.map((margin) => [margin, []]));
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    fitLogistic(
      cases.filter((each) => !inFold(fold)(each)).flatMap((each) => disputes.get(each)!),
      disputeFeatures,
      disputeSigns,
    ),
  );
  const modelOf = (each: Case): LogisticModel => models[foldOf(each.product, FOLDS)]!;
  const disputed = cases.filter((each) => describeCase(each).contradiction > SURE_CONTRADICTION);
  for (const each of disputed) {
    const before = score(each.opinions.all[0]!.matte, each.truth);
    for (const margin of MARGINS) {
      const { held } = settleDisputes(each.opinions, { ...modelOf(each), margin });
      outcomes.get(margin)!.push({ name: each.name, before, after: score(held, each.truth) });
    }
  }
  const byMargin = MARGINS.map((margin) => ({ margin, outcomes: outcomes.get(margin)! }));
  const gain = (of: readonly Outcome[]) => of.reduce((sum, { before, after }) => sum + after - before, 0);
  const { margin } = byMargin.reduce((a, b) => (gain(b.outcomes) > gain(a.outcomes) ? b : a));
  const samples = cases.map((each) => sampleConfidence(each, { ...modelOf(each), margin }));
  const confidence = cases.map((each, n) => {
    const which = samples[n]!.settled ? 'settled' : 'agreeing';
    const train = samples.filter((_, k) => foldOf(cases[k]!.product, FOLDS) !== foldOf(each.product, FOLDS));
    const model = fitLogistic(pick(train, which), confidenceNumbers[which], confidenceSigns);
    const sample = samples[n]![which]!;
    return {
      name: each.name,
      probability: predictProbability(model, sample.numbers),
      isGood: sample.label === 1,
    };
  });
  return { margin, byMargin, confidence };
}

export function fitJudge(cases: readonly Case[], margin: number) {
  const round = fitLogistic(cases.flatMap(sampleDisputes), disputeFeatures, disputeSigns);
  const disputes = { margin, ...round };
  const samples = cases.map((each) => sampleConfidence(each, disputes));
  const fitCase = (which: Which) =>
    fitLogistic(pick(samples, which), confidenceNumbers[which], confidenceSigns);
  return {
    disputes,
    confidence: { coarse: fitCase('coarse'), agreeing: fitCase('agreeing'), settled: fitCase('settled') },
  };
}

type ConfidenceSamples = { readonly [which in Which]: Sample | null };

const pick = (samples: readonly ConfidenceSamples[], which: Which): Sample[] =>
  samples.map((each) => each[which]).filter((sample) => sample !== null);

function describeCase({ opinions }: Case) {
  const [full, coarse] = opinions.all;
  return { ...describeAgreement(full!.matte, coarse!.matte) } as Record<
    (typeof agreementNumbers)[number],
    number
  >;
}

function sampleConfidence(each: Case, model: LogisticModel & { readonly margin: number }): ConfidenceSamples {
  const { opinions, truth, photo, product } = each;
  const [full, coarse] = opinions.all;
  const agreement = describeCase(each);
  const sample = (matte: Matte, more: Record<string, number>): Sample => ({
    numbers: { ...describeLook(matte, photo), ...more },
    label: score(matte, truth) >= GOOD_IOU ? 1 : 0,
    weight: 1,
    product,
  });
  const isDisputed = agreement.contradiction > SURE_CONTRADICTION;
  const settlement = isDisputed ? settleDisputes(opinions, model) : null;
  return {
    coarse: sample(coarse!.matte, {}),
    agreeing: sample(full!.matte, agreement),
    settled:
      settlement && sample(settlement.held, { ...agreement, ...describeSettlement(settlement, opinions) }),
  };
}

export function describeValidation({ margin, byMargin, confidence }: Validation): string {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const bad = (values: readonly number[]) => values.filter((value) => value < GOOD_IOU).length;
  const lines = [
    '| margin | photos | IoU before | after | bad before | after | worse by .01 |',
    '|---|---|---|---|---|---|---|',
  ];
  for (const { margin: each, outcomes } of byMargin) {
    const before = outcomes.map((outcome) => outcome.before);
    const after = outcomes.map((outcome) => outcome.after);
    const worse = outcomes.filter((outcome) => outcome.after < outcome.before - 0.01).length;
    lines.push(
      `| ${each} | ${outcomes.length} | ${mean(before).toFixed(4)} | ${mean(after).toFixed(4)} | ${bad(before)} | ${bad(after)} | ${worse} |`,
    );
  }
  const brier = mean(confidence.map(({ probability, isGood }) => (probability - Number(isGood)) ** 2));
  const base = mean(confidence.map(({ isGood }) => Number(isGood)));
  lines.push(
    '',
    `margin ${margin}; Brier score ${brier.toFixed(4)}, of a constant ${(base * (1 - base)).toFixed(4)}`,
    '',
  );
  lines.push('| confidence | photos | mean | good |', '|---|---|---|---|');
  const edges = [0, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 1.01];
  for (let n = 1; n < edges.length; n++) {
    const those = confidence.filter(({ probability: p }) => p >= edges[n - 1]! && p < edges[n]!);
    if (those.length === 0) continue;
    lines.push(
      `| ${edges[n - 1]} to ${Math.min(1, edges[n]!)} | ${those.length} | ${mean(those.map((each) => each.probability)).toFixed(2)} | ${mean(those.map((each) => Number(each.isGood))).toFixed(2)} |`,
    );
  }
  for (const half of [0.5, 0.6, 0.7, 0.8, 0.9]) {
    const flagged = confidence.filter(({ probability }) => probability < half);
    const bads = confidence.filter(({ isGood }) => !isGood).length;
    const caught = flagged.filter(({ isGood }) => !isGood).length;
    lines.push(
      `below ${half}: ${caught} of ${bads} bad, ${flagged.length - caught} of ${confidence.length - bads} good`,
    );
  }
  const chosen = byMargin.find((each) => each.margin === margin)!.outcomes;
  for (const { name, before, after } of chosen) {
    if (Math.abs(after - before) > 0.01) lines.push(`${name}: ${before.toFixed(3)} to ${after.toFixed(3)}`);
  }
  return lines.join('\n');
}
