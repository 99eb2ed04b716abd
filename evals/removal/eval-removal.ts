/**
 * `npm run eval:removal -- [DIR …] [--model NAME] [--peer NAME=FOLDER] [--mode fast|quality] [--passes FOLDER]
 * [--keep FOLDER] [--json FILE] [--against FILE] [--write-baseline]`: cuts out the photos of the folders, pooled, and
 * scores the cutouts against exact mattes. Scores the PNG files of other removers in the same way. `--peer` and `--mode`
 * may be repeated. `--model` takes a model that `packshot models install` has put into `DATA_DIR/models`.
 *
 * The scores in quality mode are also compared, photo by photo, with those of the last release (`baseline.json`) or of
 * `--against`. Each folder's manifest.json names each photo's `image`, `alpha` and, if known, `fg`: the subject's true
 * foreground colors. The files of other removers (peers) are named `<id>.png` and hold RGBA or a gray alpha channel; a
 * missing file scores as an empty cutout. With `--passes`, the engine's results are cached in that folder and reused.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { openRemovalEngine } from '../../packages/cutout/src/engines/registry.ts';
import type { CutoutMode } from '../../packages/cutout/src/passes/choose-passes.ts';
import { describeComparison } from './ablation-table.ts';
import { toScored } from './compare-rows.ts';
import type { Picture, Truth } from './metrics.ts';
import { readGray, readPicture, readRgb } from './read-pictures.ts';
import { rememberPasses } from './remembered-passes.ts';
import {
  cutItem,
  defaultFolders,
  type Item,
  listItems,
  makeEmpty,
  readTruth,
  scoreMade,
  scoreRow,
} from './score-photos.ts';
import { describeEvaluation, type Row } from './score-table.ts';

const baseline = fileURLToPath(new URL('baseline.json', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string' },
    peer: { type: 'string', multiple: true, default: [] },
    mode: { type: 'string', multiple: true, default: ['quality'] },
    json: { type: 'string' },
    keep: { type: 'string' },
    passes: { type: 'string' },
    against: { type: 'string', default: baseline },
    'write-baseline': { type: 'boolean', default: false },
  },
});
const folders = positionals.length > 0 ? positionals : defaultFolders;
const modes = values.mode.filter((mode): mode is CutoutMode => mode === 'fast' || mode === 'quality');
if (modes.length !== values.mode.length) {
  console.error(
    'Usage: npm run eval:removal -- [DIR …] [--model NAME] [--mode fast|quality] [--passes FOLDER]',
  );
  process.exit(2);
}
const peers = values.peer.map((pair) => {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), folder: pair.slice(at + 1) };
});
const { model } = values;
const modelsDir = path.resolve(process.env.DATA_DIR ?? 'data', 'models');
const opened = await openRemovalEngine(
  model === undefined
    ? {
        engine: 'isnet',
        threads: 2,
        cacheDir: fileURLToPath(new URL('../../data/golden-cache/', import.meta.url)),
      }
    : {
        engine: 'onnx',
        modelFile: path.join(modelsDir, `${model}.onnx`),
        modelName: model,
        threads: 2,
        cacheDir: modelsDir,
      },
);
const engine = values.passes === undefined ? opened : await rememberPasses(opened, values.passes);
const rows: Row[] = [];
for (const item of await listItems(folders)) {
  const truth = await readTruth(item);
  for (const mode of modes) {
    const made = await cutItem(item, engine, { mode });
    if (values.keep !== undefined && made.cutoutPng) {
      await mkdir(path.join(values.keep, mode), { recursive: true });
      await writeFile(path.join(values.keep, mode, `${item.id}.png`), made.cutoutPng);
    }
    const row = await scoreMade(`${model ?? 'packshot'} ${mode}`, item, made, truth);
    rows.push(row);
    console.error(`${item.id}, ${mode}: IoU ${row.score.iou.toFixed(3)}`);
  }
  for (const peer of peers) {
    const theirs = await readPrediction(path.join(peer.folder, `${item.id}.png`), truth, item);
    rows.push(scoreRow(peer.name, item, { cutout: theirs, truth, facts: null }));
  }
}
await engine.close();
console.log(describeEvaluation(rows));
const rendered = rows
  .filter((row) => row.remover === 'packshot quality' && row.group === 'rendered')
  .map(toScored);
const before = await readFile(values.against, 'utf8').catch((error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
  return null;
});
if (before !== null && rendered.length > 0) {
  console.log(`\n## Against the last release\n\n${describeComparison(rendered, JSON.parse(before))}`);
}
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 1)}\n`);
if (values['write-baseline']) {
  await writeFile(baseline, `${JSON.stringify(rendered, null, 2)}\n`);
}

/** Reads a peer's cutout. A matte without colors is scored with the photo's colors. */
async function readPrediction(file: string, truth: Truth, item: Item): Promise<Picture> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (bytes === null) return makeEmpty(item, truth);
  const photo = await readRgb(path.join(item.folder, item.image));
  const { hasAlpha } = await sharp(bytes).metadata();
  const picture = hasAlpha ? await readPicture(bytes) : { ...(await readGray(bytes)), foreground: photo };
  if (picture.width !== truth.width || picture.height !== truth.height) {
    throw new Error(
      `${file} is ${picture.width}×${picture.height}, the photo ${truth.width}×${truth.height}`,
    );
  }
  return picture;
}
