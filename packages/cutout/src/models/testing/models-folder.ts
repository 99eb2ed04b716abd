/**
 * For tests: a tiny model as a file, and the path of a models folder, not yet created, to install it in. Each test gets
 * new ones.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { makeTinyModel } from '../../engines/testing/onnx-model.ts';

/** Returns logits, and accepts any size: it matches the family `birefnet`. */
export const tinyModel = makeTinyModel({
  inputShape: ['n', 3, 'h', 'w'],
  weights: [[0, -9, 0]],
  bias: [1],
});

export interface ModelsFolder {
  /** Parent folder of `modelsDir` and `file`. */
  folder: string;
  /** Does not exist yet. */
  modelsDir: string;
  /** Path of the model file. */
  file: string;
}

export function useModelsFolder(): ModelsFolder {
  const made: ModelsFolder = { folder: '', modelsDir: '', file: '' };
  beforeEach(async () => {
    made.folder = await mkdtemp(join(tmpdir(), 'packshot-models-'));
    made.modelsDir = join(made.folder, 'data', 'models');
    made.file = join(made.folder, 'BiRefNet tiny.onnx');
    await writeFile(made.file, tinyModel);
  });
  afterEach(() => rm(made.folder, { recursive: true, force: true }));
  return made;
}
