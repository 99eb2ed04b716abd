/** Clients that nobody can edit: replaced packages, and a proxy for the old host name, as docs/fixed-clients.md shows. */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PictureServer, servePictures } from '../acceptance/picture-server.ts';
import { cratePhoto, type Service, startOwnService } from '../acceptance/service.ts';
import { blocksOf, needsNginx, startNginx } from './nginx.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const lacksRequests = spawnSync('python3', ['-c', 'import requests']).status !== 0;
const needsRequests = lacksRequests ? ' (skipped: python3-requests is not installed)' : '';

let service: Service;
let pictures: PictureServer;
let folder: string;
beforeAll(async () => {
  const photo = await cratePhoto();
  pictures = await servePictures({ '/crate.jpg': photo });
  service = await startOwnService({ URL_ALLOW: pictures.host });
  folder = await mkdtemp(join(tmpdir(), 'packshot-fixed-'));
  await writeFile(join(folder, 'crate.jpg'), photo);
});
afterAll(async () => {
  await service.stop();
  await pictures.close();
  await rm(folder, { recursive: true, force: true });
});

const environment = (more: Record<string, string> = {}) => ({
  ...process.env,
  KEY: service.key,
  PACKSHOT_URL: service.url,
  PHOTO_URL: `${pictures.url}/crate.jpg`,
  ...more,
});
const expectCutout = async (file: string) =>
  expect(await sharp(join(folder, file)).metadata()).toMatchObject({ format: 'png', hasAlpha: true });

describe('a project with remove.bg in package.json', () => {
  const shop = () => join(folder, 'shop');
  beforeAll(async () => {
    await mkdir(shop());
    const [block = ''] = blocksOf('fixed-clients.md', 'json');
    await writeFile(join(shop(), 'package.json'), block.replace('PATH/TO/packshot/', root));
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: shop() });
    await writeFile(
      join(shop(), 'main.ts'),
      `import {
        type RemoveBgError, type RemoveBgFileOptions, type RemoveBgResult,
        removeBackgroundFromImageBase64, removeBackgroundFromImageFile, removeBackgroundFromImageUrl,
      } from 'remove.bg';
      import { readFileSync } from 'node:fs';
      const common = { apiKey: process.env.KEY!, size: 'regular', type: 'product', outputFile: '' };
      const path = '../crate.jpg';
      const file: RemoveBgFileOptions = { ...common, path, outputFile: '../npm-file.png', crop: true, scale: '50%' };
      const base64img = readFileSync(path, { encoding: 'base64' });
      const results: RemoveBgResult[] = [
        await removeBackgroundFromImageFile(file),
        await removeBackgroundFromImageUrl({ ...common, url: process.env.PHOTO_URL!, outputFile: '../npm-url.png' }),
        await removeBackgroundFromImageBase64({ ...common, base64img, bg_color: '81d4fa', outputFile: '../npm-base64.jpg' }),
      ];
      const refused = await removeBackgroundFromImageFile({ ...file, apiKey: 'wrong' })
        .then(() => [], (errors: RemoveBgError[]) => errors);
      const [first, second, third] = results;
      console.log(JSON.stringify({ first: { ...first, base64img: first!.base64img.length }, widths: [second!.resultWidth, third!.resultWidth], refused }));`,
    );
  });

  it('runs unchanged but for the alias', async () => {
    const { stdout } = await run(process.execPath, ['main.ts'], { cwd: shop(), env: environment() });
    const { first, widths, refused } = JSON.parse(stdout);
    expect(first).toMatchObject({
      base64img: expect.any(Number),
      creditsCharged: '0',
      detectedType: 'product',
      rateLimit: expect.stringMatching(/^\d+$/),
    });
    expect(widths).toEqual(['320', '320']);
    expect(refused).toEqual([expect.objectContaining({ title: expect.stringContaining('API Key') })]);
    await expectCutout('npm-file.png');
    await expectCutout('npm-url.png');
    expect((await sharp(join(folder, 'npm-base64.jpg')).metadata()).format).toBe('jpeg');
  });

  it('compiles unchanged', async () => {
    await cp(join(root, 'node_modules/@types/node'), join(shop(), 'node_modules/@types/node'), {
      recursive: true,
    });
    await cp(join(root, 'node_modules/undici-types'), join(shop(), 'node_modules/undici-types'), {
      recursive: true,
    });
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    await writeFile(join(shop(), 'main.mts'), await readFile(join(shop(), 'main.ts')));
    await run(process.execPath, [tsc, ...options, 'main.mts'], { cwd: shop() });
  });

  it('is told which service does not answer, in the shape of the original errors', async () => {
    const script = `require('remove.bg').removeBackgroundFromImageFile({ path: '../crate.jpg', apiKey: 'k' })
      .catch((errors) => console.log(errors[0].title))`;
    const env = environment({ PACKSHOT_URL: 'http://127.0.0.1:9/' });
    const { stdout } = await run(process.execPath, ['-e', script], { cwd: shop(), env });
    expect(stdout).toBe('Packshot at http://127.0.0.1:9 does not answer\n');
  });
});

it.skipIf(lacksRequests)(`a program with Python's removebg runs unchanged${needsRequests}`, async () => {
  await writeFile(
    join(folder, 'cut.py'),
    `import base64, os, requests
from removebg import RemoveBg
client = RemoveBg(os.environ["KEY"], "error.log")
client.remove_background_from_img_file("crate.jpg")
client.remove_background_from_img_url(os.environ["PHOTO_URL"], "regular", "py-url.png", crop=True)
photo = base64.b64encode(open("crate.jpg", "rb").read())
client.remove_background_from_base64_img(photo, size="hd", new_file_name="py-base64.jpg", bg_color="white")
try:
    RemoveBg("wrong", "error.log").remove_background_from_img_file("crate.jpg")
except requests.exceptions.HTTPError as error:
    print(error.response.status_code)
`,
  );
  const env = environment({ PYTHONPATH: join(root, 'integrations/python') });
  const { stdout } = await run('python3', ['cut.py'], { cwd: folder, env });
  expect(stdout).toBe('403\n');
  await expectCutout('crate.jpg_no_bg.png');
  await expectCutout('py-url.png');
  expect((await sharp(join(folder, 'py-base64.jpg')).metadata()).format).toBe('jpeg');
  expect(await readFile(join(folder, 'error.log'), 'utf8')).toContain('API Key');
});

const needsOwnHosts =
  needsNginx ||
  (spawnSync('unshare', ['--mount', 'true']).status === 0
    ? ''
    : ' (skipped: not allowed to use its own hosts file)') ||
  ((await isFree(443)) ? '' : ' (skipped: port 443 is in use)');

/** Clients see the documented hosts file in a mount namespace of their own: the machine keeps its own. */
describe.skipIf(needsOwnHosts !== '')(`the proxy for the old host name${needsOwnHosts}`, () => {
  let proxy: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => {
    const certificate = blocksOf('fixed-clients.md', 'sh').find((text) => text.includes('openssl'))!;
    await run('bash', ['-e', '-c', certificate], { cwd: folder });
    const [server = ''] = blocksOf('fixed-clients.md', 'nginx');
    const hosts = blocksOf('fixed-clients.md', '').find((text) => text.startsWith('127.0.0.1'))!;
    await writeFile(join(folder, 'hosts'), hosts);
    proxy = await startNginx(folder, server.replace('http://127.0.0.1:8080', service.url), {
      host: '127.0.0.1',
      port: 443,
    });
  });
  afterAll(() => proxy?.stop());

  const within = (command: string, env: Record<string, string>) => {
    const script = `mount --bind hosts /etc/hosts && ${command}`;
    return run('unshare', ['--mount', 'sh', '-e', '-c', script], { cwd: folder, env: environment(env) });
  };

  it('serves a program in Node that has the host in its code', async () => {
    await writeFile(
      join(folder, 'fixed.mjs'),
      `import { readFile, writeFile } from 'node:fs/promises';
      const body = new FormData();
      body.append('image_file', new Blob([await readFile('crate.jpg')]), 'crate.jpg');
      const headers = { 'X-Api-Key': process.env.KEY };
      const response = await fetch('https://api.remove.bg/v1.0/removebg', { method: 'POST', headers, body });
      await writeFile('fixed-node.png', Buffer.from(await response.arrayBuffer()));`,
    );
    await within(`"${process.execPath}" fixed.mjs`, { NODE_EXTRA_CA_CERTS: 'old-hosts.crt' });
    await expectCutout('fixed-node.png');
    // Without the variable, the program trusts nobody.
    await expect(within(`"${process.execPath}" fixed.mjs`, {})).rejects.toThrow('certificate');
  });

  it.skipIf(lacksRequests)(`serves one in Python${needsRequests}`, async () => {
    await writeFile(
      join(folder, 'fixed.py'),
      `import os, requests
response = requests.post("https://sdk.photoroom.com/v1/segment", files={"image_file": open("crate.jpg", "rb")},
    headers={"x-api-key": os.environ["KEY"]})
response.raise_for_status()
open("fixed-python.png", "wb").write(response.content)
`,
    );
    await within('python3 fixed.py', { REQUESTS_CA_BUNDLE: 'with-old-hosts.pem' });
    await expectCutout('fixed-python.png');
  });
});

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
