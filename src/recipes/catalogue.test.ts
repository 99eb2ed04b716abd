import { describe, expect, it } from 'vitest';
import { variants } from '../../packages/pixels/ratios.ts';
import { findRecipe, listRecipes } from './catalogue.ts';
import { palette } from './solid-colors.ts';

describe('catalogue', () => {
  it('gives every recipe a unique id', () => {
    const ids = listRecipes().map((recipe) => recipe.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has one solid recipe for each palette color and ratio, and offers it only in the ratio that its id names', () => {
    const solids = listRecipes().filter((recipe) => recipe.family === 'solid');
    expect(solids).toHaveLength(palette.length * variants.length);
    expect(palette.length).toBeGreaterThanOrEqual(40);
    for (const recipe of solids) {
      const [, w, h] = recipe.id.split(/[a-z_]+/i);
      expect(recipe.variants).toEqual([`${w}:${h}`]);
    }
  });

  it('keeps white and green under the numbers by which callers know them', () => {
    expect(findRecipe('Solid1_1_0035')?.backdrop).toEqual({ kind: 'solid', color: '#FFFFFF' });
    expect(findRecipe('Solid1_1_0042')?.backdrop).toEqual({ kind: 'solid', color: '#00B140' });
  });

  it('never gives two colors the same number or value', () => {
    expect(new Set(palette.map((color) => color.number)).size).toBe(palette.length);
    expect(new Set(palette.map((color) => color.color)).size).toBe(palette.length);
  });

  it('has gradient stops that rise from 0 to 1', () => {
    for (const { backdrop, id } of listRecipes()) {
      if (backdrop.kind === 'linear' || backdrop.kind === 'radial') {
        const at = backdrop.stops.map((stop) => stop.at);
        expect(at[0], id).toBe(0);
        expect(at.at(-1), id).toBe(1);
        expect(
          [...at].sort((a, b) => a - b),
          id,
        ).toEqual(at);
      }
    }
  });

  it('offers Transp001, the gradients and the surfaces in every ratio', () => {
    for (const recipe of listRecipes().filter(({ family }) => family !== 'solid' && family !== 'listing')) {
      expect(recipe.variants, recipe.id).toEqual(variants);
    }
  });
});
