/** Fetches a model file, verifies it, opens it once, and only then moves it into the models folder. */
import { copyFile, link, mkdir, mkdtemp, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PackshotError } from 'packshot-errors';

import { descriptionPathOf, type ModelDescription } from '../engines/onnx-description.ts';
import type { OnnxSessionSettings } from '../engines/onnx-session.ts';
import { openRemovalEngine } from '../engines/registry.ts';
import { downloadModel } from './download-model.ts';
import { checkFile, listNames, type OnProgress, refused } from './model-file.ts';

export interface InstallSettings {
  /** Options for opening the model once as a test. */
  readonly session: Omit<OnnxSessionSettings, 'cacheDir'>;
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress | undefined;
  /** Pauses between download attempts, in milliseconds. */
  readonly pausesMs?: readonly number[];
  /** Measures the free space on the folder's disk, in bytes. */
  readonly measureFree?: () => Promise<number>;
}

/** The source of a model file, and the model it becomes. */
export interface PlacementPlan extends InstallSettings {
  readonly from: string;
  readonly isUrl: boolean;
  readonly allowHttp?: boolean;
  readonly name: string;
  /** The expected checksum, if it is known. */
  readonly sha256: string | undefined;
  readonly bytes?: number | undefined;
  readonly describe: (sha256: string) => Promise<ModelDescription>;
}

export interface PlacedModel {
  readonly description: ModelDescription;
  readonly bytes: number;
}

const LEFTOVER_AFTER_MS = 86_400_000;

/** The partial file of a download; the next download for this name continues it. */
export const partialOf = (modelsDir: string, name: string): string => join(modelsDir, `${name}.onnx.part`);

/**
 * Rejects with the reason for the failure. After a failure, a download is kept unless its checksum is wrong; all other
 * files of this attempt are deleted.
 */
export async function placeModel(modelsDir: string, plan: PlacementPlan): Promise<PlacedModel> {
  const { name, from } = plan;
  if ((await listNames(modelsDir)).includes(`${name}.onnx`))
    throw refused(`${name} is already installed; remove it first, or choose another --name.`);
  await mkdir(modelsDir, { recursive: true });
  await removeLeftovers(modelsDir);
  // The model is prepared in the same folder, so that the last step is a rename.
  const attempt = await mkdtemp(join(modelsDir, 'install-'));
  try {
    const modelFile = join(attempt, `${name}.onnx`);
    const partialFile = partialOf(modelsDir, name);
    const sha256 = plan.isUrl
      ? await downloadModel({ ...plan, url: from, partialFile, admit: admitTo(modelsDir, plan) })
      : await copyModel(modelsDir, plan, modelFile);
    // Keep the partial file until the model has been opened. If memory runs out, the download then need not be
    // repeated.
    if (plan.isUrl) await link(partialFile, modelFile).catch(() => rename(partialFile, modelFile));
    const description = await plan.describe(sha256);
    await writeFile(descriptionPathOf(modelFile), `${JSON.stringify(description, null, 2)}\n`);
    const engine = await openRemovalEngine({
      engine: 'onnx',
      modelFile,
      ...plan.session,
      cacheDir: modelsDir,
    });
    await engine.close();
    const { size } = await stat(modelFile);
    await rename(descriptionPathOf(modelFile), join(modelsDir, `${name}.json`));
    await rename(modelFile, join(modelsDir, `${name}.onnx`));
    await rm(partialFile, { force: true });
    return { description, bytes: size };
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
}

async function copyModel(modelsDir: string, plan: PlacementPlan, target: string): Promise<string> {
  const { from, onProgress } = plan;
  const found = await stat(from).catch((cause) => {
    throw new PackshotError('missing_file', `There is no file ${from}.`, { cause });
  });
  await admitTo(modelsDir, plan)(found.size, found.size);
  try {
    await copyFile(from, target);
  } catch (cause) {
    throw new PackshotError('source_fetch_failed', 'The model file could not be copied.', { cause });
  }
  plan.signal.throwIfAborted();
  onProgress?.(found.size, found.size);
  return checkFile(target, plan.sha256);
}

/** Checks free space for the file, and for its optimized copy, which is made only if the model runs on the CPU. */
const admitTo =
  (modelsDir: string, { session, measureFree }: PlacementPlan) =>
  async (missingBytes: number, totalBytes: number): Promise<void> => {
    const freeBytes = await (measureFree
      ? measureFree()
      : statfs(modelsDir).then(({ bavail, bsize }) => bavail * bsize));
    const keepsCopy = (session.provider ?? 'cpu') === 'cpu';
    const neededBytes = missingBytes + (keepsCopy ? totalBytes : 0);
    if (neededBytes <= freeBytes) return;
    const inMB = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
    throw new PackshotError(
      'storage_full',
      `The model needs ${inMB(neededBytes)} in ${modelsDir}${keepsCopy ? ', including its optimized copy' : ''}; ${inMB(freeBytes)} are free.`,
    );
  };

/** Deletes the folders of installations that were killed: those too old to belong to a running installation. */
async function removeLeftovers(modelsDir: string): Promise<void> {
  for (const name of (await listNames(modelsDir)).filter((each) => each.startsWith('install-'))) {
    const folder = join(modelsDir, name);
    const found = await stat(folder);
    if (found.isDirectory() && Date.now() - found.mtimeMs > LEFTOVER_AFTER_MS)
      await rm(folder, { recursive: true, force: true });
  }
}
