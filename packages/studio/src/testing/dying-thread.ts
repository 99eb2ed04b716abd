/** A thread that throws at its first rows; with `?exit` in its URL, it exits instead. */
import { parentPort } from 'node:worker_threads';
import { drawBatch } from '../row-batches.ts';
import type { ThreadReport, ThreadTask } from '../studio-thread.ts';

const port = parentPort!;
const report = (what: ThreadReport) => port.postMessage(what);

port.on('message', (task: ThreadTask) => {
  if ('frame' in task) {
    return;
  }
  try {
    drawBatch(task.control, () => {
      if (import.meta.url.endsWith('?exit')) process.exit(3);
      throw new Error('this row cannot be drawn');
    });
  } catch (failure) {
    report({ failure });
  }
});
report('ready');
