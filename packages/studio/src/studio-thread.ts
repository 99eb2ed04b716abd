/** Entry point of a worker thread that draws rows of pictures. */
import { parentPort } from 'node:worker_threads';
import { listPasses, openFrame, type Pass } from './passes.ts';
import type { PictureFrame } from './picture-frame.ts';
import { drawBatch, type RowControl } from './row-batches.ts';

/** Tasks for a thread: prepare a new picture, or draw rows of one of that picture's passes. */
export type ThreadTask =
  | { readonly frame: PictureFrame }
  | { readonly pass: number; readonly control: RowControl };

/** Reports from a thread: it has loaded, it has found no rows left, or it has failed. */
export type ThreadReport = 'ready' | 'idle' | { readonly failure: unknown };

const port = parentPort!;
const report = (what: ThreadReport) => port.postMessage(what);
let passes: readonly Pass[] = [];

port.on('message', (task: ThreadTask) => {
  try {
    if ('frame' in task) {
      passes = listPasses(openFrame(task.frame), task.frame);
      return;
    }
    const { draw } = passes[task.pass]!;
    while (drawBatch(task.control, draw)) {
      // Draw until no batch is left.
    }
    report('idle');
  } catch (failure) {
    report({ failure });
  }
});
report('ready');
