/**
 * `node evals/removal/fit-passes.ts [DIR …] [--passes FOLDER]`: fits the confidence of `passes/judge-passes.ts` to the
 * photos of the folders (default: the pooled rendered ones; `drawn-photos/draw-photos.ts` draws more), and prints its
 * coefficients. The printed errors are those of models that were fitted without the photo's product.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { finishCutout } from '../../packages/cutout/src/cut-subject.ts';
import { openIsnet } from '../../packages/cutout/src/engines/isnet.ts';
import { choosePasses, type RoughMatte } from '../../packages/cutout/src/passes/choose-passes.ts';
import { listConfidenceInputs } from '../../packages/cutout/src/passes/judge-passes.ts';
import { createPassPace } from '../../packages/cutout/src/passes/pass-pace.ts';
import { openPasses } from '../../packages/cutout/src/passes/run-passes.ts';
import { measureFragments } from '../../packages/cutout/src/steps/matte-evidence.ts';
import { PackshotError } from '../../packages/errors/index.ts';
import { readImage } from '../../packages/photos/src/read-image.ts';
import { StepClock } from '../../packages/pixels/src/step-clock.ts';
import { FAILED_IOU } from './compare-rows.ts';
import { type Example, fitLogistic, predictLeftOut } from './fit-logistic.ts';
import type { Score } from './metrics.ts';
import { rememberPasses } from './remembered-passes.ts';
import { defaultFolders, type Item, limits, listItems, readTruth, scoreMade } from './score-photos.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { passes: { type: 'string' } },
});
const opened = await openIsnet({
  threads: 2,
  cacheDir: fileURLToPath(new URL('../../data/golden-cache/', import.meta.url)),
});
const engine = values.passes === undefined ? opened : await rememberPasses(opened, values.passes);
const good: Example[] = [];
for (const item of await listItems(positionals.length > 0 ? positionals : defaultFolders)) {
  if (item.group !== 'real') await learn(item);
}
await engine.close();
describe('The cutout is good: softness, fragments', good);

async function learn(item: Item): Promise<void> {
  const photo = await readImage(await readFile(path.join(item.folder, item.image)), limits);
  const truth = await readTruth(item);
  const { signal } = new AbortController();
  const clock = new StepClock(signal);
  const settings = { signal, extent: {}, pace: createPassPace(), known: new Map(), mostNewPasses: 99 };
  const passes = openPasses(photo, engine, { ...settings, clock: Date.now });
  const score = async (rough: RoughMatte): Promise<Score> => {
    const made = await finishCutout(photo, rough, clock).catch((error: unknown) => {
      if (!(error instanceof PackshotError) || error.code !== 'no_subject_found') throw error;
      return null;
    });
    const { score: found } = await scoreMade(
      '',
      item,
      { cutoutPng: made?.cutoutPng ?? null, facts: null },
      truth,
    );
    return found;
  };
  const product = item.product ?? item.id;
  const rough = await choosePasses(photo, { passes, clock, signal, mode: 'quality' });
  const fragments = await measureFragments(rough.matte);
  const inputs = listConfidenceInputs({ softness: rough.evidence!.softness, fragments });
  good.push({ product, inputs, isTrue: (await score(rough)).iou >= FAILED_IOU });
  console.error(item.id);
}

function describe(title: string, examples: readonly Example[]): void {
  const chances = predictLeftOut(examples);
  const mean = examples.filter(({ isTrue }) => isTrue).length / examples.length;
  const brier = (chanceOf: (n: number) => number): number =>
    examples.reduce((sum, { isTrue }, n) => sum + (chanceOf(n) - Number(isTrue)) ** 2, 0) / examples.length;
  const [bias, ...weights] = fitLogistic(examples).map((weight) => weight.toFixed(3));
  const sure = examples.filter((_, n) => chances[n]! >= 0.8);
  console.log(`${title}
  bias ${bias}, weights ${weights.join(', ')}
  ${examples.length} photos, true for ${Math.round(mean * examples.length)}. Left-out products: Brier score ${brier((n) => chances[n]!).toFixed(3)} (${brier(() => mean).toFixed(3)} for the mean);
  ${sure.length} photos are judged true with 80 % or more, ${sure.filter(({ isTrue }) => !isTrue).length} of them wrongly.`);
}
