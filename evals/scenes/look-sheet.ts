/**
 * `node evals/scenes/look-sheet.ts --server URL --sheet FILE [--look ID | --recipe ID | --prompt TEXT | --place]
 * [--nth 1] [--mutations JSON] [--variant 1:1] [--columns 6] [--cell 360] PHOTO...`: shows different products in one
 * look (a saved scene or recipe) on one contact sheet, without labels, so that judges can see whether they look like
 * one catalog. The API key comes from PACKSHOT_API_KEY. Without `--look`, the look is made from a plain recipe
 * (`--recipe`), or from a scene suggested for the first photo: for a prompt (`--prompt`), or in a real place
 * (`--place`). `--nth` chooses among these suggestions; the default is the first. `--mutations`, such as
 * `{"match":"light","edge":{"glass":"auto"}}`, become part of the look.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { createPackshotClient } from '../../clients/typescript/src/packshot-client.ts';

const { values, positionals: photos } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string', default: 'http://127.0.0.1:8080' },
    sheet: { type: 'string', default: 'look-sheet.png' },
    look: { type: 'string' },
    recipe: { type: 'string' },
    mutations: { type: 'string' },
    prompt: { type: 'string' },
    place: { type: 'boolean', default: false },
    nth: { type: 'string', default: '1' },
    variant: { type: 'string', default: '1:1' },
    columns: { type: 'string', default: '6' },
    cell: { type: 'string', default: '360' },
  },
});
const cellPx = Number(values.cell);
const columns = Number(values.columns);
const gapPx = Math.round(cellPx / 40);
const apiKey = process.env.PACKSHOT_API_KEY;
if (photos.length === 0 || !apiKey || !(cellPx >= 64) || !(columns >= 1)) {
  console.error('Needs photos, PACKSHOT_API_KEY, and whole numbers for --cell (from 64) and --columns.');
  process.exit(2);
}
const client = createPackshotClient({ baseUrl: values.server, apiKey, timeoutMs: 600_000 });

const designs: string[] = [];
for (const photo of photos) designs.push(await upload(photo));
const look = values.look ?? (await makeLook(designs[0]!));
const cells = [];
for (const [index, id] of designs.entries()) {
  try {
    const { body, warnings } = await drawCell(id);
    for (const { detail } of warnings) console.error(`${photos[index]}: ${detail}`);
    const left = gapPx + (index % columns) * (cellPx + gapPx);
    const top = gapPx + Math.floor(index / columns) * (cellPx + gapPx);
    cells.push({ input: body, left, top });
  } catch (error) {
    console.error(`${photos[index]}: ${error instanceof Error ? error.message : error}`);
  }
}
const rows = Math.ceil(designs.length / columns);
const size = (count: number): number => gapPx + count * (cellPx + gapPx);
await sharp({ create: { width: size(columns), height: size(rows), channels: 3, background: '#ffffff' } })
  .composite(cells)
  .png({ compressionLevel: 9 })
  .toFile(values.sheet);
console.log(`${cells.length} of ${designs.length} products in ${look}: ${values.sheet}`);

/** Uploads a photo. A later run gets the same design for it, as long as the service remembers the idempotency key. */
async function upload(photo: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([await readFile(photo)]), basename(photo));
  const response = await fetch(`${values.server}/v1/design/image-upload`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey!, 'idempotency-key': `sheet-${basename(photo)}` },
    body: form,
  });
  const answer = (await response.json()) as { readonly id: string; readonly detail?: string };
  if (!response.ok) throw new Error(`${photo}: ${answer.detail}`);
  await client.getDesign(answer.id, { wait: true });
  return answer.id;
}

async function makeLook(designId: string): Promise<string> {
  const { variant, recipe: recipeId } = values;
  const mutations = values.mutations === undefined ? undefined : JSON.parse(values.mutations);
  if (recipeId !== undefined) return (await client.keepLook({ from: { recipeId, variant, mutations } })).id;
  const { suggestedRecipeLists } = await client.suggest({
    id: designId,
    recipePreset: 'AI_STUDIO',
    prompt: values.prompt,
    filters: { aspectRatio: variant },
  });
  const list = values.place
    ? suggestedRecipeLists.find(({ id }) => id === 'places')
    : suggestedRecipeLists[0];
  const scene = list?.recipes[Number(values.nth) - 1];
  if (!scene) throw new Error(`Fewer than ${values.nth} scenes were suggested for the first photo.`);
  const { recipeId: id, mutations: suggested } = scene;
  const from = { recipeId: id, variant, mutations: { ...suggested, ...mutations } };
  return (await client.keepLook({ from })).id;
}

async function drawCell(id: string) {
  const picture = await client.preview({ id, recipeId: look, variant: values.variant }, { format: 'png' });
  const body = await sharp(await picture.bytes())
    .resize({ width: cellPx, height: cellPx, fit: 'contain', background: '#ffffff' })
    .toBuffer();
  return { body, warnings: picture.warnings };
}
