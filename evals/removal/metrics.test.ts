import { describe, expect, it } from 'vitest';
import { type Picture, prepareTruth, scoreCutout } from './metrics.ts';

const SIDE = 100;

function draw(isSubject: (x: number, y: number) => boolean, color = 200): Picture {
  const alpha = Uint8Array.from({ length: SIDE * SIDE }, (_, i) =>
    isSubject(i % SIDE, Math.floor(i / SIDE)) ? 255 : 0,
  );
  return { width: SIDE, height: SIDE, alpha, foreground: new Uint8Array(SIDE * SIDE * 3).fill(color) };
}

const square =
  (left: number, size = 40) =>
  (x: number, y: number) =>
    x >= left && x < left + size && y >= 30 && y < 30 + size;
const truth = prepareTruth(draw(square(30)));

describe('scores of a cutout', () => {
  it('are perfect for the ground truth', () => {
    expect(scoreCutout(draw(square(30)), truth)).toEqual({
      mae: 0,
      iou: 1,
      bf2: 1,
      bf5: 1,
      edge: 0,
      halo: 0,
      fgerr: 0,
      comp: 0,
    });
  });

  it('count missing parts', () => {
    const half = scoreCutout(
      draw((x, y) => square(30)(x, y) && x < 50),
      truth,
    );
    expect(half.iou).toBe(0.5);
    expect(half.mae).toBeCloseTo((20 * 40) / SIDE ** 2);
    expect(half.comp).toBeCloseTo(((200 - 128) * 20 * 40) / SIDE ** 2);
  });

  it('stay perfect at the boundary if the outline is off by at most the tolerance', () => {
    const shifted = (px: number) => scoreCutout(draw(square(30 + px)), truth);
    expect(shifted(2).bf2).toBe(1);
    expect(shifted(4).bf2).toBeLessThan(0.8);
    expect(shifted(4).bf5).toBe(1);
  });

  it('detect wrong subject colors in the rim', () => {
    const { fgerr, halo, edge } = scoreCutout(draw(square(30), 180), truth);
    expect(edge).toBe(0);
    expect(fgerr).toBeCloseTo(20);
    expect(halo).toBeGreaterThan(5);
  });

  it('are worst for an empty cutout, and omit color scores if the true colors are unknown', () => {
    const empty = draw(() => false);
    expect(scoreCutout(empty, truth)).toMatchObject({ iou: 0, bf2: 0, bf5: 0 });
    expect(scoreCutout(empty, prepareTruth({ ...draw(square(30)), foreground: null }))).not.toHaveProperty(
      'halo',
    );
  });
});
