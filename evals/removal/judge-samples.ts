/** What the judge is fitted on, from looks at photos whose exact mattes are known. */
import { describeDispute, describeScene } from '../../src/cutout/judge/dispute-features.ts';
import { findDisputes } from '../../src/cutout/judge/find-disputes.ts';
import type { Sample } from './fit-logistic.ts';
import type { Case } from './judge-cases.ts';

/** Parts that are half product teach nothing. */
const UNDECIDED = [0.3, 0.7] as const;

/** Every part that another look adds to the finest one, or removes from it. */
export function sampleDisputes({ opinions, truth, product }: Case): Sample[] {
  const full = opinions.all[0]!;
  const scene = describeScene(opinions);
  const samples: Sample[] = [];
  for (const other of opinions.all.slice(1)) {
    for (const dispute of findDisputes(full.matte, other)) {
      const numbers = describeDispute(dispute, full.matte, scene);
      const share = dispute.pixels.reduce((sum, i) => sum + truth.data[i]!, 0) / 255 / dispute.pixels.length;
      if (share > UNDECIDED[0] && share < UNDECIDED[1]) continue;
      // Large parts count more, and each photo about as much as any other.
      const weight = Math.sqrt(10 ** numbers.logShare);
      samples.push({ numbers, label: share > 0.5 ? 1 : 0, weight, product });
    }
  }
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  return samples.map((sample) => ({ ...sample, weight: sample.weight / Math.max(0.5, total) }));
}

/** 0 to `folds` - 1, the same for all cases of a product. */
export function foldOf(product: string, folds: number): number {
  let hash = 7;
  for (const char of product) hash = (hash * 31 + char.charCodeAt(0)) % 100_003;
  return hash % folds;
}
