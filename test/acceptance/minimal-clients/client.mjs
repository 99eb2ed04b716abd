/**
 * Both flows with `fetch`: upload, suggest, preview, full version; upload, known recipe.
 * Usage: BASE_URL=… API_KEY=… client.mjs PHOTO FOLDER
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const { BASE_URL, API_KEY } = process.env;
const [photo, folder] = process.argv.slice(2);

async function post(path, body) {
  const response = await fetch(BASE_URL + path, { method: 'POST', headers: { 'X-Api-Key': API_KEY }, body });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function upload() {
  const form = new FormData();
  form.append('file', new Blob([await readFile(photo)]), 'photo.jpg');
  const response = await post('/v1/design/image-upload', form);
  return (await response.json()).id;
}

async function save(name, path, body) {
  const response = await post(path, JSON.stringify(body));
  await writeFile(join(folder, name), Buffer.from(await response.arrayBuffer()));
}

let id = await upload();
const suggested = await post('/v1/design/suggest', JSON.stringify({ id, recipePreset: 'AI_STUDIO' }));
const { suggestedRecipeLists } = await suggested.json();
const [recipe] = suggestedRecipeLists[0].recipes;
await save('preview.webp', '/v1/design/preview.webp', { id, ...recipe });
// Request the full version as the documentation describes: without the URI of the preview.
const { previewUri: _, ...primaryIllustration } = recipe.mutations.images.primaryIllustration;
const mutations = { images: { primaryIllustration } };
await save('full.jpeg', '/v1/design/generated.jpeg', {
  id,
  recipeId: recipe.recipeId,
  variant: recipe.variant,
  mutations,
});

id = await upload();
const known = { id, recipeId: 'Solid1_1_0035', variant: '1:1' };
await save('white-preview.webp', '/v1/design/preview.webp', known);
await save('white.jpeg', '/v1/design/generated.jpeg', known);
