import { describe, expect, it } from 'vitest';
import type { Matte, RgbImage } from '../../../pixels/src/pixels.ts';
import { matteSoftEdges } from './matte-soft-edges.ts';

const SIDE = 320;
const signal = new AbortController().signal;

const draw = (alphaAt: (x: number, y: number) => number): Matte => ({
  width: SIDE,
  height: SIDE,
  data: Uint8Array.from({ length: SIDE * SIDE }, (_, i) =>
    Math.round(
      255 * Math.min(1, Math.max(0, alphaAt((i % SIDE) - SIDE / 2, Math.floor(i / SIDE) - SIDE / 2))),
    ),
  ),
});

/** A disc whose fringe of strands is `furPx` long. */
const drawTruth = (furPx: number): Matte =>
  draw((x, y) => {
    const radius = Math.hypot(x, y);
    if (radius < 90) return 1;
    if (radius > 90 + furPx) return 0;
    return 0.5 + 0.7 * Math.sin(Math.atan2(y, x) * 130) + 0.3;
  });

/** How engines render fur: a smooth ramp across it. */
const drawBlurred = (softPx: number): Matte =>
  draw((x, y) => 0.5 + (90 + softPx / 2 - Math.hypot(x, y)) / softPx);

function photograph({ data }: Matte): RgbImage {
  const photo = new Uint8Array(data.length * 3);
  for (const [i, alpha] of data.entries()) {
    photo[i * 3] = 40 + (alpha / 255) * 170;
    photo[i * 3 + 1] = 80;
    photo[i * 3 + 2] = 190 - (alpha / 255) * 150;
  }
  return { width: SIDE, height: SIDE, data: photo };
}

const measureError = (a: Matte, b: Matte): number =>
  a.data.reduce((sum, alpha, i) => sum + Math.abs(alpha - b.data[i]!), 0) / a.data.length;

describe('soft edges', () => {
  it('are matted strand by strand where the engine blurred fur', async () => {
    const truth = drawTruth(6);
    const blurred = drawBlurred(8);
    const matted = await matteSoftEdges(blurred, async () => photograph(truth), signal);
    expect(measureError(matted, truth)).toBeLessThan(measureError(blurred, truth) * 0.5);
  });

  it('are left unchanged, without reading the photo, if the outline is hard', async () => {
    const hard = drawBlurred(1);
    const matted = await matteSoftEdges(hard, () => Promise.reject(new Error('the photo was read')), signal);
    expect(matted).toBe(hard);
  });

  it('keep the blur where the photo shows only the noise of its compression', async () => {
    const blurred = drawBlurred(8);
    const plain = photograph(drawBlurred(8));
    for (let i = 0; i < SIDE * SIDE; i++) {
      const block = ((i % SIDE) >> 3) + (Math.floor(i / SIDE) >> 3);
      plain.data.fill(20 + (block % 2), i * 3, i * 3 + 3);
    }
    const matted = await matteSoftEdges(blurred, async () => plain, signal);
    expect(matted.data).toEqual(blurred.data);
  });

  it('are left unchanged if only a small part of the outline is soft, as with a shadow or glass', async () => {
    const hard = drawBlurred(1);
    const soft = drawBlurred(8);
    const mostlyHard: Matte = {
      ...hard,
      data: hard.data.map((alpha, i) => (Math.floor(i / SIDE) > SIDE * 0.7 ? soft.data[i]! : alpha)),
    };
    const matted = await matteSoftEdges(
      mostlyHard,
      () => Promise.reject(new Error('the photo was read')),
      signal,
    );
    expect(matted).toBe(mostlyHard);
  });
});
