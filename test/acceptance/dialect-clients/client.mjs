// Node's own fetch. Usage: BASE_URL=… API_KEY=… client.mjs PHOTO FOLDER
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const { BASE_URL, API_KEY } = process.env;
const [photo, folder] = process.argv.slice(2);
const picture = await readFile(photo);

async function call(path, init = {}) {
  return fetch(BASE_URL + path, { ...init, headers: { 'X-Api-Key': API_KEY, ...init.headers } });
}

function form(fileField, fields = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append(fileField, new Blob([picture]), 'photo.jpg');
  return { method: 'POST', body };
}

async function save(name, response) {
  await writeFile(join(folder, name), Buffer.from(await response.arrayBuffer()));
}

await save('removebg.png', await call('/v1.0/removebg', form('image_file', { size: 'auto' })));
const text = new URLSearchParams({
  image_file_b64: picture.toString('base64'),
  size: 'preview',
  bg_color: '81d4fa',
  format: 'jpg',
});
await save('color.jpg', await call('/v1.0/removebg', { method: 'POST', body: text }));
// Without a content type header, fetch sends a string as plain text.
const json = JSON.stringify({ image_file_b64: picture.toString('base64'), crop: true });
await save(
  'removebg.json',
  await call('/v1.0/removebg', { method: 'POST', body: json, headers: { Accept: 'application/json' } }),
);
await save('account.json', await call('/v1.0/account'));
await save('segment.png', await call('/v1/segment', form('image_file')));
await save('rembg.png', await call('/api/remove', form('file')));
await save('error.json', await call('/v1.0/removebg', { method: 'POST' }));
