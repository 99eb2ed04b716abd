/** Checks a picture's measures against a marketplace's rules. */
import type { Marketplace, Rule, Source } from './marketplaces.ts';
import type { PictureMeasures } from './measure-picture.ts';

export interface RuleResult {
  readonly id: string;
  readonly title: string;
  readonly level: Rule['level'];
  readonly outcome: 'passes' | 'fails' | 'not_measured';
  /** The measured value; null if it could not be measured. */
  readonly measured: number | string | null;
  /** For example, `at least 85 %`. */
  readonly expected: string;
  readonly source: Source;
}

export interface Verdict {
  /**
   * Result of our checks of the required rules. `unclear`: none fails, but some could not be measured, or a person must
   * look, for example because small parts stand apart from the product.
   */
  readonly verdict: 'passes' | 'fails' | 'unclear';
  /** One line for display. Never claims that a marketplace accepts the picture, because we cannot know that. */
  readonly summary: string;
  readonly rules: readonly RuleResult[];
  readonly notChecked: readonly string[];
}

/** Names what most marketplaces require, but none of our checks covers. */
const NOT_CHECKED = 'text, logos and props are not checked';

export function judgePicture({ title, rules, notChecked }: Marketplace, measures: PictureMeasures): Verdict {
  const isAll = (limits: NonNullable<Rule['onlyIf']>) =>
    Object.entries(limits).every(([name, limit]) => {
      const measured = measures[name as keyof typeof limits];
      return measured !== null && isWithin(limit, measured);
    });
  const results = rules
    .filter(({ onlyIf, unless }) => (!onlyIf || isAll(onlyIf)) && !(unless && isAll(unless)))
    .map((rule) => ({ rule, result: applyRule(rule, measures) }));
  const broken = results.filter(({ result }) => result.outcome === 'fails');
  const found = {
    failed: broken.filter(({ rule }) => rule.level === 'required').map(({ rule }) => rule.id),
    unmeasured: results
      .filter(({ rule, result }) => rule.level === 'required' && result.outcome === 'not_measured')
      .map(({ rule }) => rule.id),
    mustLook: broken.some(
      ({ rule, result }) => rule.asks || (result.measured as number) < (rule.asksBelow ?? 0),
    ),
    remarks: broken.filter(({ rule }) => rule.level === 'advised').length,
    findings: broken.flatMap(({ rule, result }) => describeFinding(rule, result.measured) ?? []),
  };
  const isUnclear = found.unmeasured.length > 0 || found.mustLook;
  const verdict = found.failed.length > 0 ? 'fails' : isUnclear ? 'unclear' : 'passes';
  return {
    verdict,
    summary: `${title}: ${words(verdict, found)}`,
    rules: results.map(({ result }) => result),
    notChecked,
  };
}

interface Found {
  /** Ids of required rules that the picture breaks. */
  readonly failed: readonly string[];
  readonly unmeasured: readonly string[];
  readonly mustLook: boolean;
  readonly remarks: number;
  readonly findings: readonly string[];
}

function words(verdict: Verdict['verdict'], { failed, unmeasured, remarks, findings }: Found): string {
  const said = findings.join('; ');
  if (verdict === 'fails') return end(`fails our checks (${failed.join(', ')})${said && `: ${said}`}`);
  if (verdict === 'unclear') {
    const unknown =
      unmeasured.length > 0 ? `, because these rules could not be measured: ${unmeasured.join(', ')}` : '';
    return `${said && `${end(said)} `}${said ? 'Check' : 'check'} the picture yourself${unknown}.`;
  }
  if (remarks === 0) return `passes our checks; ${NOT_CHECKED}.`;
  const count = `${remarks} ${remarks === 1 ? 'remark' : 'remarks'}`;
  return `passes our checks, with ${count}${said && ` (${said})`}; ${NOT_CHECKED}.`;
}

const describeFinding = ({ finding, findingOfOne }: Rule, count: RuleResult['measured']) =>
  count === 1 && findingOfOne ? findingOfOne : finding?.replace('{count}', String(count));

const end = (text: string): string => (text.endsWith('?') ? text : `${text}.`);

function applyRule(rule: Rule, measures: PictureMeasures): RuleResult {
  const measured = measures[rule.measure];
  const { id, title, level, source } = rule;
  return {
    id,
    title,
    level,
    outcome: measured === null ? 'not_measured' : isWithin(rule, measured) ? 'passes' : 'fails',
    measured: typeof measured === 'number' ? round(measured) : measured,
    expected: describeLimit(rule),
    source,
  };
}

type Allowed = Pick<Rule, 'min' | 'max' | 'oneOf' | 'noneOf'>;

function isWithin(allowed: Allowed, measured: number | string): boolean {
  const { oneOf, noneOf, min = -Infinity, max = Infinity } = allowed;
  if (typeof measured === 'number') return measured >= min && measured <= max;
  return (oneOf?.includes(measured) ?? true) && !noneOf?.includes(measured);
}

const shares = [
  'ringWhiteShare',
  'ringWhiteOrClearShare',
  'nearWhiteShare',
  'fillShare',
  'longSideShare',
  'areaShare',
  'offCenterShare',
];
const units: Readonly<Record<string, string>> = { bytes: ' bytes', megapixels: ' megapixels' };

/** The rule's limit in words, for example `at least 85 %`. */
export function describeLimit(rule: Rule): string {
  const { oneOf, noneOf, min, max } = rule;
  if (oneOf) return `one of ${oneOf.join(', ')}`;
  if (noneOf) return `none of ${noneOf.join(', ')}`;
  if (['framed', 'cutEdges', 'otherEdges', 'fragments'].includes(rule.measure)) return 'none';
  const unit = units[rule.measure] ?? (rule.measure.endsWith('Px') ? ' px' : '');
  const say = (limit: number) =>
    shares.includes(rule.measure) ? `${round(limit * 100)} %` : `${limit}${unit}`;
  if (min !== undefined && max !== undefined) return `${say(min)} to ${say(max)}`;
  return min !== undefined ? `at least ${say(min)}` : `at most ${say(max!)}`;
}

/** Rounds down to four decimals, so that a value just below a minimum never appears to meet it. */
function round(value: number): number {
  return Math.floor(value * 10_000) / 10_000;
}
