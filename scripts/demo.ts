/**
 * `npm run demo`: sends the sample photos through a service and writes the pictures, a contact sheet and the
 * timings. Uses the service at BASE_URL if BASE_URL and API_KEY are set, otherwise a temporary service.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';

const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const out = process.argv[2] ?? 'out/demo';
const pictures = [
  { name: 'white', path: 'generated.jpeg', recipeId: 'Solid1_1_0035', variant: '1:1' },
  { name: 'green', path: 'generated.jpeg', recipeId: 'Solid1_1_0042', variant: '1:1' },
  { name: 'transparent', path: 'generated.png', recipeId: 'Transp001', variant: '1:1' },
  { name: 'surface', path: 'generated.jpeg', recipeId: 'Surface001', variant: '4:5' },
  { name: 'preview', path: 'preview.webp', recipeId: 'Gradient001', variant: '16:9' },
] as const;

interface Suggestions {
  readonly suggestedRecipeLists: readonly {
    readonly recipes: readonly { recipeId: string; variant: string; mutations: unknown }[];
  }[];
}

interface Place {
  readonly baseUrl: string;
  readonly key: string;
  readonly close: () => Promise<void>;
}

const place = await findPlace();
try {
  await mkdir(out, { recursive: true });
  const photos = (await readdir(samples)).filter((name) => name.endsWith('.jpg')).sort();
  const lines = [
    '| photo | upload | until the first picture | the other four | suggestions | preview of the first |',
    '|---|---|---|---|---|---|',
  ];
  for (const photo of photos) {
    const line = await makePictures(place, photo);
    console.log(line);
    lines.push(line);
  }
  await writeFile(join(out, 'timings.md'), `${lines.join('\n')}\n`);
  await writeContactSheet(photos.map((photo) => photo.replace(/\.jpg$/, '')));
  console.log(`\npictures, contact-sheet.jpg and timings.md are in ${out}`);
} finally {
  await place.close();
}

async function findPlace(): Promise<Place> {
  const { BASE_URL, API_KEY } = process.env;
  if (BASE_URL && API_KEY) return { baseUrl: BASE_URL, key: API_KEY, close: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'packshot-demo-'));
  const key = 'a-key-for-the-demonstration';
  const app = await buildApp(
    loadConfig({
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      BOOTSTRAP_API_KEY: key,
      LOG_LEVEL: 'warn',
    }),
  );
  const baseUrl = await app.listen();
  console.log('warming up the removal engine …');
  await app.ready;
  return {
    baseUrl,
    key,
    close: async () => {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function makePictures({ baseUrl, key }: Place, photo: string): Promise<string> {
  const headers = { 'x-api-key': key };
  const startedAt = performance.now();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await readFile(join(samples, photo)))]), photo);
  const upload = await fetch(`${baseUrl}/v1/design/image-upload`, { method: 'POST', headers, body: form });
  if (!upload.ok) throw new Error(await upload.text());
  const { id } = (await upload.json()) as { id: string };
  const times = [performance.now()];
  for (const { name, path, recipeId, variant } of pictures) {
    const body = JSON.stringify({ id, recipeId, variant });
    const response = await fetch(`${baseUrl}/v1/design/${path}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(await response.text());
    const file = `${photo.replace(/\.jpg$/, '')}-${name}.${path.split('.')[1]}`;
    await writeFile(join(out, file), Buffer.from(await response.arrayBuffer()));
    times.push(performance.now());
  }
  const suggestion = await fetch(`${baseUrl}/v1/design/suggest`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ id, recipePreset: 'AI_STUDIO' }),
  });
  if (!suggestion.ok) throw new Error(await suggestion.text());
  const { suggestedRecipeLists } = (await suggestion.json()) as Suggestions;
  times.push(performance.now());
  const { recipeId, variant, mutations } = suggestedRecipeLists[0]!.recipes[0]!;
  const scene = await fetch(`${baseUrl}/v1/design/preview.jpeg`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ id, recipeId, variant, mutations }),
  });
  if (!scene.ok) throw new Error(await scene.text());
  await writeFile(
    join(out, `${photo.replace(/\.jpg$/, '')}-scene.jpeg`),
    Buffer.from(await scene.arrayBuffer()),
  );
  times.push(performance.now());
  const ms = (from: number, to: number) => `${Math.round(to - from)} ms`;
  return `| ${photo} | ${ms(startedAt, times[0]!)} | ${ms(startedAt, times[1]!)} | ${ms(times[1]!, times.at(-3)!)} | ${ms(times.at(-3)!, times.at(-2)!)} | ${ms(times.at(-2)!, times.at(-1)!)} |`;
}

async function writeContactSheet(names: readonly string[]): Promise<void> {
  const side = 300;
  const shown = ['white', 'green', 'surface', 'scene'];
  const tiles = await Promise.all(
    names.flatMap((name, row) =>
      shown.map(async (picture, column) => ({
        input: await sharp(join(out, `${name}-${picture}.jpeg`))
          .resize(side, side, { fit: 'contain', background: '#ffffff' })
          .toBuffer(),
        left: (column + (row % 2) * shown.length) * side,
        top: Math.floor(row / 2) * side,
      })),
    ),
  );
  const size = { width: side * shown.length * 2, height: side * Math.ceil(names.length / 2) };
  await sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
    .composite(tiles)
    .jpeg({ quality: 88 })
    .toFile(join(out, 'contact-sheet.jpg'));
}
