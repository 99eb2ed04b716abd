/**
 * `node evals/correct/eval-correct.ts CUTOUTS DIR [DIR] [--pictures FOLDER]`: corrects cutouts (`CUTOUTS/<id>.png`, as
 * `eval:removal --keep` writes them) with simulated strokes (`mark-errors.ts`), and scores the result against the exact
 * mattes of the folders (`manifest.json`, as for `eval:removal`).
 *
 * Scores are relative to the error in the marked place: `mended` is the share of it that is gone, `harm` the new error
 * elsewhere, and `far` the part of the harm that lies farther from the stroke than the place itself reaches.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { correctMatte } from '../../packages/cutout/src/correct-matte.ts';
import type { Stroke } from '../../packages/cutout/src/correction.ts';
import { drawMarks } from '../../packages/cutout/src/steps/draw-marks.ts';
import { enlargeMatte } from '../../packages/cutout/src/steps/enlarge-matte.ts';
import { fitInto, shrinkPhoto } from '../../packages/cutout/src/steps/shrink-photo.ts';
import { CHAMFER_STEP, measureDistances } from '../../packages/pixels/src/chamfer-distance.ts';
import type { Matte, RgbImage } from '../../packages/pixels/src/pixels.ts';
import { hashSeed } from '../../packages/pixels/src/seeded-random.ts';
import { StepClock } from '../../packages/pixels/src/step-clock.ts';
import { readGray, readPicture, readRgb } from '../removal/read-pictures.ts';
import { listItems } from '../removal/score-photos.ts';
import { damageCutout } from './damage-cutout.ts';
import { type Marked, markErrors } from './mark-errors.ts';

/** Places marked in each photo: each alone, and if there are several, all in one call. */
const MOST_PLACES = 3;

/** Longer side at which everything is done, in pixels, to save time. */
const SIDE_PX = 1200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});
const [cutouts, ...folders] = positionals;
if (cutouts === undefined || folders.length === 0) {
  console.error(
    'Usage: node evals/correct/eval-correct.ts CUTOUTS DIR [DIR] [--pictures FOLDER] [--verbose]',
  );
  process.exit(2);
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

interface Case {
  readonly name: string;
  readonly mended: number;
  readonly harm: number;
  readonly far: number;
  readonly ms: number;
}

const cases: Case[] = [];
for (const item of await listItems(folders)) {
  const png = await readFile(path.join(cutouts, `${item.id}.png`)).catch(() => null);
  if (png === null) continue;
  const whole = await readPicture(png);
  const size = fitInto(whole, SIDE_PX);
  const shrink = ({ alpha, ...of }: { alpha: Uint8Array; width: number; height: number }) =>
    enlargeMatte({ width: of.width, height: of.height, data: alpha }, size);
  const before = await shrink(whole);
  const truth = await shrink(await readGray(path.join(item.folder, item.alpha)));
  const rgb = {
    width: whole.width,
    height: whole.height,
    data: await readRgb(path.join(item.folder, item.image)),
  };
  const photo = await shrinkPhoto(rgb, size);
  const seed = hashSeed(item.id);
  const marked = await markErrors(before, truth, { most: MOST_PLACES, seed });
  for (const [n, one] of marked.entries())
    cases.push(
      await judge(`${item.id} ${one.stroke.mode} ${n + 1}`, { photo, before, truth, marked: [one] }),
    );
  if (marked.length > 1) cases.push(await judge(`${item.id} together`, { photo, before, truth, marked }));
  const damaged = await damageCutout(photo, truth, seed);
  const damages = await markErrors(damaged, truth, { most: 2, seed });
  cases.push(await judge(`${item.id} damaged`, { photo, before: damaged, truth, marked: damages }));
}
for (const isDamaged of [false, true])
  report(
    isDamaged ? 'damaged' : 'real errors',
    cases.filter(({ name }) => name.endsWith('damaged') === isDamaged),
  );

function report(title: string, cases: readonly Case[]): void {
  const mean = (of: (one: Case) => number) => cases.reduce((sum, one) => sum + of(one), 0) / cases.length;
  const times = cases.map(({ ms }) => ms).sort((a, b) => a - b);
  console.log(
    [
      `${title}: ${cases.length} corrections: mended ${percent(mean(({ mended }) => mended))}`,
      `harm ${percent(mean(({ harm }) => Math.min(5, harm)))}, of it far ${percent(mean(({ far }) => Math.min(5, far)))}`,
      `half mended with less harm than that: ${percent(mean(({ mended, harm }) => (mended - harm > 0.5 ? 1 : 0)))}`,
      `worse than before: ${cases.filter(({ mended, harm }) => harm > mended).length}`,
      `any harm far away: ${cases.filter(({ far }) => far > 0.01).length}`,
      `${Math.round(times[times.length >> 1]!)} ms (median)`,
    ].join('; '),
  );
}

interface Scene {
  readonly photo: RgbImage;
  readonly before: Matte;
  readonly truth: Matte;
  readonly marked: readonly Marked[];
}

async function judge(name: string, { photo, before, truth, marked }: Scene): Promise<Case> {
  const strokes: readonly Stroke[] = marked.map(({ stroke }) => stroke);
  const correction = { parts: [], strokes, boxes: [], polygons: [] };
  const clock = new StepClock(new AbortController().signal);
  const startedAt = performance.now();
  const made = await correctMatte(photo, before, { correction, again: null, mask: null }, clock);
  const ms = performance.now() - startedAt;
  const after = made?.matte ?? before;
  const whole = { area: { x: 0, y: 0, width: photo.width, height: photo.height }, ...photo };
  const toStroke = measureDistances(photo, drawMarks(correction, whole).seeds);
  const isPlace = (i: number) => marked.some(({ place }) => place[i] === 1);
  let reach = 0;
  for (let i = 0; i < toStroke.length; i++) if (isPlace(i)) reach = Math.max(reach, toStroke[i]!);
  // A changed edge is some pixels wide.
  reach += 0.01 * Math.max(photo.width, photo.height) * CHAMFER_STEP;
  const sums = { placeBefore: 0, placeAfter: 0, harm: 0, far: 0 };
  for (let i = 0; i < toStroke.length; i++) {
    const old = Math.abs(before.data[i]! - truth.data[i]!);
    const now = Math.abs(after.data[i]! - truth.data[i]!);
    if (isPlace(i)) {
      sums.placeBefore += old;
      sums.placeAfter += now;
    } else if (now > old) {
      sums.harm += now - old;
      if (toStroke[i]! > reach) sums.far += now - old;
    }
  }
  const result = {
    name,
    mended: 1 - sums.placeAfter / sums.placeBefore,
    harm: sums.harm / sums.placeBefore,
    far: sums.far / sums.placeBefore,
    ms,
  };
  if (values.verbose)
    console.error(
      `${name}: mended ${percent(result.mended)}, harm ${percent(result.harm)}, far ${percent(result.far)}, ${Math.round(ms)} ms`,
    );
  if (values.pictures !== undefined)
    await draw(
      path.join(values.pictures, `${name.replaceAll(' ', '-')}.png`),
      { photo, before, truth, marked },
      after,
    );
  return result;
}

/** The photo, the cutout before and after on magenta, the truth; strokes in the first picture. */
async function draw(file: string, { photo, before, truth, marked }: Scene, after: Matte): Promise<void> {
  const { width, height } = photo;
  const over = (matte: Matte | null) => {
    const data = Buffer.from(photo.data);
    for (let i = 0; matte && i < matte.data.length; i++)
      for (let c = 0; c < 3; c++) {
        const back = c === 1 ? 0 : 255;
        data[i * 3 + c] = Math.round(back + (matte.data[i]! / 255) * (photo.data[i * 3 + c]! - back));
      }
    return sharp(data, { raw: { width, height, channels: 3 } });
  };
  const lines = marked.map(
    ({ stroke }) =>
      `<polyline points="${stroke.points.join(' ')}" fill="none" stroke="${stroke.mode === 'keep' ? '#0f0' : '#f00'}" stroke-width="${2 * stroke.radius}" stroke-linecap="round" stroke-linejoin="round"/>`,
  );
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${lines.join('')}</svg>`,
  );
  const painted = await over(before)
    .composite([{ input: svg }])
    .png()
    .toBuffer();
  const side = { width: 640 };
  const tiles = await Promise.all(
    [sharp(painted), over(after), over(truth)].map((picture) => picture.resize(side).png().toBuffer()),
  );
  const tall = Math.round((640 * height) / width);
  await sharp({ create: { width: 640 * 3, height: tall, channels: 3, background: '#fff' } })
    .composite(tiles.map((input, n) => ({ input, left: 640 * n, top: 0 })))
    .png()
    .toFile(file);
}
