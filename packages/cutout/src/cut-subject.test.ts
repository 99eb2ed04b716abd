import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../photos/src/read-image.ts';
import { cutSubject } from './cut-subject.ts';
import { openKeyer } from './engines/keyer.ts';
import { openRemovalEngine } from './engines/registry.ts';
import { drawBall } from './removal-engine.contract.ts';
import type { RemovalEngine } from './removal-engine.ts';

const signal = new AbortController().signal;
const ball: Source = { ...drawBall(300, 200), alpha: null, clip: null };

const forbidden: RemovalEngine = {
  id: 'forbidden',
  version: 'forbidden-1',
  predictMatte: () => Promise.reject(new Error('unexpected call of predictMatte: this test runs no engine')),
  close: () => Promise.resolve(),
};

describe('cutting a subject out', () => {
  it('returns a true-color PNG and an 8-bit gray matte at the photo’s own size', async () => {
    const { cutoutPng, mattePng } = await cutSubject(ball, await openKeyer(), { signal });
    expect(await sharp(cutoutPng).metadata()).toMatchObject({
      format: 'png',
      width: 300,
      height: 200,
      channels: 4,
      depth: 'uchar',
      isPalette: false,
    });
    expect(await sharp(mattePng).metadata()).toMatchObject({
      format: 'png',
      width: 300,
      height: 200,
      channels: 1,
    });
    const cutout = await sharp(cutoutPng).raw().toBuffer();
    const matte = await sharp(mattePng).toColourspace('b-w').raw().toBuffer();
    expect(Buffer.from(cutout.filter((_, i) => i % 4 === 3)).equals(matte)).toBe(true);
  });

  it('keeps a red ball red up to its rim, without a fringe of white paper', async () => {
    const { cutoutPng } = await cutSubject(ball, await openKeyer(), { signal });
    const cutout = await sharp(cutoutPng).raw().toBuffer();
    let greenest = 0;
    for (let i = 0; i < cutout.length; i += 4) {
      if (cutout[i + 3]! > 64) greenest = Math.max(greenest, cutout[i + 1]!);
    }
    expect(greenest).toBeLessThan(90);
  });

  it.each([
    ['fast', []],
    ['quality', ['close-pass', 'matte-soft-edges']],
  ] as const)('reports each step by its name, in %s mode', async (mode, more) => {
    const { timings } = await cutSubject(ball, await openKeyer(), { signal, mode });
    expect(timings.map((timing) => timing.step)).toEqual([
      'whole-pass',
      'exposures',
      ...more,
      'refine-matte',
      'enlarge-matte',
      'sharpen-edges',
      'subject-facts',
      'clean-edges',
      'encode-cutout',
    ]);
  });

  it('runs the engine once in fast mode, and twice in quality mode if the subject is small', async () => {
    const keyer = await openKeyer();
    let asked = 0;
    const counting: RemovalEngine = {
      ...keyer,
      predictMatte(source, options) {
        asked++;
        return keyer.predictMatte(source, options);
      },
    };
    await cutSubject(ball, counting, { signal, mode: 'fast' });
    expect(asked).toBe(1);
    await cutSubject(ball, counting, { signal, mode: 'quality' });
    expect(asked).toBe(3);
  });

  it.each([
    ['only once on a dark backdrop', 40, 1],
    ['again with two other exposures on bright paper', 230, 3],
  ])('runs an unsure engine %s in fast mode', async (_, ground, passes) => {
    const keyer = await openKeyer();
    let asked = 0;
    const unsure: RemovalEngine = {
      ...keyer,
      async predictMatte() {
        asked++;
        const { data, ...size } = await keyer.predictMatte(ball, { signal });
        return { ...size, data: data.map((alpha) => Math.round(alpha * 0.8)) };
      },
    };
    const data = ball.data.map((value) => Math.min(value, ground));
    await cutSubject({ ...ball, data }, unsure, { signal, mode: 'fast' });
    expect(asked).toBe(passes);
  });

  it('aligns the coarse outline with the edges visible in the photo if there is only time for a coarse pass', async () => {
    const keyer = await openKeyer();
    const asked: unknown[] = [];
    const slow: RemovalEngine = {
      ...keyer,
      resolutions: { coarseShare: 0.25, measureShapedShare: () => 1 },
      predictMatte(source, options) {
        asked.push(options.resolution);
        return keyer.predictMatte(source, options);
      },
    };
    const { leftOut, timings, mattePng } = await cutSubject(ball, slow, { signal, extent: { dueAt: 0 } });
    expect(asked).toEqual(['coarse']);
    expect(leftOut).toEqual(['full-pass']);
    expect(timings.map(({ step }) => step)).toContain('follow-photo-edges');
    const again = await cutSubject(ball, slow, { signal, extent: { leaveOut: leftOut } });
    expect(again.mattePng.equals(mattePng)).toBe(true);
    const better = await cutSubject(ball, slow, { signal });
    expect(better.leftOut).toEqual([]);
    expect(asked.slice(2)).toEqual(['coarse', 'full']);
  });

  it('takes matte and colors from a photo that has transparency, and does not run the engine', async () => {
    const alpha = new Uint8Array(300 * 200);
    for (let y = 50; y < 150; y++) alpha.fill(y < 100 ? 255 : 120, y * 300 + 60, y * 300 + 240);
    const { cutoutPng, subject } = await cutSubject({ ...ball, alpha }, forbidden, { signal });
    expect(subject.boundingBox).toEqual({ x: 60, y: 50, width: 180, height: 100 });
    const cutout = await sharp(cutoutPng).raw().toBuffer();
    const expected = Buffer.alloc(cutout.length);
    for (const [i, a] of alpha.entries()) {
      if (a > 0) expected.set([...ball.data.subarray(i * 3, i * 3 + 3), a], i * 4);
    }
    expect(cutout.equals(expected)).toBe(true);
  });

  it('finds no subject on a blank wall', async () => {
    const wall: Source = {
      width: 200,
      height: 200,
      data: new Uint8Array(200 * 200 * 3).fill(201),
      alpha: null,
      clip: null,
    };
    await expect(cutSubject(wall, await openKeyer(), { signal })).rejects.toMatchObject({
      code: 'no_subject_found',
    });
  });

  it('rejects with the abort reason of its signal', async () => {
    const reason = new Error('deadline');
    await expect(cutSubject(ball, forbidden, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('opens the configured engine', async () => {
    const engine = await openRemovalEngine({ engine: 'keyer' });
    expect(engine.id).toBe('keyer');
  });
});
