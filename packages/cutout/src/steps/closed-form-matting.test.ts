import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../../../pixels/src/pixels.ts';
import { solveClosedForm } from './closed-form-matting.ts';

const signal = new AbortController().signal;

type Rgb = readonly [number, number, number];

/**
 * A subject that fills the lower part, with vertical strands from 16 px below to 16 px above the middle row, on a plain
 * backdrop. The band that contains the strands is unknown.
 */
function drawFringe(width: number, height: number, subject: Rgb, backdrop: Rgb) {
  const truth = Float32Array.from({ length: width * height }, (_, i) => {
    const x = i % width;
    const y = Math.floor(i / width);
    const up = y - height / 2;
    if (Math.abs(up) > 16) return up > 0 ? 1 : 0;
    return 0.5 + 0.5 * Math.sin(x * 0.9);
  });
  const data = new Uint8Array(width * height * 3);
  for (const [i, a] of truth.entries()) {
    for (let c = 0; c < 3; c++) data[i * 3 + c] = Math.round(a * subject[c]! + (1 - a) * backdrop[c]!);
  }
  const unknown = new Uint8Array(width * height);
  for (let y = height / 2 - 20; y < height / 2 + 20; y++) {
    unknown.fill(1, y * width + 2, (y + 1) * width - 2);
  }
  const photo: RgbImage = { width, height, data };
  return { photo, unknown, truth };
}

describe('closed-form matting', () => {
  it.each([
    [96, 80],
    [640, 560],
  ])('finds the alpha of strands on a plain backdrop, in a photo of %i×%i', (width, height) => {
    const { photo, unknown, truth } = drawFringe(width, height, [200, 90, 40], [20, 60, 160]);
    const alpha = truth.map((value, i) => (unknown[i] === 1 ? 0.5 : value));
    solveClosedForm({ photo, unknown, alpha }, signal);
    let error = 0;
    let count = 0;
    for (const [i, flag] of unknown.entries()) {
      if (flag === 0) continue;
      error += Math.abs(alpha[i]! - truth[i]!);
      count++;
    }
    // The initial guess has an error of .35.
    expect(error / count).toBeLessThan(0.05);
  });

  it('returns an alpha that does not depend on what lies far from the unknown pixels', () => {
    const [width, height, more] = [560, 640, 400];
    const { photo, unknown, truth } = drawFringe(width, height, [200, 90, 40], [20, 60, 160]);
    const longer = {
      photo: { width, height: height + more, data: new Uint8Array(width * (height + more) * 3) },
      unknown: new Uint8Array(width * (height + more)),
      alpha: new Float32Array(width * (height + more)),
    };
    longer.photo.data.fill(99).set(photo.data, width * more * 3);
    longer.unknown.set(unknown, width * more);
    longer.alpha.set(truth, width * more);
    const alpha = truth.slice();
    solveClosedForm({ photo, unknown, alpha }, signal);
    solveClosedForm(longer, signal);
    expect(longer.alpha.subarray(width * more)).toEqual(alpha);
  });

  it('keeps known pixels exactly', () => {
    const { photo, unknown, truth } = drawFringe(64, 64, [255, 255, 255], [0, 0, 0]);
    const alpha = truth.slice();
    solveClosedForm({ photo, unknown, alpha }, signal);
    for (const [i, flag] of unknown.entries()) if (flag === 0) expect(alpha[i]).toBe(truth[i]);
  });

  it('returns finite numbers for a photo of one color', () => {
    const { unknown, truth } = drawFringe(64, 64, [0, 0, 0], [0, 0, 0]);
    const photo: RgbImage = { width: 64, height: 64, data: new Uint8Array(64 * 64 * 3).fill(77) };
    const alpha = truth.slice();
    solveClosedForm({ photo, unknown, alpha }, signal);
    expect(alpha.every((value) => value > -0.5 && value < 1.5)).toBe(true);
  });

  it('rejects with the abort reason of its signal', () => {
    const { photo, unknown, truth } = drawFringe(64, 64, [255, 255, 255], [0, 0, 0]);
    const reason = new Error('deadline');
    expect(() => solveClosedForm({ photo, unknown, alpha: truth }, AbortSignal.abort(reason))).toThrow(
      reason,
    );
  });
});
