import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../pixels.ts';
import { createLookPace } from './look-pace.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { type Extent, MoreLooksNeeded, takeLooks } from './take-looks.ts';

const signal = new AbortController().signal;
const photo: RgbImage = { width: 1000, height: 1000, data: new Uint8Array(0) };
const matteOf = (value: number): Matte => ({ width: 1, height: 1, data: Uint8Array.of(value) });

interface Options {
  readonly lookMs?: number;
  readonly extent?: Extent;
  readonly remembered?: Matte[];
  readonly mostNewLooks?: number;
  readonly pace?: ReturnType<typeof createLookPace>;
  /** Omitted if the engine has no coarse passes. */
  readonly coarseShare?: number;
  readonly shapedShare?: number;
}

/**
 * Opens the passes of an engine that takes `lookMs` for a full pass, on a fake clock that starts at 0. Each matte has
 * one pixel. After a full pass, its value is the number of full passes so far; after a coarse pass, it is 100.
 */
function open({ lookMs = 1_000, mostNewLooks = 9, ...options }: Options = {}) {
  let now = 0;
  const asked: string[] = [];
  const engine: RemovalEngine = {
    id: 'test',
    version: 'test-1',
    async predictMatte(_, { resolution = 'full' }) {
      const isCoarse = resolution === 'coarse';
      now += isCoarse ? lookMs * options.coarseShare! : lookMs;
      asked.push(resolution);
      return matteOf(isCoarse ? 100 : asked.filter((each) => each === 'full').length);
    },
    ...(options.coarseShare !== undefined && { coarseShare: options.coarseShare }),
    measureShapedShare: () => options.shapedShare ?? 1,
    close: async () => undefined,
  };
  const looks = takeLooks(photo, engine, {
    signal,
    extent: options.extent ?? {},
    pace: options.pace ?? createLookPace(),
    remembered: options.remembered ?? [],
    mostNewLooks,
    clock: () => now,
  });
  const refineAll = async () => {
    const one = (stage: 'exposure-views' | 'second-look', count: number) =>
      looks.refine<number | string | undefined>(
        stage,
        count,
        async (look) => (await look(photo)).data[0],
        'left out',
      );
    const first = (await looks.first()).data[0];
    return [first, await one('exposure-views', 2), await one('second-look', 1)];
  };
  return { looks, asked, refineAll };
}

describe('the passes over a photo', () => {
  it('all run if the cutout has no due time', async () => {
    const { looks, refineAll } = open({ lookMs: 60_000 });
    expect(await refineAll()).toEqual([1, 2, 3]);
    expect(looks.leftOut).toEqual([]);
  });

  it('all run if there is time for them', async () => {
    const { looks, refineAll } = open({ extent: { dueAt: 7_000 } });
    expect(await refineAll()).toEqual([1, 2, 3]);
    expect(looks.leftOut).toEqual([]);
  });

  it('end with the first one if there is no time for the next stage, even if later stages are shorter', async () => {
    const { looks, refineAll } = open({ lookMs: 4_000, extent: { dueAt: 10_000 } });
    expect(await refineAll()).toEqual([1, 'left out', 'left out']);
    expect(looks.leftOut).toEqual(['exposure-views', 'second-look']);
  });

  it('are not recorded as skipped if a stage needs none of them', async () => {
    const { looks } = open({ extent: { dueAt: 0 } });
    await looks.first();
    expect(await looks.refine('second-look', 1, async () => 'sure', 'left out')).toBe('sure');
    expect(looks.leftOut).toEqual([]);
  });

  it('are skipped in the same stages as the first time if a cutout is repeated', async () => {
    const leaveOut = ['second-look'] as const;
    const { looks, refineAll } = open({ extent: { leaveOut } });
    expect(await refineAll()).toEqual([1, 2, 'left out']);
    expect(looks.leftOut).toEqual(leaveOut);
  });

  it('run once each, spread over several calls, if each call may run only one', async () => {
    const remembered: Matte[] = [];
    for (let call = 1; call <= 2; call++) {
      const { refineAll, asked } = open({ remembered, mostNewLooks: 1 });
      await expect(refineAll()).rejects.toBeInstanceOf(MoreLooksNeeded);
      expect(asked).toHaveLength(1);
    }
    const last = open({ remembered, mostNewLooks: 1 });
    expect(await last.refineAll()).toHaveLength(3);
    expect(last.asked).toHaveLength(1);
  });

  it('are stored as the engine returned them, even if a step modifies one', async () => {
    const remembered: Matte[] = [];
    (await open({ remembered }).looks.first()).data[0] = 77;
    expect((await open({ remembered }).looks.first()).data[0]).toBe(1);
  });
});

describe('a stage', () => {
  const twice = async (look: (part: RgbImage) => Promise<Matte>) => {
    await look(photo);
    return (await look(photo)).data[0];
  };

  it('does not start if the photo’s passes would then cost more than four full ones in total; it is not recorded as skipped', async () => {
    const { looks, asked } = open({ coarseShare: 0.25 });
    await looks.coarse();
    await looks.full(async () => photo);
    expect(await looks.refine<number | undefined>('exposure-views', 2, twice, 0)).toBe(3);
    expect(await looks.refine<number | undefined>('second-look', 1, twice, 0)).toBe(0);
    expect(await looks.refine('second-look', 1, async () => 'without a look', '')).toBe('without a look');
    expect(asked).toEqual(['coarse', 'full', 'full', 'full']);
    expect(looks.leftOut).toEqual([]);
  });

  it('starts if an earlier pass cost less because its picture was not stretched to a square', async () => {
    const { looks, asked } = open({ coarseShare: 0.25, shapedShare: 0.5 });
    await looks.coarse();
    await looks.full(async () => photo, 'shaped');
    await looks.refine<number | undefined>('exposure-views', 2, twice, 0);
    await looks.refine<number | undefined>(
      'second-look',
      1,
      async (look) => (await look(photo, 'coarse')).data[0],
      0,
    );
    expect(asked).toEqual(['coarse', 'shaped', 'full', 'full', 'coarse']);
  });
});

describe('a coarse pass that `first` runs', () => {
  const coarseShare = 0.25;

  it('does not run if the cutout has no due time', async () => {
    const { refineAll, asked } = open({ coarseShare, lookMs: 60_000 });
    expect(await refineAll()).toEqual([1, 2, 3]);
    expect(asked).toEqual(['full', 'full', 'full']);
  });

  it('runs first if the machine’s speed is unknown, followed by full ones if there is time', async () => {
    const { looks, refineAll, asked } = open({ coarseShare, extent: { dueAt: 10_000 } });
    expect(await refineAll()).toEqual([1, 2, 3]);
    expect(asked).toEqual(['coarse', 'full', 'full', 'full']);
    expect(looks.leftOut).toEqual([]);
  });

  it('is the only one if there is no time for a full one', async () => {
    const { looks, refineAll, asked } = open({ coarseShare, lookMs: 8_000, extent: { dueAt: 10_000 } });
    expect(await refineAll()).toEqual([100, 'left out', 'left out']);
    expect(asked).toEqual(['coarse']);
    expect(looks.leftOut).toEqual(['full-look', 'exposure-views', 'second-look']);
  });

  it('is the only one if a full one might be late', async () => {
    const { looks } = open({ coarseShare, lookMs: 4_000, extent: { dueAt: 8_000 } });
    expect((await looks.first()).data[0]).toBe(100);
  });

  it('does not run if there is known to be time for full ones', async () => {
    const pace = createLookPace();
    pace.noteLook(1_000);
    const { refineAll, asked } = open({ coarseShare, pace, extent: { dueAt: 10_000 } });
    await refineAll();
    expect(asked).toEqual(['full', 'full', 'full']);
  });

  it('measures the speed again if the last pass was slow', async () => {
    const pace = createLookPace();
    pace.noteLook(60_000);
    const { asked, looks } = open({ coarseShare, pace, extent: { dueAt: 10_000 } });
    expect((await looks.first()).data[0]).toBe(1);
    expect(asked).toEqual(['coarse', 'full']);
  });

  it('is neither stored nor mistaken for a full one', async () => {
    const remembered: Matte[] = [];
    const slow = { coarseShare, remembered, lookMs: 8_000 };
    await open({ ...slow, extent: { dueAt: 10_000 } }).looks.first();
    expect(remembered).toEqual([]);
    expect((await open(slow).looks.first()).data[0]).toBe(1);
    expect(remembered).toHaveLength(1);
  });

  it('runs again if a cutout without the full pass is repeated, even if a full pass is stored by then', async () => {
    const { looks, asked } = open({
      coarseShare,
      remembered: [matteOf(7)],
      extent: { leaveOut: ['full-look'] },
    });
    expect((await looks.first()).data[0]).toBe(100);
    expect(asked).toEqual(['coarse']);
    expect(looks.leftOut).toEqual(['full-look']);
  });
});

describe('the coarse pass that `coarse` runs', () => {
  const whole = async () => photo;

  it('measures the speed, and a full one follows if there is time', async () => {
    const { looks, asked } = open({ coarseShare: 0.25, extent: { dueAt: 10_000 } });
    await looks.coarse();
    expect((await looks.full(whole))?.data[0]).toBe(1);
    expect(asked).toEqual(['coarse', 'full']);
  });

  it('is the only one if there is no time for a full one', async () => {
    const { looks } = open({ coarseShare: 0.25, lookMs: 8_000, extent: { dueAt: 10_000 } });
    await looks.coarse();
    expect(await looks.full(whole)).toBeNull();
    expect(looks.leftOut).toEqual(['full-look']);
  });

  it('is stored with the others, and runs once', async () => {
    const remembered: Matte[] = [];
    await open({ coarseShare: 0.25, remembered }).looks.coarse();
    const { looks, asked } = open({ coarseShare: 0.25, remembered });
    await looks.coarse();
    await looks.full(whole);
    expect(asked).toEqual(['full']);
    expect(remembered).toHaveLength(2);
  });
});

describe('edges', () => {
  it('are matted if there is time, even if passes were skipped', async () => {
    const pace = createLookPace();
    const { looks, refineAll } = open({ lookMs: 1_000, pace, extent: { dueAt: 3_200 } });
    await refineAll();
    expect(looks.leftOut).toContain('exposure-views');
    const matte = async (begin: () => void) => {
      begin();
      return 'matted';
    };
    expect(await looks.refineEdges('matte-soft-edges', matte, 'left out')).toBe('matted');
    pace.noteLook(5_000);
    expect(await looks.refineEdges('matte-soft-edges', matte, 'left out')).toBe('left out');
  });
});
