/**
 * Finds the noun that a prompt says is the product: "my sneaker", "photo of a sofa". Ignores other nouns, such as the
 * sofa in "next to a sofa".
 */
import type { KindWord } from '../product/kind-words.ts';
import type { PromptUnit } from './read-units.ts';

export interface StatedProduct {
  readonly word: KindWord;
  /** Indexes of the units that name the product. */
  readonly units: readonly number[];
}

export function findStatedProduct(units: readonly PromptUnit[]): StatedProduct | undefined {
  const isSaid = (unit: PromptUnit | undefined): boolean =>
    unit?.stated === true && !unit.negated && unit.lexemes.some(({ type }) => type === 'subject');
  const first = units.findIndex(isSaid);
  if (first < 0) return undefined;
  let last = first;
  // The last word of a compound noun names the product: a coffee cup is a cup.
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
