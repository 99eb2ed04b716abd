/** Child process that holds the removal engine: one photo at a time, from its bytes to its stored cutout. */
import { type CutoutMode, cutSubject } from '../cutout/cut-subject.ts';
import { openRemovalEngine, type RemovalEngineConfig } from '../cutout/engines/registry.ts';
import { type ImageLimits, readImage } from '../designs/read-image.ts';
import type { Matte } from '../pixels.ts';
import { StepClock } from '../step-clock.ts';
import { serveTasks, workerArgument } from './serve-tasks.ts';

export interface CutoutWorkerConfig {
  readonly engine: RemovalEngineConfig;
  readonly mode: CutoutMode;
  readonly limits: ImageLimits;
}

/** Goes up whenever the steps after the engine make another cutout of the same photo. */
const cutoutRevision = 1;

const config: CutoutWorkerConfig = JSON.parse(process.env[workerArgument]!);
const engine = openRemovalEngine(config.engine);
// Reported by whichever task awaits it first; until then it must not count as unhandled.
engine.catch(() => undefined);

/** Cancelling kills the process, so nothing in here ever aborts. */
const signal = new AbortController().signal;

const tasks = {
  /** Resolves when the engine is loaded and warmed up. */
  async warmUp(_input: null): Promise<{ id: string; version: string }> {
    const { id, version } = await engine;
    return { id, version };
  },

  /** One look at a picture that is no upload: what in it is product, at the engine's own resolution. */
  async lookAt({ bytes }: { bytes: Uint8Array }): Promise<Matte> {
    return (await engine).predictMatte(await readImage(bytes, config.limits), { signal });
  },

  async cutSubject({ bytes }: { bytes: Uint8Array }) {
    const clock = new StepClock(signal);
    const source = await clock.run('read-image', () => readImage(bytes, config.limits));
    const { id, version } = await engine;
    const cut = await cutSubject(source, await engine, { signal, mode: config.mode });
    return {
      ...cut,
      cutoutVersion: `${id}/${version}/${config.mode}/${cutoutRevision}`,
      timings: [...clock.timings, ...cut.timings],
    };
  },
};

export type CutoutTasks = typeof tasks;

serveTasks(tasks);
