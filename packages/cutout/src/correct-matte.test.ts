import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels/src/pixels.ts';
import { StepClock } from '../../pixels/src/step-clock.ts';
import { correctMatte } from './correct-matte.ts';
import type { Correction } from './correction.ts';

const size = { width: 240, height: 200 };
const isRed = (x: number, y: number) => x >= 40 && x < 120 && y >= 40 && y < 160;
const isBlack = (x: number, y: number) => x >= 120 && x < 180 && y >= 40 && y < 160;

/** A product, half red and half black, in front of gray wood. */
function makePhoto(): RgbImage {
  const data = new Uint8Array(size.width * size.height * 3);
  for (let i = 0; i < size.width * size.height; i++) {
    const x = i % size.width;
    const y = (i - x) / size.width;
    const grain = ((x * 7 + y * 13) % 11) - 5;
    const color = isRed(x, y) ? [200, 30, 40] : isBlack(x, y) ? [25, 25, 28] : [150, 145, 140];
    data.set(
      color.map((value) => Math.max(0, value + grain)),
      i * 3,
    );
  }
  return { ...size, data };
}

function makeMatte(isSubject: (x: number, y: number) => boolean): Matte {
  const at = (i: number) => isSubject(i % size.width, Math.floor(i / size.width));
  return {
    ...size,
    data: Uint8Array.from({ length: size.width * size.height }, (_, i) => (at(i) ? 255 : 0)),
  };
}

const correct = (before: Matte, marks: Partial<Correction>) =>
  correctMatte(
    makePhoto(),
    before,
    { correction: { parts: [], strokes: [], boxes: [], polygons: [], ...marks }, again: null, mask: null },
    new StepClock(new AbortController().signal),
  );

function countDifferences(a: Matte, b: Matte): number {
  return a.data.reduce((count, alpha, i) => count + (Math.abs(alpha - b.data[i]!) > 64 ? 1 : 0), 0);
}

const whole = makeMatte((x, y) => isRed(x, y) || isBlack(x, y));
const half = makeMatte(isRed);
const stroke = (mode: 'keep' | 'erase') => ({
  strokes: [
    {
      mode,
      radius: 3,
      points: [
        [140, 80],
        [160, 100],
        [145, 130],
      ] as const,
    },
  ],
});

describe('a correction', () => {
  it('restores a whole lost part, up to the part’s edges, with one stroke', async () => {
    const corrected = await correct(half, stroke('keep'));
    expect(countDifferences(corrected!.matte, whole)).toBeLessThan(60);
  });

  it('erases a whole part that was kept by mistake, and nothing else', async () => {
    const corrected = await correct(whole, stroke('erase'));
    expect(countDifferences(corrected!.matte, half)).toBeLessThan(60);
  });

  it('restores a whole lost part with one click', async () => {
    const corrected = await correct(half, { parts: [{ mode: 'keep', x: 150, y: 100 }] });
    expect(countDifferences(corrected!.matte, whole)).toBeLessThan(60);
  });

  it('removes one of two parts with one click, and can restore a lost third part in the same call', async () => {
    const isFar = (x: number, y: number) => x >= 200 && x < 220 && y >= 20 && y < 40;
    const two = makeMatte((x, y) => isRed(x, y) || isFar(x, y));
    const drop = { mode: 'erase' as const, x: 210, y: 30 };
    const dropped = (await correct(two, { parts: [drop] }))!;
    expect([dropped.matte, dropped.box]).toEqual([half, { x: 200, y: 20, width: 20, height: 20 }]);
    const both = await correct(two, { parts: [drop, { mode: 'keep', x: 150, y: 100 }] });
    expect(countDifferences(both!.matte, whole)).toBeLessThan(60);
    expect(both!.box.x + both!.box.width).toBeGreaterThanOrEqual(220);
  });

  it('changes no byte far from the marks', async () => {
    const uneven = {
      ...half,
      data: half.data.map((alpha, i) => (i % size.width < 90 && alpha > 0 ? 251 : alpha)),
    };
    const { matte, box } = (await correct(uneven, stroke('keep')))!;
    expect(box.x).toBeGreaterThan(90);
    for (let i = 0; i < matte.data.length; i++)
      if (i % size.width < 90) expect(matte.data[i]).toBe(uneven.data[i]);
  });

  it('applies boxes and polygons to exactly their pixels, without spreading', async () => {
    const box = { mode: 'keep' as const, x: 130, y: 60, width: 20, height: 30 };
    const { matte } = (await correct(half, { boxes: [box] }))!;
    const expected = makeMatte((x, y) => isRed(x, y) || (x >= 130 && x < 150 && y >= 60 && y < 90));
    expect(countDifferences(matte, expected)).toBe(0);
    const triangle = {
      mode: 'erase' as const,
      points: [
        [50, 50],
        [80, 50],
        [50, 80],
      ] as const,
    };
    const cut = (await correct(half, { polygons: [triangle] }))!.matte;
    expect(cut.data[55 * size.width + 55]).toBe(0);
    expect(cut.data[100 * size.width + 60]).toBe(255);
  });

  it('paints an exact stroke over others, with a soft rim, and only under the brush', async () => {
    const brush = { radius: 20, points: [[80, 100]] as const };
    const { matte } = (await correct(whole, {
      strokes: [
        { mode: 'erase', hardness: 0.5, ...brush },
        { mode: 'erase', radius: 3, points: [[140, 80]] },
        { mode: 'keep', hardness: 1, radius: 40, points: [[150, 100]] },
      ],
    }))!;
    const alphaAt = (x: number, y: number) => matte.data[y * size.width + x]!;
    expect([alphaAt(80, 100), alphaAt(80, 109), alphaAt(80, 121)]).toEqual([0, 0, 255]);
    expect(alphaAt(80, 115)).toBeGreaterThan(80);
    expect(alphaAt(80, 115)).toBeLessThan(200);
    // The exact stroke lies on top of the spread one, whatever their order.
    expect(alphaAt(150, 100)).toBe(255);
    const thin = { mode: 'erase' as const, hardness: 1, radius: 0.5, points: [[80.5, 100.5]] as const };
    const dot = (await correct(whole, { strokes: [thin] }))!;
    expect(dot.matte.data[100 * size.width + 80]).toBe(0);
    expect(dot.box.width).toBeLessThan(6);
    const nothing = { mode: 'keep' as const, hardness: 0, ...brush };
    expect(await correct(whole, { strokes: [nothing] })).toBeNull();
  });

  it('is null if the marks change nothing or lie outside the photo', async () => {
    expect(await correct(whole, stroke('keep'))).toBeNull();
    const outside = { mode: 'keep' as const, radius: 2, points: [[-90, -90]] as const };
    expect(await correct(whole, { strokes: [outside] })).toBeNull();
    expect(await correct(whole, { parts: [{ mode: 'erase', x: 220, y: 10 }] })).toBeNull();
    expect(await correct(whole, { parts: [{ mode: 'keep', x: 80, y: 100 }] })).toBeNull();
  });
});
