import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { resolveInput } from '../tasks.ts';
import type { SceneIllustration } from './illustration.ts';
import { createIllustrationStore } from './illustration-store.ts';
import { describeScene } from './painting/write-brief.ts';
import { aheadJob, createPrerenderer } from './prerender.ts';
import { createScenePlates } from './scene-plates.ts';
import { plan } from './testing/painter-bench.ts';

const eventually = { timeout: 5_000, interval: 5 };
const never = new AbortController().signal;

const cutoutPng = Buffer.from('cutout');
const facts = {
  boundingBox: { x: 0, y: 0, width: 1, height: 1 },
  coverage: 0.5,
  touchesEdges: [],
  confidence: 1,
  issues: [],
};

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
  await house.insertDesign('dsg_a');
  await house.designs.markReady('dsg_a', { subject: facts, product: undefined, cutoutVersion: 'test/1' });
});
afterEach(() => house.close());

type Dependencies = Parameters<typeof createPrerenderer>[0];

/** Opens a prerenderer for three scenes. Its renderer holds each picture until the test releases it. */
async function open(
  parts: Partial<Dependencies> = {},
  fails: (id: string) => boolean = () => false,
  designId = 'dsg_a',
) {
  const { database, queue, designs, blobs } = house;
  const illustrations = createIllustrationStore(database, () => house.clock.now);
  const brief = describeScene({ plan, kind: 'Unknown', wish: '' });
  const contents = [1, 2, 3].map((seed) => ({ plan: { ...plan, seed }, brief }));
  const owner = { designId, accountId: 'acc_own' };
  const scenes = (await illustrations.keepIllustrations(owner, contents)) as SceneIllustration[];
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const standing: string[] = [];
  const stopped: string[] = [];
  const drawn: string[] = [];
  const errors: unknown[] = [];
  const plates = createScenePlates({
    blobs,
    illustrations,
    findBudgetMs: () => undefined,
    drawKeyless: (_account, _signal, draw) => draw(),
    imaging: {
      drawPlate: async () => {
        throw new Error('unexpected call of drawPlate: prerendering needs only groundScene');
      },
      async groundScene(input, { urgency, signal }) {
        const { id } = scenes.find(({ plan }) => plan.seed === resolveInput(input).plan.seed)!;
        begun.push(id);
        standing.push(String(resolveInput(input).cutoutPng));
        if (fails(id)) throw new Error('broken');
        const { promise, reject } = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => {
          stopped.push(id);
          reject(signal.reason);
        });
        expect(typeof urgency === 'function' && urgency()).toBe('ahead');
        await Promise.race([gate.promise, promise]);
        return { bytes: Buffer.from(`plate ${id}`), tracedPx: 512, isDraft: false, timings: [] };
      },
    },
  });
  const ahead = createPrerenderer({
    database,
    queue,
    designs,
    cutouts: { readCutout: async () => cutoutPng },
    illustrations,
    plates,
    untilIdle: async () => undefined,
    onDrawn: ({ id }) => drawn.push(id),
    onError: (error) => errors.push(error),
    ...parts,
  });
  const ids = scenes.map(({ id }) => id);
  return { ahead, scenes, ids, plates, begun, standing, stopped, drawn, errors, release: gate.resolve };
}

describe('prerendering', () => {
  it('draws one plate (scene without the product) at a time, reports each, and lets concurrent requests join', async () => {
    const { ahead, scenes, ids, plates, begun, drawn, errors, release } = await open();
    ahead.work();
    await ahead.requestPlates(scenes, 'preview');
    await vi.waitFor(() => expect(begun).toHaveLength(1), eventually);
    expect((await ahead.listExpected('dsg_a')).toSorted()).toEqual(ids.toSorted());
    expect(await ahead.listExpected('dsg_b')).toEqual([]);
    const first = scenes.find(({ id }) => id === begun[0])!;
    const design = await house.designs.findDesign('dsg_a');
    const product = { design: design as never, cutoutPng };
    const asked = plates.groundedPlate(first, product, 'preview', { signal: never });
    release();
    expect(String((await asked).bytes)).toBe(`plate ${first.id}`);
    await vi.waitFor(() => expect(drawn.toSorted()).toEqual(ids.toSorted()), eventually);
    await vi.waitFor(async () => expect(await ahead.listExpected('dsg_a')).toEqual([]), eventually);
    expect(begun).toHaveLength(3);
    expect(errors).toEqual([]);
  });

  it('waits while other work is pending, and skips illustrations that were deleted meanwhile', async () => {
    const free = Promise.withResolvers<void>();
    const { ahead, scenes, begun, drawn, release } = await open({ untilIdle: () => free.promise });
    release();
    ahead.work();
    await ahead.requestPlates(scenes, 'preview');
    await new Promise(setImmediate);
    expect(begun).toEqual([]);
    await house.database.deleteFrom('illustrations').where('id', '=', scenes[1]!.id).execute();
    free.resolve();
    await vi.waitFor(() => expect(drawn).toHaveLength(2), eventually);
    expect(drawn).not.toContain(scenes[1]!.id);
  });

  it('stops together with the service, without an error, and leaves the job for the next process', async () => {
    const { ahead, scenes, begun, stopped, errors } = await open();
    ahead.work();
    await ahead.requestPlates(scenes, 'preview');
    await vi.waitFor(() => expect(begun).toHaveLength(1), eventually);
    const closed = house.queue.close({ graceMs: 5_000 });
    ahead.close();
    await closed;
    expect(stopped).toEqual(begun);
    expect(await house.queue.count(aheadJob)).toBe(3);
    expect(errors).toEqual([]);
  });

  it('reports failures and continues with the next job', async () => {
    let bad = '';
    const { ahead, scenes, ids, drawn, errors, release } = await open({}, (id) => id === bad);
    bad = ids[0]!;
    release();
    ahead.work();
    await ahead.requestPlates(scenes, 'preview');
    await vi.waitFor(() => expect(drawn.toSorted()).toEqual(ids.slice(1).toSorted()), eventually);
    await vi.waitFor(async () => expect(await house.queue.count(aheadJob)).toBe(0), eventually);
    expect(String(errors[0])).toContain('broken');
  });

  it('limits the number of waiting jobs', async () => {
    const { ahead, scenes } = await open();
    for (let i = 0; i < 30; i++) {
      await ahead.requestPlates(
        scenes.map((scene, k) => ({ ...scene, id: `ill_${i}_${k}` })),
        'preview',
      );
    }
    expect(await house.queue.count(aheadJob)).toBe(64);
  });
});
