/** Chooses the photographed places that a prompt requests. */
import type { PlaceName } from '../../studio/places/place-names.ts';
import type { Composition } from '../../studio/scene-plan.ts';
import type { Token } from './prompt-reading.ts';

/**
 * Compositions that a place can show. All others are built in the studio: no place has a podium or an arch.
 */
const compositionsInPlaces: readonly (Composition | undefined)[] = [
  undefined,
  'table',
  'rocks',
  'dune',
  'water',
  'garden',
];

/**
 * Starts with the places of the first place word, then narrows them by the other place words and by the time of
 * day. A word that would leave no place is ignored.
 */
export function choosePlaces(
  tokens: readonly Token[],
  composition: Composition | undefined,
): readonly PlaceName[] {
  if (!compositionsInPlaces.includes(composition)) return [];
  const hints = tokens.flatMap(({ lexeme }) => (lexeme.type === 'hint' ? lexeme.hint : []));
  const narrow = (places: readonly PlaceName[], to: readonly PlaceName[]): readonly PlaceName[] => {
    const both = places.filter((name) => to.includes(name));
    return both.length > 0 ? both : places;
  };
  const [first, ...others] = hints.flatMap(({ places }) => (places ? [places] : []));
  if (first === undefined) return [];
  const named = others.reduce(narrow, first);
  return hints.reduce((places, { suits }) => {
    // A word that suits only one place, such as "night", replaces the places of all other words.
    if (suits?.length === 1) return suits;
    return suits === undefined ? places : narrow(places, suits);
  }, named);
}
