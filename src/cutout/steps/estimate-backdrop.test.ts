import { describe, expect, it } from 'vitest';
import { estimateBackdrop } from './estimate-backdrop.ts';

const WIDTH = 90;
const HEIGHT = 70;
const isKnown = (i: number) => {
  const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
  return x < 25 || x > 65 || y < 20 || y > 50;
};
const known = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => (isKnown(i) ? 255 : 0));

describe('the backdrop behind a subject', () => {
  it('continues a gradient of light', () => {
    const slope = (i: number) => 60 + (i % WIDTH) + Math.floor(i / WIDTH) / 2;
    const data = new Uint8Array(WIDTH * HEIGHT * 3);
    for (let i = 0; i < WIDTH * HEIGHT; i++) data.fill(isKnown(i) ? slope(i) : 0, i * 3, i * 3 + 3);
    const { colors } = estimateBackdrop({ width: WIDTH, height: HEIGHT, data }, known);
    const errors = Array.from({ length: WIDTH * HEIGHT }, (_, i) => Math.abs(colors[i * 3]! - slope(i)));
    expect(Math.max(...errors)).toBeLessThan(4);
  });

  it('stays within the range of the visible colors around it', () => {
    const data = Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, n) => (n % 2 === 0 ? 90 : 140));
    const { colors } = estimateBackdrop({ width: WIDTH, height: HEIGHT, data }, known);
    expect(Math.min(...colors)).toBeGreaterThanOrEqual(90);
    expect(Math.max(...colors)).toBeLessThanOrEqual(140);
  });

  it('is black if no backdrop is visible', () => {
    const data = new Uint8Array(12).fill(200);
    expect([...estimateBackdrop({ width: 2, height: 2, data }, new Uint8Array(4)).colors]).toEqual(
      Array(12).fill(0),
    );
  });
});
