/** Finds the reasons why words of a prompt changed nothing. */
import type { ProductKind } from './product-kind.ts';
import type { Aim } from './prompt/prompt-reading.ts';
import type { PromptUnit } from './prompt/read-units.ts';
import { fillers } from './prompt/scene-words.ts';

export const unusedReasons = ['not_drawable', 'unknown_word', 'no_effect', 'not_the_product'] as const;
type UnusedReason = (typeof unusedReasons)[number];

export interface UnusedWords {
  /** As typed. */
  readonly words: string;
  readonly reason: UnusedReason;
}

/** Units that belong together, such as a color and its noun. */
export interface Cluster {
  readonly units: readonly number[];
  readonly aims: readonly Aim[];
}

interface UnusedRequest {
  readonly units: readonly PromptUnit[];
  readonly product: Pick<ProductKind, 'kind'>;
  readonly stated: { readonly units: readonly number[] } | undefined;
}

/** Maximum length of the list. More entries would tell the reader little that is new. */
const maxUnused = 40;

/** Whether the scenes look the same without these units. */
export type IsSame = (without: readonly number[]) => boolean;

interface Read {
  readonly clusters: readonly Cluster[];
  readonly used: ReadonlySet<number>;
  readonly isSame: IsSame;
}

export function listUnused(request: UnusedRequest, { clusters, used, isSame }: Read): UnusedWords[] {
  const reasons = new Map<number, UnusedReason>();
  const unused = clusters.filter((cluster) => !cluster.units.some((unit) => used.has(unit)));
  for (const cluster of unused) {
    const reason = findReason(request, cluster);
    if (reason) for (const unit of cluster.units) reasons.set(unit, reason);
  }
  // Removing all listed words from the prompt must not change the scenes. So far, it may: unused words that request
  // nothing are not listed. In "stone petals light", only "petals" is listed; if it is removed, "stone" describes
  // "light". So if the scenes change, list every unused word.
  if (!isSame([...reasons.keys()])) {
    for (const unit of unused.flatMap(({ units }) => units)) {
      if (!reasons.has(unit)) reasons.set(unit, 'no_effect');
    }
  }
  const runs: { from: number[]; reason: UnusedReason }[] = [];
  for (const [unit, reason] of [...reasons].sort(([one], [other]) => one - other)) {
    const last = runs.at(-1);
    const isOne = last?.reason === reason && last.from.at(-1) === unit - 1 && isAttached(request.units, unit);
    if (isOne) last.from.push(unit);
    else runs.push({ from: [unit], reason });
  }
  const unusedWords = runs.map(({ from, reason }) => ({
    words: joinWords(request.units, from).join(' '),
    reason,
  }));
  const isFirst = (words: string, index: number): boolean =>
    unusedWords.findIndex((other) => other.words.toLowerCase() === words.toLowerCase()) === index;
  return unusedWords.filter(({ words }, index) => isFirst(words, index)).slice(0, maxUnused);
}

/** Returns undefined for words that request nothing, or nothing new. */
function findReason(
  { units, stated, product }: UnusedRequest,
  { units: members, aims }: Cluster,
): UnusedReason | undefined {
  const said = members.map((unit) => units[unit]!);
  const lexemes = said.flatMap((unit) => unit.lexemes);
  const subject = lexemes.findLast(({ type }) => type === 'subject');
  const isThing = subject !== undefined || lexemes.some(({ type }) => type === 'scenery');
  if (stated && members.some((unit) => stated.units.includes(unit))) {
    return subject?.type === 'subject' && subject.subject.kind !== product.kind
      ? 'not_the_product'
      : undefined;
  }
  if (said.some(({ negated }) => negated)) {
    return isThing || lexemes.length === 0 || aims.length > 0 ? undefined : 'no_effect';
  }
  if (lexemes.length === 0) return 'unknown_word';
  const isNamed = subject?.type === 'subject' && subject.subject.kind === product.kind;
  if (isNamed && said.every(({ phrase, located, linked }) => phrase === 0 && !located && !linked))
    return undefined;
  if (isThing) return 'not_drawable';
  return said.every(asksForNothing) ? undefined : 'no_effect';
}

/** "Background", "light" and similar words without attributes. */
function asksForNothing({ text, lexemes }: PromptUnit): boolean {
  return lexemes.every((lexeme) => {
    if (lexeme.type === 'place') return !lexeme.place.composition && !lexeme.place.shape;
    return lexeme.type === 'tint' && fillers.has(text.toLowerCase());
  });
}

const isAttached = (units: readonly PromptUnit[], unit: number): boolean =>
  units[unit]!.phrase === units[unit - 1]!.phrase && /^(\s|-|[\s]of[\s])$/.test(units[unit]!.before);

/** Returns the words as typed; adjacent words form one phrase. */
export function joinWords(units: readonly PromptUnit[], from: readonly number[]): string[] {
  const phrases: string[] = [];
  for (const [index, unit] of from.entries()) {
    const { text, before } = units[unit]!;
    const isOne = index > 0 && from[index - 1] === unit - 1 && isAttached(units, unit);
    if (isOne) phrases.push(`${phrases.pop()}${before}${text}`);
    else phrases.push(text);
  }
  return [...new Set(phrases)];
}
