import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installModel } from './install-model.ts';
import {
  findModelFiles,
  listInstalledModels,
  listPackagedModels,
  listUnfinished,
  removeModel,
} from './installed-models.ts';
import { tinyModel, useModelsFolder } from './testing/models-folder.ts';

const request = { session: { threads: 1 }, signal: new AbortController().signal };

const at = useModelsFolder();

const listInstalled = () => listInstalledModels(at.modelsDir);

describe('listing models', () => {
  it('includes the packaged weights, and finds them intact', async () => {
    const [packaged] = await listPackagedModels();
    expect(packaged).toMatchObject({ name: 'isnet', origin: 'packaged', bytes: 88_188_479 });
    expect(packaged?.problem).toBeUndefined();
  });

  it('reports changed files and missing descriptions', async () => {
    await installModel(at.modelsDir, { ...request, from: at.file, family: 'birefnet' });
    await writeFile(join(at.modelsDir, 'birefnet-tiny.onnx'), 'another');
    await writeFile(join(at.modelsDir, 'stray.onnx'), tinyModel);
    expect(await listInstalled()).toMatchObject([
      { name: 'birefnet-tiny', problem: expect.stringContaining('the file has changed') },
      { name: 'stray', problem: expect.stringContaining('no readable description') },
    ]);
  });

  it('finds the model files of a folder, or reports that there are none', async () => {
    expect(await findModelFiles(at.folder)).toEqual([at.file]);
    await expect(findModelFiles(join(at.folder, 'nowhere'))).rejects.toThrow('no file or folder');
    await rm(at.file);
    await expect(findModelFiles(at.folder)).rejects.toThrow('no .onnx files');
  });

  it('includes unfinished downloads, which can be removed', async () => {
    await installModel(at.modelsDir, { ...request, from: at.file, family: 'birefnet' });
    await writeFile(join(at.modelsDir, 'ben2.onnx.part'), 'begun');
    await writeFile(join(at.modelsDir, 'ben2.onnx.part.json'), '{}');
    expect(await listUnfinished(at.modelsDir)).toEqual([{ name: 'ben2', bytes: 5 }]);
    await removeModel(at.modelsDir, 'ben2');
    expect(await listUnfinished(at.modelsDir)).toEqual([]);
    expect(await listInstalled()).toMatchObject([{ name: 'birefnet-tiny' }]);
  });
});
