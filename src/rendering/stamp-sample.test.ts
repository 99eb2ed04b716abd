import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { stampSample } from './stamp-sample.ts';

function stamped(gray: number, { width = 400, height = 400, channels = 3 as 3 | 4, alpha = 255 } = {}) {
  const data = new Uint8Array(width * height * channels).fill(gray);
  if (channels === 4) for (let i = 3; i < data.length; i += 4) data[i] = alpha;
  const before = data.slice();
  stampSample({ width, height, channels, data });
  const changes = data.map((value, i) => Math.abs(value - before[i]!));
  return { data, changes };
}

const shareAbove = (changes: Uint8Array, least: number) =>
  changes.filter((change) => change >= least).length / changes.length;

describe('the sample mark', () => {
  it('is visible on white, gray and black, and leaves most of the picture unchanged', () => {
    for (const gray of [0, 128, 255]) {
      const { changes } = stamped(gray);
      expect(shareAbove(changes, 30), String(gray)).toBeGreaterThan(0.02);
      expect(shareAbove(changes, 1), String(gray)).toBeLessThan(0.35);
      expect(shareAbove(changes, 140), String(gray)).toBe(0);
    }
  });

  it('covers every part of a picture of any aspect ratio', () => {
    for (const [width, height] of [
      [400, 225],
      [225, 400],
      [400, 400],
    ] as const) {
      const { changes } = stamped(128, { width, height });
      const third = Math.floor(height / 3);
      for (let part = 0; part < 3; part++) {
        const rows = changes.subarray(part * third * width * 3, (part + 1) * third * width * 3);
        expect(shareAbove(rows, 20), `${width}x${height}, third ${part}`).toBeGreaterThan(0.02);
      }
    }
  });

  it('marks transparent pictures too, and never lowers alpha', () => {
    const clear = stamped(0, { channels: 4, alpha: 0 });
    expect(shareAbove(clear.changes, 30)).toBeGreaterThan(0.02);
    const half = stamped(90, { channels: 4, alpha: 128 });
    for (let i = 3; i < half.data.length; i += 4) expect(half.data[i]).toBeGreaterThanOrEqual(128);
  });

  it('is identical on every machine', () => {
    const { data } = stamped(200, { width: 120, height: 90 });
    expect(createHash('sha256').update(data).digest('hex').slice(0, 16)).toMatchInlineSnapshot(
      `"61a5342f19e6b500"`,
    );
  });
});
