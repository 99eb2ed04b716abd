/** Child process that holds a text-to-image model. Paints one picture at a time. */
import type { DiffusionTasks } from '../illustrations/engines/diffusion/diffusion-engine.ts';
import {
  type DiffusionSettings,
  openDiffusionModel,
} from '../illustrations/engines/diffusion/diffusion-model.ts';
import { serveTasks, workerArgument } from './serve-tasks.ts';

const config: DiffusionSettings = JSON.parse(process.env[workerArgument]!);
const model = openDiffusionModel(config);
// Avoids an unhandledRejection; the first task that awaits the promise reports the error.
model.catch(() => undefined);

/** This signal never aborts, because the pool cancels a task by killing the process. */
const signal = new AbortController().signal;

const tasks: DiffusionTasks = {
  async warmUp() {
    const { version } = await model;
    return { version };
  },
  paint: async (request) => (await model).paint(request, { signal }),
};

serveTasks(tasks);
