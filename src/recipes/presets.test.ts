import { describe, expect, it } from 'vitest';
import { listRecipes } from './catalogue.ts';
import {
  aiStudio,
  findPresetRatio,
  listPresetRecipes,
  listPresetStyles,
  presetSchema,
  sceneStyles,
} from './presets.ts';

describe('a preset', () => {
  it('of the studio has every style and no plain recipe', () => {
    expect(listPresetStyles(aiStudio)).toEqual(sceneStyles);
    expect(listPresetRecipes(aiStudio, listRecipes(), '1:1')).toEqual([]);
  });

  it('takes recipes by id, by pattern and by family, in the ratio asked for', () => {
    const ids = (recipes: string[], ratio: '1:1' | '4:5' = '1:1') =>
      listPresetRecipes({ name: 'X', recipes }, listRecipes(), ratio).map(({ id }) => id);
    expect(ids(['Solid1_1_0035'])).toEqual(['Solid1_1_0035']);
    expect(ids(['Solid1_1_0035'], '4:5')).toEqual([]);
    expect(ids(['Grad*00*2', 'S*face001'])).toEqual(['Gradient002', 'Surface001']);
    expect(ids(['*'.repeat(80)])).toHaveLength(
      listRecipes().filter(({ variants }) => variants.includes('1:1')).length,
    );
    expect(listPresetRecipes({ name: 'X', families: ['surface'] }, listRecipes(), '16:9')).toHaveLength(6);
  });

  it('keeps solid colours to the brand, except those written out', () => {
    const preset = {
      name: 'X',
      families: ['solid', 'gradient'],
      recipes: ['Solid1_1_0042'],
      palette: ['#ffffff'],
    } as const;
    const ids = listPresetRecipes(
      {
        ...preset,
        families: [...preset.families],
        recipes: [...preset.recipes],
        palette: [...preset.palette],
      },
      listRecipes(),
      '1:1',
    ).map(({ id }) => id);
    expect(ids.filter((id) => id.startsWith('Solid'))).toEqual(['Solid1_1_0035', 'Solid1_1_0042']);
    expect(ids).toContain('Gradient001');
  });

  it('suggests in an allowed ratio or not at all', () => {
    const preset = { name: 'X', ratios: ['4:5' as const, '9:16' as const] };
    expect(findPresetRatio(preset, undefined)).toBe('4:5');
    expect(findPresetRatio(preset, '9:16')).toBe('9:16');
    expect(findPresetRatio(preset, '1:1')).toBeUndefined();
    expect(findPresetRatio(aiStudio, undefined)).toBe('1:1');
    expect(listPresetRecipes({ ...preset, families: ['gradient'] }, listRecipes(), '1:1')).toEqual([]);
  });

  it('is refused with unknown fields, styles and colours', () => {
    expect(
      presetSchema.safeParse({ name: 'ACME_SPRING', styles: ['stone'], palette: ['#12ab34'] }).success,
    ).toBe(true);
    for (const wrong of [
      { name: 'acme' },
      { name: 'ACME', styles: ['neon'] },
      { name: 'ACME', palette: ['red'] },
      { name: 'ACME', limit: 3 },
    ]) {
      expect(presetSchema.safeParse(wrong).success).toBe(false);
    }
  });
});
