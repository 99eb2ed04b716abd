import { describe, expect, it } from 'vitest';
import { listRecipes } from '../../recipes/catalogue.ts';
import { chooseTarget, type OrderOptions, planOrder, type Target, toExtension } from './picture-target.ts';

const refuse = (why: string): never => {
  throw new Error(why);
};
const choose = (words: string[], out?: string) => chooseTarget(words, out, refuse);
const folder: Target = { kind: 'folder', path: 'out' };
const plan = (options: OrderOptions, target: Target = folder) =>
  planOrder(options, target, listRecipes(), refuse);

describe('the output location', () => {
  it('is a file if the name has a picture’s extension, standard output for `-`, and otherwise a folder', async () => {
    expect(await choose(['a.jpg'], 'out')).toEqual(folder);
    expect(await choose(['a.jpg'], 'out.v2')).toMatchObject({ kind: 'folder' });
    expect(await choose(['a.jpg'], 'mug.JPG')).toEqual({ kind: 'file', path: 'mug.JPG', format: 'jpeg' });
    expect(await choose(['a.jpg'], '-')).toEqual({ kind: 'stdout' });
  });

  it('defaults to a separate folder, or to standard output for piped input', async () => {
    expect(await choose(['a.jpg'])).toEqual({ kind: 'folder', path: 'packshots' });
    expect(await choose(['-'])).toEqual({ kind: 'stdout' });
  });
});

describe('a file name with an unsupported format', () => {
  it('is refused with a list of the supported formats', async () => {
    await expect(choose(['a.jpg'], 'mug.tif')).rejects.toThrow('png, webp, jpg or avif');
    expect(await choose(['a.jpg'], 'mug.tif/')).toMatchObject({ kind: 'folder' });
  });
});

describe('the picture', () => {
  it('is a cutout as PNG by default', () => {
    expect(plan({})).toEqual({ recipe: undefined, format: 'png' });
    expect(plan({}, { kind: 'file', path: 'a.webp', format: 'webp' })).toMatchObject({ format: 'webp' });
  });

  it('has a quality setting only if its format is lossy', () => {
    const white = { recipe: 'Solid1_1_0035', quality: 80 };
    expect(plan(white)).toMatchObject({ format: 'jpeg', quality: 80 });
    expect(plan({ recipe: 'Solid1_1_0035' })).not.toHaveProperty('quality');
    for (const options of [
      { quality: 80 },
      { ...white, format: 'png' },
      { mask: true, quality: 80 },
    ] as const)
      expect(() => plan(options)).toThrow(/lossless: leave out --quality/);
  });

  it('has the requested ratio, or else the recipe’s only ratio, or else a square', () => {
    expect(plan({ recipe: 'Solid4_5_0035' })).toEqual({
      recipe: { recipeId: 'Solid4_5_0035', variant: '4:5' },
      format: 'jpeg',
    });
    expect(plan({ recipe: 'Transp001' })).toMatchObject({ recipe: { variant: '1:1' }, format: 'png' });
    expect(plan({ recipe: 'Transp001', ratio: '16:9' })).toMatchObject({ recipe: { variant: '16:9' } });
  });

  it('has a plain backdrop of the given color and ratio if no recipe is given', () => {
    expect(plan({ background: '#FFCC00', ratio: '4:5' })).toEqual({
      recipe: { recipeId: 'Solid4_5_0035', variant: '4:5', mutations: { background: { color: '#FFCC00' } } },
      format: 'jpeg',
    });
  });

  it('is always a PNG if it is a mask', () => {
    expect(plan({ mask: true })).toEqual({ recipe: undefined, format: 'png', mask: true });
    expect(() => plan({ mask: true, format: 'webp' })).toThrow('png');
  });

  it('can be requested as jpg or jpeg, and its file name ends with .jpg unless jpeg was requested', () => {
    expect(plan({ recipe: 'Solid1_1_0035', format: 'jpg' })).toMatchObject({ format: 'jpeg' });
    expect(toExtension(undefined, 'jpeg')).toBe('jpg');
    expect(toExtension('jpeg', 'jpeg')).toBe('jpeg');
    expect(toExtension(undefined, 'avif')).toBe('avif');
  });

  it('cannot be planned with changes that do not apply to the recipe', () => {
    expect(() => plan({ margin: 0.1 })).toThrow('--margin needs a recipe');
    expect(() => plan({ recipe: 'Solid1_1_0035', shadowStrength: 0.5 })).toThrow('--shadow contact');
    expect(() => plan({ recipe: 'Gradient001', background: '#FFFFFF' })).toThrow('Solid or a Surface');
  });

  it('cannot be planned with contradictory options', () => {
    expect(() => plan({ format: 'jpeg' })).toThrow('transparent');
    expect(() => plan({ ratio: '1:1' })).toThrow('--recipe');
    expect(() => plan({ recipe: 'Nope' })).toThrow('no recipe Nope');
    expect(() => plan({ recipe: 'Solid1_1_0035', ratio: '4:5' })).toThrow('1:1');
    expect(() => plan({ recipe: 'Transp001', format: 'jpeg' })).toThrow('webp');
    expect(() => plan({ format: 'webp' }, { kind: 'file', path: 'a.png', format: 'png' })).toThrow(
      '--format webp',
    );
  });
});
