import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { colorDistance, fitToPaint, hexFromOklch, hueDistance, oklchFromHex } from './oklch.ts';

describe('oklch', () => {
  it('gives the published coordinates of pure sRGB red', () => {
    // Ottosson's own page and CSS Color 4 list red as oklch(0.628 0.2577 29.23).
    const red = oklchFromHex('#FF0000');
    expect(red.l).toBeCloseTo(0.628, 3);
    expect(red.c).toBeCloseTo(0.2577, 3);
    expect(red.h).toBeCloseTo(29.23, 1);
  });

  it('round-trips every 8-bit color whose three levels are from 24 to 246', () => {
    fc.assert(
      fc.property(fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 24, max: 246 }))), (levels) => {
        const hex = `#${levels.map((level) => level.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
        expect(hexFromOklch(oklchFromHex(hex))).toBe(hex);
      }),
    );
  });

  it('keeps hue and lightness of a color outside the sRGB gamut', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.35, max: 0.9, noNaN: true }),
        fc.integer({ min: 0, max: 359 }),
        (l, h) => {
          const back = oklchFromHex(hexFromOklch({ l, c: 0.4, h }));
          expect(Math.abs(back.l - l)).toBeLessThan(0.012);
          // The hue of colors with little chroma is not checked: eight bits represent it too coarsely.
          if (back.c > 0.06) expect(hueDistance(back.h, h)).toBeLessThan(4);
        },
      ),
    );
  });

  it('never paints pure black or pure white, and wraps the hue into the range 0 to 360 degrees', () => {
    expect(hexFromOklch({ l: 0, c: 0, h: 0 })).not.toBe('#000000');
    expect(hexFromOklch({ l: 1, c: 0, h: 0 })).not.toBe('#FFFFFF');
    expect(fitToPaint({ l: 0.7, c: 0.05, h: -30 }).h).toBe(330);
  });

  it('measures hue distance across 0 degrees', () => {
    expect(hueDistance(350, 10)).toBe(20);
    expect(colorDistance({ l: 0.7, c: 0.1, h: 359 }, { l: 0.7, c: 0.1, h: 1 })).toBeLessThan(0.005);
  });
});
