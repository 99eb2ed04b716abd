/** The folder of model files: what is in it, whether it is whole, and how a file gets in and out. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import manifest from '../../../models/manifest.json' with { type: 'json' };
import { PackshotError } from '../../errors.ts';
import { readIsnetWeights } from '../engines/isnet-weights.ts';
import {
  cacheNameOf,
  descriptionPathOf,
  type ModelDescription,
  parseModelDescription,
  readModelDescription,
} from '../engines/onnx-description.ts';
import { openRemovalEngine } from '../engines/registry.ts';
import { hashFile } from './hash-file.ts';
import { modelFamilies } from './model-families.ts';
import { openModelUrl } from './model-url.ts';

export interface ModelState {
  readonly name: string;
  /** `packaged` weights come with an npm package and are not removed here. */
  readonly origin: 'packaged' | 'installed';
  readonly bytes: number;
  /** Of the description or the manifest, which the file may not keep; empty where there is none. */
  readonly sha256: string;
  readonly licence: string;
  /** What is wrong; undefined where the file has the SHA-256 that it is said to have. */
  readonly problem?: string;
}

export interface InstallRequest {
  /** A path, or an https URL. */
  readonly from: string;
  /** What the file must have; needed for a URL. */
  readonly sha256?: string;
  /** Key of `modelFamilies`. Without it the JSON beside the file describes the model, or the one named here. */
  readonly family?: string;
  readonly descriptionFile?: string;
  /** The file's own, in lower case, unless told. */
  readonly name?: string;
  readonly threads: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (bytes: number, totalBytes: number | undefined) => void;
}

/** The largest that the ONNX format allows in one file is 2 GiB; some room for what is to come. */
const MAX_MODEL_BYTES = 8 * 1024 ** 3;
const LEFTOVER_AFTER_MS = 86_400_000;
const optimisedCopy = /-[0-9a-f]{16}-[0-9a-f]{64}\.onnx$/;

/** What the npm packages bring. Reads and hashes all of it. */
export function listPackagedModels(): Promise<ModelState[]> {
  return Promise.all(manifest.weights.map(judgePackaged));
}

/** What was installed. Reads and hashes all of it; an unmade folder is an empty one. */
export async function listInstalledModels(modelsDir: string): Promise<ModelState[]> {
  const files = (await listNames(modelsDir)).filter(
    (name) => name.endsWith('.onnx') && !optimisedCopy.test(name),
  );
  return Promise.all(files.sort().map((file) => judgeInstalled(join(modelsDir, file))));
}

/** Optimised copies, which engines make and remake as they need them. */
export async function measureCopies(modelsDir: string): Promise<{ copies: number; bytes: number }> {
  const names = (await listNames(modelsDir)).filter((name) => optimisedCopy.test(name));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(modelsDir, name))).size));
  return { copies: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/**
 * Copies or fetches the file, checks it, opens it once as the engine would, and only then puts it in its place.
 * Rejects with what does not fit; nothing of it stays then.
 */
export async function installModel(modelsDir: string, request: InstallRequest): Promise<ModelDescription> {
  const { from } = request;
  const isUrl = /^[a-z]+:\/\//i.test(from);
  if (isUrl && request.sha256 === undefined)
    throw refused(
      'A file from a URL needs --sha256: its publisher tells it, and nothing else proves the file.',
    );
  const name = request.name ?? nameFrom(isUrl ? new URL(from).pathname : from);
  if ((await listNames(modelsDir)).includes(`${name}.onnx`))
    throw refused(`${name} is installed already; remove it first, or choose another --name.`);
  await mkdir(modelsDir, { recursive: true });
  await removeLeftovers(modelsDir);
  // In the same folder, so that the last step is a rename.
  const attempt = await mkdtemp(join(modelsDir, 'install-'));
  try {
    const modelFile = join(attempt, `${name}.onnx`);
    const sha256 = await copyHashed(request, isUrl, modelFile);
    if (request.sha256 !== undefined && request.sha256.toLowerCase() !== sha256)
      throw refused(`The file has the SHA-256 ${sha256}, not ${request.sha256}.`);
    const description = await describe(request, { name, sha256, isUrl });
    await writeFile(descriptionPathOf(modelFile), `${JSON.stringify(description, null, 2)}\n`);
    const engine = await openRemovalEngine({
      engine: 'onnx',
      modelFile,
      threads: request.threads,
      cacheDir: modelsDir,
    });
    await engine.close();
    await rename(descriptionPathOf(modelFile), join(modelsDir, `${name}.json`));
    await rename(modelFile, join(modelsDir, `${name}.onnx`));
    return description;
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
}

/** The model, its description and its optimised copies. */
export async function removeModel(modelsDir: string, name: string): Promise<void> {
  const modelFile = join(modelsDir, `${name}.onnx`);
  const names = await listNames(modelsDir);
  if (!names.includes(`${name}.onnx`) || optimisedCopy.test(`${name}.onnx`))
    throw refused(`There is no installed model ${name}; \`packshot models list\` shows them all.`);
  const description = await readModelDescription(modelFile).catch(() => undefined);
  await rm(modelFile);
  await rm(descriptionPathOf(modelFile), { force: true });
  const copies = description && `${cacheNameOf(description)}-`;
  for (const each of names.filter((other) => copies && other.startsWith(copies) && optimisedCopy.test(other)))
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

/** Of installations whose process was killed, long enough ago that none can still be running. */
async function removeLeftovers(modelsDir: string): Promise<void> {
  for (const name of (await listNames(modelsDir)).filter((each) => each.startsWith('install-'))) {
    const folder = join(modelsDir, name);
    const found = await stat(folder);
    if (found.isDirectory() && Date.now() - found.mtimeMs > LEFTOVER_AFTER_MS)
      await rm(folder, { recursive: true, force: true });
  }
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
      ...(!whole && { problem: 'its SHA-256 is another: the file changed' }),
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

async function copyHashed(request: InstallRequest, isUrl: boolean, target: string): Promise<string> {
  const { from, signal, onProgress } = request;
  const source = isUrl ? await openModelUrl(from, signal) : await openModelFile(from);
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      onProgress?.(bytes, source.totalBytes);
      if (bytes > MAX_MODEL_BYTES) done(refused(`The file is larger than ${MAX_MODEL_BYTES} bytes.`));
      else done(null, chunk);
    },
  });
  try {
    await pipeline(source.body, meter, createWriteStream(target), { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PackshotError) throw error;
    throw new PackshotError('source_fetch_failed', 'The model file could not be read to its end.', {
      cause: error,
    });
  }
  return hash.digest('hex');
}

async function openModelFile(path: string): Promise<{ body: Readable; totalBytes: number | undefined }> {
  const found = await stat(path).catch((cause) => {
    throw new PackshotError('missing_file', `There is no file ${path}.`, { cause });
  });
  return { body: createReadStream(path), totalBytes: found.size };
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
    throw refused(`${path} is no JSON: ${error instanceof Error ? error.message : error}.`);
  }
  if (told.sha256 !== undefined && told.sha256 !== sha256)
    throw refused(`The file has the SHA-256 ${sha256}, but its description names ${told.sha256}.`);
  return parseModelDescription({ ...told, name, sha256 }, path);
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

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new PackshotError('storage_unavailable', `The folder ${folder} cannot be read.`, { cause: error });
  }
}

function refused(message: string): PackshotError {
  return new PackshotError('invalid_field', message);
}
