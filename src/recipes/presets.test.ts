import { describe, expect, it } from 'vitest';
import type { Variant } from '../../packages/pixels/ratios.ts';
import { listPresetStyles, sceneStyles } from '../../packages/sets/src/scene-styles.ts';
import { listRecipes } from './catalogue.ts';
import { aiStudio, findPresetRatio, findPresetRecipes, type Preset, presetSchema } from './presets.ts';

const preset = (wish: Omit<Preset, 'name'>): Preset => ({ name: 'ACME', ...wish });

function idsOf(wish: Omit<Preset, 'name'>, ratio: Variant = '1:1') {
  const { named, ranged } = findPresetRecipes(preset(wish), ratio);
  return { named: named.map(({ id }) => id), ranged: ranged.map(({ id }) => id) };
}

describe('a preset', () => {
  it('has every style and no plain recipe if it is the built-in AI_STUDIO', () => {
    expect(listPresetStyles(aiStudio)).toEqual(sceneStyles);
    expect(findPresetRecipes(aiStudio, '1:1')).toEqual({ named: [], ranged: [] });
  });

  it('keeps its own order for recipes selected by id or color number, and leaves out those in other ratios', () => {
    const recipes = ['Surface003', 'Solid*_0035', 'Solid1_1_0042'];
    expect(idsOf({ recipes }).named).toEqual(['Surface003', 'Solid1_1_0035', 'Solid1_1_0042']);
    expect(idsOf({ recipes }, '4:5').named).toEqual(['Surface003', 'Solid4_5_0035']);
  });

  it('expands families and open-ended patterns, each recipe once', () => {
    expect(idsOf({ families: ['surface'] }, '16:9').ranged).toHaveLength(6);
    const twice = idsOf({ families: ['gradient'], recipes: ['Grad*', 'Gradient002'] });
    expect(twice.named).toEqual(['Gradient002']);
    expect(twice.ranged).toHaveLength(7);
    expect(idsOf({ recipes: ['Grad*00*2'] }).named).toEqual(['Gradient002']);
    expect(idsOf({ recipes: ['*'.repeat(80)] }).ranged).toHaveLength(
      listRecipes().filter(({ variants }) => variants.includes('1:1')).length,
    );
  });

  it('suggests only in an allowed ratio', () => {
    const upright = preset({ ratios: ['4:5', '9:16'], families: ['gradient'] });
    expect(findPresetRatio(upright, undefined)).toBe('4:5');
    expect(findPresetRatio(upright, '9:16')).toBe('9:16');
    expect(findPresetRatio(upright, '1:1')).toBeUndefined();
    expect(findPresetRatio(aiStudio, undefined)).toBe('1:1');
    expect(findPresetRecipes(upright, '1:1').ranged).toEqual([]);
    expect(findPresetRecipes(upright, '4:5').ranged).toHaveLength(8);
  });

  it('is rejected for unknown fields, styles and colors, and for the built-in name', () => {
    const right = { name: 'ACME_SPRING', styles: ['stone'], palette: ['#12ab34'] };
    expect(presetSchema.safeParse(right).success).toBe(true);
    for (const wrong of [
      { name: 'AI_STUDIO' },
      { name: 'ACME', styles: ['neon'] },
      { name: 'ACME', palette: ['red'] },
      { name: 'ACME', limit: 3 },
    ]) {
      expect(presetSchema.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    }
  });
});
