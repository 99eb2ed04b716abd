import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import type { RemovalEngine } from '../removal-engine.ts';
import { createPassPace } from './pass-pace.ts';
import { type Extent, MorePassesNeeded, openPasses, type PassOptions } from './run-passes.ts';

const signal = new AbortController().signal;
const photo: RgbImage = { width: 1000, height: 1000, data: new Uint8Array(0) };

interface Options extends Partial<Pick<PassOptions, 'extent' | 'known' | 'mostNewPasses'>> {
  readonly passMs?: number;
}

/** Opens the passes of an engine that takes `passMs` for a full pass and a quarter of it for a coarse one. */
function open({ passMs = 1_000, ...options }: Options = {}) {
  let now = 0;
  const asked: string[] = [];
  const engine: RemovalEngine = {
    id: 'test',
    version: 'test-1',
    resolutions: { coarseShare: 0.25, measureShapedShare: () => 1 },
    async predictMatte(_, { resolution = 'full' }) {
      now += resolution === 'coarse' ? passMs * 0.25 : passMs;
      asked.push(resolution);
      return { width: 1, height: 1, data: Uint8Array.of(asked.length) } satisfies Matte;
    },
    close: async () => undefined,
  };
  const passes = openPasses(photo, engine, {
    signal,
    extent: {},
    pace: createPassPace(),
    known: new Map(),
    mostNewPasses: 9,
    ...options,
    clock: () => now,
  });
  return { passes, asked };
}

describe('the passes over a photo', () => {
  it('all have time if the cutout has no due time', async () => {
    const { passes } = open({ passMs: 60_000 });
    await passes.run('whole', photo);
    expect([passes.isTimeForFull(), passes.mayRun('whole-pass', 1)]).toEqual([true, true]);
    expect(passes.leftOut).toEqual([]);
  });

  it('end with the first stage for which there is no time, even if later stages are shorter', async () => {
    const { passes } = open({ passMs: 4_000, extent: { dueAt: 10_000 } });
    await passes.run('whole', photo);
    expect([passes.mayRun('exposures', 2), passes.mayRun('far-pass', 0.1)]).toEqual([false, false]);
    expect(passes.leftOut).toEqual(['exposures', 'far-pass']);
  });

  it('leave time for matting, even if passes were left out', async () => {
    const { passes } = open({ extent: { dueAt: 3_000 } });
    await passes.run('whole', photo);
    expect([passes.mayRun('exposures', 2), passes.mayRun('matting', 0.3)]).toEqual([false, true]);
  });

  it('leave out the same stages as the first time if a cutout is repeated', () => {
    const extent: Extent = { leaveOut: ['whole-pass'] };
    const { passes } = open({ extent });
    expect([passes.mayRun('whole-pass', 1), passes.mayRun('far-pass', 1)]).toEqual([false, true]);
    expect(passes.leftOut).toEqual(['whole-pass']);
  });

  it('measure the machine’s speed by a coarse pass', async () => {
    const [fast, slow] = [
      open({ extent: { dueAt: 10_000 } }),
      open({ passMs: 8_000, extent: { dueAt: 10_000 } }),
    ];
    for (const { passes } of [fast, slow]) {
      expect(passes.isTimeForFull()).toBe(false);
      await passes.run('whole', photo, 'coarse');
    }
    expect([fast.passes.isTimeForFull(), slow.passes.isTimeForFull()]).toEqual([true, false]);
  });

  it('run once each, spread over several calls in any order, if each call may run only one', async () => {
    const known = new Map<string, Matte>();
    const first = open({ known, mostNewPasses: 1 });
    await first.passes.run('whole', photo, 'coarse');
    await expect(first.passes.run('close', photo)).rejects.toBeInstanceOf(MorePassesNeeded);
    const second = open({ known, mostNewPasses: 1 });
    await second.passes.run('close', photo);
    await second.passes.run('whole', photo, 'coarse');
    expect([first.asked, second.asked]).toEqual([['coarse'], ['full']]);
  });

  it('tell a coarse pass from a full one, and one part of the photo from another', async () => {
    const { passes, asked } = open();
    await passes.run('whole', photo, 'coarse');
    await passes.run('whole', photo);
    await passes.run('close', photo);
    await passes.run('close', { ...photo, width: 500 });
    expect(asked).toEqual(['coarse', 'full', 'full', 'full']);
  });

  it('are kept as the engine returned them, even if a step modifies one', async () => {
    const known = new Map<string, Matte>();
    (await open({ known }).passes.run('whole', photo)).data[0] = 77;
    expect((await open({ known }).passes.run('whole', photo)).data[0]).toBe(1);
  });
});
