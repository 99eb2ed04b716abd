import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modelDescriptionSchema } from '../engines/onnx-description.ts';
import { openRemovalEngine } from '../engines/registry.ts';
import { makeTinyModel } from '../engines/testing/onnx-model.ts';
import { installListed } from './install-model.ts';
import { findListed, type ListedModel, listedModels, modelFamilies } from './listed-models.ts';
import { type FileServer, startFileServer } from './testing/file-server.ts';

const signal = new AbortController().signal;
const settings = { session: { threads: 1 }, signal, pausesMs: [] };

let modelsDir: string;
beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'packshot-listed-'));
});
afterEach(() => rm(modelsDir, { recursive: true, force: true }));

/** A network with the inputs and outputs of the listed model's family; its matte marks dark pixels as product. */
function makeNetworkFor({ family }: ListedModel): Buffer {
  const { input, output } = modelFamilies[family]!;
  const inputShape = input.dynamic ? ['n', 3, 'h', 'w'] : [1, 3, input.height!, input.width!];
  const green = { mean: input.mean[1], std: input.std[1] };
  // From black to white, the network returns logits from 20 to -20, or a matte from 1 to 0. Its input is normalized as
  // (value - mean) / std.
  const slope = output.activation === 'sigmoid' ? -40 : -1;
  const start = output.activation === 'sigmoid' ? 20 : 1;
  return makeTinyModel({
    inputShape,
    weights: [[0, slope * green.std, 0]],
    bias: [start + slope * green.mean],
  });
}

/** Black with a white frame, so that the min-max stretch has an effect. */
function drawFramed(width: number, height: number) {
  const data = new Uint8Array(width * height * 3).fill(255);
  for (let y = height >> 2; y < height - (height >> 2); y++)
    data.fill(0, (y * width + (width >> 2)) * 3, (y * width + width - (width >> 2)) * 3);
  return { width, height, data };
}

/**
 * The models that are tested: in CI, all of them. Elsewhere, one model of each family is enough, because the networks
 * of a family have the same shape; and families whose input is at least 2,048 px wide are left out, because a picture
 * of that size takes seconds.
 */
const tried = process.env.CI
  ? listedModels
  : listedModels.filter(
      ({ family }, index) =>
        listedModels.findIndex((other) => other.family === family) === index &&
        (modelFamilies[family]!.input.width ?? 0) < 2_048,
    );

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('the list of models', () => {
  it('has unique names, and a family with a valid description for each model', () => {
    const names = listedModels.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { family } of listedModels) expect(Object.keys(modelFamilies)).toContain(family);
    for (const [name, { input, output, licence, source }] of Object.entries(modelFamilies)) {
      const description = { name, input, output, licence, source, sha256: 'a'.repeat(64) };
      expect(() => modelDescriptionSchema.parse(description)).not.toThrow();
    }
  });

  describe.each(tried.map((model) => [model.name, model] as const))('%s', (_, model) => {
    let server: FileServer;
    let network: Buffer;
    beforeEach(async () => {
      network = makeNetworkFor(model);
      server = await startFileServer(network);
    });
    afterEach(() => server.close());

    it('can be installed and opened, and predicts a matte (here with a tiny network of the same shape)', async () => {
      const checksum = model.sha256 === undefined ? {} : { sha256: hashOf(network) };
      const tiny = { ...model, url: `${server.url}/any/path.onnx`, bytes: network.length, ...checksum };
      const installed = await installListed(modelsDir, tiny, settings);
      expect(installed.checked).toBe(model.sha256 === undefined ? 'nothing' : 'checksum');
      const modelFile = join(modelsDir, `${model.name}.onnx`);
      const engine = await openRemovalEngine({ engine: 'onnx', modelFile, threads: 1, cacheDir: modelsDir });
      const matte = await engine.predictMatte(drawFramed(700, 500), { signal });
      await engine.close();
      const { dynamic, width, height } = modelFamilies[model.family]!.input;
      expect([matte.width, matte.height]).toEqual(dynamic ? [704, 512] : [width, height]);
      const middle = matte.data[(matte.height >> 1) * matte.width + (matte.width >> 1)];
      expect([matte.data[0], middle]).toEqual([0, 255]);
    });
  });
});

describe('installing by name', () => {
  const listed = (name: string, network: Buffer, changes: Partial<ListedModel> = {}): ListedModel => ({
    ...findListed(name)!,
    bytes: network.length,
    ...changes,
  });
  const network = makeNetworkFor(findListed('inspyrenet')!);

  it('trusts the first download if no checksum is published, and refuses a different file later', async () => {
    const server = await startFileServer(network);
    const model = listed('inspyrenet', network, { url: `${server.url}/x.onnx` });
    expect(await installListed(modelsDir, model, settings)).toMatchObject({ checked: 'nothing' });
    const again = async () => {
      for (const name of ['inspyrenet.onnx', 'inspyrenet.json']) await rm(join(modelsDir, name));
      return installListed(modelsDir, model, settings);
    };
    expect(await again()).toMatchObject({ checked: 'first download' });
    const other = Buffer.from(network);
    other[other.length - 1] = other.at(-1)! ^ 1;
    server.serve(other, '"v2"');
    await expect(again()).rejects.toThrow(/has the SHA-256/);
    await server.close();
    expect((await readdir(modelsDir)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('fetches the file from a mirror (a folder or a server), and verifies it with the same checksum', async () => {
    const mirror = await mkdtemp(join(tmpdir(), 'packshot-mirror-'));
    await writeFile(join(mirror, 'inspyrenet.onnx'), network);
    const model = listed('inspyrenet', network, { sha256: hashOf(network) });
    const installed = await installListed(modelsDir, model, { ...settings, mirror });
    expect(installed).toMatchObject({ checked: 'checksum', description: { source: model.url } });
    await rm(join(modelsDir, 'inspyrenet.onnx'));

    const server = await startFileServer(network);
    await installListed(modelsDir, model, { ...settings, mirror: `${server.url}/models` });
    await rm(join(modelsDir, 'inspyrenet.onnx'));
    const wrong = { ...model, sha256: 'a'.repeat(64) };
    for (const from of [mirror, server.url])
      await expect(installListed(modelsDir, wrong, { ...settings, mirror: from })).rejects.toThrow('not aaa');
    await server.close();
    await rm(mirror, { recursive: true });
  });

  it('uses a mirror over http only if a checksum verifies the file', async () => {
    const mirror = 'http://files.internal/models';
    const model = listed('inspyrenet', network);
    await expect(installListed(modelsDir, model, { ...settings, mirror })).rejects.toThrow('https only');
  });

  it('keeps a download that could not be opened, so that it need not be repeated', async () => {
    const fixed = makeTinyModel({ inputShape: [1, 3, 64, 64], weights: [[0, -40, 0]], bias: [20] });
    const server = await startFileServer(fixed);
    const model = listed('inspyrenet', fixed, { url: `${server.url}/x.onnx`, sha256: hashOf(fixed) });
    await expect(installListed(modelsDir, model, settings)).rejects.toThrow(
      /but input.width and height make/,
    );
    expect(await readFile(join(modelsDir, 'inspyrenet.onnx.part'))).toEqual(fixed);
    await expect(installListed(modelsDir, model, settings)).rejects.toThrow(
      /but input.width and height make/,
    );
    await server.close();
    expect(server.ranges).toHaveLength(1);
  });

  it('is refused if the disk has no room for the file and its optimized copy', async () => {
    const server = await startFileServer(network);
    const model = listed('inspyrenet', network, { url: `${server.url}/x.onnx` });
    const measureFree = async () => network.length * 2 - 1;
    await expect(installListed(modelsDir, model, { ...settings, measureFree })).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringContaining('including its optimized copy'),
    });
    await server.close();
  });
});
