import { describe, expect, it } from 'vitest';
import { measureFrame } from '../../studio/scene-plan.ts';
import { createRandom } from '../seeded-random.ts';
import { hangPictures } from './wall-picture.ts';

function hangAbove(
  subject: { width: number; height: number },
  { elevDeg = 9, ratio = '9:16' }: { elevDeg?: number; ratio?: '9:16' | '4:5' } = {},
) {
  const camera = { tan: 0.21, elevDeg, fillW: 0.88, fillH: 0.58, baseline: 0.24 };
  const frame = measureFrame({ ratio, subject, camera });
  const wish = { frame, camera, subject, wallZ: -2, ink: '#8A6A52' };
  return { frame, props: Array.from({ length: 20 }, (_, seed) => hangPictures(wish, createRandom(seed))) };
}

const sofa = { width: 1.35, height: 0.5 };

describe('prints on the wall', () => {
  it('hang alone or in pairs above a sofa in a 9:16 scene', () => {
    const { frame, props } = hangAbove(sofa);
    const frames = props.map((all) =>
      all.filter(({ height }) => height === Math.max(...all.map((p) => p.height))),
    );
    expect(new Set(frames.map(({ length }) => length))).toEqual(new Set([1, 2]));
    for (const { y, u, width, height } of frames.flat()) {
      const away = (frame.distance + 2) / frame.distance;
      expect(y).toBeGreaterThan(sofa.height / frame.height);
      expect(0.24 + (y + height) / away).toBeLessThan(0.95);
      expect(Math.abs(u) + width / away / frame.aspect).toBeLessThan(0.9);
    }
  });

  it('are upright in a 9:16 scene, and larger than in a 4:5 scene', () => {
    const tallestIn = (ratio: '9:16' | '4:5') => {
      const { frame, props } = hangAbove(sofa, { ratio });
      const frames = props.map(([first]) => first!);
      for (const { width, height } of frames) if (ratio === '9:16') expect(height).toBeGreaterThan(width);
      return Math.max(...frames.map(({ height }) => height * frame.height));
    };
    expect(tallestIn('9:16')).toBeGreaterThan(1.3 * tallestIn('4:5'));
  });

  it('are hung neither above a chair nor above a sofa that is seen from high up', () => {
    for (const { props } of [hangAbove({ width: 0.8, height: 1 }), hangAbove(sofa, { elevDeg: 26 })])
      expect(props.flat()).toEqual([]);
  });
});
