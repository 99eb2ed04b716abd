/**
 * `npm run demo`: sends the sample photos through a service and writes the pictures, a contact sheet and the
 * timings. Uses the service at BASE_URL if BASE_URL and API_KEY are set, otherwise a temporary service.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import {
  createPackshotClient,
  type PackshotClient,
  type Picture,
} from '../clients/typescript/src/packshot-client.ts';
import { openOwnService } from '../src/commands/shared/own-service.ts';
import { loadConfig } from '../src/config.ts';

const samples = fileURLToPath(new URL('../samples/', import.meta.url));
const out = process.argv[2] ?? 'out/demo';
const pictures = [
  { name: 'white', size: 'generate', format: 'jpeg', recipeId: 'Solid1_1_0035', variant: '1:1' },
  { name: 'green', size: 'generate', format: 'jpeg', recipeId: 'Solid1_1_0042', variant: '1:1' },
  { name: 'transparent', size: 'generate', format: 'png', recipeId: 'Transp001', variant: '1:1' },
  { name: 'surface', size: 'generate', format: 'jpeg', recipeId: 'Surface001', variant: '4:5' },
  { name: 'preview', size: 'preview', format: 'webp', recipeId: 'Gradient001', variant: '16:9' },
] as const;

const { client, close } = await openService();
try {
  await mkdir(out, { recursive: true });
  const photos = (await readdir(samples)).filter((name) => name.endsWith('.jpg')).sort();
  const lines = [
    '| photo | upload | until the first picture | four more pictures | suggestions | preview of one suggestion |',
    '|---|---|---|---|---|---|',
  ];
  for (const photo of photos) {
    const line = await makePictures(photo);
    console.log(line);
    lines.push(line);
  }
  await writeFile(join(out, 'timings.md'), `${lines.join('\n')}\n`);
  await writeContactSheet(photos.map((photo) => photo.replace(/\.jpg$/, '')));
  console.log(`\npictures, contact-sheet.jpg and timings.md are in ${out}`);
} finally {
  await close();
}

async function openService(): Promise<{ client: PackshotClient; close: () => Promise<void> }> {
  const { BASE_URL: baseUrl, API_KEY: apiKey } = process.env;
  if (baseUrl && apiKey)
    return { client: createPackshotClient({ baseUrl, apiKey }), close: async () => undefined };
  console.log('warming up the removal engine …');
  return openOwnService(loadConfig(process.env), { logLevel: 'warn' });
}

async function makePictures(photo: string): Promise<string> {
  const stem = photo.replace(/\.jpg$/, '');
  const keep = async (name: string, format: string, picture: Picture) =>
    writeFile(join(out, `${stem}-${name}.${format}`), await picture.bytes());
  const startedAt = performance.now();
  const { id } = await client.upload(await readFile(join(samples, photo)), { name: photo });
  const times = [performance.now()];
  for (const { name, size, format, ...recipe } of pictures) {
    await keep(name, format, await client[size]({ id, ...recipe }, { format }));
    times.push(performance.now());
  }
  const { suggestedRecipeLists } = await client.suggest({ id, recipePreset: 'AI_STUDIO' });
  times.push(performance.now());
  const scene = suggestedRecipeLists[0]!.recipes[0]!;
  await keep('scene', 'jpeg', await client.preview({ id, ...scene }, { format: 'jpeg' }));
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
