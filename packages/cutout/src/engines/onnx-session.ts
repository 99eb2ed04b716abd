/**
 * Opens a model for ONNX Runtime with the options that all our engines share, from a cached optimized copy if there is
 * one.
 *
 * Optimizing takes seconds and much memory, so the result (including hardware-specific layouts) is kept in the cache
 * folder. The copy's file name contains two hashes: one of everything that the copy depends on, and one of the copy
 * itself. So an incomplete, damaged or outdated copy is never loaded.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import path from 'node:path';
import { PackshotError } from 'packshot-errors';
import { hashFile } from '../models/hash-file.ts';
import { InferenceSession } from '../onnxruntime.ts';

const require = createRequire(import.meta.url);
const runtimeVersion = (require('onnxruntime-node/package.json') as { version: string }).version;

/** Execution provider. Only `cpu` is always available; docs/engines.md lists what the others require. */
export type OnnxProvider = 'cpu' | 'cuda' | 'webgpu' | 'dml' | 'coreml';

export interface OnnxSessionSettings {
  /** CPU threads per run, at least 1. */
  readonly threads: number;
  /**
   * Folder of the optimized copies; created if missing. If it cannot be written, startup is slower, but the engine
   * still opens.
   */
  readonly cacheDir: string;
  /**
   * `fast`, the default, keeps the memory of a run for the next run (ONNX Runtime's arena), and arranges weights and
   * activations in CPU-specific layouts. `small` does neither. For ISNet, a run with `small` takes at least 1.5 times
   * as long as with `fast`, and memory use peaks at 0.6 GB.
   */
  readonly memory?: 'fast' | 'small';
  /** Default `cpu`. An unavailable provider is an error; there is no fallback to the CPU. */
  readonly provider?: OnnxProvider;
}

export interface OnnxModel {
  /** Prefix of the file names of the model's cached copies: lowercase letters, digits and `-`. */
  readonly cacheName: string;
  /**
   * SHA-256 of the bytes that `load` returns. If `load` derives these bytes from a file, this is the file's SHA-256,
   * followed by a space and the name of the derivation.
   */
  readonly sha256: string;
  /** Returns the file's path or its bytes; called only if no cached copy can be used. */
  readonly load: () => Promise<string | Uint8Array>;
}

/** Rejects with `internal` if the model cannot be loaded, or with the error of `load`. */
export async function openOnnxSession(
  model: OnnxModel,
  { threads, cacheDir, memory, provider = 'cpu' }: OnnxSessionSettings,
): Promise<InferenceSession> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: [provider],
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: memory !== 'small',
    // A memory pattern allocates all buffers of a run as one block. For ISNet, that takes 0.85 GB more and is not
    // measurably faster.
    enableMemPattern: false,
    // Level 3 logs errors only. ONNX Runtime warns that a saved graph contains hardware-specific layouts,
    // which is intended here.
    logSeverityLevel: 3,
  };
  const level = memory === 'small' ? 'extended' : 'all';
  if (provider !== 'cpu') return openOnProvider(provider, await model.load(), options);
  const key = await makeCacheKey(model, level);
  try {
    const cached = await findIntactGraph(cacheDir, key);
    if (cached !== undefined) return await create(cached, { ...options, graphOptimizationLevel: 'disabled' });
  } catch {
    // Either there is no cache folder yet, or the copy matches its checksum but cannot be loaded. Build the copy.
  }
  const original = await model.load();
  try {
    const graph = await writeOptimizedGraph(original, { cacheDir, key, level, options });
    return await create(graph, { ...options, graphOptimizationLevel: 'disabled' });
  } catch {
    // The disk is read-only or full. The graph stays in memory and is optimized again at the next start.
  }
  try {
    return await create(original, { ...options, graphOptimizationLevel: level });
  } catch (error) {
    throw new PackshotError('internal', 'The removal model could not be loaded.', { cause: error });
  }
}

/**
 * Loads the original model at each start, because a graph optimized for one device must not be loaded on another, and
 * providers that compile parts of a graph cannot save it (onnxruntime.ai/docs/performance/model-optimizations).
 */
async function openOnProvider(
  provider: OnnxProvider,
  original: string | Uint8Array,
  options: InferenceSession.SessionOptions,
): Promise<InferenceSession> {
  try {
    return await create(original, { ...options, graphOptimizationLevel: 'all' });
  } catch (error) {
    throw new PackshotError(
      'internal',
      `The removal model cannot be opened with REMOVAL_PROVIDER=${provider}.`,
      {
        cause: error,
      },
    );
  }
}

function create(
  model: string | Uint8Array,
  options: InferenceSession.SessionOptions,
): Promise<InferenceSession> {
  return typeof model === 'string'
    ? InferenceSession.create(model, options)
    : InferenceSession.create(model, options);
}

interface GraphTarget {
  readonly cacheDir: string;
  readonly key: string;
  readonly level: 'extended' | 'all';
  readonly options: InferenceSession.SessionOptions;
}

async function writeOptimizedGraph(
  original: string | Uint8Array,
  { cacheDir, key, level, options }: GraphTarget,
): Promise<string> {
  await mkdir(cacheDir, { recursive: true });
  const unfinished = path.join(cacheDir, `${key}-${randomUUID()}.part`);
  try {
    const session = await create(original, {
      ...options,
      graphOptimizationLevel: level,
      optimizedModelFilePath: unfinished,
    });
    await session.release();
    const finished = path.join(cacheDir, `${key}-${await hashFile(unfinished)}.onnx`);
    await rename(unfinished, finished);
    return finished;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/**
 * Returns the path of the cached copy whose bytes match the checksum in its name, and deletes copies that do not match.
 */
async function findIntactGraph(cacheDir: string, key: string): Promise<string | undefined> {
  const names = await readdir(cacheDir);
  for (const name of names.filter((each) => each.startsWith(`${key}-`) && each.endsWith('.onnx'))) {
    const file = path.join(cacheDir, name);
    if (name === `${key}-${await hashFile(file)}.onnx`) return file;
    await rm(file, { force: true });
  }
  return undefined;
}

async function makeCacheKey({ cacheName, sha256 }: OnnxModel, level: string): Promise<string> {
  const hash = createHash('sha256').update(`${sha256} ${runtimeVersion} ${level} ${await describeCpu()}`);
  return `${cacheName}-${hash.digest('hex').slice(0, 16)}`;
}

/**
 * The layouts depend on the CPU's instruction set. A cloud CPU's name (such as "AMD EPYC") does not identify
 * it.
 */
async function describeCpu(): Promise<string> {
  const model = `${process.arch} ${cpus()[0]?.model ?? 'unknown'}`;
  try {
    const flags = /^(?:flags|Features)\s*:\s*(.+)$/m.exec(await readFile('/proc/cpuinfo', 'utf8'))?.[1];
    return `${model} ${flags ?? ''}`;
  } catch {
    // Only Linux exposes the flags; elsewhere the model name has to suffice.
    return model;
  }
}
