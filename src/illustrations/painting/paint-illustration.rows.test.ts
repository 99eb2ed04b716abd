import { describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../../packages/errors/index.ts';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import type { SceneIllustration } from '../illustration.ts';
import { place, plan, usePainterBench } from '../testing/painter-bench.ts';
import { describeScene } from './write-brief.ts';

const never = new AbortController().signal;
const eventually = { timeout: 5_000, interval: 10 };
const bench = usePainterBench();
const { openPainter, paintOne } = bench;

describe('a painting', () => {
  it('is requested with prompt, composite, mask and seed, and kept if the product is unchanged', async () => {
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

  it('is made only once for any number of requests', async () => {
    const { painter, scene, requests } = await paintOne();
    await painter.requestPaintings([scene, scene], 'key_b');
    await painter.findPainting(scene.id, 100, never);
    expect(requests).toHaveLength(1);
  });

  it('is requested again with another seed if the product was altered, and fails after three requests', async () => {
    const { painting, requests, verdicts } = await paintOne({
      judge: () => ({ why: 'there is a second product in it', overlap: 0 }),
    });
    expect(painting).toMatchObject({ state: 'failed', failure: 'there is a second product in it' });
    expect(new Set(requests.map(({ seed }) => seed)).size).toBe(3);
    expect(verdicts).toHaveLength(3);
  });

  it('is made by the second attempt if the first one altered the product', async () => {
    let tries = 0;
    const { painting } = await paintOne({
      judge: () => (++tries === 1 ? { why: 'gone', overlap: 0 } : { place, overlap: 0.95 }),
    });
    expect(painting).toMatchObject({ state: 'done' });
  });

  it('needs neither a composite nor a check in plate-only mode', async () => {
    const { painting, requests } = await paintOne({
      modes: ['plate-only'],
      judge: () => {
        throw new Error('unexpected call of judge: a plate shows no product');
      },
    });
    expect(painting).toMatchObject({ state: 'done', made: { place: null } });
    expect(requests[0]!.scaffold).toBeUndefined();
  });

  it.each([
    [
      'is unreachable',
      new RemoteFailure('unreachable', 'no answer from host'),
      'the engine does not respond',
    ],
    ['is busy', new RemoteFailure('busy', '429', { retryAfterS: 9 }), 'the engine is busy'],
    ['refuses', new RemoteFailure('refused', 'bad key'), 'the engine refused'],
  ])('fails at once if the engine %s, without quoting its message', async (_, error, failure) => {
    const { painting, requests, calls } = await paintOne({
      illustrate: async () => {
        throw error;
      },
    });
    expect(painting).toMatchObject({ state: 'failed', failure });
    expect(requests).toHaveLength(1);
    expect(calls[0]!.outcome).toContain(error.message);
  });

  it('fails if the engine times out', async () => {
    const { painting } = await paintOne({
      limits: { timeoutMs: 50 },
      illustrate: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    expect(painting).toMatchObject({ state: 'failed', failure: 'the engine took too long' });
  });

  it('fails if the response is not a picture', async () => {
    const { painting } = await paintOne({
      normalize: async () => {
        throw new PackshotError('image_undecodable', 'a poem');
      },
    });
    expect(painting).toMatchObject({ state: 'failed', failure: 'the answer is not a picture' });
  });
});

it('respects the limit of concurrent calls', async () => {
  const opened = await openPainter({
    limits: { concurrency: 1 },
    illustrate: () => new Promise<never>(() => undefined),
  });
  const { painter, illustrations, requests } = opened;
  const owner = { designId: 'dsg_a', accountId: 'acc_own' };
  const brief = describeScene({ plan, kind: 'Unknown', wish: undefined });
  const contents = [1, 2].map((seed) => ({ plan: { ...plan, seed }, brief }));
  const scenes = await illustrations.keepIllustrations(owner, contents);
  await painter.requestPaintings(scenes as SceneIllustration[], 'key_a');
  await vi.waitFor(() => expect(requests).toHaveLength(1), eventually);
  bench.house.queue.wake();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(requests).toHaveLength(1);
});

it('makes different paintings for different prompts with the same plan', async () => {
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

/**
 * Other components also start and stop timers, so the tests make 50 calls and allow for some additional timers, but
 * fewer than 25.
 */
const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('waiting for a painting', () => {
  const slowly = { illustrate: () => new Promise<never>(() => undefined) };

  it('ends at its timeout, while the painting continues', async () => {
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

  it('ends at once if the caller has already disconnected', async () => {
    const { painter, scene } = await openPainter(slowly);
    await painter.requestPaintings([scene], 'key_a');
    const before = countTimers();
    for (let i = 0; i < 50; i++) {
      const gone = AbortSignal.abort(new Error('gone'));
      await expect(painter.findPainting(scene.id, 60_000, gone)).rejects.toThrow('gone');
    }
    expect(countTimers() - before).toBeLessThan(25);
  });

  it('leaves no timer behind once the painting is settled', async (test) => {
    test.skip(
      process.env.PACKSHOT_TEST_DATABASE === 'postgres',
      'connections to PostgreSQL have timers of their own',
    );
    const { painter, scene } = await openPainter();
    const before = countTimers();
    await painter.requestPaintings([scene], 'key_a');
    const waiting = Array.from({ length: 50 }, () => painter.findPainting(scene.id, 60_000, never));
    for (const painting of await Promise.all(waiting)) expect(painting).toMatchObject({ state: 'done' });
    expect(countTimers() - before).toBeLessThan(25);
  });

  it('finds no painting if none was requested', async () => {
    const { painter, scene } = await openPainter();
    expect(await painter.findPainting(scene.id, 5_000, never)).toBeUndefined();
  });
});

it('leaves interrupted work to the next process', async () => {
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
