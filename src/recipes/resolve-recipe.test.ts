import { describe, expect, it } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { type Mutations, mutationsSchema } from './mutations.ts';
import { type RecipeRequest, resolveRecipe } from './resolve-recipe.ts';

function refusal(request: RecipeRequest): PackshotError {
  try {
    resolveRecipe(request);
  } catch (error) {
    if (error instanceof PackshotError) {
      return error;
    }
    throw error;
  }
  throw new Error('the request was accepted, but should be rejected');
}

const white = { recipeId: 'Solid1_1_0035', variant: '1:1' };

describe('resolveRecipe', () => {
  it('returns a plan that survives a JSON round trip', () => {
    const plan = resolveRecipe({ recipeId: 'Surface001', variant: '4:5' });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    expect(plan).toMatchObject({ recipeId: 'Surface001', variant: '4:5', edge: { shrinkPx: 0 } });
  });

  it.each(['Nope', 'Solid1_1_35', 'Solid7_3_0035', 'Solid1_1_9999', 'solid1_1_0035', '', '__proto__'])(
    'rejects the unknown recipe %j',
    (recipeId) => {
      expect(refusal({ recipeId, variant: '1:1' })).toMatchObject({
        code: 'unknown_recipe',
        fields: [{ pointer: '/recipeId' }],
      });
    },
  );

  it("rejects a variant that contradicts a Solid id's prefix, and names the right variant", () => {
    const error = refusal({ ...white, variant: '4:5' });
    expect(error.code).toBe('unknown_variant');
    expect(error.message).toContain('1:1');
  });

  it('rejects an unsupported ratio and lists the supported ratios', () => {
    const error = refusal({ recipeId: 'Transp001', variant: '7:3' });
    expect(error.code).toBe('unknown_variant');
    expect(error.message).toContain('16:9');
    expect(error.fields).toMatchObject([{ pointer: '/variant', code: 'unknown_variant' }]);
  });

  it('rejects a backdrop color for a recipe without a backdrop, and points at the field', () => {
    const error = refusal({
      recipeId: 'Transp001',
      variant: '1:1',
      mutations: { background: { color: '#ff0000' } },
    });
    expect(error.code).toBe('invalid_mutation');
    expect(error.fields?.[0]?.pointer).toBe('/mutations/background/color');
  });

  it('recolors solids and surface paper', () => {
    const mutations: Mutations = { background: { color: '#ff8800' } };
    expect(resolveRecipe({ ...white, mutations }).backdrop).toEqual({ kind: 'solid', color: '#FF8800' });
    expect(resolveRecipe({ recipeId: 'Surface002', variant: '1:1', mutations }).backdrop).toMatchObject({
      kind: 'sweep',
      color: '#FF8800',
    });
  });

  it('rejects a shadow strength if the recipe has no shadow, and accepts it together with a shadow kind', () => {
    expect(refusal({ ...white, mutations: { shadow: { strength: 0.5 } } }).code).toBe('invalid_mutation');
    const mutations: Mutations = { shadow: { kind: 'contact', strength: 0.5 } };
    expect(resolveRecipe({ ...white, mutations }).shadow).toEqual({ kind: 'contact', strength: 0.5 });
  });

  it('gives a shadow the softness that it is asked for, and a direction if it is cast', () => {
    const shadow = { softness: 0.2, direction: -60 };
    expect(refusal({ ...white, mutations: { shadow: { direction: 1 } } }).code).toBe('invalid_mutation');
    const contact = resolveRecipe({ ...white, mutations: { shadow: { ...shadow, kind: 'contact' } } });
    expect(contact.shadow).toEqual({ kind: 'contact', strength: 0.7, softness: 0.2 });
    const cast = resolveRecipe({ ...white, mutations: { shadow: { ...shadow, kind: 'cast' } } });
    expect(cast.shadow).toEqual({ kind: 'cast', strength: 0.7, ...shadow });
  });

  it('keeps the kind of a surface shadow when only its strength changes', () => {
    const mutations: Mutations = { shadow: { strength: 0.2 } };
    const plan = resolveRecipe({ recipeId: 'Surface001', variant: '1:1', mutations });
    expect(plan.shadow).toEqual({ kind: 'cast', strength: 0.2 });
  });

  it('overrides only the given layout keys', () => {
    const before = resolveRecipe(white).layout;
    const after = resolveRecipe({ ...white, mutations: { layout: { scale: 0.5 } } }).layout;
    expect(after).toEqual({ ...before, scale: 0.5 });
  });
});

describe('mutationsSchema', () => {
  it.each([
    { layout: { margin: 0.41 } },
    { layout: { scale: 0.05 } },
    { layout: { align: 'top' } },
    { shadow: { kind: 'drop' } },
    { background: { color: 'red' } },
    { edge: { shrinkPx: 5 } },
    { edge: { shrinkpx: 1 } },
    { sparkle: true },
    { images: { primaryIllustration: { source: 'WEB' } } },
    { images: { primaryIllustration: { uri: 'https://example.com/a', source: 'web' } } },
  ])('rejects %j', (mutations) => {
    expect(mutationsSchema.safeParse(mutations).success).toBe(false);
  });

  it('accepts keys of several sections at once, and none at all', () => {
    const mutations = {
      images: { primaryIllustration: { uri: 'a', previewUri: 'b', source: 'WEB' } },
      layout: { margin: 0, align: 'baseline', scale: 1 },
      shadow: { kind: 'contact', strength: 1 },
      background: { color: '#a0B1c2' },
      edge: { shrinkPx: 0.5 },
    };
    expect(mutationsSchema.parse(mutations)).toEqual(mutations);
    expect(mutationsSchema.parse({})).toEqual({});
  });
});
