/** Chooses recipes whose backdrops differ from each other in color. */
import { linearColor, oklabFromLinear } from 'packshot-pixels';
import type { Backdrop, Recipe } from './catalogue.ts';

/** A backdrop's color, for comparisons by Euclidean distance: OKLab with weighted a and b. */
type Look = readonly [lightness: number, a: number, b: number];

export interface Offer {
  readonly recipe: Recipe;
  readonly title: string;
  /** Replaces the recipe's own color, `#RRGGBB`. */
  readonly brandColor?: string;
  readonly look: Look;
}

/**
 * Weight of a and b, chosen by comparing sheets of swatches: of the 60 palette colors, weight 1 selects White,
 * Slate, Camel, Espresso; weight 2 selects White, Charcoal, Stone, Coral.
 */
const chromaWeight = 2;

/** The color of a backdrop; for a gradient, the mean of its stops. */
export function lookOf(backdrop: Exclude<Backdrop, { kind: 'transparent' }>): Look {
  const colors = 'stops' in backdrop ? backdrop.stops.map(({ color }) => color) : [backdrop.color];
  const sum: [number, number, number] = [0, 0, 0];
  for (const color of colors) {
    const [lightness, a, b] = oklabFromLinear(linearColor(color));
    sum[0] += lightness / colors.length;
    sum[1] += (chromaWeight * a) / colors.length;
    sum[2] += (chromaWeight * b) / colors.length;
  }
  return sum;
}

export function difference(one: Look, other: Look): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

/** If the `difference` of two backdrops is below this, they look the same to a shopper. */
const sameLook = 0.05;

/**
 * Returns all offers, in order, if there are at most `count`. Otherwise starts with `kept`, then takes turns among the
 * lists in `open` (one for each family of recipes), and adds from each the offer that best varies the selection, until
 * there are `count` offers.
 */
export function chooseVaried(
  kept: readonly Offer[],
  open: readonly (readonly Offer[])[],
  count: number,
): readonly Offer[] {
  const all = [...kept, ...open.flat()];
  if (all.length <= count) return all;
  const chosen = kept.slice(0, count);
  for (let turn = 0; chosen.length < count; turn++) {
    const left = open[turn % open.length]!.filter((offer) => !chosen.includes(offer));
    const next = pickNext(chosen, left);
    if (next) chosen.push(next);
  }
  return chosen;
}

/**
 * Returns the first offer of `left` if no backdrop with a color is chosen yet. Otherwise returns the offer with which
 * the distances of the offers in `left` from their nearest chosen offers have the smallest sum: the greedy heuristic
 * for facility location (Cornuejols, Fisher, Nemhauser 1977). This heuristic picks representative colors;
 * farthest-point selection would pick the garish corners of the palette.
 */
function pickNext(chosen: readonly Offer[], left: readonly Offer[]): Offer | undefined {
  const seen = chosen.filter(({ recipe }) => recipe.family !== 'transparent');
  if (seen.length === 0) return left[0];
  const distinct: Offer[] = [];
  for (const offer of left) {
    const isNew = [...seen, ...distinct].every(({ look }) => difference(look, offer.look) >= sameLook);
    if (isNew) distinct.push(offer);
  }
  const costs = distinct.map((offer) => restCost([...seen, offer], distinct));
  // Falls back to near-duplicates only if nothing else is left.
  return distinct[costs.indexOf(Math.min(...costs))] ?? left[0];
}

function restCost(chosen: readonly Offer[], all: readonly Offer[]): number {
  const nearestOf = ({ look }: Offer): number =>
    Math.min(...chosen.map((offer) => difference(offer.look, look)));
  return all.reduce((sum, offer) => sum + nearestOf(offer), 0);
}
