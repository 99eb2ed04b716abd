import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { labelPng } from '../../packages/cutout/src/testing/label-png.ts';
import { PackshotError } from '../../packages/errors/index.ts';
import { cutoutJob } from '../designs/create-design.ts';
import { designBlobs } from '../designs/design.ts';
import { createDesignEraser } from '../designs/erase-designs.ts';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { resolveInput } from '../tasks.ts';
import { createCutoutMaker } from './make-cutout.ts';
import { noRecognizer, noWebp } from './testing/no-recognizer.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

const never = new AbortController().signal;
const made = {
  cutoutPng: labelPng('cutout'),
  mattePng: labelPng('matte'),
  subject: {
    boundingBox: { x: 0, y: 0, width: 1, height: 1 },
    coverage: 0.5,
    touchesEdges: [],
    confidence: 1,
    issues: [],
  },
  cutoutVersion: 'test/1',
  timings: [{ step: 'whole-pass', durationMs: 5 }],
  leftOut: [],
};
type Dependencies = Parameters<typeof createCutoutMaker>[0];
const eventually = { timeout: 5_000, interval: 10 };

/** Opens a cutout maker that records its cuts, and finishes none before `release` is called. */
function openMaker(parts: Partial<Dependencies> = {}) {
  const gate = Promise.withResolvers<void>();
  const cuts: string[] = [];
  const maker = createCutoutMaker({
    ...house,
    clock: () => house.clock.now,
    cutting: {
      async cutPhoto(input) {
        cuts.push(String(resolveInput(input).bytes));
        await gate.promise;
        return made;
      },
    },
    finish: async () => undefined,
    recognizer: noRecognizer,
    imaging: noWebp,
    onCut: () => undefined,
    ...parts,
  });
  maker.work();
  return {
    maker,
    cuts,
    release: gate.resolve,
    started: () => vi.waitFor(() => expect(cuts).toHaveLength(1), eventually),
  };
}
const throwing =
  (error: unknown): Dependencies['cutting']['cutPhoto'] =>
  async () => {
    throw error;
  };
const jobsGone = () => vi.waitFor(async () => expect(await house.queue.count(cutoutJob)).toBe(0), eventually);

describe('joining a cutout', () => {
  it('cuts once for two waiting callers, and returns the timings to each of them', async () => {
    const { maker, cuts, release, started } = openMaker();
    const design = await house.insertDesign('dsg_a');
    house.queue.wake();
    const joins = [maker.joinCutout(design, never), maker.joinCutout(design, never)];
    await started();
    release();
    for (const joined of await Promise.all(joins)) {
      expect(joined.timings).toEqual(made.timings);
      expect(joined.design).toMatchObject({ state: 'ready', cutoutVersion: 'test/1', subject: made.subject });
      expect(await maker.readCutout(joined.design)).toEqual(made.cutoutPng);
      expect(await maker.readMatte(joined.design)).toEqual(made.mattePng);
    }
    expect(cuts).toEqual(['source']);
  });

  it('cuts a photo once that its account sends again and again, but again for another account', async () => {
    const { maker, cuts, release, started } = openMaker();
    const sent = [await house.insertDesign('dsg_a'), await house.insertDesign('dsg_b')];
    house.queue.wake();
    await started();
    release();
    for (const design of sent) await maker.joinCutout(design, never);
    const later = await house.insertDesign('dsg_c');
    house.queue.wake();
    const { design } = await maker.joinCutout(later, never);
    expect(await maker.readCutout(design)).toEqual(made.cutoutPng);
    expect(await maker.readMatte(design)).toEqual(made.mattePng);
    expect(cuts).toHaveLength(1);
    const other = await house.insertDesign('dsg_d', 'acc_other');
    house.queue.wake();
    await maker.joinCutout(other, never);
    expect(cuts).toHaveLength(2);
    house.clock.now += 600_001;
    const muchLater = await house.insertDesign('dsg_e');
    house.queue.wake();
    await maker.joinCutout(muchLater, never);
    expect(cuts).toHaveLength(3);
  });

  it('divides the time among all photos of the account for which callers may wait', async () => {
    const dueIn: (number | undefined)[] = [];
    const cutting: Dependencies['cutting'] = {
      async cutPhoto(input) {
        const { dueAt } = resolveInput(input).extent ?? {};
        dueIn.push(dueAt === undefined ? undefined : dueAt - house.clock.now);
        return made;
      },
    };
    for (const id of ['a', 'b', 'c']) {
      await house.insertDesign(`dsg_${id}`, 'acc_own', undefined, 9_000);
      await house.blobs.put(designBlobs.source(`dsg_${id}`), Buffer.from(id));
    }
    await house.insertDesign('dsg_patient');
    await house.insertDesign('dsg_other', 'acc_other', undefined, 9_000);
    openMaker({ cutting });
    await jobsGone();
    expect(dueIn.filter((ms) => ms === undefined)).toHaveLength(1);
    expect(Math.min(...dueIn.filter((ms) => ms !== undefined))).toBe(3_000);
    expect(dueIn.filter((ms) => ms === 9_000).length).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ['is truncated', (png: Buffer) => png.subarray(0, -9)],
    ['is all zeros', (png: Buffer) => Buffer.alloc(png.length)],
    ['is empty', () => Buffer.of()],
  ])('cuts once more, for all callers together, if a stored file %s', async (_, harm) => {
    const { maker, cuts, release } = openMaker();
    release();
    const design = await house.insertDesign('dsg_a');
    house.queue.wake();
    const { design: ready } = await maker.joinCutout(design, never);
    await house.blobs.put(designBlobs.cutout('dsg_a'), harm(made.cutoutPng));
    await house.blobs.put(designBlobs.matte('dsg_a'), harm(made.mattePng));
    const read = await Promise.all([
      maker.readCutout(ready),
      maker.readCutout(ready),
      maker.readMatte(ready),
    ]);
    expect(read).toEqual([made.cutoutPng, made.cutoutPng, made.mattePng]);
    expect(await maker.readCutout(ready)).toEqual(made.cutoutPng);
    expect(cuts).toHaveLength(2);
  });

  it('does not wait once the cutout is made, even if the caller holds an earlier version of the row', async () => {
    const { maker, cuts, release } = openMaker();
    release();
    const before = await house.insertDesign('dsg_a');
    house.queue.wake();
    await jobsGone();
    const joined = await maker.joinCutout(before, never);
    expect(joined.design.state).toBe('ready');
    expect(joined.timings).toEqual([]);
    expect(cuts).toHaveLength(1);
  });

  it('rejects with the abort reason of the caller’s signal, while the cut continues for others', async () => {
    const { maker, release, started } = openMaker();
    const design = await house.insertDesign('dsg_a');
    house.queue.wake();
    const hasty = new AbortController();
    const leaving = maker.joinCutout(design, hasty.signal);
    const staying = maker.joinCutout(design, never);
    await started();
    hasty.abort(new Error('gone'));
    await expect(leaving).rejects.toThrow('gone');
    await expect(maker.joinCutout(design, hasty.signal)).rejects.toThrow('gone');
    release();
    expect((await staying).design.state).toBe('ready');
  });

  it('rejects on timeout with the signal’s reason, while the cut continues', async () => {
    const { maker, release, started } = openMaker();
    const first = await house.insertDesign('dsg_a');
    house.queue.wake();
    await started();
    const soon = AbortSignal.timeout(50);
    await expect(maker.joinCutout(first, soon)).rejects.toMatchObject({ name: 'TimeoutError' });
    release();
    await maker.joinCutout(first, never);
    expect(maker.findPaceMs()).toBeGreaterThan(0);
  });

  it('rejects waiting and later callers with the same failure', async () => {
    const failure = new PackshotError('no_subject_found', 'nothing stands out');
    const { maker } = openMaker({ cutting: { cutPhoto: throwing(failure) } });
    const design = await house.insertDesign('dsg_a');
    const waiting = maker.joinCutout(design, never);
    house.queue.wake();
    const same = { code: 'no_subject_found', message: 'nothing stands out' };
    await expect(waiting).rejects.toMatchObject(same);
    await expect(maker.joinCutout(design, never)).rejects.toMatchObject(same);
    await jobsGone();
  });
});

describe('a design that is deleted', () => {
  it('leaves no bytes if it is being cut, and waiting callers get design_not_found', async () => {
    const { maker, release, started } = openMaker();
    const eraser = createDesignEraser({
      ...house,
      clock: () => house.clock.now,
      onErased: (id) => maker.forget(id),
      onError: (error) => house.errors.push(error),
    });
    const design = await house.insertDesign('dsg_a');
    house.queue.wake();
    const waiting = maker.joinCutout(design, never);
    await started();
    await eraser.eraseDesign('dsg_a', 'acc_own');
    await expect(waiting).rejects.toMatchObject({ code: 'design_not_found' });
    release();
    await vi.waitFor(async () => expect(await house.keys()).toEqual([]), eventually);
    await house.queue.close({ graceMs: 1_000 });
    expect(await house.keys()).toEqual([]);
    expect(house.errors).toEqual([]);
  });

  it('makes reading the cutout fail with design_not_found, even if the row was read before', async () => {
    const { maker, release } = openMaker();
    release();
    const design = await house.insertDesign('dsg_a');
    house.queue.wake();
    const { design: ready } = await maker.joinCutout(design, never);
    await house.blobs.deleteAll(designBlobs.of('dsg_a'));
    await expect(maker.readCutout(ready)).rejects.toMatchObject({ code: 'design_not_found' });
  });
});

describe('a cut that fails', () => {
  it('is not retried if the photo is the cause', async () => {
    let cuts = 0;
    openMaker({
      cutting: {
        async cutPhoto() {
          cuts++;
          throw new PackshotError('no_subject_found', 'nothing');
        },
      },
    });
    await house.insertDesign('dsg_a');
    house.queue.wake();
    await jobsGone();
    expect(cuts).toBe(1);
  });

  it('is tried twice if the cause is unknown, and then the design is marked as failed', async () => {
    let cuts = 0;
    openMaker({
      cutting: {
        async cutPhoto() {
          cuts++;
          throw new Error('the process is gone');
        },
      },
    });
    await house.insertDesign('dsg_a');
    house.queue.wake();
    await jobsGone();
    expect(cuts).toBe(2);
    expect(await house.designs.findDesign('dsg_a')).toMatchObject({
      state: 'failed',
      failure: { code: 'image_undecodable', detail: expect.not.stringContaining('process') },
    });
  });

  it('waits for space if the disk is full, and is not given up', async () => {
    let puts = 0;
    const put: typeof house.blobs.put = async (key, bytes) => {
      if (++puts <= 4) throw new PackshotError('storage_full', 'no room');
      await house.blobs.put(key, bytes);
    };
    const { maker, release } = openMaker({ blobs: { ...house.blobs, put } });
    release();
    const design = await house.insertDesign('dsg_a');
    house.queue.wake();
    expect((await maker.joinCutout(design, never)).design.state).toBe('ready');
    expect(puts).toBe(6);
  });
});

describe('a job that runs although its design is already cut out', () => {
  it('detects that its work is done, and changes nothing', async () => {
    const { maker, cuts, release } = openMaker();
    release();
    const design = await house.insertDesign('dsg_a');
    house.queue.wake();
    await maker.joinCutout(design, never);
    await jobsGone();
    await house.database.transaction().execute((t) => house.queue.enqueue(cutoutJob, 'dsg_a', t));
    house.queue.wake();
    await jobsGone();
    expect(cuts).toHaveLength(1);
    expect(await house.keys()).toHaveLength(3);
  });

  it('deletes no bytes if another process finished the same cut first', async () => {
    const { maker, release, started } = openMaker();
    await house.insertDesign('dsg_a');
    house.queue.wake();
    await started();
    await house.designs.markReady('dsg_a', {
      subject: made.subject,
      product: undefined,
      cutoutVersion: 'other/1',
    });
    release();
    await jobsGone();
    expect(await house.keys()).toEqual([
      'designs/dsg_a/cutout.png',
      'designs/dsg_a/matte.png',
      'designs/dsg_a/source',
    ]);
    const design = (await house.designs.findDesign('dsg_a'))!;
    expect((await maker.joinCutout(design, never)).design.cutoutVersion).toBe('other/1');
  });
});
