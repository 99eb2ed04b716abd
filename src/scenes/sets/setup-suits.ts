/** Which compositions suit which products, judged on rendered sheets with real product photos. Data only. */

import type { Composition, Staging } from '../../studio/scene-plan.ts';

export interface Suitability {
  /** Products for which a shop would publish the picture as is. For these, all lists may use the composition. */
  readonly well: readonly Staging[];
  /**
   * Products that the composition shows acceptably. For these, lists of its style use it after the well-suited
   * compositions.
   */
  readonly fairly: readonly Staging[];
  readonly because: string;
}

const upright = ['upright-tall', 'upright-squat', 'panel', 'irregular'] as const;
const small = [...upright, 'small-precious', 'long-low'] as const;

/**
 * A product whose staging is neither in `well` nor in `fairly` gets the composition only if a prompt requests it, or if
 * no setup of the style suits the product.
 */
export const suitability: Readonly<Record<Composition, Suitability>> = {
  sweep: {
    well: [...small, 'large'],
    fairly: [],
    because: 'On seamless paper, nothing competes with the product, and its shadow has room.',
  },
  table: {
    well: small,
    fairly: [],
    because: 'Products of any size look natural on a table, which is always wider than the product.',
  },
  podium: {
    well: ['upright-tall', 'upright-squat', 'irregular', 'small-precious'],
    fairly: ['panel'],
    because: 'A plinth shows off upright products; wide or long products look too large for a plinth.',
  },
  block: {
    well: [],
    fairly: [],
    because:
      "A block's straight edges reveal any slight mismatch with the product's perspective; a round podium hides it.",
  },
  curtain: {
    well: ['small-precious'],
    fairly: [],
    because: 'Folds add depth behind jewelry; behind larger products they look like painted stripes.',
  },
  room: {
    well: ['large'],
    fairly: [],
    because: 'Floor, baseboard and wall show how large the furniture is.',
  },
  flatlay: {
    well: ['garment', 'hung'],
    fairly: [],
    because:
      'Clothes are usually photographed from above, so they are shown from above, as is any product that lies in its photo; other products are shown from the front. If a product hangs, or the photo crops its foot, the surface is a wall behind the product instead of the ground below it.',
  },
  arch: {
    well: [],
    fairly: ['upright-tall', 'upright-squat', 'small-precious'],
    because: 'An arch frames slender products; wide products cover its edges.',
  },
  shelf: {
    well: [],
    fairly: ['upright-tall', 'upright-squat', 'panel'],
    because: "A shelf at eye level hides most of the product's shadow.",
  },
  steps: {
    well: [],
    fairly: ['upright-squat'],
    because: 'Steps make the product look small.',
  },
  drape: {
    well: [],
    fairly: ['small-precious', 'upright-tall', 'upright-squat'],
    because: 'Folds look beautiful around perfume and jewelry, but odd around tools.',
  },
  rocks: {
    well: [],
    fairly: small,
    because: 'Stones compete with the product; they suit cosmetics with a nature theme.',
  },
  dune: { well: [], fairly: small, because: 'A desert of sand suits few products.' },
  water: {
    well: [],
    fairly: ['upright-tall', 'upright-squat', 'small-precious'],
    because: 'Few products have a reason to stand in water.',
  },
  halo: { well: [], fairly: [], because: 'A disc looks as if it grew out of the product.' },
  columns: { well: [], fairly: [], because: 'Columns beside the product are mistaken for merchandise.' },
  colorblock: { well: [], fairly: [], because: "Loose shapes collide with the product's outline." },
  garden: { well: [], fairly: [], because: 'Rendered palm leaves look artificial at first sight.' },
  luxury: { well: [], fairly: [], because: 'A dark podium achieves the same effect with fewer objects.' },
};
