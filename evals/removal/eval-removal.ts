/**
 * `npm run eval:removal -- DIR [--peer NAME=FOLDER] [--mode fast|quality] [--json FILE] [--keep FOLDER]
 * [--looks FOLDER]`: cuts out the photos of a folder and scores the cutouts against ground-truth mattes. Scores the
 * PNG files of other removers in the same way. `--peer` and `--mode` may be repeated.
 *
 * The folder's manifest.json names each photo's `image`, `alpha` and, if known, `fg`: the subject's true
 * foreground colors. The files of other removers (peers) are named `<id>.png` and hold RGBA or a gray alpha channel; a
 * missing file scores as an empty cutout. With `--looks`, the engine's results are cached in that folder and reused.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { cutSubject } from '../../src/cutout/cut-subject.ts';
import { openIsnet } from '../../src/cutout/engines/isnet.ts';
import type { CutoutMode } from '../../src/cutout/look-at-photo.ts';
import { type ImageLimits, readImage } from '../../src/designs/read-image.ts';
import type { SubjectFacts } from '../../src/designs/subject.ts';
import { PackshotError } from '../../src/errors.ts';
import { type Picture, prepareTruth, scoreCutout, type Truth } from './metrics.ts';
import { readGray, readPicture, readRgb } from './read-pictures.ts';
import { rememberLooks } from './remembered-looks.ts';
import { measureRim } from './rim.ts';
import { describeEvaluation, type Row } from './score-table.ts';

const limits: ImageLimits = {
  maxBytes: 100_000_000,
  maxPixels: 50_000_000,
  maxAvifPixels: 25_000_000,
  minSidePx: 16,
  maxSidePx: 20_000,
};

interface Item {
  readonly id: string;
  /** `rendered`, `real` or any other group of photos with a separate mean. */
  readonly group: string;
  readonly tags: readonly string[];
  readonly image: string;
  /** File of the ground-truth matte. Photos without one are skipped. */
  readonly alpha?: string;
  readonly fg?: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peer: { type: 'string', multiple: true, default: [] },
    mode: { type: 'string', multiple: true, default: ['quality'] },
    json: { type: 'string' },
    keep: { type: 'string' },
    looks: { type: 'string' },
  },
});
const folder = positionals[0];
const modes = values.mode.filter((mode): mode is CutoutMode => mode === 'fast' || mode === 'quality');
if (folder === undefined || modes.length !== values.mode.length) {
  console.error(
    'Usage: npm run eval:removal -- DIR [--peer NAME=FOLDER] [--mode fast|quality] [--json FILE] [--keep FOLDER] [--looks FOLDER]',
  );
  process.exit(2);
}
const peers = values.peer.map((pair) => {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), folder: pair.slice(at + 1) };
});
const { items } = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as {
  items: readonly Item[];
};
const opened = await openIsnet({
  threads: 2,
  cacheDir: fileURLToPath(new URL('../../data/golden-cache/', import.meta.url)),
});
const engine = values.looks === undefined ? opened : await rememberLooks(opened, values.looks);
const rows: Row[] = [];
for (const item of items) {
  if (item.alpha === undefined) continue;
  const truth = await readTruth(item, item.alpha);
  for (const mode of modes) {
    const { cutout, facts } = await cutOut(item, truth, mode);
    const row = scoreRow(`packshot ${mode}`, item, { cutout, truth, facts });
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
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 1)}\n`);

async function cutOut(
  item: Item,
  truth: Truth,
  mode: CutoutMode,
): Promise<{ cutout: Picture; facts: SubjectFacts | null }> {
  const source = await readImage(await readFile(path.join(folder!, item.image)), limits);
  try {
    const cut = await cutSubject(source, engine, { signal: new AbortController().signal, mode });
    if (values.keep !== undefined) {
      await mkdir(path.join(values.keep, mode), { recursive: true });
      await writeFile(path.join(values.keep, mode, `${item.id}.png`), cut.cutoutPng);
    }
    return { cutout: await readPicture(cut.cutoutPng), facts: cut.subject };
  } catch (error) {
    // A photo in which no product is found counts as a bad cutout; any other error ends the evaluation.
    if (!(error instanceof PackshotError) || error.code !== 'no_subject_found') throw error;
    return { cutout: makeEmpty(truth, source.data), facts: null };
  }
}

async function readTruth(item: Item, alphaFile: string): Promise<Truth> {
  const alpha = await readGray(path.join(folder!, alphaFile));
  const foreground = item.fg === undefined ? null : await readRgb(path.join(folder!, item.fg));
  return prepareTruth({ ...alpha, foreground });
}

/** Reads a peer's cutout. A matte without colors is scored with the photo's colors. */
async function readPrediction(file: string, truth: Truth, item: Item): Promise<Picture> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const photo = await readRgb(path.join(folder!, item.image));
  if (bytes === null) return makeEmpty(truth, photo);
  const { hasAlpha } = await sharp(bytes).metadata();
  const picture = hasAlpha ? await readPicture(bytes) : { ...(await readGray(bytes)), foreground: photo };
  if (picture.width !== truth.width || picture.height !== truth.height) {
    throw new Error(
      `${file} is ${picture.width}×${picture.height}, the photo ${truth.width}×${truth.height}`,
    );
  }
  return picture;
}

function makeEmpty({ width, height }: Truth, photo: Uint8Array): Picture {
  return { width, height, alpha: new Uint8Array(width * height), foreground: photo };
}

interface Scored {
  readonly cutout: Picture;
  readonly truth: Truth;
  readonly facts: SubjectFacts | null;
}

function scoreRow(remover: string, item: Item, { cutout, truth, facts }: Scored): Row {
  return {
    remover,
    id: item.id,
    group: item.group,
    tags: item.tags,
    score: scoreCutout(cutout, truth),
    rim: measureRim(cutout),
    confidence: facts?.confidence ?? null,
    issues: facts?.issues.map((issue) => issue.code) ?? [],
  };
}
