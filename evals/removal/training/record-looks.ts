/**
 * `node evals/removal/training/record-looks.ts DIR --out FILE --looks FOLDER [--keep FOLDER]`
 *
 * A pass (a "look" in the names) is one run of the network on a photo or on a part of it. For each photo, this script
 * records measurements of the passes and of two cutouts, one made after two passes and one after all, as the input of
 * `fit-judgments.ts`. DIR is either a folder with a manifest, as for `npm run eval:removal`, or a folder with photos
 * without ground truth in `image/`. The results of the passes are cached in `--looks`; `--keep` stores the cutouts.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { finishCutout } from '../../../src/cutout/cut-subject.ts';
import { openIsnet } from '../../../src/cutout/engines/isnet.ts';
import { lookAtPhoto } from '../../../src/cutout/look-at-photo.ts';
import { createLookPace } from '../../../src/cutout/look-pace.ts';
import type { RemovalEngine } from '../../../src/cutout/removal-engine.ts';
import { measureFragments } from '../../../src/cutout/steps/matte-evidence.ts';
import { MEDIUM_SHARE, REDUCED_SHARE, takeLooks } from '../../../src/cutout/take-looks.ts';
import type { Triaged } from '../../../src/cutout/triage-looks.ts';
import { readImage, type Source } from '../../../src/designs/read-image.ts';
import { PackshotError } from '../../../src/errors.ts';
import { StepClock } from '../../../src/step-clock.ts';
import { type Picture, prepareTruth, scoreCutout, type Truth } from '../metrics.ts';
import { readGray, readPicture } from '../read-pictures.ts';
import { rememberLooks } from '../remembered-looks.ts';
import type { LookRecord, MadeCutout } from './look-record.ts';

const limits = { maxBytes: 1e8, maxPixels: 5e7, maxAvifPixels: 2.5e7, minSidePx: 16, maxSidePx: 20_000 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, looks: { type: 'string' }, keep: { type: 'string' } },
});
const folder = positionals[0];
if (folder === undefined || values.out === undefined || values.looks === undefined) {
  console.error(
    'Usage: node evals/removal/training/record-looks.ts DIR --out FILE --looks FOLDER [--keep FOLDER]',
  );
  process.exit(2);
}

interface Item {
  readonly id: string;
  readonly group: string;
  readonly product: string;
  readonly image: string;
  readonly alpha?: string;
}

const cached = await rememberLooks(
  await openIsnet({
    threads: 2,
    cacheDir: fileURLToPath(new URL('../../../data/golden-cache/', import.meta.url)),
  }),
  values.looks,
);
const costs = { coarse: cached.coarseShare!, medium: MEDIUM_SHARE, reduced: REDUCED_SHARE, full: 1 };
const records: LookRecord[] = [];
for (const item of await listItems(folder)) {
  const source = await readImage(await readFile(path.join(folder, item.image)), limits);
  const truth = item.alpha === undefined ? null : await readTruth(path.join(folder, item.alpha));
  let first: Triaged | undefined;
  const two = await cut(source, truth, (triaged) => {
    first = triaged;
    return true;
  });
  const all = await cut(source, truth, () => false);
  await keep(item, 'two', two.png);
  await keep(item, 'all', all.png);
  const same = two.picture && all.picture ? compare(two.picture, all.picture) : null;
  const { id, product, group } = item;
  const { measures, isWithin } = first!;
  records.push({ id, product, group, measures, isWithin, two: two.made, all: all.made, same });
  await writeFile(values.out, `${JSON.stringify(records, roundNumber, 1)}\n`);
  console.error(`${id}: ${two.made.cost.toFixed(2)} and ${all.made.cost.toFixed(2)} passes`);
}
await cached.close();

/** The folder's photos with ground truth, or all photos in `image/` if it has no manifest. */
async function listItems(from: string): Promise<readonly Item[]> {
  const manifest = await readFile(path.join(from, 'manifest.json'), 'utf8').catch(() => null);
  if (manifest !== null) {
    const { items } = JSON.parse(manifest) as { items: readonly Item[] };
    return items.filter(({ alpha }) => alpha !== undefined);
  }
  const names = (await readdir(path.join(from, 'image'))).toSorted();
  return names.map((name) => {
    const id = path.parse(name).name;
    return { id, group: 'labeled', product: id, image: `image/${name}` };
  });
}

async function cut(source: Source, truth: Truth | null, isEnough: (first: Triaged) => boolean) {
  const { signal } = new AbortController();
  const clock = new StepClock(signal);
  let cost = 0;
  const engine: RemovalEngine = {
    ...cached,
    predictMatte: (photo, options) => {
      const { resolution = 'full' } = options;
      cost += resolution === 'shaped' ? cached.measureShapedShare!(photo) : costs[resolution];
      return cached.predictMatte(photo, options);
    },
  };
  const options = {
    signal,
    extent: {},
    pace: createLookPace(),
    remembered: [],
    mostNewLooks: Number.POSITIVE_INFINITY,
    clock: () => Date.now(),
  };
  const looks = takeLooks(source, engine, options);
  const run = { looks, clock, signal, mode: 'quality' as const, canTriage: true, isEnough };
  const rough = await lookAtPhoto(source, run);
  const { softness, agreement } = rough.evidence!;
  const seen = { cost, softness, agreement, fragments: await measureFragments(rough.matte) };
  try {
    const { cutoutPng } = await finishCutout(source, rough, { clock, signal });
    const picture = await readPicture(cutoutPng);
    const { iou, bf2, mae } = truth ? scoreCutout(picture, truth) : { iou: null, bf2: null, mae: null };
    return { picture, png: cutoutPng, made: { ...seen, iou, bf2, mae } satisfies MadeCutout };
  } catch (error) {
    if (!(error instanceof PackshotError) || error.code !== 'no_subject_found') throw error;
    return { picture: null, png: null, made: { ...seen, iou: truth && 0, bf2: truth && 0, mae: truth && 1 } };
  }
}

async function keep({ id }: Item, kind: string, png: Uint8Array | null): Promise<void> {
  if (values.keep === undefined || png === null) return;
  await mkdir(path.join(values.keep, kind), { recursive: true });
  await writeFile(path.join(values.keep, kind, `${id}.png`), png);
}

/** Intersection over union of two cutouts of the same photo. */
function compare(a: Picture, b: Picture): number {
  let both = 0;
  let either = 0;
  for (let i = 0; i < a.alpha.length; i++) {
    if (a.alpha[i]! >= 128 && b.alpha[i]! >= 128) both++;
    if (a.alpha[i]! >= 128 || b.alpha[i]! >= 128) either++;
  }
  return either === 0 ? 1 : both / either;
}

async function readTruth(file: string): Promise<Truth> {
  return prepareTruth({ ...(await readGray(file)), foreground: null });
}

function roundNumber(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}
