import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCutoutMaker } from '../cutout/make-cutout.ts';
import { designBlobs } from '../designs/design.ts';
import { type DesignHouse, openDesignHouse } from '../designs/testing/design-house.ts';
import { PackshotError } from '../errors.ts';
import { aiStudio } from '../recipes/presets.ts';
import type { EngineCall } from './ask-engine.ts';
import type { PaintingVerdict } from './check-painting.ts';
import type { SceneIllustration } from './illustration.ts';
import {
  type IllustrationEngine,
  IllustrationFailure,
  type IllustrationRequest,
} from './illustration-engine.ts';
import { createIllustrationStore } from './illustration-store.ts';
import { createPainter, type PaintingLimits } from './paint-illustration.ts';
import { createPaintingStore } from './painting-store.ts';
import { planScenes } from './plan-scenes.ts';
import { makeFeatures } from './testing/silhouettes.ts';
import { describeScene } from './write-brief.ts';

const never = new AbortController().signal;
const eventually = { timeout: 5_000, interval: 10 };
const place = { x: 0.3, y: 0.2, width: 0.4, height: 0.6 };
const subject = {
  boundingBox: { x: 0, y: 0, width: 1, height: 1 },
  coverage: 0.5,
  touchesEdges: [],
  confidence: 1,
  issues: [],
};
const { plan } = planScenes({
  product: { kind: 'Unknown', staging: 'irregular' },
  features: makeFeatures(),
  words: undefined,
  ratio: '4:5',
  preset: { ...aiStudio, lists: 1, perList: 1 },
  seed: 1,
})[0]!.scenes[0]!;

let house: DesignHouse;
beforeEach(async () => {
  house = await openDesignHouse();
  await house.insertDesign('dsg_a');
  await house.blobs.put(designBlobs.cutout('dsg_a'), Buffer.from('cutout'));
  await house.designs.markReady('dsg_a', { subject, product: undefined, cutoutVersion: 'test/1' });
});
afterEach(() => house.close());

interface Parts {
  readonly modes?: IllustrationEngine['modes'];
  readonly illustrate?: IllustrationEngine['illustrate'];
  readonly judge?: () => PaintingVerdict;
  /** Before each blob is put. */
  readonly onPut?: (key: string) => void;
  readonly limits?: Partial<PaintingLimits>;
  readonly mostAtOnce?: number;
  readonly normalise?: () => Promise<Uint8Array>;
}

const answered = {
  bytes: Buffer.from('picture'),
  model: 'painter-1',
  seed: 9,
  costUsd: undefined,
  warnings: [],
};

async function openPainter({
  modes = ['scaffold-edit'],
  mostAtOnce,
  illustrate,
  judge,
  limits,
  normalise,
  onPut,
}: Parts = {}) {
  const requests: IllustrationRequest[] = [];
  const calls: EngineCall[] = [];
  const verdicts: string[] = [];
  const clock = () => house.clock.now;
  const illustrations = createIllustrationStore(house.database, clock);
  const paintings = createPaintingStore(house.database, clock);
  const brief = describeScene({ plan, kind: 'Unknown', wish: 'a bit of mist' });
  const owner = { designId: 'dsg_a', accountId: 'acc_own' };
  const [illustration] = await illustrations.keepIllustrations(owner, [{ plan, brief }]);
  const painter = createPainter({
    engine: {
      id: 'fake',
      version: 'fake/1',
      modes,
      ...(mostAtOnce !== undefined && { mostAtOnce }),
      async illustrate(request) {
        requests.push(request);
        return illustrate ? illustrate(request) : answered;
      },
      close: async () => undefined,
    },
    paintings,
    illustrations,
    designs: house.designs,
    cutouts: createCutoutMaker({
      ...house,
      cut: async () => {
        throw new Error('it is cut already');
      },
      recognise: async () => undefined,
      encodeWebp: async (png) => png,
      onCut: () => undefined,
    }),
    blobs: {
      ...house.blobs,
      async put(key, bytes) {
        onPut?.(key);
        await house.blobs.put(key, bytes);
      },
    },
    queue: house.queue,
    work: {
      makeScaffold: async () => ({ picturePng: Buffer.from('p'), maskPng: Buffer.from('m'), place }),
      normalise: normalise ?? (async (bytes) => bytes),
      judge: async () => (judge ? judge() : { place, overlap: 0.99 }),
    },
    limits: { concurrency: 1, timeoutMs: 5_000, budgetUsd: null, priceUsd: null, ...limits },
    clock,
    onCall: (call) => calls.push(call),
    onVerdict: (_id, verdict) => verdicts.push(verdict),
  });
  painter.work();
  const scene = illustration as SceneIllustration;
  return { painter, paintings, illustrations, scene, requests, calls, verdicts };
}

async function paintOne(parts: Parts = {}) {
  const opened = await openPainter(parts);
  await opened.painter.requestPaintings([opened.scene], 'key_a');
  const painting = await opened.painter.findPainting(opened.scene.id, 5_000, never);
  return { ...opened, painting };
}

describe('a painting', () => {
  it('is asked for with the plan in words, the scaffold and the seed, and kept where the product is in it', async () => {
    const { painting, painter, scene, requests, calls } = await paintOne();
    expect(painting).toMatchObject({
      state: 'done',
      engineVersion: 'fake/1',
      made: { mode: 'scaffold-edit', model: 'painter-1', seed: 9, place },
    });
    expect(String(await painter.readPainting(scene))).toBe('picture');
    expect(requests[0]).toMatchObject({
      mode: 'scaffold-edit',
      canvas: { width: 819, height: 1024 },
      seed: plan.seed % 2 ** 31,
      scaffold: { picturePng: Buffer.from('p') },
    });
    expect(requests[0]!.brief.prompt).toContain('a bit of mist');
    expect(calls).toMatchObject([{ engine: 'fake', model: 'painter-1', outcome: 'answered' }]);
  });

  it('is made once, however often it is asked for', async () => {
    const { painter, scene, requests } = await paintOne();
    await painter.requestPaintings([scene, scene], 'key_b');
    await painter.findPainting(scene.id, 100, never);
    expect(requests).toHaveLength(1);
  });

  it('is tried with other seeds where the product was altered, three times and no more', async () => {
    const { painting, requests, verdicts } = await paintOne({
      judge: () => ({ why: 'there is a second product in it', overlap: 0 }),
    });
    expect(painting).toMatchObject({ state: 'failed', failure: 'there is a second product in it' });
    expect(new Set(requests.map(({ seed }) => seed)).size).toBe(3);
    expect(verdicts).toHaveLength(3);
  });

  it('is kept from the second try where that is true', async () => {
    let tries = 0;
    const { painting } = await paintOne({
      judge: () => (++tries === 1 ? { why: 'gone', overlap: 0 } : { place, overlap: 0.95 }),
    });
    expect(painting).toMatchObject({ state: 'done' });
  });

  it('needs neither scaffold nor judge where the set comes empty', async () => {
    const { painting, requests } = await paintOne({
      modes: ['plate-only'],
      judge: () => {
        throw new Error('nothing to judge');
      },
    });
    expect(painting).toMatchObject({ state: 'done', made: { place: null } });
    expect(requests[0]!.scaffold).toBeUndefined();
  });

  it.each([
    ['is away', new IllustrationFailure('unreachable', 'no answer from host'), 'the engine does not answer'],
    ['is busy', new IllustrationFailure('busy', '429', { retryAfterS: 9 }), 'the engine is busy'],
    ['refuses', new IllustrationFailure('refused', 'bad key'), 'the engine refused'],
  ])('fails at once where the engine %s, and says so without its words', async (_, error, failure) => {
    const { painting, requests, calls } = await paintOne({
      illustrate: async () => {
        throw error;
      },
    });
    expect(painting).toMatchObject({ state: 'failed', failure });
    expect(requests).toHaveLength(1);
    expect(calls[0]!.outcome).toContain(error.message);
  });

  it('fails where the engine takes too long', async () => {
    const { painting } = await paintOne({
      limits: { timeoutMs: 50 },
      illustrate: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    expect(painting).toMatchObject({ state: 'failed', failure: 'the engine took too long' });
  });

  it('fails where the answer is no picture', async () => {
    const { painting } = await paintOne({
      normalise: async () => {
        throw new PackshotError('image_undecodable', 'a poem');
      },
    });
    expect(painting).toMatchObject({ state: 'failed', failure: 'the answer is no picture' });
  });
});

const full = (code: 'queue_full' | 'storage_full') => new PackshotError(code, 'come again');

describe('an answer that was paid for', () => {
  it.each<['queue_full' | 'a bug', 'normalise' | 'judge']>([
    ['queue_full', 'normalise'],
    ['queue_full', 'judge'],
    ['a bug', 'judge'],
  ])('is not asked for again where %s keeps it from %s', async (why, step) => {
    let tries = 0;
    const trip = () => {
      if (++tries === 1) throw why === 'a bug' ? new Error(why) : full(why);
    };
    const { painting, paintings, requests, verdicts } = await paintOne({
      limits: { priceUsd: 0.04 },
      normalise: async () => {
        if (step === 'normalise') trip();
        return Buffer.from('picture');
      },
      judge: () => {
        if (step === 'judge') trip();
        return { place, overlap: 1 };
      },
    });
    expect([painting?.state, requests.length, verdicts]).toEqual(['done', 1, ['kept']]);
    expect(await paintings.sumCosts('key_a')).toBeCloseTo(0.04);
  });

  it('is held until the disk has room for it, and counts as spent meanwhile', async () => {
    let puts = 0;
    const { painting, paintings, requests } = await paintOne({
      limits: { priceUsd: 0.04 },
      onPut: () => {
        if (++puts === 1) throw full('storage_full');
      },
    });
    expect([painting?.state, requests.length]).toEqual(['done', 1]);
    expect(await paintings.sumCosts('key_a')).toBeCloseTo(0.04);
  });

  it('is not asked for again where the picture that was made of it finds no room', async () => {
    let puts = 0;
    const { painting, requests } = await paintOne({
      onPut: (key) => {
        if (key.endsWith('/painted') && ++puts === 1) throw full('storage_full');
      },
    });
    expect([painting?.state, requests.length]).toEqual(['done', 1]);
  });

  it('is not kept beside the picture that was made of it', async () => {
    const { scene } = await paintOne();
    const { designId, id } = scene;
    const eventual = () => house.keys().then((keys) => keys.filter((key) => key.includes('/illustrations/')));
    await vi.waitFor(
      async () => expect(await eventual()).toEqual([designBlobs.illustration(designId, id, 'painted')]),
      eventually,
    );
  });

  it('leaves nothing behind where its design is erased meanwhile', async () => {
    const { painter, scene, requests } = await openPainter({
      illustrate: async () => {
        await house.designs.removeDesign('dsg_a');
        await house.blobs.deleteAll(designBlobs.of('dsg_a'));
        return answered;
      },
    });
    await painter.requestPaintings([scene], 'key_a');
    await vi.waitFor(async () => expect(await house.queue.count('paint')).toBe(0), eventually);
    expect([requests.length, await house.keys()]).toEqual([1, []]);
  });
});

it('asks for one painting three times at most, those that were cut off included', async () => {
  const { painter, paintings, scene, requests } = await openPainter({
    illustrate: async () => {
      await house.database.updateTable('paintings').set({ asks: 3 }).execute();
      // Nobody knows whether that was paid for.
      throw full('queue_full');
    },
  });
  await painter.requestPaintings([scene], 'key_a');
  await vi.waitFor(
    async () => expect(await paintings.findPainting(scene.id)).toMatchObject({ state: 'failed' }),
    eventually,
  );
  expect(requests).toHaveLength(1);
});

describe('a painting that failed', () => {
  const afterMs = async (failure: IllustrationFailure, ms: number) => {
    const opened = await openPainter({
      illustrate: async () => {
        if (opened.requests.length === 1) throw failure;
        return answered;
      },
    });
    const { painter, scene } = opened;
    await painter.requestPaintings([scene], 'key_a');
    await painter.findPainting(scene.id, 5_000, never);
    await vi.waitFor(async () => expect(await house.queue.count('paint')).toBe(0), eventually);
    house.clock.now += ms;
    await painter.requestPaintings([scene], 'key_a');
    return painter.findPainting(scene.id, 5_000, never);
  };

  it('for a reason that passes is tried again where it is asked for a minute later', async () => {
    const away = new IllustrationFailure('unreachable', 'no answer');
    expect(await afterMs(away, 60_000)).toMatchObject({ state: 'done' });
  });

  it('is left alone within that minute', async () => {
    const away = new IllustrationFailure('unreachable', 'no answer');
    expect(await afterMs(away, 59_000)).toMatchObject({ state: 'failed' });
  });

  it('is left alone for as long as a busy engine says', async () => {
    const busy = new IllustrationFailure('busy', '429', { retryAfterS: 600 });
    expect(await afterMs(busy, 599_000)).toMatchObject({ state: 'failed' });
  });

  it('for good stays as it is', async () => {
    const refused = new IllustrationFailure('refused', 'not that');
    expect(await afterMs(refused, 86_400_000)).toMatchObject({ state: 'failed' });
  });
});

describe('a budget', () => {
  it('lets no more be painted for a key that has spent it, and renews itself after 30 days', async () => {
    const first = await paintOne({ limits: { budgetUsd: 0.05, priceUsd: 0.05 } });
    expect(first.painting).toMatchObject({ state: 'done' });
    expect(await first.paintings.sumCosts('key_a')).toBeCloseTo(0.05);
    expect(await first.paintings.sumCosts('key_b')).toBe(0);
    await house.database.deleteFrom('paintings').execute();
    await first.painter.requestPaintings([first.scene], 'key_a');
    const second = await first.painter.findPainting(first.scene.id, 5_000, never);
    expect(second).toMatchObject({ state: 'failed', failure: "the key's budget for pictures is spent" });
    house.clock.now += 31 * 86_400_000;
    expect(await first.paintings.sumCosts('key_a')).toBe(0);
  });
});

it('paints no more side by side than its engine can', async () => {
  const opened = await openPainter({
    limits: { concurrency: 2 },
    mostAtOnce: 1,
    illustrate: () => new Promise<never>(() => undefined),
  });
  const { painter, illustrations, requests } = opened;
  const owner = { designId: 'dsg_a', accountId: 'acc_own' };
  const brief = describeScene({ plan, kind: 'Unknown', wish: undefined });
  const contents = [1, 2].map((seed) => ({ plan: { ...plan, seed }, brief }));
  const scenes = await illustrations.keepIllustrations(owner, contents);
  await painter.requestPaintings(scenes as SceneIllustration[], 'key_a');
  await vi.waitFor(() => expect(requests).toHaveLength(1), eventually);
  house.queue.wake();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(requests).toHaveLength(1);
});

it('is another painting where another wish led to the same plan', async () => {
  const { painter, illustrations, requests } = await openPainter();
  const owner = { designId: 'dsg_a', accountId: 'acc_own' };
  const wishes = ['a bit of mist', 'after the rain'];
  const scenes = await illustrations.keepIllustrations(
    owner,
    wishes.map((wish) => ({ plan, brief: describeScene({ plan, kind: 'Unknown', wish }) })),
  );
  await painter.requestPaintings(scenes as SceneIllustration[], 'key_a');
  await vi.waitFor(() => expect(requests).toHaveLength(2), eventually);
  for (const [index, wish] of wishes.entries()) expect(requests[index]!.brief.prompt).toContain(wish);
});

describe('waiting for a painting', () => {
  const slowly = { illustrate: () => new Promise<never>(() => undefined) };

  it('ends with the patience, and the painting goes on', async () => {
    const { painter, scene, requests } = await openPainter(slowly);
    await painter.requestPaintings([scene], 'key_a');
    await vi.waitFor(() => expect(requests).toHaveLength(1), eventually);
    expect(await painter.findPainting(scene.id, 20, never)).toMatchObject({ state: 'waiting' });
    expect(await painter.findPainting(scene.id, 0, never)).toMatchObject({ state: 'waiting' });
  });

  it("ends with the caller's own signal", async () => {
    const { painter, scene } = await openPainter(slowly);
    await painter.requestPaintings([scene], 'key_a');
    const gone = AbortSignal.timeout(20);
    await expect(painter.findPainting(scene.id, 5_000, gone)).rejects.toThrow();
  });

  it('ends at once for a caller who is gone already', async () => {
    const { painter, scene } = await openPainter(slowly);
    await painter.requestPaintings([scene], 'key_a');
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await expect(
      painter.findPainting(scene.id, 60_000, AbortSignal.abort(new Error('gone'))),
    ).rejects.toThrow('gone');
    expect(timers()).toBe(before);
  });

  it('leaves no timer where the painting is settled', async () => {
    const { painter, scene } = await openPainter();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await painter.requestPaintings([scene], 'key_a');
    expect(await painter.findPainting(scene.id, 60_000, never)).toMatchObject({ state: 'done' });
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('finds nothing where nothing was asked for', async () => {
    const { painter, scene } = await openPainter();
    expect(await painter.findPainting(scene.id, 5_000, never)).toBeUndefined();
  });
});

it('leaves what is cut off by a stop to the next process', async () => {
  const { painter, paintings, scene, requests } = await openPainter({
    illustrate: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  await painter.requestPaintings([scene], 'key_a');
  await vi.waitFor(() => expect(requests).toHaveLength(1), eventually);
  await painter.close();
  await vi.waitFor(() => expect(requests[0]!.signal.aborted).toBe(true), eventually);
  expect(await paintings.findPainting(scene.id)).toMatchObject({ state: 'waiting' });
});
