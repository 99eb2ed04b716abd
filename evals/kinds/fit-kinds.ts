/**
 * `node evals/kinds/fit-kinds.ts DIR [DIR] [--passes FOLDER] [--write]`: fits the model that tells what a photo shows, and
 * prints how it judges photos of products that it was not fitted to.
 *
 * It learns from the photos in each `DIR/image` that `labels.json` names or, as photos of one product, a manifest lists; and
 * from pictures drawn for this (`draw-kinds.ts`). All are cut out in one coarse pass, to save time: no measure needs
 * more. `--passes` keeps the engine's results. `--write` replaces the model of the service.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openIsnet } from '../../packages/cutout/src/engines/isnet.ts';
import type { RemovalEngine } from '../../packages/cutout/src/removal-engine.ts';
import { findSubjectFacts } from '../../packages/cutout/src/steps/subject-facts.ts';
import { PackshotError } from '../../packages/errors/index.ts';
import { readImage } from '../../packages/photos/src/read-image.ts';
import { toldKinds } from '../../src/cutouts/photo-kind/judge-photo.ts';
import { measurePhoto, type PhotoMeasures } from '../../src/cutouts/photo-kind/measure-photo.ts';
import { rememberPasses } from '../removal/remembered-passes.ts';
import { limits, listItems } from '../removal/score-photos.ts';
import { drawKinds, type LabelledPhoto } from './draw-kinds.ts';
import { describeFolds, fitKinds, judgeFolds, type Sample } from './kind-folds.ts';
import labels from './labels.json' with { type: 'json' };

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { passes: { type: 'string' }, write: { type: 'boolean', default: false } },
});
if (folders.length === 0) {
  console.error('Usage: node evals/kinds/fit-kinds.ts DIR [DIR] [--passes FOLDER] [--write]');
  process.exit(2);
}
const opened = await openIsnet({
  threads: 2,
  cacheDir: fileURLToPath(new URL('../../data/golden-cache/', import.meta.url)),
});
const engine = values.passes === undefined ? opened : await rememberPasses(opened, values.passes);
const rendered: string[] = [];
const samples: Sample[] = [];
for (const folder of folders) {
  const files = await readdir(folder);
  if (files.includes('manifest.json')) rendered.push(folder);
  for await (const photo of listPhotos(folder, files.includes('manifest.json'))) await add(photo);
}
if (rendered.length > 0) for await (const photo of drawKinds(rendered)) await add(photo);
await engine.close();
console.log(describeFolds(judgeFolds(samples)));
if (values.write) {
  const file = fileURLToPath(new URL('../../src/cutouts/photo-kind/kind-model.json', import.meta.url));
  const { bias, weights } = fitKinds(samples);
  const rows = Object.entries(weights).map(([name, row]) => `    "${name}": [${row.join(', ')}]`);
  await writeFile(file, `{\n  "bias": [${bias.join(', ')}],\n  "weights": {\n${rows.join(',\n')}\n  }\n}\n`);
}

async function* listPhotos(folder: string, hasManifest: boolean): AsyncGenerator<LabelledPhoto> {
  const known = hasManifest ? await listItems([folder]) : [];
  for (const file of await readdir(path.join(folder, 'image'))) {
    const id = path.parse(file).name;
    const item = known.find((each) => each.id === id);
    const kind = (labels as Readonly<Record<string, string>>)[id] ?? (item && 'product');
    if (kind === undefined) continue;
    const bytes = await readFile(path.join(folder, 'image', file));
    yield { id, product: item?.product ?? id, kind, bytes };
  }
}

/** Photos in which no product is found get no answer, so the model need not know them. */
async function add({ id, product, kind, bytes }: LabelledPhoto): Promise<void> {
  const index = (toldKinds as readonly string[]).indexOf(kind);
  if (index < 0) throw new Error(`${id}: no kind ${kind}`);
  const measures = await measure(bytes, engine);
  console.error(`${id}: ${measures === null ? 'no subject' : kind}`);
  if (measures !== null) samples.push({ id, product, kind: index, measures });
}

async function measure(bytes: Buffer, by: RemovalEngine): Promise<PhotoMeasures | null> {
  const photo = await readImage(bytes, limits);
  const matte = await by.predictMatte(photo, {
    resolution: 'coarse',
    signal: new AbortController().signal,
  });
  try {
    findSubjectFacts(matte);
    return measurePhoto(photo, matte);
  } catch (error) {
    if (!(error instanceof PackshotError) || error.code !== 'no_subject_found') throw error;
    return null;
  }
}
