/** Results of checking a picture against the rules of marketplaces, in words; and what would fix the picture. */
import type { ListingCheck } from '../../../clients/typescript/src/packshot-client.ts';
import { type BackdropChoice, ownAdjust } from '../pictures/backdrop-choice.ts';
import { t, translate } from '../shared/words.ts';

export interface Verdict {
  readonly marketplace: string;
  readonly verdict: 'passes' | 'fails' | 'unclear';
  /** What is wrong, in words. */
  readonly reasons: readonly string[];
  /** What could be better, although the picture may pass. */
  readonly remarks: readonly string[];
  readonly fix: {
    readonly recipeId: string;
    readonly variant: string;
    /** A margin that suffices; null if more is wrong than the size of the product. */
    readonly margin: number | null;
  } | null;
}

type Check = ListingCheck['checks'][number];
type Rule = Check['rules'][number];

export function toVerdict({ marketplace, verdict, rules, fix }: Check): Verdict {
  const broken = rules.filter(({ outcome }) => outcome !== 'passes');
  const required = broken.filter(({ level }) => level === 'required');
  const say = (some: readonly Rule[]) => [...new Set(some.map(reasonOf))];
  return {
    marketplace,
    verdict,
    reasons: say(verdict === 'unclear' ? broken : required),
    remarks: verdict === 'unclear' ? [] : say(broken.filter((rule) => !required.includes(rule))),
    fix: fix && {
      recipeId: fix.recipeId,
      variant: fix.variant,
      margin: required.length > 0 && required.every(({ id }) => id === 'fill') ? fix.margin : null,
    },
  };
}

/** Rules whose numbers would say nothing to a shop. */
const plain: Readonly<Record<string, string>> = {
  corners: 'The background is not pure white',
  ring: 'The background is not pure white',
  'near-white': 'The background has spots of off-white',
  background: 'The background is not white',
  border: 'There is a border line',
  product: 'No product is found',
  focus: 'The product looks blurred',
  fragments: 'Small parts lie apart from the product',
  cut: 'The product is cut off',
  edge: 'Something else touches the edge',
  center: 'The product is not in the middle',
  provenance: 'It is marked as a generated scene',
};

/** Such as `The product fills 82 %, needs at least 85 %`. */
export function reasonOf({ id, title, measured, expected }: Rule): string {
  const words = plain[id];
  if (words !== undefined) return translate(words);
  if (measured === null) return t('{title}: could not be measured', { title: translate(title) });
  const what = id === 'fill' ? t('The product fills') : `${translate(title)}:`;
  return t('{what} {measured}, needs {expected}', {
    what,
    measured: inUnitOf(expected, measured),
    expected: translateLimit(expected.replace(/(\d+)000000 bytes/, '$1 MB')),
  });
}

const limits = {
  'at least': 'at least {limit}',
  'at most': 'at most {limit}',
  'one of': 'one of {limit}',
  'none of': 'none of {limit}',
} as const;

/** `expected`: in the service's words. */
function translateLimit(expected: string): string {
  const [, bound, limit = ''] = /^(at least|at most|one of|none of) (.+)$/.exec(expected) ?? [];
  if (bound) return t(limits[bound as keyof typeof limits], { limit });
  const [least = '', most] = expected.split(' to ');
  return most === undefined ? expected : t('{least} to {most}', { least, most });
}

function inUnitOf(expected: string, measured: number | string): string {
  if (typeof measured === 'string') return measured;
  if (expected.endsWith(' %')) {
    const whole = Math.round(100 * measured);
    // 84.97 % must not read as the 85 % that it misses.
    return `${expected.includes(`${whole} %`) ? Math.floor(1000 * measured) / 10 : whole} %`;
  }
  if (expected.endsWith(' bytes')) return `${(measured / 1e6).toFixed(1)} MB`;
  return `${Math.round(100 * measured) / 100}${expected.endsWith(' px') ? ' px' : ''}`;
}

/**
 * A change of the choice whose picture passes; null if nothing can be changed. A product that is only too small gets a
 * smaller margin, on its own backdrop; all else needs the marketplace's own recipe.
 */
export function fixOf(
  { chosen, adjust }: BackdropChoice,
  verdicts: readonly Verdict[],
): Partial<BackdropChoice> | null {
  const open = verdicts.filter(({ verdict, fix }) => verdict !== 'passes' && fix);
  const fix = open[0]?.fix;
  if (!fix) return null;
  const margins = open.flatMap(({ fix }) => fix?.margin ?? []);
  const margin = Math.min(...margins);
  const isTried = (adjust?.layout?.margin ?? 1) <= margin;
  if (margins.length === open.length && !isTried) {
    const { scale: _, ...layout } = adjust?.layout ?? {};
    return { adjust: { ...adjust, layout: { ...layout, margin } } };
  }
  if (chosen === fix.recipeId) return null;
  return { chosen: fix.recipeId, variant: fix.variant, adjust: ownAdjust(adjust) };
}
