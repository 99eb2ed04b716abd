/** Child process that holds the removal engine. Runs one task of `PhotoCutter` at a time. */

import {
  type CutoutMode,
  createPhotoCutter,
  openRemovalEngine,
  type PhotoCutter,
  type RemovalEngineConfig,
} from 'packshot-cutout/service';
import 'packshot-photos/known-loaders';
import type { ImageLimits } from 'packshot-photos';
import { judgePhoto } from '../cutouts/photo-kind/judge-photo.ts';
import { restWhileIdle } from './rest-while-idle.ts';
import { serveTasks, workerArgument } from './serve-tasks.ts';

export interface CutoutWorkerConfig {
  readonly engine: RemovalEngineConfig;
  readonly mode: CutoutMode;
  readonly limits: ImageLimits;
  /** How long the engine must have been idle before it frees the memory of its last passes, in milliseconds. */
  readonly restAfterMs: number;
}

export type CutoutTasks = PhotoCutter;

const config: CutoutWorkerConfig = JSON.parse(process.env[workerArgument]!);
const engine = openRemovalEngine(config.engine);
// Avoids an unhandledRejection; the first call that awaits the promise reports the error.
engine.catch(() => undefined);

serveTasks(
  restWhileIdle(createPhotoCutter({ ...config, engine, judge: judgePhoto }), rest, config.restAfterMs),
);

async function rest(): Promise<void> {
  await (await engine).rest?.();
}
