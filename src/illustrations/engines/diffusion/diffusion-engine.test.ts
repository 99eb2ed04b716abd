import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PackshotError } from '../../../errors.ts';
import { RemoteFailure } from '../../../remote/remote-failure.ts';
import type { ScenePlan } from '../../../studio/scene-plan.ts';
import { openWorkerPool } from '../../../workers/worker-pool.ts';
import { describeIllustrationEngine } from '../../painting/illustration-engine.contract.ts';
import type { IllustrationRequest } from '../../painting/illustration-engine.ts';
import { type DiffusionChild, type DiffusionTasks, openDiffusion } from './diffusion-engine.ts';
import type { DiffusionSettings } from './diffusion-model.ts';
import { writeModelFolder } from './testing/model-folders.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'packshot-diffusion-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const signal = new AbortController().signal;
const request: IllustrationRequest = {
  mode: 'plate-only',
  // This engine does not read the plan, only the brief.
  plan: {} as ScenePlan,
  brief: { prompt: 'a red cube', negativePrompt: 'people' },
  canvas: { width: 600, height: 400 },
  seed: 5,
  signal,
};

function startChild(folder: string): DiffusionChild {
  const settings: DiffusionSettings = { folder, steps: 2, threads: 1, memory: 'fast' };
  const pool = openWorkerPool<DiffusionTasks>({
    script: new URL('../../../workers/diffusion-worker.ts', import.meta.url),
    argument: settings,
    size: 1,
    maxWaiting: 4,
    taskTimeoutMs: 60_000,
    retriesAfterCrash: 0,
  });
  return pool;
}

describeIllustrationEngine('diffusion', async () => {
  const changes = {
    unet: { shape: ['batch', 4, 'height', 'width'] },
    files: { 'unet/config.json': JSON.stringify({ sample_size: 16 }) },
  };
  return openDiffusion(startChild(await writeModelFolder(join(root, 'free'), changes)), { signal });
});

describe('the diffusion engine in a separate process', () => {
  it('returns the same picture again after an aborted call killed its process', async () => {
    const engine = await openDiffusion(startChild(await writeModelFolder(join(root, 'whole'))), { signal });
    expect(engine).toMatchObject({ id: 'diffusion', modes: ['plate-only'] });
    const first = await engine.illustrate(request);
    expect(await sharp(first.bytes).metadata()).toMatchObject({ format: 'png', width: 12, height: 8 });
    expect(first).toMatchObject({ model: engine.version, seed: 5, costUsd: undefined, warnings: [] });

    const gone = new AbortController();
    const given = engine.illustrate({ ...request, signal: gone.signal });
    gone.abort(new Error('deadline'));
    await expect(given).rejects.toThrow('deadline');
    expect(await engine.illustrate(request)).toEqual(first);

    const long = { ...request.brief, prompt: 'red '.repeat(90) };
    const { warnings } = await engine.illustrate({ ...request, brief: long });
    expect(warnings).toEqual([expect.stringContaining('truncated')]);
    await engine.close();
  });

  it('fails to open on an incomplete folder, and names the missing file', async () => {
    const files = { 'unet/model.onnx': undefined };
    const child = startChild(await writeModelFolder(join(root, 'lacking'), { files }));
    await expect(openDiffusion(child, { signal })).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('unet/model.onnx'),
    });
    await child.close();
  });
});

describe('a failure of the child', () => {
  it.each([
    [
      new PackshotError('queue_full', 'Too much work.', { retryAfterS: 5 }),
      { reason: 'busy', retryAfterS: 5 },
    ],
    [new PackshotError('internal', "The model's unet failed."), { reason: 'broken' }],
    [new Error('paint ended its process'), { reason: 'unreachable' }],
  ])('is reported as a RemoteFailure: %s', async (error, expected) => {
    const failing = {
      tasks: {
        warmUp: async () => ({ version: 'any' }),
        paint: async () => {
          throw error;
        },
      },
      close: async () => undefined,
    } satisfies DiffusionChild;
    const engine = await openDiffusion(failing, { signal });
    const answer = engine.illustrate(request);
    await expect(answer).rejects.toBeInstanceOf(RemoteFailure);
    await expect(answer).rejects.toMatchObject(expected);
  });
});
