/** Checks a picture's measures against a marketplace's rules. */
import type { Marketplace, Rule, Source } from './listing-rule.ts';
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
  /** Result of our checks of the required rules. `unclear`: none fails, but some could not be measured. */
  readonly verdict: 'passes' | 'fails' | 'unclear';
  /** One line for people. Never claims that a marketplace accepts the picture, because we cannot know that. */
  readonly summary: string;
  readonly rules: readonly RuleResult[];
  readonly notChecked: readonly string[];
}

export function judgePicture({ title, rules, notChecked }: Marketplace, measures: PictureMeasures): Verdict {
  const results = rules.map((rule) => applyRule(rule, measures));
  const required = results.filter(({ level }) => level === 'required');
  const failed = required.filter(({ outcome }) => outcome === 'fails');
  const unmeasured = required.filter(({ outcome }) => outcome === 'not_measured');
  const verdict = failed.length > 0 ? 'fails' : unmeasured.length > 0 ? 'unclear' : 'passes';
  const remarks = results.filter(({ level, outcome }) => level === 'advised' && outcome === 'fails').length;
  return {
    verdict,
    summary: `${title}: ${words({ verdict, failed, unmeasured, remarks })}`,
    rules: results,
    notChecked,
  };
}

function words(found: {
  readonly verdict: Verdict['verdict'];
  readonly failed: readonly RuleResult[];
  readonly unmeasured: readonly RuleResult[];
  readonly remarks: number;
}): string {
  const list = (results: readonly RuleResult[]) => results.map(({ id }) => id).join(', ');
  if (found.verdict === 'fails') return `fails our checks (${list(found.failed)}).`;
  if (found.verdict === 'unclear')
    return `look yourself, because these could not be measured: ${list(found.unmeasured)}.`;
  return found.remarks === 0
    ? 'passes our checks.'
    : `passes our checks, with ${found.remarks} ${found.remarks === 1 ? 'remark' : 'remarks'}.`;
}

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

function isWithin(rule: Rule, measured: number | string): boolean {
  if (typeof measured === 'string') {
    const { oneOf, noneOf } = rule as { oneOf?: readonly string[]; noneOf?: readonly string[] };
    return (oneOf?.includes(measured) ?? true) && !noneOf?.includes(measured);
  }
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = rule as {
    min?: number;
    max?: number;
  };
  return measured >= min && measured <= max;
}

const shares = ['ringWhiteShare', 'ringWhiteOrClearShare', 'nearWhiteShare', 'fillShare', 'areaShare'];
const units: Readonly<Record<string, string>> = { bytes: ' bytes', megapixels: ' megapixels' };

/** The rule's limit in words, for example `at least 85 %`. */
export function describeLimit(rule: Rule): string {
  if ('oneOf' in rule && rule.oneOf) return `one of ${rule.oneOf.join(', ')}`;
  if ('noneOf' in rule && rule.noneOf) return `none of ${rule.noneOf.join(', ')}`;
  if (['framed', 'cutEdges', 'fragments'].includes(rule.measure)) return 'none';
  const { min, max } = rule as { min?: number; max?: number };
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
