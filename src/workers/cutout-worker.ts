/** Child process that holds the removal engine: one photo at a time, from its bytes to its stored cutout. */
import type { CutExtent } from '../cutout/cut.ts';
import { type CutoutMode, cutSubject } from '../cutout/cut-subject.ts';
import { openRemovalEngine, type RemovalEngineConfig } from '../cutout/engines/registry.ts';
import { createLookMemory } from '../cutout/look-memory.ts';
import { createLookPace } from '../cutout/look-pace.ts';
import { type Extent, MoreLooksNeeded, type Stage } from '../cutout/take-looks.ts';
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

/** For as long as the engine is open. */
const pace = createLookPace();
const memory = createLookMemory();

interface CutTask {
  /** The same name for the same bytes. */
  readonly photo?: string;
  readonly bytes: Uint8Array;
  readonly extent?: CutExtent;
}

async function cut({ photo, bytes, extent }: Required<CutTask>, mostNewLooks: number) {
  const clock = new StepClock(signal);
  const source = await clock.run('read-image', () => readImage(bytes, config.limits));
  const { id, version } = await engine;
  const remembered = memory.recall(photo);
  const options = { signal, mode: config.mode, extent: extent as Extent, pace, remembered, mostNewLooks };
  const made = await cutSubject(source, await engine, options);
  if (made.leftOut.length === 0) memory.forget(photo);
  return {
    ...made,
    cutoutVersion: [id, version, config.mode, cutoutRevision, ...nameLeftOut(made.leftOut)].join('/'),
    timings: [...clock.timings, ...made.timings],
  };
}

const nameLeftOut = (stages: readonly Stage[]): string[] =>
  stages.length === 0 ? [] : [`without-${stages.join('+')}`];

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

  async cutSubject({ photo = '', bytes, extent = {} }: CutTask) {
    return cut({ photo, bytes, extent }, Number.POSITIVE_INFINITY);
  },

  /**
   * The cutout as good as it gets, with one look a call so that others get their turn between them. Undefined where it
   * takes another one: then the same call goes on from there.
   */
  async improveCutout({ photo, bytes }: { photo: string; bytes: Uint8Array }) {
    try {
      return await cut({ photo, bytes, extent: {} }, 1);
    } catch (error) {
      if (!(error instanceof MoreLooksNeeded)) throw error;
      return undefined;
    }
  },
};

export type CutoutTasks = typeof tasks;

serveTasks(tasks);
