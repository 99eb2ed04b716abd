/**
 * `node evals/removal/training/fit-judgments.ts [FILE...]`: fits the models of `judge-looks.ts`, writes their weights
 * to `fitted-judgments.ts` beside it, and prints how well they predict photos of products that they were not fitted to.
 * The files come from `record-looks.ts`; by default, `look-records.json` is read, which covers the photos of
 * docs/quality.md, 23 photos of `draw-photos.ts` and 27 real photos without true mattes. For these 27
 * photos, `real-labels.json` says how one person judged the cutouts on magenta at full size.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { DOUBTFUL } from '../../../src/cutout/steps/doubtful-cutout.ts';
import {
  isClear,
  LEAST_ENOUGH,
  listConfidenceInputs,
  listEnoughInputs,
} from '../../../src/cutout/steps/judge-looks.ts';
import type { LogisticModel } from '../../../src/cutout/steps/logistic-model.ts';
import { crossValidate, type Example, fitLogistic } from './fit-logistic.ts';
import type { LookRecord, MadeCutout } from './look-record.ts';

interface Label {
  /** `retouch` is usable after a few brush strokes; `bad` has to be made again. */
  readonly cutout: 'good' | 'retouch' | 'bad';
  /** Whether the cutout made after two passes looks as good as the one made after all passes. */
  readonly isEnough: boolean;
}

/** With less than this IoU, a cutout visibly lacks a part or has an extra part. */
const LEAST_IOU = 0.9;
/** Further passes are worthwhile if they improve one of a cutout's scores by more than this. */
const NOTICEABLE = { iou: 0.006, bf2: 0.02, mae: 0.001 };
const BINS = [0, 0.3, 0.55, 0.7, 0.8, 0.9, 0.95, 1.001];

const here = (name: string) => new URL(name, import.meta.url);
const files = process.argv.length > 2 ? process.argv.slice(2) : [here('look-records.json')];
const labels = JSON.parse(await readFile(here('../real-labels.json'), 'utf8')) as Record<string, Label>;
const records: LookRecord[] = [];
for (const file of files) records.push(...(JSON.parse(await readFile(file, 'utf8')) as LookRecord[]));

const toEnough = records.map(
  (record): Example => ({
    product: record.product,
    inputs: listEnoughInputs(record.measures),
    isPositive: labels[record.id]?.isEnough ?? isAsGood(record),
  }),
);
const chances = crossValidate(toEnough);
const stops = chances.map((chance, n) => chance >= LEAST_ENOUGH && mayStop(records[n]!));
const made = records.map((record, n) => (stops[n] ? record.two : record.all));
const toConfidence = records.map(
  (record, n): Example => ({
    product: record.product,
    inputs: listConfidenceInputs(made[n]!),
    isPositive: isGood(record, made[n]!),
  }),
);
await writeFile(
  here('../../../src/cutout/steps/fitted-judgments.ts'),
  describeModels(fitLogistic(toEnough), fitLogistic(toConfidence)),
);
describeEnough();
describeConfidence(crossValidate(toConfidence));

function mayStop({ measures, isWithin }: LookRecord): boolean {
  return isWithin && isClear(measures);
}

function isAsGood({ two, all }: LookRecord): boolean {
  return (
    two.iou! >= all.iou! - NOTICEABLE.iou &&
    two.bf2! >= all.bf2! - NOTICEABLE.bf2 &&
    two.mae! <= all.mae! + NOTICEABLE.mae
  );
}

function isGood({ id }: LookRecord, { iou }: MadeCutout): boolean {
  return iou === null ? labels[id]!.cutout !== 'bad' : iou >= LEAST_IOU;
}

function describeEnough(): void {
  const lost = records.filter((_, n) => stops[n] && !toEnough[n]!.isPositive);
  console.log(
    `Two passes: enough for ${toEnough.filter(({ isPositive }) => isPositive).length} of ${records.length} photos. The model stops for ${stops.filter(Boolean).length}, of which further passes would have improved ${lost.length}${listNames(lost)}.`,
  );
  const next = chances
    .map((chance, n) => ({ chance, record: records[n]!, isPositive: toEnough[n]!.isPositive }))
    .filter(({ isPositive, record }) => !isPositive && mayStop(record))
    .toSorted((a, b) => b.chance - a.chance);
  console.log(
    `Highest probabilities of photos that need more: ${next
      .slice(0, 5)
      .map(({ record: { id }, chance }) => `${id} ${chance.toFixed(2)}`)
      .join(', ')}.`,
  );
}

function describeConfidence(predicted: readonly number[]): void {
  const good = toConfidence.map(({ isPositive }) => isPositive);
  const brier = predicted.reduce((sum, p, n) => sum + (Number(good[n]) - p) ** 2, 0) / good.length;
  const rate = good.filter(Boolean).length / good.length;
  console.log(
    `\nConfidence: Brier score ${brier.toFixed(3)}; ${(rate * (1 - rate)).toFixed(3)} if every cutout were given the mean probability ${rate.toFixed(2)}.\n`,
  );
  console.log('| confidence | cutouts | mean confidence | good |\n|---|---|---|---|');
  for (let bin = 0; bin < BINS.length - 1; bin++) {
    const inside = predicted.flatMap((p, n) => (p >= BINS[bin]! && p < BINS[bin + 1]! ? [n] : []));
    if (inside.length === 0) continue;
    const mean = inside.reduce((sum, n) => sum + predicted[n]!, 0) / inside.length;
    const share = inside.filter((n) => good[n]).length / inside.length;
    console.log(
      `| ${BINS[bin]} to ${Math.min(1, BINS[bin + 1]!)} | ${inside.length} | ${mean.toFixed(2)} | ${share.toFixed(2)} |`,
    );
  }
  for (const group of [...new Set(records.map((record) => record.group))]) {
    const own = records.flatMap((record, n) => (record.group === group ? [n] : []));
    const bad = own.filter((n) => !good[n]);
    const fine = own.filter((n) => good[n]);
    const isFlagged = (n: number) => predicted[n]! < DOUBTFUL;
    const missed = bad.filter((n) => !isFlagged(n)).map((n) => records[n]!);
    console.log(
      `\n${group}: below ${DOUBTFUL} are ${bad.filter(isFlagged).length} of ${bad.length} bad and ${fine.filter(isFlagged).length} of ${fine.length} good cutouts; bad ones above the limit${listNames(missed)}; good ones below it${listNames(fine.filter(isFlagged).map((n) => records[n]!))}.`,
    );
  }
}

function listNames(of: readonly LookRecord[]): string {
  return of.length === 0 ? ': none' : `: ${of.map(({ id }) => id).join(', ')}`;
}

function describeModels(enough: LogisticModel, confidence: LogisticModel): string {
  const write = ({ bias, weights }: LogisticModel) =>
    `{ bias: ${bias.toFixed(3)}, weights: [${weights.map((weight) => weight.toFixed(3)).join(', ')}] }`;
  return `/**
 * Coefficients of the models in \`judge-looks.ts\`, written by \`node evals/removal/training/fit-judgments.ts\`. The
 * first comment in that file names the data.
 */
import type { LogisticModel } from './logistic-model.ts';

/**
 * Inputs (see \`listEnoughInputs\`): veil, contradiction, holes, softness of the coarse pass, blur of the coarse pass.
 */
export const ENOUGH: LogisticModel = ${write(enough)};

/** Inputs (see \`listConfidenceInputs\`): softness, fragments. */
export const CONFIDENCE: LogisticModel = ${write(confidence)};
`;
}
