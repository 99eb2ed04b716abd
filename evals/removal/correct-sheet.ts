/**
 * `node evals/removal/correct-sheet.ts PHOTOS OUT`: corrects cutouts with the strokes in corrections.json, which
 * names each photo by the start of its file name. Writes each cutout on magenta, before and after its correction.
 * Prints the time of a correction as a fraction of the time of a new cutout; both times are medians of three.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { median } from '../../bench/median.ts';
import { correctPhoto } from '../../src/cutout/correct-photo.ts';
import type { Correction } from '../../src/cutout/correction.ts';
import { cutSubject } from '../../src/cutout/cut-subject.ts';
import { openIsnet } from '../../src/cutout/engines/isnet.ts';
import { readImage } from '../../src/designs/read-image.ts';

const rounds = 3;
const limits = {
  maxBytes: 100_000_000,
  maxPixels: 50_000_000,
  maxAvifPixels: 25_000_000,
  minSidePx: 16,
  maxSidePx: 20_000,
};
const [photos, out] = process.argv.slice(2);
if (photos === undefined || out === undefined) {
  console.error('Usage: node evals/removal/correct-sheet.ts PHOTOS OUT');
  process.exit(2);
}
await mkdir(out, { recursive: true });
const corrections: Record<string, Pick<Correction, 'strokes'>> = JSON.parse(
  await readFile(new URL('./corrections.json', import.meta.url), 'utf8'),
);
const engine = await openIsnet({
  threads: 2,
  cacheDir: fileURLToPath(new URL('../../data/golden-cache/', import.meta.url)),
});
const { signal } = new AbortController();
const files = await readdir(photos);
const shares: number[] = [];

async function time<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const times: number[] = [];
  let result: T | undefined;
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    result = await work();
    times.push(performance.now() - from);
  }
  return { result: result!, ms: median(times) };
}

for (const [name, { strokes }] of Object.entries(corrections)) {
  const file = files.find((each) => each.startsWith(name));
  if (file === undefined) continue;
  const bytes = await readFile(path.join(photos, file));
  const cut = await time(async () => cutSubject(await readImage(bytes, limits), engine, { signal }));
  const { cutoutPng, mattePng } = cut.result;
  const correction = { parts: [], strokes, boxes: [], polygons: [] };
  const asked = { correction, again: null, maskPng: null };
  const corrected = await time(() => correctPhoto({ bytes, cutoutPng, mattePng, ...asked, signal }));
  if (corrected.result === null) throw new Error(`the correction of ${name} changes nothing`);
  shares.push(corrected.ms / cut.ms);
  console.log(
    `${name}: ${strokes.length} strokes, ${(corrected.ms / cut.ms).toFixed(2)} of the time of a new cutout`,
  );
  const pair = await Promise.all(
    [cutoutPng, corrected.result.cutoutPng].map((png) =>
      sharp(png).flatten({ background: '#ff00ff' }).png().toBuffer(),
    ),
  );
  const { width, height } = await sharp(pair[0]).metadata();
  await sharp({ create: { width: 2 * width + 10, height, channels: 3, background: 'black' } })
    .composite(pair.map((input, side) => ({ input, left: side * (width + 10), top: 0 })))
    .png()
    .toFile(path.join(out, `${name}.png`));
}
console.log(`median: ${median(shares).toFixed(2)} of the time of a new cutout`);
await engine.close();
