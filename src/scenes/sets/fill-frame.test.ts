import { describe, expect, it } from 'vitest';
import { variants } from '../../recipes/catalogue.ts';
import { sizeSubject } from './camera.ts';
import { type FillWish, fillFrame } from './fill-frame.ts';

/** Fractions of the frame's width and height that the product's box covers. */
function cover(aspect: number, ratio: FillWish['ratio'], changes: Partial<FillWish> = {}) {
  const subject = sizeSubject(aspect);
  const wish = { staging: 'irregular', fill: 0.7, lengthCm: 28, sharesFrame: false, ...changes } as const;
  const { fillH, fillW } = fillFrame({ ...wish, ratio, subject });
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const height = Math.min(fillH, (fillW * across * subject.height) / (down * subject.width));
  return { height, width: (height * down * subject.width) / (across * subject.height) };
}

describe('fillFrame', () => {
  it('fills at least half of the width or height of every frame, with a margin on all sides', () => {
    for (const ratio of variants) {
      for (const aspect of [0.2, 0.4, 0.6, 0.8, 1, 1.3, 1.8, 2.8, 5]) {
        for (const staging of ['irregular', 'large'] as const) {
          const { height, width } = cover(aspect, ratio, { staging });
          expect(Math.max(height, width)).toBeGreaterThanOrEqual(0.5);
          expect(height).toBeLessThanOrEqual(ratio === '16:9' && aspect < 0.8 ? 0.791 : 0.741);
          expect(width).toBeLessThanOrEqual(ratio === '9:16' && staging === 'large' ? 0.901 : 0.801);
        }
      }
    }
  });

  it('gives slender products more height in a wide frame, and wide products more width in a tall frame', () => {
    expect(cover(0.6, '16:9').height).toBeGreaterThan(cover(1.6, '16:9').height + 0.05);
    expect(cover(2.8, '9:16', { staging: 'large' }).width).toBeGreaterThan(0.87);
    expect(cover(0.6, '16:9').height).toBeGreaterThan(0.75);
    expect(cover(2.8, '9:16').width).toBeGreaterThan(cover(0.8, '9:16').width + 0.05);
  });

  it('shows a small product smaller, and one that fills little of its bounding box, such as a plant, larger', () => {
    expect(cover(1, '1:1', { lengthCm: 2.5 }).height).toBeLessThan(0.85 * cover(1, '1:1').height);
    expect(cover(1, '1:1', { fill: 0.25 }).height).toBeGreaterThan(cover(1, '1:1').height);
  });

  it('leaves room for a stand, and for text above in a tall frame', () => {
    for (const ratio of variants) {
      for (const aspect of [0.3, 1, 3]) {
        const { height, width } = cover(aspect, ratio, { sharesFrame: true });
        expect(height).toBeLessThanOrEqual(ratio === '16:9' && aspect < 0.8 ? 0.68 : 0.63);
        expect(width).toBeLessThanOrEqual(0.6 + 1e-9);
      }
    }
    expect(cover(0.2, '9:16').height).toBeLessThanOrEqual(0.58);
  });
});
