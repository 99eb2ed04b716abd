/** Which compositions suit which products, judged on sheets rendered with real photos. Data only. */

import type { Composition, Staging } from '../../studio/scene-plan.ts';

export interface Suitability {
  /** Products for which a shop would publish the picture as is; used in all lists. */
  readonly well: readonly Staging[];
  /** Products that it shows acceptably; used to fill lists of its style. */
  readonly fairly: readonly Staging[];
  readonly because: string;
}

const upright = ['upright-tall', 'upright-squat', 'panel', 'irregular'] as const;
const small = [...upright, 'small-precious', 'long-low'] as const;

/** If in neither list, used only if a prompt requests it. */
export const suitability: Readonly<Record<Composition, Suitability>> = {
  sweep: {
    well: [...small, 'large'],
    fairly: [],
    because: 'Seamless paper: nothing competes with the product, and its shadow has room.',
  },
  table: {
    well: small,
    fairly: [],
    because: 'Things stand on tables: any size is believed, and nothing is narrower than the product.',
  },
  podium: {
    well: ['upright-tall', 'upright-squat', 'irregular', 'small-precious'],
    fairly: ['panel'],
    because: 'A plinth presents what is upright; what is wide or long looks larger than its plinth.',
  },
  block: {
    well: upright,
    fairly: ['small-precious'],
    because:
      'Presents what is upright; a small thing is lost on it, and a long one seems to tip over its edge.',
  },
  curtain: {
    well: ['upright-tall', 'upright-squat', 'small-precious'],
    fairly: ['panel', 'irregular'],
    because: 'Folds give depth behind what is slender; behind tools and wide things they look like a stage.',
  },
  room: {
    well: ['large'],
    fairly: [],
    because: 'Floor, skirting and wall give furniture its size.',
  },
  flatlay: {
    well: ['garment'],
    fairly: [],
    because: 'Only clothes are photographed as they lie; other things keep the view from the front.',
  },
  arch: {
    well: [],
    fairly: ['upright-tall', 'upright-squat', 'small-precious'],
    because: 'Frames what is slender; its edges cross what is wide.',
  },
  shelf: {
    well: [],
    fairly: ['upright-tall', 'upright-squat', 'panel'],
    because: 'Hides the ground, so that little shadow is left.',
  },
  steps: {
    well: [],
    fairly: ['upright-squat'],
    because: 'Bigger than what stands on them, which looks small.',
  },
  drape: {
    well: [],
    fairly: ['small-precious', 'upright-tall', 'upright-squat'],
    because: 'Folds are beautiful around perfume and jewelry, and odd around tools.',
  },
  rocks: {
    well: [],
    fairly: small,
    because: 'Stones compete with the product; good for cosmetics where nature is the subject.',
  },
  dune: { well: [], fairly: small, because: 'A sea of sand is a statement that few products need.' },
  water: {
    well: [],
    fairly: ['upright-tall', 'upright-squat', 'small-precious'],
    because: 'Water asks for a reason; few products stand in it.',
  },
  halo: { well: [], fairly: [], because: 'A disc grows out of the product as a second head.' },
  columns: { well: [], fairly: [], because: 'Columns beside the product are taken for merchandise.' },
  colorblock: { well: [], fairly: [], because: 'Loose shapes collide with the outline of the product.' },
  garden: { well: [], fairly: [], because: 'Rendered palm leaves are seen through at first sight.' },
  luxury: { well: [], fairly: [], because: 'A dark podium shows the same with less.' },
};
