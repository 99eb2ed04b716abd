/** Puts a model file into the folder of models: from this machine, from a URL, or by its name in the list. */
import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { PackshotError } from '../../errors.ts';
import { measureSpace } from '../../storage/storage-watch.ts';
import {
  descriptionPathOf,
  type ModelDescription,
  parseModelDescription,
} from '../engines/onnx-description.ts';
import type { OnnxSessionSettings } from '../engines/onnx-session.ts';
import { openRemovalEngine } from '../engines/registry.ts';
import { downloadModel } from './download-model.ts';
import { keepFirstChecksum, readFirstChecksum } from './first-checksums.ts';
import { type ListedModel, modelFamilies } from './listed-models.ts';
import { type Checksums, checkFile, listNames, type OnProgress, refused } from './model-file.ts';

interface InstallSettings {
  /** How the model is opened as a test. */
  readonly session: Omit<OnnxSessionSettings, 'cacheDir'>;
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress | undefined;
  /** Pauses between attempts to download, in ms. */
  readonly pausesMs?: readonly number[];
  /** Free bytes of the folder's disk. */
  readonly measureFree?: () => Promise<number>;
}

export interface InstallRequest extends InstallSettings {
  /** A path, or an https URL. */
  readonly from: string;
  /** A URL needs one. */
  readonly checksums?: Checksums;
  /** Key of `modelFamilies`. Without it the JSON beside the file describes the model, or the one named here. */
  readonly family?: string;
  readonly descriptionFile?: string;
  /** Default: the file's own, in lower case. */
  readonly name?: string;
}

export interface InstalledModel {
  readonly description: ModelDescription;
  readonly bytes: number;
  /**
   * What the file was held against: a checksum that was given or published, the first download of its URL, or nothing:
   * it is that first download, or a file of this machine.
   */
  readonly checked: 'checksum' | 'first download' | 'nothing';
}

/** Where a file comes from, and what it becomes. */
interface Plan extends InstallSettings {
  readonly from: string;
  readonly isUrl: boolean;
  readonly allowHttp?: boolean;
  readonly name: string;
  readonly checksums: Checksums;
  readonly bytes?: number | undefined;
  readonly describe: (sha256: string) => Promise<ModelDescription>;
}

const LEFTOVER_AFTER_MS = 86_400_000;

/**
 * Copies or downloads the file, verifies it, opens it once as the engine would, and only then puts it in its place.
 * Rejects with what does not fit. What was downloaded stays unless its checksum is wrong; all else goes.
 */
export async function installModel(modelsDir: string, request: InstallRequest): Promise<InstalledModel> {
  const { from, checksums = {} } = request;
  const isUrl = isUrlText(from);
  if (isUrl && checksums.sha256 === undefined)
    throw refused(
      'A file from a URL needs --sha256: its publisher states it, and nothing else proves the file.',
    );
  const name = request.name ?? nameFrom(isUrl ? new URL(from).pathname : from);
  const plan = {
    ...request,
    isUrl,
    name,
    checksums,
    describe: (sha256: string) => describe(request, { name, sha256, isUrl }),
  };
  return { ...(await putInPlace(modelsDir, plan)), checked: checksums.sha256 ? 'checksum' : 'nothing' };
}

export interface ListedRequest extends InstallSettings {
  /** Folder or base URL that holds `NAME.onnx` in place of the publisher. */
  readonly mirror?: string | undefined;
  readonly licenceAccepted?: boolean;
}

/** By its row of the list; otherwise as `installModel`. */
export async function installListed(
  modelsDir: string,
  model: ListedModel,
  { mirror, licenceAccepted, ...settings }: ListedRequest,
): Promise<InstalledModel> {
  const { name, url, bytes, sha256, md5, licence, licenceUrl } = model;
  if (model.mustAccept && !licenceAccepted)
    throw refused(
      `The license of ${name} must be accepted: ${licence} (${licenceUrl}). Read it, then add --accept-license.`,
    );
  const family = modelFamilies[model.family]!;
  const published = sha256 !== undefined || md5 !== undefined;
  const first = published ? undefined : await readFirstChecksum(modelsDir, url);
  const from = mirror === undefined ? url : mirrored(mirror, name);
  const plan: Plan = {
    ...settings,
    from,
    isUrl: isUrlText(from),
    // The checksum proves the file whatever it came over.
    allowHttp: mirror !== undefined && (published || first !== undefined),
    name,
    bytes,
    checksums: published ? { sha256, md5 } : { sha256: first },
    describe: async (found) => {
      const { input, output } = family;
      return parseModelDescription({ name, input, output, licence, source: url, sha256: found }, name);
    },
  };
  const installed = await putInPlace(modelsDir, plan);
  if (published) return { ...installed, checked: 'checksum' };
  if (first !== undefined) return { ...installed, checked: 'first download' };
  await keepFirstChecksum(modelsDir, url, installed.description.sha256);
  return { ...installed, checked: 'nothing' };
}

/** The partial file of a download, where the next one of this name continues. */
export const partialOf = (modelsDir: string, name: string): string => join(modelsDir, `${name}.onnx.part`);

async function putInPlace(modelsDir: string, plan: Plan): Promise<Omit<InstalledModel, 'checked'>> {
  const { name, from } = plan;
  if ((await listNames(modelsDir)).includes(`${name}.onnx`))
    throw refused(`${name} is installed already; remove it first, or choose another --name.`);
  await mkdir(modelsDir, { recursive: true });
  await removeLeftovers(modelsDir);
  // In the same folder, so that the last step is a rename.
  const attempt = await mkdtemp(join(modelsDir, 'install-'));
  try {
    const modelFile = join(attempt, `${name}.onnx`);
    const partialFile = partialOf(modelsDir, name);
    const sha256 = plan.isUrl
      ? await downloadModel({ ...plan, url: from, partialFile, admit: admitTo(modelsDir, plan) })
      : await copyModel(modelsDir, plan, modelFile);
    // A download stays until it has been opened: nobody should have to repeat it because memory ran out.
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

async function copyModel(modelsDir: string, plan: Plan, target: string): Promise<string> {
  const { from, checksums, onProgress } = plan;
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
  return checkFile(target, checksums);
}

/** Room for the file, and for its optimized copy where the CPU runs it. */
const admitTo =
  (modelsDir: string, { session, measureFree }: Plan) =>
  async (missingBytes: number, totalBytes: number): Promise<void> => {
    const freeBytes = await (measureFree
      ? measureFree()
      : measureSpace(modelsDir).then((space) => space.freeBytes));
    const neededBytes = missingBytes + ((session.provider ?? 'cpu') === 'cpu' ? totalBytes : 0);
    if (neededBytes <= freeBytes) return;
    const inMB = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
    throw new PackshotError(
      'storage_full',
      `The model needs ${inMB(neededBytes)} in ${modelsDir}, its optimized copy included; ${inMB(freeBytes)} are free.`,
    );
  };

/** Of installations whose process was killed, long enough ago that none can still be running. */
async function removeLeftovers(modelsDir: string): Promise<void> {
  for (const name of (await listNames(modelsDir)).filter((each) => each.startsWith('install-'))) {
    const folder = join(modelsDir, name);
    const found = await stat(folder);
    if (found.isDirectory() && Date.now() - found.mtimeMs > LEFTOVER_AFTER_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

async function describe(
  { from, family, descriptionFile }: InstallRequest,
  { name, sha256, isUrl }: { name: string; sha256: string; isUrl: boolean },
): Promise<ModelDescription> {
  const families = Object.keys(modelFamilies).join(', ');
  if (family !== undefined) {
    const known = modelFamilies[family];
    if (!known) throw refused(`There is no family ${family}; known are ${families}.`);
    const { input, output, licence } = known;
    return parseModelDescription(
      { name, input, output, licence, source: isUrl ? from : known.source, sha256 },
      family,
    );
  }
  const path = descriptionFile ?? (isUrl ? undefined : descriptionPathOf(from));
  const text = path && (await readFile(path, 'utf8').catch(() => undefined));
  if (!path || text === undefined)
    throw refused(
      `Nothing describes the model: name its family with --family (${families}), or write a JSON file as docs/engines.md shows.`,
    );
  let told: Partial<ModelDescription>;
  try {
    told = JSON.parse(text);
  } catch (error) {
    throw refused(`${path} is not valid JSON: ${error instanceof Error ? error.message : error}.`);
  }
  if (told.sha256 !== undefined && told.sha256 !== sha256)
    throw refused(`The file has the SHA-256 ${sha256}, but its description names ${told.sha256}.`);
  return parseModelDescription({ ...told, name, sha256 }, path);
}

const isUrlText = (text: string): boolean => /^[a-z]+:\/\//i.test(text);

function mirrored(mirror: string, name: string): string {
  const file = `${name}.onnx`;
  return isUrlText(mirror)
    ? new URL(file, mirror.endsWith('/') ? mirror : `${mirror}/`).href
    : resolve(mirror, file);
}

function nameFrom(path: string): string {
  const name = basename(path)
    .replace(/\.onnx$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64);
  return name || `model-${randomUUID().slice(0, 8)}`;
}
