import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aiStudio } from '../recipes/presets.ts';
import { type ScenePlan, type Staging, stagings } from '../studio/scene-plan.ts';
import { interpretUnits } from './parse-prompt.ts';
import { planScenes } from './plan-scenes.ts';
import { ordinaryPrompts } from './prompt/ordinary-prompts.ts';
import { readUnits } from './prompt/read-units.ts';
import { planWithReport, type ReportedRequest, type WordReport } from './report-words.ts';
import { makeFeatures } from './testing/silhouettes.ts';

const request: Omit<ReportedRequest, 'units'> = {
  product: { kind: 'Health & Beauty', staging: 'upright-tall' },
  features: makeFeatures(),
  stated: undefined,
  ratio: '1:1',
  preset: aiStudio,
  seed: 1,
};
const report = (prompt: string, changes: Partial<ReportedRequest> = {}): WordReport =>
  planWithReport({ ...request, units: readUnits(prompt), ...changes }).report!;

/** "word + word = effect". */
const usedIn = ({ used }: WordReport): string[] =>
  used.map(({ words, effect }) => `${words.join(' + ')} = ${effect}`);
const notShownIn = ({ notShown }: WordReport): string[] => notShown.map(({ words }) => words);

describe('the report of a prompt', () => {
  it.each(ordinaryPrompts.map((row) => [row.prompt, row] as const))(
    'lists a word as used only if the scenes show it: %s',
    (prompt, { used, notShown }) => {
      const reported = report(prompt);
      expect(usedIn(reported)).toEqual(used);
      expect(notShownIn(reported)).toEqual(notShown);
    },
  );

  it('gives the reason why a word is not shown', () => {
    const { notShown } = report('laptop, blorb, marble block, podium');
    expect(notShown).toEqual([
      { words: 'laptop', reason: 'not_drawable' },
      { words: 'blorb', reason: 'unknown_word' },
      // A product has one stand, and the podium takes precedence.
      { words: 'block', reason: 'no_effect' },
    ]);
    expect(report('podium, marble wall, two arches', { preset: { ...aiStudio, lists: 0 } }).notShown).toEqual(
      [
        { words: 'podium', reason: 'no_effect' },
        { words: 'marble wall', reason: 'no_effect' },
        { words: 'two arches', reason: 'no_effect' },
      ],
    );
  });

  it('does not report unwanted things as missing', () => {
    expect(report('wooden table, no people, without laptop')).toEqual({
      used: [{ words: ['wooden table'], effect: 'wooden surface' }],
      notShown: [],
    });
    expect(usedIn(report('wooden table without plants, no shadows'))).toEqual([
      'wooden table = wooden surface',
      'no shadows = light without a pattern',
    ]);
  });

  it('reports a product word as missing only if it names another kind of product', () => {
    expect(report('red lipstick on a marble block').notShown).toEqual([]);
    expect(notShownIn(report('red sneakers on a marble block'))).toEqual(['red sneakers']);
  });

  it('reports which kind the product would have if the prompt did not name it', () => {
    const units = readUnits('my sofa, concrete floor');
    const product = { kind: 'Furniture', staging: 'large' } as const;
    const stated = { units: [0], otherwise: request.product };
    expect(report('', { units, product, stated }).used[0]).toEqual({
      words: ['sofa'],
      effect: 'set up as Furniture instead of Health & Beauty',
    });
    // The caller's productKind took precedence over the prompt.
    expect(report('', { units, stated }).notShown).toEqual([{ words: 'sofa', reason: 'not_the_product' }]);
    expect(report('', { units, product, stated: { ...stated, otherwise: product } }).notShown).toEqual([]);
  });

  it('is not changed by repetitions in a long prompt', () => {
    const long = `marble podium, sage wall, palm shadow${', blorb and laptop, cold marble'.repeat(20)}`;
    expect(usedIn(report(long))).toEqual(
      usedIn(report('marble podium, sage wall, palm shadow, cold marble')),
    );
    expect(notShownIn(report(long))).toEqual(['blorb', 'laptop']);
  });

  it('contains each typed word exactly once, as typed', () => {
    const { used, notShown } = report('GRÜNE Wand, Blorb, blorb, Straße');
    expect(used[0]!.words).toEqual(['GRÜNE Wand']);
    expect(notShown.map(({ words }) => words)).toEqual(['Blorb', 'Straße']);
  });
});

/** Prompts that failed in runs of the property-based test below with thousands of cases. */
const foundByChance = [
  ['summer spa palm garden kitchen', { seed: 0, staging: 'upright-tall' }],
  [
    'garden marble silk pale block cozy pastel wall morning on podium leaves',
    { seed: 5, staging: 'garment' },
  ],
] as const;

const lexicon =
  'white dark pale sage blue gold marble wooden stone sand silk water wall floor background table podium block steps shelf arch disc ' +
  'spheres petals stones leaves palm curtain folds window blinds morning warm cool cozy sunset summer moody bold pastel minimal natural ' +
  'garden kitchen counter spa laptop sofa towels christmas blorb two soft with and on in of without no my , .';
const anyPrompt = fc
  .uniqueArray(fc.constantFrom(...lexicon.split(' ')), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '));
const changesFor = ({ seed, staging }: { seed: number; staging: Staging }) => ({
  seed,
  product: { kind: 'Unknown', staging } as const,
  preset: { ...aiStudio, lists: 1, perList: 2 },
});
const anyProduct = fc.record({ seed: fc.nat(1000), staging: fc.constantFrom(...stagings) }).map(changesFor);

/**
 * Hash of what is visible in the scenes for the prompt. The scenes are planned from scratch, as if the `blanked` units
 * had no meaning.
 */
function looksWithout(
  prompt: string,
  blanked: ReadonlySet<number>,
  changes: Partial<ReportedRequest>,
): string {
  const words = interpretUnits(readUnits(prompt), blanked).reading;
  const lists = planScenes({ ...request, ...changes, words });
  const plans = lists
    .filter(({ id }) => id === 'words')
    .flatMap(({ scenes }) => scenes.map(({ plan }) => plan));
  return createHash('sha256')
    .update(JSON.stringify(plans.map(visible)))
    .digest('hex');
}

/** Removes what the picture does not show: the palette, and the ground below a shelf. */
const visible = ({ palette: _, ...plan }: ScenePlan): unknown =>
  plan.composition === 'shelf' ? { ...plan, surface: null } : plan;

const unitsOf = (prompt: string, phrases: readonly string[]): Set<number> =>
  new Set(
    readUnits(prompt).flatMap(({ text }, index) =>
      phrases.some((phrase) => ` ${phrase} `.includes(` ${text} `)) ? [index] : [],
    ),
  );

/** Expects scenes to change without the used words, and to stay the same without the unused words. */
function expectTrue(prompt: string, changes: Partial<ReportedRequest>): void {
  const { used, notShown } = report(prompt, changes);
  const all = looksWithout(prompt, new Set(), changes);
  for (const { words, effect } of used) {
    expect(effect).toMatch(/\w/);
    expect(looksWithout(prompt, unitsOf(prompt, words), changes), words.join()).not.toBe(all);
  }
  const unused = unitsOf(
    prompt,
    notShown.map(({ words }) => words),
  );
  expect(looksWithout(prompt, unused, changes), [...unused].join()).toBe(all);
}

describe('for any prompt', () => {
  it.each(foundByChance)('the report is accurate: %s', (prompt, product) => {
    expectTrue(prompt, changesFor(product));
  });

  // Each run uses different prompts; PROMPT_CASES sets their number. A failure prints its seed and the
  // shortest prompt that fails.
  it('scenes change without the used words and stay the same without the unused words', () => {
    const numRuns = Number(process.env.PROMPT_CASES ?? 60);
    fc.assert(fc.property(anyPrompt, anyProduct, expectTrue), { numRuns });
  });
});
