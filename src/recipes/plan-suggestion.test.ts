import { describe, expect, it } from 'vitest';
import type { Variant } from '../../packages/pixels/ratios.ts';
import { linearColor, oklabFromLinear } from '../../packages/pixels/src/srgb.ts';
import { findRecipe } from './catalogue.ts';
import { planSuggestion, suggestPlainRecipes } from './plan-suggestion.ts';
import { aiStudio, type Preset } from './presets.ts';
import { resolveRecipe } from './resolve-recipe.ts';

const preset = (wish: Omit<Preset, 'name'>): Preset => ({ name: 'ACME', ...wish });

function colorsOf(wish: Omit<Preset, 'name'>, ratio: Variant = '1:1'): string[] {
  return suggestPlainRecipes(preset(wish), ratio).map((recipe) => {
    const { backdrop } = resolveRecipe(recipe);
    return backdrop.kind === 'solid' ? backdrop.color : backdrop.kind;
  });
}

function apart(one: string, other: string): number {
  const [l, a, b] = oklabFromLinear(linearColor(one));
  const [l2, a2, b2] = oklabFromLinear(linearColor(other));
  return Math.hypot(l - l2, a - a2, b - b2);
}

describe('plain recipes in a suggestion', () => {
  it('are absent for the studio preset', () => {
    expect(suggestPlainRecipes(aiStudio, '1:1')).toEqual([]);
  });

  it('from a whole family begin with white, differ clearly and are deterministic', () => {
    const wish = { families: ['solid' as const], perList: 6 };
    const colors = colorsOf(wish);
    expect(colors).toHaveLength(6);
    expect(colors[0]).toBe('#FFFFFF');
    for (const [index, one] of colors.entries()) {
      for (const other of colors.slice(index + 1)) expect(apart(one, other)).toBeGreaterThan(0.1);
    }
    expect(colorsOf(wish)).toEqual(colors);
  });

  it('come in the requested ratio', () => {
    for (const recipe of suggestPlainRecipes(preset({ families: ['solid', 'surface'] }), '4:5')) {
      expect(recipe.variant).toBe('4:5');
      expect(findRecipe(recipe.recipeId)?.variants).toContain('4:5');
    }
    expect(suggestPlainRecipes(preset({ families: ['solid'], ratios: ['9:16'] }), '4:5')).toEqual([]);
  });

  it('begin with the recipes that the operator named, in that order', () => {
    const recipes = ['Surface006', 'Solid1_1_0042', 'Transp001'];
    const ids = suggestPlainRecipes(preset({ recipes, families: ['gradient'] }), '1:1').map(
      ({ recipeId }) => recipeId,
    );
    expect(ids.slice(0, 3)).toEqual(recipes);
    expect(ids[3]).toMatch(/^Gradient/);
  });

  it('that are Solids have exactly the colors of the brand palette, and begin with its first color', () => {
    const colors = colorsOf({ families: ['solid'], palette: ['#b5523a', '#00B140', '#B5523A', '#1e3a2d'] });
    expect(colors[0]).toBe('#B5523A');
    expect(colors.sort()).toEqual(['#00B140', '#1E3A2D', '#B5523A']);
  });

  it('include, for a brand color that no Solid has, the nearest Solid, recolored and titled with the nearest color name', () => {
    const [first, second] = suggestPlainRecipes(
      preset({ families: ['solid'], palette: ['#BF6648', '#00B140'] }),
      '4:5',
    );
    expect(first).toEqual({
      recipeId: 'Solid4_5_0023',
      variant: '4:5',
      title: 'Terracotta',
      mutations: { background: { color: '#BF6648' } },
    });
    expect(second).toEqual({ recipeId: 'Solid4_5_0042', variant: '4:5', title: 'Green', mutations: {} });
  });

  it('append the color value to duplicate titles', () => {
    const palette = ['#BF6648', '#C26A4C', '#BC6446'];
    const titles = suggestPlainRecipes(preset({ families: ['solid'], palette }), '1:1').map(
      ({ title }) => title,
    );
    expect(titles[0]).toBe('Terracotta');
    expect(new Set(titles).size).toBe(3);
  });

  it('contain no brand color if no Solid is allowed', () => {
    expect(colorsOf({ recipes: ['Transp001'], palette: ['#BF6648'] })).toEqual(['transparent']);
  });

  it('include the recipes that the preset names, in addition to the brand colors', () => {
    expect(colorsOf({ recipes: ['Solid*_0035', 'Solid1_1_*'], palette: ['#BF6648', '#FFFFFF'] })).toEqual([
      '#FFFFFF',
      '#BF6648',
    ]);
  });

  it('never pick two whites from a large brand palette while other colors remain', () => {
    const digits = [...'0123456789'];
    const whites = digits.flatMap((digit) => [`#FFFFF${digit}`, `#F4F4F${digit}`]);
    const pastels = ['#F4D9D2', '#CCE8DC', '#D0DDEE'];
    const wish = { families: ['solid' as const], perList: 4 };
    expect(colorsOf({ ...wish, palette: [...whites, ...pastels] }).sort()).toEqual(
      ['#FFFFF0', ...pastels].sort(),
    );
    expect(colorsOf({ ...wish, palette: whites })).toHaveLength(4);
  });

  it('take turns among families, and show only one white', () => {
    const titles = suggestPlainRecipes(
      preset({ families: ['surface', 'solid', 'gradient'], perList: 3 }),
      '1:1',
    ).map(({ title }) => title);
    expect(titles[0]).toBe('White');
    expect(titles).not.toContain('Pearl glow');
    expect(titles).not.toContain('Studio white');
  });

  it('keep the brand’s order if all colors fit', () => {
    const palette = ['#2453C7', '#F4D9D2', '#1E3A2C', '#FFFFFF'];
    expect(colorsOf({ families: ['solid'], palette })).toEqual(palette);
  });
});

describe('the plan of a suggestion', () => {
  const listsOf = (wish: Omit<Preset, 'name'>, ratio: Variant = '1:1') => {
    const { plainLists, sceneLists } = planSuggestion(preset(wish), ratio);
    return [...plainLists.map(({ id }) => id), sceneLists];
  };

  it('gives the studio preset two lists of scenes', () => {
    expect(planSuggestion(aiStudio, '4:5')).toEqual({ plainLists: [], sceneLists: 2 });
    expect(listsOf({ lists: 4 })).toEqual([4]);
  });

  it('puts plain recipes first, one list per family, then scenes', () => {
    expect(listsOf({ families: ['solid', 'gradient'] })).toEqual(['solid', 'gradient', 1]);
    expect(listsOf({ families: ['solid', 'gradient', 'surface'], lists: 4 })).toEqual([
      'solid',
      'gradient',
      'surface',
      1,
    ]);
    expect(listsOf({ families: ['surface'], styles: [] })).toEqual(['surface', 0]);
    expect(listsOf({ families: ['surface'], lists: 1 })).toEqual(['surface', 0]);
  });

  it('merges families if there are more families than lists for plain recipes', () => {
    expect(listsOf({ families: ['solid', 'gradient', 'surface'] })).toEqual(['solid', 'plain', 1]);
    const { plainLists } = planSuggestion(
      preset({ families: ['gradient', 'surface', 'solid'], lists: 2 }),
      '1:1',
    );
    expect(plainLists).toHaveLength(1);
    const ids = plainLists[0]!.recipes.map(({ recipeId }) => recipeId.replace(/\d.*/, ''));
    expect(new Set(ids)).toEqual(new Set(['Solid', 'Gradient', 'Surface']));
  });

  it('puts all plain recipes into one list if they fit, and gives the transparent recipe its own list only if it is the only recipe', () => {
    expect(listsOf({ recipes: ['Transp001', 'Solid*_0035', 'Gradient001', 'Surface001'] })).toEqual([
      'plain',
      2,
    ]);
    expect(listsOf({ families: ['transparent', 'solid'], styles: [] })).toEqual(['solid', 0]);
    expect(listsOf({ recipes: ['Transp001'], styles: [] })).toEqual(['transparent', 0]);
  });

  it('titles a single list with the preset’s title, and several lists with title and family', () => {
    const titles = (wish: Omit<Preset, 'name'>) =>
      planSuggestion(preset({ title: 'Acme spring', ...wish }), '1:1').plainLists.map(({ title }) => title);
    expect(titles({ families: ['solid'] })).toEqual(['Acme spring']);
    expect(titles({ families: ['solid', 'surface'] })).toEqual([
      'Acme spring: solid colors',
      'Acme spring: studio surfaces',
    ]);
  });

  it('is empty in a ratio that is not allowed', () => {
    expect(listsOf({ ratios: ['4:5'], families: ['solid'] }, '1:1')).toEqual([0]);
  });
});
