/**
 * `node evals/removal/fit-confidence.ts DIR ... [--looks FOLDER]`: fits the model of `subject.confidence`, writes it to
 * src/cutout/confidence.json, and tells by a cross-validation over products what it is worth on others.
 *
 * Each DIR is a folder as for `npm run eval:removal`, such as `training/draw-photos.ts` makes them; photos without a matte are
 * left out. With `--looks`, the engine's answers are kept in that folder and not asked for again.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { lookAtPhoto } from '../../src/cutout/cut-subject.ts';
import { openIsnet } from '../../src/cutout/engines/isnet.ts';
import { createLookPace } from '../../src/cutout/look-pace.ts';
import type { RemovalEngine } from '../../src/cutout/removal-engine.ts';
import { describeEvidence } from '../../src/cutout/steps/doubtful-cutout.ts';
import { enlargeMatte } from '../../src/cutout/steps/enlarge-matte.ts';
import { measureAgreement } from '../../src/cutout/steps/matte-evidence.ts';
import { takeLooks } from '../../src/cutout/take-looks.ts';
import { readImage } from '../../src/designs/read-image.ts';
import type { Matte } from '../../src/pixels.ts';
import { StepClock } from '../../src/step-clock.ts';
import { describeCalibration, predictOthers } from './calibration.ts';
import { fitLogistic, type Sample, type Signs } from './fit-logistic.ts';
import { rememberLooks } from './remembered-looks.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const limits = { maxBytes: 1e8, maxPixels: 5e7, maxAvifPixels: 2.5e7, minSidePx: 16, maxSidePx: 20_000 };
/** A cutout of less overlap with the truth lacks a part that anyone sees, or has one too many. */
const GOOD_IOU = 0.9;
/** Mattes are compared at this size: it is about parts. */
const GRID = { width: 512, height: 512 };
/** What makes a cutout more doubtful may not make it less so by the chance of a few photos. */
const signs: Signs = { softness: -1, contradiction: -1, coarseContradiction: -1 };

interface Item {
  readonly id: string;
  readonly product?: string;
  readonly image: string;
  readonly alpha?: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { looks: { type: 'string' } },
});
if (positionals.length === 0) {
  console.error('Usage: node evals/removal/fit-confidence.ts DIR ... [--looks FOLDER]');
  process.exit(2);
}
const opened = await openIsnet({ threads: 2, cacheDir: here('../../data/golden-cache') });
const engine = values.looks === undefined ? opened : await rememberLooks(opened, values.looks);
const samples: Sample[] = [];
for (const folder of positionals) {
  const { items } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as {
    items: readonly Item[];
  };
  for (const item of items) {
    const sample = item.alpha === undefined ? null : await makeSample(folder, item, engine);
    if (sample) samples.push(sample);
  }
}
await engine.close();
const names = Object.keys(signs);
console.log(describeCalibration(predictOthers(samples, (those) => fitLogistic(those, names, signs))));
const written = {
  about: 'Written by `node evals/removal/fit-confidence.ts`; see docs/quality.md.',
  photos: samples.length,
  products: new Set(samples.map(({ product }) => product)).size,
  confidence: fitLogistic(samples, names, signs),
};
await writeFile(here('../../src/cutout/confidence.json'), `${JSON.stringify(written, null, 2)}\n`);

/** `null` where the photo has its own transparency. */
async function makeSample(folder: string, item: Item, asked: RemovalEngine): Promise<Sample | null> {
  const source = await readImage(await readFile(path.join(folder, item.image)), limits);
  const { signal } = new AbortController();
  const looks = takeLooks(source, asked, {
    signal,
    extent: {},
    pace: createLookPace(),
    remembered: [],
    mostNewLooks: Number.POSITIVE_INFINITY,
    clock: () => Date.now(),
  });
  const run = { looks, clock: new StepClock(signal), signal, mode: 'quality', canTriage: true } as const;
  const { matte, evidence } = await lookAtPhoto(source, run);
  const numbers = evidence && describeEvidence(evidence);
  if (!numbers) return null;
  const iou = measureAgreement(await enlargeMatte(matte, GRID), await readTruth(folder, item));
  const product = item.product ?? item.id.replace(/-.*/, '');
  console.error(`${item.id}: IoU ${iou.toFixed(3)} ${JSON.stringify(numbers)}`);
  return { numbers, label: iou >= GOOD_IOU ? 1 : 0, weight: 1, product };
}

async function readTruth(folder: string, { alpha }: Item): Promise<Matte> {
  const data = await sharp(await readFile(path.join(folder, alpha!)))
    .toColourspace('b-w')
    .extractChannel(0)
    .resize({ ...GRID, fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { ...GRID, data: new Uint8Array(data) };
}
