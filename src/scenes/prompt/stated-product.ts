/** What a prompt says outright that the product is: "my sneaker", "photo of a sofa". Other nouns say nothing of it. */
import type { KindWord } from '../product/kind-words.ts';
import type { PromptUnit } from './read-units.ts';

export interface StatedProduct {
  readonly word: KindWord;
  /** Indexes of the units that say so. */
  readonly units: readonly number[];
}

export function findStatedProduct(units: readonly PromptUnit[]): StatedProduct | undefined {
  const isSaid = (unit: PromptUnit | undefined): boolean =>
    unit?.stated === true && !unit.negated && unit.lexemes.some(({ type }) => type === 'subject');
  const first = units.findIndex(isSaid);
  if (first < 0) return undefined;
  let last = first;
  // A coffee cup is a cup.
  while (
    isSaid(units[last + 1]) &&
    units[last + 1]!.phrase === units[first]!.phrase &&
    !units[last + 1]!.linked
  )
    last++;
  const lexeme = units[last]!.lexemes.find(({ type }) => type === 'subject');
  if (lexeme?.type !== 'subject') return undefined;
  return {
    word: lexeme.subject,
    units: Array.from({ length: last - first + 1 }, (_, index) => first + index),
  };
}
