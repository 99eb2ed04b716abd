import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../pixels.ts';
import { compareToBackdrop } from './backdrop-likelihood.ts';

const WIDTH = 40;
const HEIGHT = 20;
const BLUE = [30, 60, 200];
const RED = [200, 40, 30];

/** A red product on the right half of a blue backdrop; a stripe of the product at the frame is blue. */
function draw(): { readonly photo: RgbImage; readonly matte: Matte } {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  const alpha = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < alpha.length; i++) {
    const x = i % WIDTH;
    data.set(x < WIDTH / 2 || x >= WIDTH - 6 ? BLUE : RED, 3 * i);
    alpha[i] = x < WIDTH / 2 ? 0 : 255;
  }
  return {
    photo: { width: WIDTH, height: HEIGHT, data },
    matte: { width: WIDTH, height: HEIGHT, data: alpha },
  };
}

describe('the likelihood that a pixel belongs to the backdrop', () => {
  const { photo, matte } = draw();
  const likelihood = compareToBackdrop(photo, matte);
  const at = (x: number, y: number) => likelihood(y * WIDTH + x);

  it('is high for colors that are more frequent in the backdrop, even inside the product', () => {
    expect(at(8, 10)).toBeGreaterThan(0.5);
    expect(at(WIDTH - 3, 10)).toBeCloseTo(at(8, 10), 6);
    expect(at(26, 10)).toBe(-3);
  });

  it('is the mean of a window, in which pixels outside the photo count as undecided', () => {
    expect(at(WIDTH / 2, 10)).toBeCloseTo((2 * at(8, 10) - 3 * 3) / 5, 6);
    expect(at(0, 0)).toBeCloseTo((9 / 25) * at(8, 10), 6);
  });
});
