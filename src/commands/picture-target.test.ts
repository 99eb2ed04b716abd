import { describe, expect, it } from 'vitest';
import { listRecipes } from '../recipes/catalogue.ts';
import { chooseTarget, type OrderOptions, planOrder, type Target } from './picture-target.ts';

const folder: Target = { kind: 'folder', path: 'out' };
const plan = (options: OrderOptions, target: Target = folder) =>
  planOrder(options, target, listRecipes(), (why) => {
    throw new Error(why);
  });

describe('where pictures go', () => {
  it('is a folder unless the name is a picture’s, and standard output where that was asked for', async () => {
    expect(await chooseTarget(['a.jpg'], 'out')).toEqual(folder);
    expect(await chooseTarget(['a.jpg'], 'out.v2')).toMatchObject({ kind: 'folder' });
    expect(await chooseTarget(['a.jpg'], 'mug.JPG')).toEqual({
      kind: 'file',
      path: 'mug.JPG',
      format: 'jpeg',
    });
    expect(await chooseTarget(['a.jpg'], '-')).toEqual({ kind: 'stdout' });
  });

  it('is a folder of its own where nothing was said, but standard output for a pipe', async () => {
    expect(await chooseTarget(['a.jpg'], undefined)).toEqual({ kind: 'folder', path: 'packshots' });
    expect(await chooseTarget(['-'], undefined)).toEqual({ kind: 'stdout' });
  });
});

describe('what pictures are', () => {
  it('is a cutout as PNG unless told', () => {
    expect(plan({})).toEqual({ recipe: undefined, format: 'png' });
    expect(plan({}, { kind: 'file', path: 'a.webp', format: 'webp' })).toMatchObject({ format: 'webp' });
  });

  it("takes a recipe's own ratio where it has but one, the square where it has that, and the one asked for", () => {
    expect(plan({ recipe: 'Solid4_5_0035' })).toEqual({
      recipe: { recipeId: 'Solid4_5_0035', variant: '4:5' },
      format: 'jpeg',
    });
    expect(plan({ recipe: 'Transp001' })).toMatchObject({ recipe: { variant: '1:1' }, format: 'png' });
    expect(plan({ recipe: 'Transp001', variant: '16:9' })).toMatchObject({ recipe: { variant: '16:9' } });
  });

  it('refuses what contradicts itself', () => {
    expect(() => plan({ format: 'jpeg' })).toThrow('transparent');
    expect(() => plan({ variant: '1:1' })).toThrow('--recipe');
    expect(() => plan({ recipe: 'Nope' })).toThrow('no recipe Nope');
    expect(() => plan({ recipe: 'Solid1_1_0035', variant: '4:5' })).toThrow('1:1');
    expect(() => plan({ recipe: 'Transp001', format: 'jpeg' })).toThrow('webp');
    expect(() => plan({ format: 'webp' }, { kind: 'file', path: 'a.png', format: 'png' })).toThrow(
      '--format webp',
    );
  });
});
