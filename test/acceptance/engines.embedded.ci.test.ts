import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTinyModel } from '../../packages/cutout/src/engines/testing/onnx-model.ts';
import { startFileServer } from '../../packages/cutout/src/models/testing/file-server.ts';
import { startPackshot } from './command.ts';
import { cratePhoto, green, pixelsOf, type Service, startService } from './service.ts';

const run = promisify(execFile);
const preview = '/v1/design/preview.png';

/** Expects a picture with the crate's dark red in the middle, and the recipe's green in the corners. */
async function expectCrateOnGreen(service: Service): Promise<void> {
  const id = await service.upload(await cratePhoto());
  const response = await service.call(preview, { json: { id, ...green } });
  expect(response.status).toBe(200);
  const { data, width, channels } = await pixelsOf(response);
  const middle = data.subarray((width >> 1) * (width + 1) * channels);
  expect(middle[0]).toBeGreaterThan(90);
  expect(Math.max(middle[1]!, middle[2]!)).toBeLessThan(60);
  expect(data[1]).toBeGreaterThan(data[0]!);
}

describe('an installed model', () => {
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packshot-engines-'));
    env = { DATA_DIR: join(folder, 'data'), REMOVAL_ENGINE: '', REMOVAL_MODEL: 'dark' };
    // A tiny model that classifies pixels with little green as subject, with high confidence.
    const model = makeTinyModel({ inputShape: [1, 3, 256, 256], weights: [[0, -60, 0]], bias: [30] });
    await writeFile(join(folder, 'dark.onnx'), model);
    const description = {
      name: 'dark',
      input: { width: 256, height: 256, mean: [0, 0, 0], std: [1, 1, 1] },
      output: { activation: 'sigmoid' },
      licence: 'none: made by a test',
      source: 'this test',
      sha256: createHash('sha256').update(model).digest('hex'),
    };
    await writeFile(join(folder, 'dark.json'), JSON.stringify(description));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const packshot = (...input: string[]) =>
    run(process.execPath, ['bin/packshot.js', ...input], { env: { ...process.env, ...env } });

  it('is added by `packshot models install`, makes a picture, and is refused once its file is damaged', async () => {
    const installed = await packshot('models', 'install', join(folder, 'dark.onnx'));
    expect(installed.stdout).toContain('REMOVAL_MODEL=dark');
    const { stdout } = await packshot('models', 'list');
    expect(stdout).toMatch(/^isnet .*packaged.*verified$/m);
    expect(stdout).toMatch(/^dark .*installed.*verified$/m);

    const service = await startService(env);
    try {
      await expectCrateOnGreen(service);
    } finally {
      await service.stop();
    }

    await writeFile(join(folder, 'data', 'models', 'dark.onnx'), 'changed');
    await expect(packshot('models', 'verify')).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/ok {5}isnet[\s\S]*BAD {4}dark/),
    });
    // With other settings, the service gets a child process that has not loaded the model yet (test/keep-children.ts).
    const unloaded = { ...env, REMOVAL_MEMORY: 'small' };
    await expect(startService(unloaded)).rejects.toThrow('damaged, or does not match');
    expect((await packshot('models', 'remove', 'dark')).stdout).toContain('dark is removed');
    const elsewhere = { ...env, DATA_DIR: join(folder, 'empty') };
    await expect(startService(elsewhere)).rejects.toThrow('no installed removal model dark');
  });
});

describe('a model of the list', () => {
  it('is installed by its name from a mirror, and then used by its name', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'packshot-listed-'));
    const network = makeTinyModel({
      inputShape: ['n', 3, 'h', 'w'],
      weights: [[0, -30, 0]],
      bias: [0],
      sigmoid: true,
    });
    const mirror = await startFileServer(network);
    const env = { DATA_DIR: dataDir };
    const named = { DATA_DIR: dataDir, REMOVAL_ENGINE: '', REMOVAL_MODEL: 'inspyrenet' };
    const models = (...input: string[]) =>
      run(process.execPath, ['bin/packshot.js', 'models', ...input], { env: { ...process.env, ...env } });
    try {
      await expect(startService({ ...named, DATA_DIR: join(dataDir, 'empty') })).rejects.toThrow(
        'Install it with: packshot models install inspyrenet',
      );
      expect(mirror.ranges).toEqual([]);

      const { stdout: available } = await models('available', '--json');
      expect(JSON.parse(available)).toContainEqual(
        expect.objectContaining({
          name: 'birefnet-lite',
          licence: expect.stringContaining('MIT'),
          installed: false,
        }),
      );
      expect((await models('available')).stdout).toMatch(
        /^birefnet-lite .*1024 x 1024 px.*checksum published/m,
      );
      expect(mirror.ranges).toEqual([]);

      // The mirror has another file than the listed one.
      const wrong = await models('install', 'ben2', '--mirror', mirror.url).catch((error: unknown) => error);
      expect(wrong).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/offers \d+ bytes, but the file should have/),
      });

      const installed = await models('install', 'inspyrenet', '--json', '--mirror', mirror.url);
      expect(JSON.parse(installed.stdout)).toMatchObject([
        { name: 'inspyrenet', bytes: network.length, checked: 'nothing' },
      ]);
      expect(installed.stderr).toMatch(/License: MIT, .*\n.*first download is trusted/);
      const { stdout } = await run(process.execPath, ['bin/packshot.js', 'doctor'], {
        env: { ...process.env, ...env, REMOVAL_ENGINE: 'keyer' },
      });
      expect(stdout).toContain('inspyrenet: present, SHA-256 verified');

      const service = await startService(named);
      try {
        await expectCrateOnGreen(service);
      } finally {
        await service.stop();
      }
    } finally {
      await mirror.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

describe('REMOVAL_ENGINE=http', () => {
  it('makes a picture with a rembg server, despite temporary failures', async () => {
    const keys = new Set<unknown>();
    const photos: number[] = [];
    const rembg = createServer(async (request, response) => {
      const body = await buffer(request);
      keys.add(request.headers['x-api-key']);
      const headers = { 'content-type': request.headers['content-type']! };
      const form = await new Response(new Uint8Array(body), { headers }).formData();
      const photo = Buffer.from(await (form.get('file') as File).arrayBuffer());
      // The first request is the engine's own check. The next one is the first for the photo, and gets a busy response.
      const { width } = await sharp(photo).metadata();
      if (width === 320 && photos.push(width) === 1) {
        response.writeHead(503, { 'retry-after': '0' }).end();
        return;
      }
      const mask = sharp(photo).greyscale().threshold(150).negate().toColourspace('b-w');
      response
        .writeHead(form.get('om') === 'true' ? 200 : 400, { 'content-type': 'image/png' })
        .end(await mask.png().toBuffer());
    });
    rembg.listen(0, '127.0.0.1');
    await once(rembg, 'listening');
    const { port } = rembg.address() as AddressInfo;
    const service = await startService({
      REMOVAL_ENGINE: 'http',
      REMOVAL_URL: `http://127.0.0.1:${port}`,
      REMOVAL_HEADERS: 'X-Api-Key: for-rembg-only',
    });
    try {
      await expectCrateOnGreen(service);
      expect([...keys]).toEqual(['for-rembg-only']);
      expect(photos.length).toBe(2);
      // The secret must not be in the arguments, which any user of the machine can read.
      expect(await readAllArguments()).not.toContain('for-rembg-only');
    } finally {
      await service.stop();
      rembg.close();
    }
  });
});

describe('packshot engines check', () => {
  it('reports why an engine cannot be opened, exits, and leaves nothing behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-engines-'));
    try {
      const { code, stdout, stderr } = await startPackshot(['engines', 'check'], {
        env: { REMOVAL_ENGINE: 'onnx', REMOVAL_MODEL: join(folder, 'nowhere.onnx'), TMPDIR: folder },
      }).ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^internal: The removal model/m);
      expect(stdout.toString()).not.toContain('opened');
      expect((await readdir(folder)).filter((name) => name.startsWith('packshot'))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** The command lines of every visible process; empty without /proc. */
async function readAllArguments(): Promise<string> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.join('\n');
}
