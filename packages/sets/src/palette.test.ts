import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../pixels/src/seeded-random.ts';
import { colorDistance, hueDistance, type Oklch } from './oklch.ts';
import { makePalette, type PaletteMode, paletteModes } from './palette.ts';
import { readUnits } from './read-units.ts';
import { combineWants, readWants } from './read-wants.ts';

const green: Oklch = { l: 0.55, c: 0.12, h: 145 };
const make = (mode: PaletteMode, product: Oklch, asked = {}, seed = 3) =>
  makePalette({ mode, product: { main: product, rim: product }, asked }, createRandom(seed));

describe('makePalette', () => {
  it('responds to the hue of the product', () => {
    const terracotta: Oklch = { l: 0.5, c: 0.12, h: 45 };
    expect(hueDistance(make('complementary', terracotta).wall.h, 225)).toBeLessThan(8);
    expect(hueDistance(make('analogous', green).wall.h, 180)).toBeLessThan(8);
    expect(hueDistance(make('warm', green).wall.h, 70)).toBeLessThan(8);
    expect(hueDistance(make('cool', green).wall.h, 250)).toBeLessThan(8);
  });

  it('paints no wall violet or magenta unless asked', () => {
    for (let h = 0; h < 360; h += 15) {
      for (const mode of ['complementary', 'analogous', 'triad', 'tonal', 'bold', 'bold-cool'] as const) {
        const { wall } = make(mode, { l: 0.5, c: 0.12, h });
        expect(wall.h > 275 && wall.h < 345, `${mode} for ${h}: ${wall.h}`).toBe(false);
      }
    }
  });

  it('makes four modes look different for products of most hues', () => {
    // At some hues, two modes give similar walls: complementary and warm at violet, cool and analogous at
    // blue-green. Lists then use the next mode.
    for (const h of [20, 100, 145, 190, 300]) {
      const walls = (['complementary', 'warm', 'cool', 'neutral'] as const).map(
        (mode) => make(mode, { l: 0.5, c: 0.12, h }).wall,
      );
      walls.forEach((wall, index) => {
        for (const other of walls.slice(index + 1)) expect(colorDistance(wall, other)).toBeGreaterThan(0.015);
      });
    }
  });

  it('puts a product on a wall of its own hue only if one is clearly lighter than the other', () => {
    for (const l of [0.45, 0.58, 0.65]) {
      for (const [mode, h] of [
        ['cool', 247],
        ['tonal', 247],
        ['warm', 70],
        ['tonal', 30],
      ] as const) {
        for (let seed = 0; seed < 20; seed++) {
          const product = { l, c: 0.036, h };
          const { wall } = make(mode, product, {}, seed);
          expect(Math.abs(wall.l - l), `${mode} for ${l}, ${h}`).toBeGreaterThan(0.22);
        }
      }
    }
  });

  it('separates the wall from any product', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...paletteModes),
        fc.double({ min: 0.15, max: 0.98, noNaN: true }),
        fc.double({ min: 0, max: 0.15, noNaN: true }),
        fc.integer({ min: 0, max: 359 }),
        fc.nat(),
        (mode, l, c, h, seed) => {
          const product = { l, c, h };
          expect(colorDistance(make(mode, product, {}, seed).wall, product)).toBeGreaterThan(0.07);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps a named color recognizable: hue within 15 degrees, lightness within 0.12', () => {
    for (const name of ['blue', 'sage', 'yellow', 'burgundy', 'lilac', 'terracotta', 'teal']) {
      const { colors } = combineWants(readWants(readUnits(`${name} background`), () => false));
      for (const mode of paletteModes) {
        const { wall } = make(mode, { ...colors.wall!, l: colors.wall!.l + 0.02 }, colors);
        expect(hueDistance(wall.h, colors.wall!.h)).toBeLessThan(15);
        expect(Math.abs(wall.l - colors.wall!.l)).toBeLessThan(0.12);
      }
    }
  });

  it('never pairs two strong colors that clash', () => {
    const product = { l: 0.6, c: 0.16, h: 80 };
    for (let seed = 0; seed < 40; seed++) {
      const { wall } = make('bold-warm', product, {}, seed);
      const apart = hueDistance(wall.h, product.h);
      expect(wall.c > 0.125 && apart > 20 && apart < 60).toBe(false);
    }
  });
});
