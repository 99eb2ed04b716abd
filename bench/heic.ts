/**
 * `node bench/heic.ts`: compares the time from upload to cutout for a HEIC file of 12 megapixels and for the same photo
 * as JPEG, alternating between the two, with the cheapest engine. Prints the medians, the processor time of the
 * conversion and the difference of the two files in color; writes no file.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createPackshotClient } from '../clients/typescript/src/packshot-client.ts';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { convertHeic } from '../src/designs/heic/convert-heic.ts';
import { readImage } from '../src/designs/read-image.ts';
import { gridData, type HeicItem, ispe, readHevc, writeHeic } from '../src/designs/testing/heic-file.ts';
import { labDifference } from '../src/designs/testing/lab-difference.ts';
import { median } from './median.ts';

const rounds = 9;
const warmUp = 2;
const key = 'a-key-of-the-heic-bench-alone';
const limits = { maxBytes: 25e6, maxPixels: 50e6, maxAvifPixels: 25e6, minSidePx: 16, maxSidePx: 16_383 };

/** Makes a HEIC file like those of an iPhone: a grid of 48 tiles of 512 px. */
async function makeHeic(): Promise<Buffer> {
  const files = await Promise.all(
    [0, 1, 2, 3].map((n) => readFile(new URL(`../test/fixtures/heic/tile-${n}.heic`, import.meta.url))),
  );
  const pictures = files.map(readHevc);
  const size = ispe(512, 512);
  const tiles = Array.from({ length: 48 }, (_, index): HeicItem => {
    const picture = pictures[(index % 2) + 2 * (Math.floor(index / 8) % 2)]!;
    return {
      id: index + 1,
      type: 'hvc1',
      hidden: true,
      data: picture.data,
      properties: [picture.hvcC, size],
    };
  });
  const grid: HeicItem = {
    id: 49,
    type: 'grid',
    data: gridData(8, 6, 4032, 3024),
    properties: [ispe(4032, 3024)],
    references: [{ type: 'dimg', to: tiles.map(({ id }) => id) }],
  };
  return writeHeic([...tiles, grid], { primary: 49 });
}

const heic = await makeHeic();
await convertHeic(heic, limits);
const before = process.cpuUsage();
const converted = await convertHeic(heic, limits);
const { user, system } = process.cpuUsage(before);
const decoded = await readImage(converted, limits);
const { width, height, data } = decoded;
const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
  .jpeg({ quality: 92 })
  .toBuffer();
const difference = labDifference(data, (await readImage(jpeg, limits)).data);

const dataDir = await mkdtemp(join(tmpdir(), 'packshot-bench-'));
const app = await buildApp(
  loadConfig({
    REMOVAL_ENGINE: 'keyer',
    DATA_DIR: dataDir,
    PORT: '0',
    BOOTSTRAP_API_KEY: key,
    LOG_LEVEL: 'silent',
  }),
);
const client = createPackshotClient({ baseUrl: await app.listen(), apiKey: key });
await app.ready;

interface Times {
  readonly answerMs: number;
  readonly cutoutMs: number;
}

async function time(photo: Buffer): Promise<Times> {
  const from = performance.now();
  const { id } = await client.upload(photo);
  const answerMs = performance.now() - from;
  await client.getDesign(id, { wait: true });
  const cutoutMs = performance.now() - from;
  await client.deleteDesign(id);
  return { answerMs, cutoutMs };
}

const pairs: { heic: Times; jpeg: Times }[] = [];
for (let round = 0; round < rounds + warmUp; round++) {
  const pair = { heic: await time(heic), jpeg: await time(jpeg) };
  if (round >= warmUp) pairs.push(pair);
}
await app.close();
await rm(dataDir, { recursive: true });

const of = (pick: (pair: (typeof pairs)[number]) => number) => Math.round(median(pairs.map(pick)));
console.log(
  `${width}×${height}, HEIC ${heic.length} bytes, JPEG ${jpeg.length} bytes, ${rounds} pairs, medians`,
);
console.log(`upload answered: HEIC ${of((p) => p.heic.answerMs)} ms, JPEG ${of((p) => p.jpeg.answerMs)} ms`);
console.log(`upload to cutout: HEIC ${of((p) => p.heic.cutoutMs)} ms, JPEG ${of((p) => p.jpeg.cutoutMs)} ms`);
console.log(`extra time for HEIC, median of pairs: ${of((p) => p.heic.cutoutMs - p.jpeg.cutoutMs)} ms`);
console.log(`conversion alone: ${Math.round((user + system) / 1_000)} ms of one processor`);
console.log(`difference of HEIC and JPEG in color, mean ΔE of all pixels: ${difference.toFixed(2)}`);
