/** Entry of a thread that draws rows of pictures beside the one that conducts. */
import { parentPort } from 'node:worker_threads';
import { listPasses, openFrame, type Pass } from './passes.ts';
import type { PictureFrame } from './picture-frame.ts';
import { drawBatch, type RowControl } from './row-batches.ts';

/** What a thread is told: a new picture, or to help with one of its passes. */
export type ThreadTask =
  | { readonly frame: PictureFrame }
  | { readonly pass: number; readonly control: RowControl };

/** What it says: that it is there, that it has found no more rows, or what went wrong. */
export type ThreadReport = 'ready' | 'rested' | { readonly failure: unknown };

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
      // Until none is left.
    }
    report('rested');
  } catch (failure) {
    report({ failure });
  }
});
report('ready');
