/**
 * A client as a reader of the interface document writes it: works on several photos at once, requests all previews of a
 * suggestion at once, and never repeats a call. With the default limits, on a machine that other programs keep busy, all
 * its calls must succeed. So must first previews of odd photos.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import PQueue from 'p-queue';
import sharp from 'sharp';
import { Tally } from './answers.ts';
import { makePhoto, spreadColors, toHex } from './photos.ts';
import type { Run } from './run.ts';
import { type Client, formWith, untilReady, white } from './service.ts';

/** The service's own limits, not those of other checks. */
const limits = { RATE_PER_SECOND: '10', RATE_BURST: '20', MAX_IN_FLIGHT: '8' };
/** The full run uses the default engine, which is too slow for the short run. */
const fullSettings = { REMOVAL_ENGINE: 'isnet', REMOVAL_QUALITY: 'quality' };
/** In the short run, too, scenes become coarser only for want of time. */
const settings = { ...limits, SCENE_DETAIL: 'normal' };

export async function checkAtOnce(run: Run): Promise<void> {
  const busy: ChildProcess[] = [];
  try {
    for (let i = 0; i < (run.full ? 4 : 2); i++)
      busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    const service = await run.startOwn({ ...settings, ...(run.full && fullSettings) });
    await untilReady(service);
    for (const atOnce of run.full ? [4, 20, 4, 20, 4, 20] : [3]) await checkSuggestions(run, service, atOnce);
    await checkFirstPreviews(run, service);
    await checkUploads(run, service);
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}

async function checkSuggestions(run: Run, service: Client, atOnce: number): Promise<void> {
  const count = run.full ? 24 : 3;
  const answers = new Tally();
  const photos = await makePhotos(run, count);
  const queue = new PQueue({ concurrency: atOnce });
  await queue.addAll(
    photos.map((photo) => async () => {
      const { id } = await post<{ id: string }>(service, answers, '/v1/design/image-upload', formWith(photo));
      const { suggestedRecipeLists: lists = [] } = await post<Suggestions>(
        service,
        answers,
        '/v1/design/suggest',
        { id, recipePreset: 'AI_STUDIO' },
      );
      const recipes = lists.flatMap((list) => list.recipes);
      await Promise.all(
        recipes.map(async (recipe) => {
          await post(service, answers, '/v1/design/preview.webp', { id, ...recipe });
        }),
      );
      if (recipes.length === 0) return;
      await post(service, answers, '/v1/design/generated.jpeg', { id, ...recipes[0] });
    }),
  );
  const what = `${count} photos, ${atOnce} at a time, all previews at once`;
  run.bar(what, 'all 200', answers.toString(), areAll200(answers));
}

/** Photos of sizes and kinds that programs, not cameras, make. */
async function checkFirstPreviews(run: Run, service: Client): Promise<void> {
  const answers = new Tally();
  const odd = await Promise.all([
    makePhoto({ width: 16, height: 16, format: 'png' }),
    makePhoto({ width: 5000, height: 20 }),
    makePhoto({ width: 640, height: 480 }).then((photo) => sharp(photo).grayscale().jpeg().toBuffer()),
    makePhoto({ width: 640, height: 480 }).then((photo) =>
      sharp(photo).toColourspace('cmyk').jpeg().toBuffer(),
    ),
  ]);
  const count = run.full ? 200 : 6;
  for (let i = 0; i < count; i++) {
    const photo =
      odd[i % 5] ?? (await makePhoto({ color: colors[i % colors.length]!, width: 1200, height: 900 }));
    const { id } = await post<{ id: string }>(service, answers, '/v1/design/image-upload', formWith(photo));
    await post(service, answers, '/v1/design/preview.webp', { id, ...white });
  }
  const what = `${count} first previews right after their uploads, odd photos included`;
  // A product that fills a photo of 16 × 16 pixels, or of 20 rows, may not be found.
  const late = count * 2 - count200(answers) - answers.count(422);
  run.bar(what, '200, or 422 for want of a product', answers.toString(), late === 0);
}

/** A loop that uploads a folder before it renders anything, and one that uploads many photos in parallel. */
async function checkUploads(run: Run, service: Client): Promise<void> {
  const answers = new Tally();
  const photo = await makePhoto();
  const upload = () => post(service, answers, '/v1/design/image-upload', formWith(photo));
  for (let i = 0; i < (run.full ? 300 : 25); i++) await upload();
  await Promise.all(Array.from({ length: run.full ? 50 : 20 }, upload));
  run.bar('uploads in a loop, then in parallel', 'all 200', answers.toString(), areAll200(answers));
}

interface Suggestions {
  readonly suggestedRecipeLists?: readonly { readonly recipes: readonly object[] }[];
}

/** Counts every answer, and reports each that is not 200; it is an empty object for the caller. */
async function post<T>(service: Client, answers: Tally, path: string, body: FormData | object): Promise<T> {
  const sent = body instanceof FormData ? { method: 'POST', body } : { json: body };
  const startedAt = performance.now();
  const took = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  const response = await service.call(path, sent).catch((error: Error) => {
    process.stderr.write(`${path}: no answer after ${took()}: ${inspect(error.cause ?? error)}\n`);
    return undefined;
  });
  if (!response) {
    answers.add('no answer');
    return {} as T;
  }
  const bytes = await response.arrayBuffer();
  const isDraft = response.headers.get('x-packshot-notice')?.includes('draft;') ?? false;
  answers.add(isDraft ? `${response.status} (draft)` : response.status);
  if (response.status !== 200)
    process.stderr.write(`${path}: ${response.status} after ${took()}: ${Buffer.from(bytes).toString()}\n`);
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return {} as T;
  return JSON.parse(Buffer.from(bytes).toString()) as T;
}

const colors = spreadColors(24).map(toHex);

/** In a full run, the photos in `samples`, each several times; else generated ones. */
async function makePhotos(run: Run, count: number): Promise<Buffer[]> {
  if (!run.full)
    return Promise.all(
      Array.from({ length: count }, (_, i) => makePhoto({ color: colors[i]!, width: 800, height: 600 })),
    );
  const samples = await Promise.all(
    ['mug-white', 'headphones-paper', 'perfume-marbletop', 'plush-paper'].map((name) =>
      readFile(new URL(`../samples/${name}.jpg`, import.meta.url)),
    ),
  );
  // Re-encoded, so that no two photos have the same bytes.
  return Promise.all(
    Array.from({ length: count }, (_, i) =>
      sharp(samples[i % samples.length])
        .resize(1600 + i)
        .jpeg({ quality: 88 })
        .toBuffer(),
    ),
  );
}

const count200 = (answers: Tally): number => answers.count(200) + answers.count('200 (draft)');
const areAll200 = (answers: Tally): boolean => answers.sum > 0 && count200(answers) === answers.sum;
