import { describe, expect, it } from 'vitest';
import type { Rgb } from '../../pixels/src/srgb.ts';
import { fitTone as fitToneTo } from './fit-tone.ts';

const gray = { l: 0.6, c: 0.01, h: 80 };
const fitTone = (white: Rgb | undefined, meanColor = gray) =>
  fitToneTo({ white, meanColor }, { exposure: 1 });

describe('fitTone', () => {
  it('leaves the place as it is for a product without white parts, and for well exposed, neutral white parts', () => {
    expect(fitTone(undefined)).toEqual({ exposure: 1 });
    expect(fitTone([0.72, 0.72, 0.72])).toEqual({ exposure: 1, balance: [1, 1, 1] });
  });

  it('starts from the usual light of the place', () => {
    const usual = { exposure: 1.3, balance: [1, 1, 1.1] } as const;
    expect(fitToneTo({ white: undefined, meanColor: gray }, { ...usual, balance: [1, 1, 1.1] })).toEqual(
      usual,
    );
    expect(
      fitToneTo({ white: [0.72, 0.72, 0.72], meanColor: gray }, { ...usual, balance: [1, 1, 1.1] }),
    ).toEqual(usual);
  });

  it('dims the place if white parts look gray, and never brightens the place', () => {
    const { exposure } = fitTone([0.53, 0.53, 0.53]);
    expect(exposure).toBeGreaterThan(0.78);
    expect(exposure).toBeLessThan(0.9);
    expect(fitTone([1, 1, 1]).exposure).toBe(1);
  });

  it('cools the place if white parts look bluish, and warms it if they look creamy', () => {
    const [coldRed, , coldBlue] = fitTone([0.6, 0.68, 0.76]).balance!;
    expect(coldBlue).toBeGreaterThan(coldRed);
    const [warmRed, , warmBlue] = fitTone([0.76, 0.68, 0.6]).balance!;
    expect(warmRed).toBeGreaterThan(warmBlue);
  });

  it('does not take the palest parts of a colored product for white', () => {
    const blue = { l: 0.58, c: 0.036, h: 247 };
    expect(fitTone([0.34, 0.44, 0.57], blue)).toEqual({ exposure: 1 });
    expect(fitTone([0.57, 0.44, 0.34], blue).balance).toBeDefined();
    expect(fitTone([0.53, 0.53, 0.55], blue).exposure).toBeLessThan(0.9);
  });

  it('changes the exposure by at most about a third of a stop, and each color channel by at most an eighth of its value', () => {
    for (const white of [
      [0.3, 0.3, 0.3],
      [0.9, 0.5, 0.2],
      [0.2, 0.5, 0.9],
    ] as const) {
      const { exposure, balance } = fitTone(white);
      expect(exposure).toBeGreaterThanOrEqual(0.78);
      for (const gain of balance!) expect(Math.abs(gain - 1)).toBeLessThanOrEqual(0.121);
    }
  });
});
