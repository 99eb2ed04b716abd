/** Names colors as people would, for titles and for the briefs of image models. */

import type { ScenePlan } from 'packshot-studio';
import { dictionary } from './dictionary.ts';
import { hueDistance, type Oklch, oklchFromHex } from './oklch.ts';

/** Below this OKLCH chroma, a paint looks white, gray or black. */
const coloredFrom = 0.016;

/** The dictionary's nearest color, metals excluded; even a pale paint is matched by its hue. */
export function nameColor(hex: string): string {
  const color = oklchFromHex(hex);
  const isColored = color.c >= coloredFrom;
  const named = dictionary.colors.filter(({ isMetal, c }) => !isMetal && c >= coloredFrom === isColored);
  const cost = (other: Oklch): number =>
    isColored
      ? hueDistance(color.h, other.h) / 30 +
        Math.abs(color.l - other.l) / 0.15 +
        Math.abs(color.c - other.c) / 0.06
      : Math.abs(color.l - other.l);
  const { name } = named.reduce((best, other) => (cost(other) < cost(best) ? other : best));
  return name === 'sky' ? 'sky blue' : name;
}

/** A title for a plan of which nothing else is known, such as "Sage podium". */
export function titlePlan({ palette, composition, place, subject }: ScenePlan): string {
  const thing = place
    ? `table, ${place.name}`
    : subject.hangs
      ? 'wall'
      : composition.replace('sweep', 'studio');
  const named = `${nameColor(palette[place ? 1 : 0])} ${thing}`;
  return named.charAt(0).toUpperCase() + named.slice(1);
}
