import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cut } from '../../packages/cutout/src/cut.ts';
import { labelPng } from '../../packages/cutout/src/testing/label-png.ts';
import { PackshotError } from '../../packages/errors/index.ts';
import { designBlobs, isOtherCutout, type ReadyDesign } from '../designs/design.ts';
import { createDesignEraser } from '../designs/erase-designs.ts';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { resolveInput } from '../tasks.ts';
import { createCutoutImprover, improvementJob } from './improve-cutout.ts';
import { createCutoutMaker } from './make-cutout.ts';
import { noRecognizer, noWebp } from './testing/no-recognizer.ts';

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
});
afterEach(() => house.close());

const never = new AbortController().signal;
const eventually = { timeout: 10_000, interval: 10 };
const cutOf = (label: string, leftOut: readonly string[] = []): Cut => ({
  cutoutPng: labelPng(`${label} cutout`),
  mattePng: labelPng(`${label} matte`),
  subject: {
    boundingBox: { x: 0, y: 0, width: label.length, height: 1 },
    coverage: 0.5,
    touchesEdges: [],
    confidence: 1,
    issues: [],
  },
  cutoutVersion: label,
  timings: [],
  leftOut,
});
const draft = cutOf('draft', ['whole-pass']);
const better = cutOf('better');
type Dependencies = Parameters<typeof createCutoutImprover>[0];

/** Makes the unfinished first cutout of a design, and opens an improver for that cutout. */
async function openImprover(parts: Partial<Dependencies> = {}) {
  const asked: string[] = [];
  const improved: string[] = [];
  const maker = createCutoutMaker({
    ...house,
    clock: () => house.clock.now,
    cutting: {
      async cutPhoto(input) {
        const { leaveOut } = resolveInput(input).extent ?? {};
        asked.push(leaveOut ? `mend without ${leaveOut}` : 'first');
        return draft;
      },
    },
    finish: (design, signal) => improver.finishCutout(design, signal),
    recognizer: noRecognizer,
    imaging: noWebp,
    onCut: () => undefined,
  });
  const improver = createCutoutImprover({
    ...house,
    cutting: { takeOnePass: async () => better },
    untilQuiet: async () => undefined,
    untilFirstLooks: async () => undefined,
    onImproved: (id) => improved.push(id),
    isOfOtherCutout: isOtherCutout,
    ...parts,
  });
  maker.work();
  const design = await house.insertDesign('dsg_a');
  house.queue.wake();
  const { design: first } = await maker.joinCutout(design, never);
  return { maker, improver, first, asked, improved };
}

const current = async () => (await house.designs.findDesign('dsg_a')) as ReadyDesign;
const finished = () => vi.waitFor(async () => expect((await current()).leftOut).toEqual([]), eventually);
const firstKeys = ['designs/dsg_a/cutout.png', 'designs/dsg_a/matte.png', 'designs/dsg_a/source'];

describe('a cutout that skipped stages because of its deadline', () => {
  it('is ready at once, and replaced later with other bytes, other facts and another version', async () => {
    const { maker, improver, first, improved } = await openImprover();
    expect(first).toMatchObject({ cutoutVersion: 'draft', leftOut: ['whole-pass'] });
    expect(await maker.readCutout(first)).toEqual(draft.cutoutPng);
    improver.work();
    await finished();
    const now = await current();
    expect(now).toMatchObject({ cutoutVersion: 'better', subject: better.subject });
    expect(await maker.readCutout(now)).toEqual(better.cutoutPng);
    expect(await maker.readMatte(now)).toEqual(better.mattePng);
    await vi.waitFor(() => expect(improved).toEqual(['dsg_a']), eventually);
  });

  it('can still be read by a call that began before the replacement', async () => {
    const { maker, improver, first } = await openImprover();
    improver.work();
    await finished();
    expect(await maker.readCutout(first)).toEqual(draft.cutoutPng);
    expect(await maker.readMatte(first)).toEqual(draft.mattePng);
  });

  it('is deleted an hour after its replacement, with the scene pictures that show its shadow, but nothing else', async () => {
    const { improver } = await openImprover({
      isOfOtherCutout: (name, design) => isOtherCutout(name, design) || name === 'illustrations/old-plate',
    });
    await house.blobs.put('designs/dsg_a/illustrations/old-plate', Buffer.of(1));
    await house.blobs.put('designs/dsg_a/illustrations/new-plate', Buffer.of(1));
    improver.work();
    await finished();
    await vi.waitFor(async () => expect(await house.queue.count(improvementJob)).toBe(1), eventually);
    expect(await house.keys()).toEqual(expect.arrayContaining(firstKeys));
    await house.database.updateTable('jobs').set({ run_at: 0 }).execute();
    house.queue.wake();
    await vi.waitFor(async () => expect(await house.queue.count(improvementJob)).toBe(0), eventually);
    const { cutoutName } = await current();
    expect(await house.keys()).toEqual(
      [
        designBlobs.cutout('dsg_a', cutoutName),
        designBlobs.matte('dsg_a', cutoutName),
        'designs/dsg_a/illustrations/new-plate',
        designBlobs.source('dsg_a'),
      ].sort(),
    );
  });

  it('is improved one pass at a time, with a pause before each', async () => {
    let looks = 0;
    let pauses = 0;
    const { improver } = await openImprover({
      cutting: { takeOnePass: async () => (++looks < 3 ? undefined : better) },
      untilQuiet: async () => void pauses++,
    });
    improver.work();
    await finished();
    expect([looks, pauses]).toEqual([3, 3]);
  });

  it('is recomputed as the same draft if the store loses it before it is improved', async () => {
    const { maker, first, asked } = await openImprover();
    await house.blobs.deleteAll(designBlobs.cutout('dsg_a'));
    expect(await maker.readCutout(first)).toEqual(draft.cutoutPng);
    expect(asked).toEqual(['first', 'mend without whole-pass']);
  });

  it('is replaced only once, even if another process improves it at the same time', async () => {
    const gate = Promise.withResolvers<void>();
    const { improver, first, improved } = await openImprover({
      cutting: {
        async takeOnePass() {
          const other = { ...better, cutoutName: 'other', cutoutVersion: 'better' };
          await house.designs.replaceCutout('dsg_a', first.cutoutVersion, other, async () => undefined);
          gate.resolve();
          return better;
        },
      },
    });
    improver.work();
    await gate.promise;
    await vi.waitFor(async () => expect(await house.queue.count(improvementJob)).toBe(0), eventually);
    expect((await current()).cutoutName).toBe('other');
    expect(await house.keys()).toEqual(firstKeys);
    expect(improved).toEqual([]);
  });

  it('stays deleted if it is deleted while it is being improved', async () => {
    const begun = Promise.withResolvers<void>();
    const erased = Promise.withResolvers<void>();
    const { improver } = await openImprover({
      cutting: {
        async takeOnePass() {
          begun.resolve();
          await erased.promise;
          return better;
        },
      },
    });
    const eraser = createDesignEraser({
      ...house,
      clock: () => house.clock.now,
      onErased: () => undefined,
      onError: (error) => house.errors.push(error),
    });
    improver.work();
    await begun.promise;
    await eraser.eraseDesign('dsg_a', 'acc_own');
    erased.resolve();
    await house.queue.close({ graceMs: 5_000 });
    expect(await house.keys()).toEqual([]);
    expect(await house.designs.findDesign('dsg_a')).toBeUndefined();
    expect(house.errors).toEqual([]);
  });

  it('stays deleted if it is deleted between the writes of its bytes and its row', async () => {
    const put: typeof house.blobs.put = async (key, bytes) => {
      await house.blobs.put(key, bytes);
      if (key.includes('matte-')) await house.designs.removeDesign('dsg_a');
    };
    const { improver } = await openImprover({ blobs: { ...house.blobs, put } });
    improver.work();
    await vi.waitFor(async () => expect(await house.designs.findDesign('dsg_a')).toBeUndefined(), eventually);
    await house.queue.close({ graceMs: 5_000 });
    expect(await house.keys()).toEqual(firstKeys);
  });

  it.each([
    ['the photo is the cause', new PackshotError('no_subject_found', 'nothing')],
    ['the cause is unknown', new Error('the process is gone')],
  ])('stays unchanged if no better cutout can be made and %s', async (_, failure) => {
    const { improver } = await openImprover({
      cutting: {
        async takeOnePass() {
          throw failure;
        },
      },
    });
    improver.work();
    await finished();
    expect(await current()).toMatchObject({ state: 'ready', cutoutVersion: 'draft', cutoutName: null });
  });

  it('is left for the next process to improve if this one stops first', async () => {
    const { improver } = await openImprover({
      untilQuiet: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    improver.work();
    const closed = house.queue.close({ graceMs: 5_000 });
    improver.close();
    await closed;
    expect(await house.queue.count(improvementJob)).toBe(1);
    expect((await current()).leftOut).toEqual(['whole-pass']);
  });

  it('is improved without a pause for a caller who waits for it, once no photo waits for its first cutout', async () => {
    const seen: string[] = [];
    const firstLooks = Promise.withResolvers<void>();
    const { maker, first } = await openImprover({
      cutting: {
        async takeOnePass(_, { urgency }) {
          seen.push(String(urgency));
          return seen.length === 2 ? better : undefined;
        },
      },
      untilQuiet: async () => void seen.push('pause'),
      untilFirstLooks: () => firstLooks.promise,
    });
    const joined = maker.joinCutout(first, never, { patienceMs: 60_000 });
    expect(seen).toEqual([]);
    firstLooks.resolve();
    const { design } = await joined;
    expect(design.cutoutVersion).toBe('better');
    expect(await maker.readCutout(design)).toEqual(better.cutoutPng);
    expect(seen).toEqual(['better', 'better']);
  });

  it.each([
    ['takes too long', () => new Promise<never>(() => undefined)],
    ['fails', () => Promise.reject(new Error('the process is gone'))],
  ])('is served to a caller who waits for an improvement that %s', async (_, improve) => {
    const { maker, first } = await openImprover({ cutting: { takeOnePass: improve } });
    const { design } = await maker.joinCutout(first, never, { patienceMs: 50 });
    expect(design).toMatchObject({ cutoutVersion: 'draft', leftOut: ['whole-pass'] });
  });

  it('is improved by another process if this one has no engine', async () => {
    const sent: string[] = [];
    const { maker, first } = await openImprover({
      finishElsewhere: async ({ id }) => void sent.push(id),
      cutting: {
        async takeOnePass() {
          throw new Error('unexpected call of takeOnePass: this process has no engine');
        },
      },
    });
    await maker.joinCutout(first, never, { patienceMs: 60_000 });
    expect(sent).toEqual(['dsg_a']);
  });

  it('causes no second `ready` event when it is improved', async () => {
    const told: string[] = [];
    const { improver } = await openImprover({ onImproved: () => told.push('improved') });
    house.notices.listen('cutout', () => told.push('settled'));
    improver.work();
    await finished();
    await vi.waitFor(() => expect(told).toEqual(['improved']), eventually);
  });
});
