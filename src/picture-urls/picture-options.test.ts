import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { variants } from '../../packages/pixels/ratios.ts';
import { mutationsSchema } from '../recipes/mutations.ts';
import { longEdgeOf, mutationsOf, optionsOf, readOptions, writeOptions } from './picture-options.ts';

const share = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((value) => value / 100);
const anyOptions = fc.record(
  {
    ar: fc.constantFrom(...variants),
    w: fc.integer({ min: 16, max: 2000 }),
    h: fc.integer({ min: 16, max: 2000 }),
    q: fc.integer({ min: 1, max: 100 }),
    margin: share(0.4),
    align: fc.constantFrom('center' as const, 'baseline' as const),
    x: share(1),
    y: share(1),
    rot: fc.integer({ min: -180, max: 180 }),
    shadow: fc.constantFrom('none' as const, 'contact' as const, 'cast' as const),
    bg: fc.constantFrom('#ffffff', '#0a1b2c'),
    match: fc.constantFrom('none' as const, 'light' as const),
    dpr: fc.integer({ min: 1, max: 4 }),
    exp: fc.integer({ min: 1, max: 4_000_000_000 }),
  },
  { requiredKeys: [] },
);

describe('the options of a picture URL', () => {
  it('are read as they were written, and written without characters that proxies or CSV files change', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        const text = writeOptions(options);
        expect(text).toMatch(/^[\w.-]+$/);
        expect(readOptions(text)).toEqual(options);
      }),
    );
  });

  it.each([
    ['zoom_2', '"zoom" is no option'],
    ['w_800-w_900', '"w" occurs twice'],
    ['w_9000', '"w" must be a whole number from 16 to 2000'],
    ['w_0800', '"w" must be'],
    ['bg_FFFFFF', '"bg" must be a color'],
    ['q_82-w_800', 'in this order: w_800-q_82'],
    ['', '"" is no option'],
  ])('refuse %j and say why', (text, words) => {
    expect(() => readOptions(text)).toThrow(words);
  });

  it('give the same mutations again', () => {
    const mutations = {
      layout: { margin: 0.06, rotate: -5 },
      shadow: { kind: 'contact', strength: 0.5 },
      background: { color: '#f4f1ec' },
      edge: { shrinkPx: 1 },
      match: 'light',
    } as const;
    expect(mutationsOf(optionsOf(mutations))).toEqual(mutations);
    expect(mutationsSchema.parse(mutationsOf({}))).toEqual({});
  });

  it('fit the picture into width and height, times the density of the screen', () => {
    expect(longEdgeOf({ w: 400 }, '4:5')).toBe(500);
    expect(longEdgeOf({ w: 400, h: 250 }, '4:5')).toBe(250);
    expect(longEdgeOf({ w: 400, dpr: 2 }, '1:1')).toBe(800);
    expect(longEdgeOf({ h: 1500, dpr: 3 }, '1:1')).toBe(2000);
    expect(longEdgeOf({ dpr: 2 }, '1:1')).toBeUndefined();
  });
});
