import { describe, expect, it } from 'vitest';
import { PackshotError } from '../../../packages/errors/index.ts';
import { type Failure, runFiles } from './run-files.ts';

/** Processes the files 1 to 6, one at a time. */
async function run(work: (file: number, controls: { stop(): void; abort(): void }) => void) {
  const stopping = new AbortController();
  const aborting = new AbortController();
  const controls = { stop: () => stopping.abort(), abort: () => aborting.abort() };
  const begun: number[] = [];
  const failures: [number, Failure][] = [];
  const result = await runFiles([1, 2, 3, 4, 5, 6], {
    concurrency: 1,
    interrupts: {
      stopping: stopping.signal,
      aborting: aborting.signal,
      exitCode: () => undefined,
      close: () => undefined,
    },
    async work(file, signal) {
      begun.push(file);
      work(file, controls);
      signal.throwIfAborted();
    },
    onFailure: (file, failure) => failures.push([file, failure]),
  });
  return { ...result, begun, failures };
}

describe('a run over files', () => {
  it('continues after the failure of one file', async () => {
    const ended = await run((file) => {
      if (file === 2) throw new PackshotError('no_subject_found', 'Nothing stands out.');
      if (file === 3) throw new Error('Something broke.');
    });
    expect(ended.begun).toEqual([1, 2, 3, 4, 5, 6]);
    expect(ended.failures).toEqual([
      [2, { code: 'no_subject_found', detail: 'Nothing stands out.' }],
      [3, { code: 'internal', detail: 'Something broke.' }],
    ]);
    expect(ended).toMatchObject({ stoppedBy: undefined, left: 0 });
  });

  it('stops at an error that would affect every file, and counts that file as remaining', async () => {
    const ended = await run((file) => {
      if (file === 3) throw new PackshotError('storage_full', 'There is no space left.');
    });
    expect(ended).toMatchObject({ begun: [1, 2, 3], failures: [], left: 4 });
    expect(ended.stoppedBy).toEqual({ code: 'storage_full', detail: 'There is no space left.' });
  });

  it('finishes running files when it is asked to stop', async () => {
    const ended = await run((file, { stop }) => file === 2 && stop());
    expect(ended).toMatchObject({ begun: [1, 2], failures: [], stoppedBy: undefined, left: 4 });
  });

  it('counts interrupted files as remaining, not as failed', async () => {
    const ended = await run((file, { stop, abort }) => {
      if (file !== 2) return;
      stop();
      abort();
    });
    expect(ended).toMatchObject({ begun: [1, 2], failures: [], left: 5 });
  });
});
