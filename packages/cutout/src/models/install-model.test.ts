import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installModel } from './install-model.ts';
import { listInstalledModels, measureCopies, removeModel } from './installed-models.ts';
import { tinyModel, useModelsFolder } from './testing/models-folder.ts';

const sha256 = createHash('sha256').update(tinyModel).digest('hex');
const request = { session: { threads: 1 }, signal: new AbortController().signal, pausesMs: [0, 0] };
const input = { width: 32, height: 32, mean: [0, 0, 0], std: [1, 1, 1] };
const told = { name: 'tiny', input, output: { activation: 'sigmoid' }, licence: 'none', source: 'a test' };

const at = useModelsFolder();

const listInstalled = () => listInstalledModels(at.modelsDir);

describe('installing a model', () => {
  it('takes the description from the model’s family, and opens the model before installing it', async () => {
    const { description, bytes, checked } = await installModel(at.modelsDir, {
      ...request,
      from: at.file,
      family: 'birefnet',
      sha256,
    });
    expect([bytes, checked]).toEqual([tinyModel.length, 'checksum']);
    expect(description).toMatchObject({ name: 'birefnet-tiny', sha256, output: { activation: 'sigmoid' } });
    expect(await listInstalled()).toEqual([
      {
        name: 'birefnet-tiny',
        origin: 'installed',
        bytes: tinyModel.length,
        sha256,
        licence: expect.stringMatching(/^MIT, by its author/),
      },
    ]);
    const left = await readdir(at.modelsDir);
    expect(left.filter((name) => name.startsWith('birefnet-tiny')).sort()).toEqual([
      'birefnet-tiny.json',
      'birefnet-tiny.onnx',
    ]);
    expect(left.filter((name) => name.startsWith('install-'))).toEqual([]);
    // The optimized copy made while opening is used at the first start.
    expect((await measureCopies(at.modelsDir)).copies).toBe(1);
  });

  it('takes the description from the JSON file beside the model, and needs no checksum for a local file', async () => {
    await writeFile(join(at.folder, 'BiRefNet tiny.json'), JSON.stringify(told));
    expect(await installModel(at.modelsDir, { ...request, from: at.file, name: 'own' })).toMatchObject({
      description: { name: 'own', sha256, licence: 'none' },
      checked: 'nothing',
    });
    const written = JSON.parse(await readFile(join(at.modelsDir, 'own.json'), 'utf8'));
    expect(written).toMatchObject({ input: { layout: 'nchw', colorOrder: 'rgb', fit: 'stretch' } });
  });

  it.each([
    [
      'whose checksum differs from the given one',
      { sha256: 'a'.repeat(64), family: 'birefnet' },
      /has the SHA-256/,
    ],
    ['of an unknown family', { family: 'resnet' }, /no family resnet\. Known families: .*birefnet/],
    ['without a description', {}, /Nothing describes the model: .*--family/],
    ['whose output does not match its family', { family: 'rmbg-2.0' }, /beyond 0 to 1.*"sigmoid"/],
    ['that is missing', { from: 'gone.onnx' }, /no file gone\.onnx/],
    ['from a URL without a checksum', { from: 'https://models.example/x.onnx' }, /needs --sha256/],
    ['from a URL that is not https', { from: 'http://models.example/x.onnx', sha256 }, /https only/],
  ])('rejects a model %s, and leaves nothing behind', async (_, wrong, message) => {
    await expect(installModel(at.modelsDir, { ...request, from: at.file, ...wrong })).rejects.toThrow(
      message,
    );
    expect(await listInstalled()).toEqual([]);
    const left = await readdir(at.modelsDir).catch(() => []);
    expect(left.filter((name) => name.startsWith('install-'))).toEqual([]);
  });

  it('refuses a name that is taken, until the model is removed with its description and its copies', async () => {
    const again = () => installModel(at.modelsDir, { ...request, from: at.file, family: 'birefnet' });
    await again();
    await expect(again()).rejects.toThrow('already installed');
    await removeModel(at.modelsDir, 'birefnet-tiny');
    expect(await readdir(at.modelsDir)).toEqual([]);
    await expect(removeModel(at.modelsDir, 'birefnet-tiny')).rejects.toThrow('no installed model');
    await again();
  });
});

describe('installations that were killed', () => {
  it('are cleaned up by the next installation, once they are a day old', async () => {
    const [old, young] = ['install-old', 'install-young'].map((name) => join(at.modelsDir, name));
    await mkdir(old!, { recursive: true });
    await mkdir(young!);
    await utimes(old!, 0, 0);
    await installModel(at.modelsDir, { ...request, from: at.file, family: 'birefnet' });
    const left = (await readdir(at.modelsDir)).filter((name) => name.startsWith('install-'));
    expect(left).toEqual(['install-young']);
  });
});

describe('installing from a URL', () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/files/Tiny.onnx?x=1' }).end();
      else if (request.url === '/away') response.writeHead(302, { location: 'http://models.example/' }).end();
      else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
      else if (request.url?.startsWith('/files/'))
        response.writeHead(200, { 'content-length': tinyModel.length }).end(tinyModel);
      else response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('follows redirects, counts the bytes, and records the URL', async () => {
    const seen: unknown[] = [];
    const { description } = await installModel(at.modelsDir, {
      ...request,
      from: `${base}/moved`,
      sha256,
      family: 'birefnet',
      onProgress: (bytes, totalBytes) => seen.push([bytes, totalBytes]),
    });
    expect(description).toMatchObject({ name: 'moved', source: `${base}/moved` });
    expect(seen.at(-1)).toEqual([tinyModel.length, tinyModel.length]);
  });

  it.each([
    ['/gone', /status 404/],
    ['/away', /https only/],
    ['/round', /more than 5 times/],
  ])('fails for the path %s, and leaves nothing behind', async (path, message) => {
    const installing = installModel(at.modelsDir, {
      ...request,
      from: base + path,
      sha256,
      family: 'birefnet',
    });
    await expect(installing).rejects.toThrow(message);
    expect(await readdir(at.modelsDir)).toEqual([]);
  });
});
