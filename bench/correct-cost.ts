/**
 * `node bench/correct-cost.ts [--rounds N] PHOTO...`: time of a correction with three strokes over HTTP, until the
 * corrected cutout is downloaded, divided by the time of a new cutout of the same photo, from upload to download. Both
 * are measured in pairs, in alternating order. The result is the median over each photo's pairs, then over the
 * photos. Exits with code 1 if this ratio exceeds `MOST_SHARE`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { createPackshotClient } from '../clients/typescript/src/packshot-client.ts';
import { stopService, unhurried } from '../rig/service.ts';
import { cutOut, erase, startReady } from './cutout-bench.ts';
import { median } from './median.ts';

/** Maximum time of a correction relative to a new cutout: a correction must be clearly faster. */
const MOST_SHARE = 0.35;
const LEAST_PHOTOS = 6;

interface Stroke {
  readonly mode: 'keep' | 'erase';
  readonly radius: number;
  readonly points: readonly (readonly [number, number])[];
}

const { values, positionals: photos } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
if (photos.length < LEAST_PHOTOS || !(rounds >= 1)) {
  console.error(
    `Usage: node bench/correct-cost.ts [--rounds N] PHOTO..., with at least ${LEAST_PHOTOS} photos`,
  );
  process.exit(2);
}

const dataDir = await mkdtemp(join(tmpdir(), 'packshot-bench-'));
// Long deadlines (`unhurried`), so that no cutout skips a pass for lack of time: corrections must be compared with
// complete cutouts.
const service = await startReady(dataDir, unhurried);
const client = createPackshotClient({ baseUrl: service.url, apiKey: service.key, maxRetries: 0 });
try {
  const shares: number[] = [];
  for (const photo of photos) {
    const { correctedMs, cutMs, share } = await measurePhoto(await readFile(photo));
    shares.push(share);
    const times = `correction ${Math.round(correctedMs)} ms, new cutout ${Math.round(cutMs)} ms`;
    console.log(`${basename(photo)}: ${times}, ratio ${share.toFixed(3)}`);
  }
  const share = median(shares);
  console.log(`median ratio of ${photos.length} photos, ${rounds} pairs each: ${share.toFixed(3)}`);
  if (share > MOST_SHARE) process.exitCode = 1;
} finally {
  await stopService(service, 'SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
}

async function measurePhoto(bytes: Buffer) {
  const first = await cutOut(service, bytes, 'matte.png');
  const strokes = await drawStrokes(first.bytes);
  // The first pair is a warm-up.
  const pairs: { correctedMs: number; cutMs: number }[] = [];
  let { id } = first;
  for (let round = 0; round <= rounds; round++) {
    const isFirst = round % 2 === 0;
    const before = isFirst ? await correct(id, strokes) : 0;
    const again = await cutOut(service, bytes, 'cutout.png');
    const correctedMs = isFirst ? before : await correct(id, strokes);
    await erase(service, id);
    ({ id } = again);
    if (round > 0) pairs.push({ correctedMs, cutMs: again.ms });
  }
  return {
    correctedMs: median(pairs.map((pair) => pair.correctedMs)),
    cutMs: median(pairs.map((pair) => pair.cutMs)),
    share: median(pairs.map((pair) => pair.correctedMs / pair.cutMs)),
  };
}

async function correct(id: string, strokes: readonly Stroke[]): Promise<number> {
  const startedAt = performance.now();
  const { cutout } = await client.correct(id, { strokes });
  await (await client.cutout(id)).arrayBuffer();
  const ms = performance.now() - startedAt;
  if (cutout?.revision === 1) throw new Error('the strokes changed nothing');
  return ms;
}

/**
 * Two `keep` strokes beside the product's outline, left and right of it, and one `erase` stroke inside it.
 */
async function drawStrokes(mattePng: Buffer): Promise<Stroke[]> {
  const { data, info } = await sharp(mattePng).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const side = Math.max(width, height);
  const rows = [0.35, 0.5, 0.65].map((share) => findRow(data, { width, height }, share));
  const [upper, middle, lower] = rows as [Row, Row, Row];
  const radius = 0.006 * side;
  const length = 0.04 * side;
  const vertical = (mode: Stroke['mode'], x: number, y: number): Stroke => {
    const inside = Math.min(width - 1, Math.max(0, x));
    return { mode, radius, points: [-1, 0, 1].map((step) => [inside, y + (step * length) / 2] as const) };
  };
  return [
    vertical('keep', upper.left - 2 * radius, upper.y),
    vertical('keep', lower.right + 2 * radius, lower.y),
    vertical('erase', (middle.left + middle.right) / 2, middle.y),
  ];
}

interface Row {
  readonly y: number;
  readonly left: number;
  readonly right: number;
}

/** The longest run of product pixels in the row at this fraction of the product's height. */
function findRow(alpha: Buffer, { width, height }: { width: number; height: number }, share: number): Row {
  const filled = Array.from({ length: height }, (_, y) => y).filter((y) =>
    alpha.subarray(y * width, (y + 1) * width).some((value) => value >= 128),
  );
  const y = filled[Math.floor(share * filled.length)]!;
  let best = { left: 0, right: 0 };
  for (let x = 0, from = -1; x <= width; x++) {
    const isIn = x < width && alpha[y * width + x]! >= 128;
    if (isIn && from < 0) from = x;
    if (isIn || from < 0) continue;
    if (x - from > best.right - best.left) best = { left: from, right: x };
    from = -1;
  }
  return { y, ...best };
}
