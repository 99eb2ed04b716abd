import { describe, expect, it } from 'vitest';
import { type DenoiseSettings, denoiseLevel } from './denoise.ts';
import type { Guide } from './geometry-buffer.ts';
import { hashUnit } from './noise.ts';

const settings: DenoiseSettings = {
  channels: 3,
  levels: 5,
  normalPower: 8,
  range: { relative: 0.9, floor: 0.03 },
};

/** A camera-facing wall at depth 5, with another material in the right half. */
function makeTestGuide(size: number): Guide {
  const guide: Guide = {
    width: size,
    height: size,
    step: 1,
    position: new Float32Array(size * size * 3),
    normal: new Float32Array(size * size * 3),
    depth: new Float32Array(size * size).fill(5),
    material: new Uint8Array(size * size),
  };
  for (let i = 0; i < size * size; i++) {
    guide.position.set([(i % size) * 0.01, Math.floor(i / size) * 0.01, 0], i * 3);
    guide.normal.set([0, 0, 1], i * 3);
    guide.material[i] = i % size < size / 2 ? 0 : 1;
  }
  return guide;
}

function denoiseAll(guide: Guide, values: Float32Array): Float32Array {
  let from: Float32Array = values;
  let to: Float32Array = new Float32Array(values.length);
  for (let level = 0; level < settings.levels; level++) {
    denoiseLevel(guide, settings, level, from, to, 0, guide.height);
    [from, to] = [to, from];
  }
  return from;
}

describe('the denoiser', () => {
  it('preserves uniform light', () => {
    const guide = makeTestGuide(24);
    const result = denoiseAll(guide, new Float32Array(24 * 24 * 3).fill(0.37));
    for (const value of result) {
      expect(value).toBeCloseTo(0.37, 5);
    }
  });

  it('removes nine tenths of the noise and preserves the mean', () => {
    const guide = makeTestGuide(32);
    const noisy = Float32Array.from(
      { length: 32 * 32 * 3 },
      (_, i) => 0.5 + 0.3 * (hashUnit(Math.floor(i / 3)) - 0.5),
    );
    const result = denoiseAll(guide, noisy.slice());
    const spread = (values: Float32Array): number => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    };
    expect(spread(result)).toBeLessThan(0.1 * spread(noisy));
    expect(result.reduce((sum, value) => sum + value, 0) / result.length).toBeCloseTo(0.5, 1);
  });

  it('does not blur across materials', () => {
    const guide = makeTestGuide(16);
    const values = Float32Array.from({ length: 16 * 16 * 3 }, (_, i) =>
      guide.material[Math.floor(i / 3)] === 0 ? 0.5 : 0.6,
    );
    const result = denoiseAll(guide, values.slice());
    expect(Array.from(result)).toEqual(Array.from(values).map((value) => expect.closeTo(value, 5)));
  });

  it('skips texels of materials that `materials` excludes', () => {
    const guide = makeTestGuide(8);
    const to = new Float32Array(8 * 8 * 3).fill(-1);
    const materials = Uint8Array.of(1, 0);
    denoiseLevel(guide, { ...settings, materials }, 0, new Float32Array(to.length).fill(0.2), to, 0, 8);
    for (let i = 0; i < to.length; i++) {
      expect(to[i]).toBeCloseTo(guide.material[Math.floor(i / 3)] === 0 ? 0.2 : -1, 5);
    }
  });
});
