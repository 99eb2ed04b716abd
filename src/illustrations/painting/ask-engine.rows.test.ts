import { describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../../packages/errors/index.ts';
import { designBlobs } from '../../designs/design.ts';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import { answered, place, usePainterBench } from '../testing/painter-bench.ts';

const never = new AbortController().signal;
const eventually = { timeout: 5_000, interval: 10 };
const bench = usePainterBench();
const { openPainter, paintOne } = bench;

const full = (code: 'queue_full' | 'storage_full') => new PackshotError(code, 'come again');

describe('a paid answer', () => {
  it.each<['queue_full' | 'a bug', 'normalise' | 'judge']>([
    ['queue_full', 'normalise'],
    ['queue_full', 'judge'],
    ['a bug', 'judge'],
  ])('is not requested again if the step after it fails: %s in %s', async (why, step) => {
    let tries = 0;
    const trip = () => {
      if (++tries === 1) throw why === 'a bug' ? new Error(why) : full(why);
    };
    const { painting, paintings, requests, verdicts } = await paintOne({
      limits: { priceUsd: 0.04 },
      normalize: async () => {
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

  it('is held until the disk has room for it, and its price is counted only once', async () => {
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

  it('is not requested again if there is no room for its normalized picture', async () => {
    let puts = 0;
    const { painting, requests } = await paintOne({
      onPut: (key) => {
        if (key.endsWith('/painted') && ++puts === 1) throw full('storage_full');
      },
    });
    expect([painting?.state, requests.length]).toEqual(['done', 1]);
  });

  it('is deleted once the normalized picture is stored', async () => {
    const { scene } = await paintOne();
    const { designId, id } = scene;
    const eventual = () =>
      bench.house.keys().then((keys) => keys.filter((key) => key.includes('/illustrations/')));
    await vi.waitFor(
      async () => expect(await eventual()).toEqual([designBlobs.illustration(designId, id, 'painted')]),
      eventually,
    );
  });

  it('leaves nothing behind if its design is deleted meanwhile', async () => {
    const { painter, scene, requests } = await openPainter({
      illustrate: async () => {
        await bench.house.designs.removeDesign('dsg_a');
        await bench.house.blobs.deleteAll(designBlobs.of('dsg_a'));
        return answered;
      },
    });
    await painter.requestPaintings([scene], 'key_a');
    await vi.waitFor(async () => expect(await bench.house.queue.count('paint')).toBe(0), eventually);
    expect([requests.length, await bench.house.keys()]).toEqual([1, []]);
  });
});

it('requests one painting at most three times, including interrupted calls', async () => {
  const { painter, paintings, scene, requests } = await openPainter({
    illustrate: async () => {
      // As if two more calls had been interrupted. They count, because the engine may have billed them.
      await bench.house.database.updateTable('paintings').set({ asks: 3 }).execute();
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
  const afterMs = async (failure: RemoteFailure, ms: number) => {
    const opened = await openPainter({
      illustrate: async () => {
        if (opened.requests.length === 1) throw failure;
        return answered;
      },
    });
    const { painter, scene } = opened;
    await painter.requestPaintings([scene], 'key_a');
    await painter.findPainting(scene.id, 5_000, never);
    await vi.waitFor(async () => expect(await bench.house.queue.count('paint')).toBe(0), eventually);
    bench.house.clock.now += ms;
    await painter.requestPaintings([scene], 'key_a');
    return painter.findPainting(scene.id, 5_000, never);
  };

  it('for a transient reason is retried if requested again after a minute', async () => {
    const away = new RemoteFailure('unreachable', 'no answer');
    expect(await afterMs(away, 60_000)).toMatchObject({ state: 'done' });
  });

  it('is not retried within the first minute', async () => {
    const away = new RemoteFailure('unreachable', 'no answer');
    expect(await afterMs(away, 59_000)).toMatchObject({ state: 'failed' });
  });

  it('is not retried before a busy engine’s Retry-After', async () => {
    const busy = new RemoteFailure('busy', '429', { retryAfterS: 600 });
    expect(await afterMs(busy, 599_000)).toMatchObject({ state: 'failed' });
  });

  it('for a permanent reason is not retried', async () => {
    const refused = new RemoteFailure('refused', 'not that');
    expect(await afterMs(refused, 86_400_000)).toMatchObject({ state: 'failed' });
  });
});

describe('a budget', () => {
  it('stops the paintings of a key that has used it up, and renews after 30 days', async () => {
    const first = await paintOne({ limits: { budgetUsd: 0.05, priceUsd: 0.05 } });
    expect(first.painting).toMatchObject({ state: 'done' });
    expect(await first.paintings.sumCosts('key_a')).toBeCloseTo(0.05);
    expect(await first.paintings.sumCosts('key_b')).toBe(0);
    // The finished job is removed shortly after its painting is announced.
    await vi.waitFor(async () => expect(await bench.house.queue.count('paint')).toBe(0), { timeout: 5_000 });
    await bench.house.database.deleteFrom('paintings').execute();
    await first.painter.requestPaintings([first.scene], 'key_a');
    const second = await first.painter.findPainting(first.scene.id, 5_000, never);
    expect(second).toMatchObject({ state: 'failed', failure: "the key's budget for pictures is spent" });
    bench.house.clock.now += 31 * 86_400_000;
    expect(await first.paintings.sumCosts('key_a')).toBe(0);
  });
});
