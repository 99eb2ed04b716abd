import { describe, expect, it } from 'vitest';
import type { Preset } from './presets.ts';
import { reviewPreset } from './review-preset.ts';

const warningsOf = (wish: Omit<Preset, 'name'>) => reviewPreset({ name: 'ACME', ...wish }).warnings;

describe('the review of a preset', () => {
  it('plans each ratio that the preset names, or every ratio if it names none', () => {
    const ratios = (wish: Omit<Preset, 'name'>) =>
      reviewPreset({ name: 'ACME', ...wish }).plans.map(({ ratio }) => ratio);
    expect(ratios({ ratios: ['9:16', '4:5'] })).toEqual(['9:16', '4:5']);
    expect(ratios({})).toHaveLength(9);
  });

  it('reports nothing if every field has an effect', () => {
    expect(warningsOf({})).toEqual([]);
    expect(
      warningsOf({
        recipes: ['Transp001', 'Solid*_0035'],
        families: ['solid', 'surface'],
        palette: ['#00B140', '#2453C7'],
        styles: ['stone'],
      }),
    ).toEqual([]);
  });

  it('reports patterns that match nothing, or nothing in some ratio', () => {
    expect(warningsOf({ recipes: ['Sold*'] })).toEqual([
      expect.stringMatching(/^recipes: "Sold\*" is not a recipe/),
    ]);
    const [only, ...others] = warningsOf({ recipes: ['Solid1_1_0035'], ratios: ['1:1', '4:5', '9:16'] });
    expect(only).toMatch(/does not come in 4:5, 9:16\. "Solid\*_0035"/);
    expect(others).toEqual([]);
  });

  it('reports named recipes and brand colors for which the lists have no room', () => {
    const recipes = ['Gradient001', 'Gradient002', 'Gradient003', 'Gradient004', 'Gradient005'];
    expect(warningsOf({ recipes })).toEqual([expect.stringContaining('for Gradient005;')]);
    const palette = ['#FFFFFF', '#000000', '#00B140', '#2453C7', '#D92B2A'];
    const [first] = warningsOf({ families: ['solid'], palette });
    expect(first).toMatch(/^palette: no room in a list for #/);
  });

  it('reports brand colors that no Solid has, and a palette without effect', () => {
    expect(warningsOf({ families: ['solid'], palette: ['#bf6648', '#00B140'] })).toEqual([
      expect.stringMatching(/no Solid has #BF6648; the nearest Solid is recolored .* titled Terracotta\.$/),
    ]);
    expect(warningsOf({ palette: ['#BF6648'] })).toEqual([]);
    expect(warningsOf({ families: ['surface'], styles: [], palette: ['#BF6648'] })).toEqual([
      expect.stringMatching(/^palette: has no effect/),
    ]);
  });

  it('reports ratios without suggestions', () => {
    expect(warningsOf({ styles: [], ratios: ['4:5'] })).toEqual(['Nothing is suggested in 4:5.']);
  });
});
