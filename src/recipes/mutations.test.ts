import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import { variants } from '../../packages/pixels/ratios.ts';
import { listRecipes } from './catalogue.ts';
import { mergeMutations, mutationsSchema } from './mutations.ts';
import { resolveRecipe } from './resolve-recipe.ts';

const share = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const some = <T extends Record<string, fc.Arbitrary<unknown>>>(parts: T) =>
  fc.record(parts, { requiredKeys: [] });
const fitting = some({
  layout: some({ margin: share(0, 0.4), align: fc.constantFrom('center', 'baseline'), scale: share(0.1, 1) }),
  shadow: some({
    kind: fc.constantFrom('none', 'contact', 'cast'),
    strength: share(0, 1),
    softness: share(0, 1),
    direction: share(-180, 180),
  }),
  background: some({ color: hex }),
  edge: some({ shrinkPx: share(0, 4), glass: fc.constantFrom('solid', 'auto') }),
  match: fc.constantFrom('none', 'light'),
});

describe('the mutations', () => {
  it('accept all values within the published ranges, unchanged', () => {
    fc.assert(
      fc.property(fitting, (value) => {
        expect(mutationsSchema.parse(value)).toEqual(value);
      }),
      { seed: 1 },
    );
  });

  it('reject an unknown key at every level', () => {
    const places = fc.constantFrom(
      [],
      ['layout'],
      ['shadow'],
      ['background'],
      ['edge'],
      ['images'],
      ['images', 'primaryIllustration'],
    );
    fc.assert(
      fc.property(places, fc.stringMatching(/^x[a-z]{1,8}$/), (path, key) => {
        let value: Record<string, unknown> = { [key]: 1 };
        for (const part of path.toReversed()) value = { [part]: value };
        const { success, error } = mutationsSchema.safeParse(value);
        expect(success).toBe(false);
        expect(error!.issues.map(({ code, path: at }) => `${code} ${at.join('/')}`)).toContain(
          `unrecognized_keys ${path.join('/')}`,
        );
      }),
      { seed: 1 },
    );
  });

  it.each([
    { layout: { margin: 0.41 } },
    { layout: { scale: 0 } },
    { layout: { scale: Number.NaN } },
    { shadow: { strength: 1.0001 } },
    { shadow: { strength: '0.5' } },
    { background: { color: '#fff' } },
    { background: { color: '#12345g' } },
    { background: { color: '#123456\n' } },
    { edge: { shrinkPx: -0.001 } },
    { edge: { glass: 'clear' } },
    { edge: { glass: true } },
    { edge: { shrinkPx: Number.POSITIVE_INFINITY } },
    { match: 'dark' },
    { match: true },
    { images: { primaryIllustration: {} } },
    { images: { primaryIllustration: { source: 'WEB' } } },
    { images: { primaryIllustration: { uri: 'x'.repeat(8_193) } } },
    [],
    null,
  ])('reject %j', (value) => {
    expect(mutationsSchema.safeParse(value).success).toBe(false);
  });

  it('parse any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const { success, data } = mutationsSchema.safeParse(value);
        if (success) expect(data).toEqual(value);
      }),
      { seed: 1 },
    );
  });
});

describe('merged mutations', () => {
  it('keep a value that only one of the two contains, and the later value if both contain one', () => {
    const base = { layout: { margin: 0.1, scale: 0.5 }, match: 'light' } as const;
    expect(mergeMutations(base, { layout: { scale: 0.7 }, edge: { shrinkPx: 1 } })).toEqual({
      layout: { margin: 0.1, scale: 0.7 },
      edge: { shrinkPx: 1 },
      match: 'light',
    });
    expect(mergeMutations(base, { match: 'none' }).match).toBe('none');
    expect(mergeMutations({}, { match: 'light' })).toEqual({ match: 'light' });
    expect(mergeMutations({}, {})).toEqual({});
  });
});

describe('a recipe with any valid mutations', () => {
  it('always resolves to the same plan, in plain JSON, or throws an error that says what is not possible', () => {
    const recipe = fc.constantFrom(...listRecipes().map(({ id }) => id));
    fc.assert(
      fc.property(recipe, fc.constantFrom(...variants), fitting, (recipeId, variant, value) => {
        const mutations = mutationsSchema.parse(value);
        const resolve = () => resolveRecipe({ recipeId, variant, mutations });
        let plan: ReturnType<typeof resolve>;
        try {
          plan = resolve();
        } catch (error) {
          expect(error).toBeInstanceOf(PackshotError);
          expect(['unknown_variant', 'invalid_mutation']).toContain((error as PackshotError).code);
          return;
        }
        expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
        expect(resolve()).toEqual(plan);
        expect(plan).toMatchObject({ recipeId, variant });
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
