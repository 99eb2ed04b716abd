import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { labelPng } from '../../packages/cutout/src/testing/label-png.ts';
import type { Design } from '../designs/design.ts';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import type { TaskOptions } from '../tasks.ts';
import { createCutoutCorrector } from './correct-cutout.ts';
import { createCutoutMaker } from './make-cutout.ts';
import { noRecognizer, noWebp } from './testing/no-recognizer.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

const never = new AbortController().signal;
const hint = { x: 0, y: 0, width: 100, height: 100 };
const noMarks = { parts: [], strokes: [], boxes: [], polygons: [] };
const subject = {
  boundingBox: { x: 0, y: 0, width: 9, height: 9 },
  coverage: 0.5,
  touchesEdges: [],
  confidence: 1,
  issues: [],
};

/** Opens a corrector whose model runs until `release` is called; `runs` lists the options of its runs. */
async function openCorrector() {
  const gate = Promise.withResolvers<void>();
  const runs: TaskOptions[] = [];
  const maker = createCutoutMaker({
    ...house,
    clock: () => house.clock.now,
    cutting: {
      cutPhoto: async () => ({
        cutoutPng: labelPng('cutout'),
        mattePng: labelPng('matte'),
        subject,
        cutoutVersion: 'test/1',
        timings: [],
        leftOut: [],
      }),
    },
    finish: async () => undefined,
    recognizer: noRecognizer,
    imaging: noWebp,
    onCut: () => undefined,
  });
  maker.work();
  const corrector = createCutoutCorrector({
    ...house,
    clock: () => house.clock.now,
    cutouts: maker,
    imaging: {
      correctPhoto: async () => ({
        cutoutPng: labelPng('corrected'),
        mattePng: labelPng('corrected matte'),
        subject,
        changed: hint,
      }),
      readMask: async () => Promise.reject(new Error('unexpected call of readMask')),
    },
    cutting: {
      async runMarkedPass(_, options) {
        runs.push(options);
        await gate.promise;
        return { crop: hint, matte: { width: 1, height: 1, data: new Uint8Array(1) } };
      },
    },
    runPassElsewhere: undefined,
    patienceMs: 0,
    limits: { maxBytes: 1, maxPixels: 1, maxAvifPixels: 1, minSidePx: 1, maxSidePx: 1 },
    recognizer: noRecognizer,
    admit: async () => undefined,
    tidyLater: async () => undefined,
  });
  async function insertDesign(id: string, account: 'acc_own' | 'acc_other' = 'acc_own'): Promise<Design> {
    const design = await house.insertDesign(id, account);
    house.queue.wake();
    return (await maker.joinCutout(design, never)).design;
  }
  const correct = (design: Design, signal = never) =>
    corrector.correctCutout({ design, hint, correction: noMarks, mask: undefined, base: undefined, signal });
  return { insertDesign, correct, runs, release: gate.resolve };
}

const eventually = { timeout: 5_000, interval: 10 };

describe('a hint', () => {
  it("runs the model in its account's turn, for one hint of an account at a time", async () => {
    const { insertDesign, correct, runs, release } = await openCorrector();
    const [first, second] = [await insertDesign('dsg_a'), await insertDesign('dsg_b')];
    const other = await insertDesign('dsg_c', 'acc_other');
    const calls = [correct(first), correct(second), correct(other)];
    const accounts = () => runs.map(({ account }) => account).sort();
    await vi.waitFor(() => expect(accounts()).toEqual(['acc_other', 'acc_own']), eventually);
    release();
    await Promise.all(calls);
    expect(accounts()).toEqual(['acc_other', 'acc_own', 'acc_own']);
  });

  it('does not run the model for a cutout that another call replaced while this one waited', async () => {
    const { insertDesign, correct, runs, release } = await openCorrector();
    const design = await insertDesign('dsg_a');
    const calls = [correct(design), correct(design)];
    await vi.waitFor(() => expect(runs).toHaveLength(1), eventually);
    release();
    const [done, refused] = await Promise.allSettled(calls);
    expect(done).toMatchObject({ status: 'fulfilled' });
    expect(refused).toMatchObject({ reason: { code: 'revision_conflict' } });
    expect(runs).toHaveLength(1);
  });

  it('does not run the model for a caller that left while it waited', async () => {
    const { insertDesign, correct, runs, release } = await openCorrector();
    const [first, second] = [await insertDesign('dsg_a'), await insertDesign('dsg_b')];
    const done = correct(first);
    await vi.waitFor(() => expect(runs).toHaveLength(1), eventually);
    const gone = new AbortController();
    const left = expect(correct(second, gone.signal)).rejects.toThrow('the caller left');
    gone.abort(new Error('the caller left'));
    await left;
    release();
    await done;
    expect(runs).toHaveLength(1);
  });
});
