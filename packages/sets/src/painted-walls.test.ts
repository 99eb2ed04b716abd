import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dictionary } from './dictionary.ts';
import { limitChroma, nearestStrongPaint } from './painted-walls.ts';

const any = fc.record({
  l: fc.double({ min: 0.2, max: 0.96, noNaN: true }),
  c: fc.double({ min: 0, max: 0.3, noNaN: true }),
  h: fc.double({ min: -360, max: 720, noNaN: true }),
});

describe('limitChroma', () => {
  it('only reduces chroma, never lightness or hue, and reduces requested walls less', () => {
    fc.assert(
      fc.property(any, (color) => {
        const calm = limitChroma(color, 'calm');
        const named = limitChroma(color, 'named');
        expect(calm).toMatchObject({ l: color.l, h: color.h });
        expect(calm.c).toBeLessThanOrEqual(named.c);
        expect(named.c).toBeLessThanOrEqual(color.c);
      }),
    );
  });

  it('halves the chroma of pale violet, mint and pink walls, which would otherwise glow', () => {
    for (const h of [300, 165, 340])
      expect(limitChroma({ l: 0.88, c: 0.08, h }, 'calm').c).toBeLessThan(0.04);
  });

  it('leaves every named color recognizable', () => {
    for (const color of dictionary.colors) {
      if (color.c < 0.02 || color.isMetal) continue;
      expect(limitChroma(color, 'named').c, color.name).toBeGreaterThan(Math.min(0.02, color.c * 0.5));
    }
  });

  it('allows a strong paint near any hue', () => {
    for (let h = 0; h < 360; h += 10) expect(nearestStrongPaint(h)[1]).toBeGreaterThan(0.06);
  });
});
