/**
 * Compares cutouts of remove.bg with ours on your own photos: writes compare.html, with each photo, their cutout and ours.
 *
 *     REMOVE_BG_API_KEY=… PACKSHOT_API_KEY=psk_live_… node examples/compare.mjs PHOTOS THEIRS
 *
 * THEIRS holds remove.bg's cutouts as NAME.png; what is missing there is requested from remove.bg (one credit each), if
 * REMOVE_BG_API_KEY is set. PACKSHOT_URL is the address of your service, by default http://127.0.0.1:8080.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, parse } from 'node:path';

const [photos, theirs] = process.argv.slice(2);
const { REMOVE_BG_API_KEY, PACKSHOT_API_KEY = '', PACKSHOT_URL = 'http://127.0.0.1:8080' } = process.env;
if (!theirs) throw new Error('Usage: node compare.mjs PHOTOS THEIRS');

async function cutOut(base, key, name, photo) {
  const body = new FormData();
  body.append('image_file', new Blob([photo]), name);
  body.append('size', 'auto');
  body.append('format', 'png');
  for (;;) {
    const response = await fetch(`${base}/v1.0/removebg`, {
      method: 'POST',
      headers: { 'X-Api-Key': key },
      body,
    });
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    const waitS = Number(response.headers.get('retry-after'));
    if (!waitS) throw new Error(`${name}: ${await response.text()}`);
    await new Promise((resolve) => setTimeout(resolve, waitS * 1000));
  }
}

const names = (await readdir(photos)).filter((name) => /\.(jpe?g|png|webp|avif|heic)$/i.test(name));
await mkdir(theirs, { recursive: true });
const rows = [];
for (const name of names.slice(0, 20)) {
  const photo = await readFile(join(photos, name));
  const kept = join(theirs, `${parse(name).name}.png`);
  if (!existsSync(kept) && REMOVE_BG_API_KEY)
    await writeFile(kept, await cutOut('https://api.remove.bg', REMOVE_BG_API_KEY, name, photo));
  const cutouts = [
    existsSync(kept) ? await readFile(kept) : undefined,
    await cutOut(PACKSHOT_URL, PACKSHOT_API_KEY, name, photo),
  ];
  const show = (bytes, type, background) =>
    `<td style="background:${background}">${bytes ? `<img src="data:image/${type};base64,${bytes.toString('base64')}">` : 'none'}</td>`;
  const [shown] = /jpe?g|png|webp|avif/.exec(extname(name).toLowerCase()) ?? [];
  const cells = cutouts.flatMap((cutout) =>
    ['#fff', '#888', '#000'].map((color) => show(cutout, 'png', color)),
  );
  const text = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  rows.push(
    `<tr><th>${text}</th>${show(shown && photo, shown?.replace('jpg', 'jpeg'), '#fff')}${cells.join('')}</tr>`,
  );
  console.log(`${rows.length} of ${Math.min(names.length, 20)}: ${name}`);
}
await writeFile(
  'compare.html',
  `<!doctype html><meta charset="utf-8"><title>Cutouts</title><style>img{width:16vw}th{font:14px sans-serif}</style>
<table><tr><th><th>Photo<th colspan="3">remove.bg<th colspan="3">Packshot</tr>${rows.join('\n')}</table>\n`,
);
