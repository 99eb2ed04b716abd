/** Signed picture URLs behind nginx, and signed in PHP, as docs/picture-urls.md shows. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cratePhoto, jsonOf, type Service, startOwnService, white } from '../acceptance/service.ts';
import { freePort } from './free-port.ts';
import { blocksOf, type Nginx, needsNginx, startNginx } from './nginx.ts';

const lacksPhp = spawnSync('php', ['--version']).status !== 0;

let service: Service;
let id: string;
let folder: string;
let nginx: Nginx | undefined;
beforeAll(async () => {
  service = await startOwnService();
  id = await service.upload(await cratePhoto());
  folder = await mkdtemp(join(tmpdir(), 'packshot-cdn-'));
});
afterAll(async () => {
  await nginx?.stop();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** How often the service was asked for a picture by URL. */
async function hits(): Promise<number> {
  const metrics = await (await service.call('/metrics')).text();
  const counts = metrics.matchAll(/_count\{operation="picture-url",status="\d+"\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

it.skipIf(needsNginx !== '')(
  `nginx keeps a picture: later calls do not reach the service${needsNginx}`,
  async () => {
    const port = await freePort();
    await mkdir(join(folder, 'cache'));
    const [config = ''] = blocksOf('picture-urls.md', 'nginx');
    const http = config
      .replace('/var/cache/nginx/packshot', join(folder, 'cache'))
      .replace('listen 80', `listen 127.0.0.1:${port}`)
      .replace('http://127.0.0.1:8080', service.url);
    nginx = await startNginx(folder, http, { host: '127.0.0.1', port });
    const { path } = await jsonOf(service.call('/v1/picture-urls', { json: { id, ...white, width: 300 } }));
    const open = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      return {
        status: response.status,
        etag: response.headers.get('etag')!,
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    };
    const first = await open();
    expect([first.status, await hits()]).toEqual([200, 1]);
    expect((await sharp(first.bytes).metadata()).width).toBe(300);
    const again = await Promise.all([open(), open(), open()]);
    expect(again).toEqual([first, first, first]);
    expect((await open({ 'if-none-match': first.etag })).status).toBe(304);
    expect((await open({ range: 'bytes=0-9' })).bytes).toEqual(first.bytes.subarray(0, 10));
    expect(await hits()).toBe(1);
    const altered = await fetch(`http://127.0.0.1:${port}${path.replace('w_300', 'w_301')}`);
    expect(altered.status).toBe(403);
  },
);

it.skipIf(lacksPhp)(
  `the function in PHP signs${lacksPhp ? ' (skipped: php-cli is not installed)' : ''}`,
  async () => {
    const [signer = ''] = blocksOf('picture-urls.md', 'php');
    const key = await (await service.call('/v1/picture-urls/key')).text();
    await writeFile(join(folder, 'key.json'), key);
    const call = `echo packshot_url(json_decode(file_get_contents('key.json'), true), '${id}', 'Transp001', 'w_200', 'png');`;
    const { stdout } = await promisify(execFile)('php', ['-r', signer + call], { cwd: folder });
    const response = await fetch(stdout);
    expect(response.status).toBe(200);
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({ format: 'png', width: 200 });
  },
);
