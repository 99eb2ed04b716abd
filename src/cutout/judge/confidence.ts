/** How probable it is that a cutout is good, from what its looks tell: by logistic models that were fitted on exact mattes. */
import type { Matte, RgbImage } from '../../pixels.ts';
import { compareLooks } from '../steps/compare-looks.ts';
import { measureAgreement, measureContourContrast, measureSoftness } from '../steps/matte-evidence.ts';
import { confidenceModels } from './judge.ts';
import { predictProbability } from './logistic.ts';
import type { Opinions } from './opinions.ts';
import { measureRisk, type Settlement } from './settle-disputes.ts';

type Numbers = Readonly<Record<string, number>>;

/** `matte` covers all of the photo, at any size. */
export function describeLook(matte: Matte, photo: RgbImage): Numbers {
  const { width, height, data } = matte;
  const mass = data.reduce((sum, alpha) => sum + alpha, 0) / 255;
  let frame = 0;
  for (let x = 0; x < width; x++) frame += data[x]! + data[(height - 1) * width + x]!;
  for (let y = 0; y < height; y++) frame += data[y * width]! + data[y * width + width - 1]!;
  return {
    logSoftness: Math.log10(measureSoftness(matte) + 0.003),
    logCoverage: Math.log10(mass / (width * height) + 0.001),
    atFrame: frame / 255 / (2 * (width + height)),
    contrast: measureContourContrast(matte, photo),
  };
}

/** Both have the same size. */
export function describeAgreement(full: Matte, coarse: Matte): Numbers {
  return {
    contradiction: Math.log10(1.003 - compareLooks(full, coarse).agreement),
    overlap: Math.log10(1.003 - measureAgreement(full, coarse)),
  };
}

export function describeSettlement(settlement: Settlement, { all }: Opinions): Numbers {
  const { held } = settlement;
  const distances = all.map(({ matte }) => 1.003 - measureAgreement(held, matte));
  const farthest = Math.max(...distances);
  const mean = distances.reduce((sum, each) => sum + each, 0) / distances.length;
  return {
    logRisk: Math.log10(measureRisk(settlement) + 0.003),
    changes: settlement.changes.length,
    farthest: Math.log10(farthest),
    mean: Math.log10(mean),
  };
}

/** Which looks there were: one, at full resolution or coarse; two that agree; several, of which one had to be chosen. */
export type ConfidenceCase = keyof typeof confidenceModels;

/** 0 to 1. */
export function findConfidence(which: ConfidenceCase, numbers: Numbers): number {
  return predictProbability(confidenceModels[which], numbers);
}
