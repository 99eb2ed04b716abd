/** The styles, each with its setups and a title for shoppers. Data only. */

import type { SceneStyle } from '../../recipes/presets.ts';
import type { Composition, GoboKind, Material } from '../../studio/scene-plan.ts';
import type { PaletteMode } from '../palette.ts';
import type { LightWish } from './light.ts';

/** A combination of composition, materials, light and colors. The product and the seed determine the rest of a plan. */
export interface Setup {
  readonly composition: Composition;
  readonly wall: Material;
  readonly floor: Material;
  readonly pedestal: Material;
  readonly gobo: GoboKind;
  readonly warmth: LightWish['warmth'];
  /** In order of preference; a plan uses the first mode that makes it differ from the list's other plans. */
  readonly modes: readonly [PaletteMode, ...PaletteMode[]];
  readonly accent: 'painted' | 'gold';
  /** Whether natural materials take the palette's color instead of their own. */
  readonly isPainted: boolean;
}

const quiet = ['neutral', 'warm', 'cool', 'analogous', 'tonal', 'complementary'] as const;
const warmFirst = ['warm', 'neutral', 'cool', 'analogous', 'tonal', 'complementary'] as const;
const coolFirst = ['cool', 'neutral', 'complementary', 'warm', 'tonal', 'analogous'] as const;
const soft = ['complementary', 'warm', 'cool', 'analogous', 'triad', 'tonal'] as const;
const bold = ['bold', 'bold-warm', 'bold-cool'] as const;
const boldWarm = ['bold-warm', 'bold', 'bold-cool'] as const;
const boldCool = ['bold-cool', 'bold', 'bold-warm'] as const;
const dark = ['dark', 'dark-hue'] as const;
const darkHue = ['dark-hue', 'dark'] as const;

const setup = (
  composition: Composition,
  [wall, floor, pedestal]: readonly [Material, Material, Material],
  gobo: GoboKind,
  modes: Setup['modes'],
  more: Partial<Pick<Setup, 'warmth' | 'accent' | 'isPainted'>> = {},
): Setup => ({
  composition,
  wall,
  floor,
  pedestal,
  gobo,
  modes,
  warmth: 'day',
  accent: 'painted',
  isPainted: false,
  ...more,
});

const warm = { warmth: 'warm' } as const;
const golden = { warmth: 'gold' } as const;
const cool = { warmth: 'cool' } as const;
const painted = { isPainted: true } as const;

/**
 * Setups in order of preference; `setup-suits.ts` lists which compositions suit which products. Rooms have no window
 * pattern: the small sun that draws the pattern would also cast hard shadows below furniture, which look detached from
 * the feet.
 */
export const setupsByStyle: Readonly<Record<SceneStyle, readonly Setup[]>> = {
  stone: [
    setup('table', ['plaster', 'marble', 'marble'], 'window', quiet),
    setup('podium', ['matte', 'matte', 'travertine'], 'none', warmFirst),
    setup('block', ['plaster', 'plaster', 'stone'], 'none', quiet),
    setup('curtain', ['linen', 'travertine', 'stone'], 'none', warmFirst),
    setup('table', ['plaster', 'stone', 'stone'], 'none', coolFirst),
    setup('block', ['plaster', 'plaster', 'travertine'], 'window', coolFirst),
    setup('arch', ['plaster', 'plaster', 'marble'], 'none', quiet),
    setup('shelf', ['plaster', 'plaster', 'travertine'], 'none', warmFirst),
    setup('steps', ['plaster', 'plaster', 'marble'], 'none', warmFirst),
    setup('rocks', ['plaster', 'stone', 'stone'], 'none', quiet, cool),
    setup('flatlay', ['marble', 'marble', 'marble'], 'window', quiet),
    setup('flatlay', ['terrazzo', 'terrazzo', 'terrazzo'], 'none', coolFirst),
    setup('flatlay', ['travertine', 'travertine', 'travertine'], 'none', warmFirst),
    setup('flatlay', ['marble', 'marble', 'marble'], 'none', quiet),
    setup('flatlay', ['travertine', 'travertine', 'travertine'], 'window', warmFirst),
    setup('room', ['plaster', 'travertine', 'linen'], 'none', warmFirst),
    setup('room', ['plaster', 'marble', 'linen'], 'none', quiet),
    setup('room', ['plaster', 'stone', 'linen'], 'none', coolFirst),
  ],
  wood: [
    setup('table', ['plaster', 'wood', 'wood'], 'window', warmFirst, golden),
    setup('block', ['plaster', 'plaster', 'wood'], 'none', warmFirst),
    setup('podium', ['matte', 'matte', 'wood'], 'none', quiet),
    setup('shelf', ['plaster', 'plaster', 'wood'], 'none', quiet),
    setup('curtain', ['linen', 'wood', 'wood'], 'none', warmFirst),
    setup('table', ['plaster', 'wood', 'wood'], 'none', coolFirst),
    setup('arch', ['plaster', 'plaster', 'wood'], 'none', warmFirst, warm),
    setup('flatlay', ['wood', 'wood', 'wood'], 'window', warmFirst, warm),
    setup('flatlay', ['wood', 'wood', 'wood'], 'none', coolFirst, painted),
    setup('room', ['plaster', 'wood', 'linen'], 'none', warmFirst, warm),
    setup('room', ['plaster', 'wood', 'linen'], 'none', coolFirst),
    setup('room', ['plaster', 'wood', 'linen'], 'none', ['tonal', ...quiet]),
  ],
  color: [
    setup('sweep', ['matte', 'matte', 'matte'], 'none', bold),
    setup('podium', ['matte', 'matte', 'matte'], 'none', boldCool),
    setup('block', ['matte', 'matte', 'matte'], 'none', boldWarm),
    setup('table', ['matte', 'matte', 'matte'], 'window', boldWarm),
    setup('curtain', ['satin', 'matte', 'matte'], 'none', boldCool),
    setup('arch', ['matte', 'matte', 'matte'], 'none', bold),
    setup('flatlay', ['matte', 'matte', 'matte'], 'none', bold),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'window', boldWarm),
    setup('flatlay', ['linen', 'linen', 'linen'], 'none', boldCool, painted),
    setup('room', ['plaster', 'wood', 'linen'], 'none', bold),
    setup('room', ['plaster', 'wood', 'linen'], 'none', boldCool),
    setup('room', ['plaster', 'wood', 'linen'], 'none', boldWarm),
  ],
  pastel: [
    setup('podium', ['matte', 'matte', 'matte'], 'none', soft),
    setup('sweep', ['matte', 'matte', 'matte'], 'none', ['warm', ...soft]),
    setup('curtain', ['linen', 'matte', 'matte'], 'none', ['cool', ...soft], painted),
    setup('block', ['plaster', 'plaster', 'matte'], 'none', ['analogous', ...soft]),
    setup('table', ['plaster', 'plaster', 'matte'], 'none', ['tonal', ...soft]),
    setup('arch', ['plaster', 'plaster', 'matte'], 'none', soft),
    setup('drape', ['satin', 'satin', 'matte'], 'none', ['tonal', ...soft]),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'none', soft),
    setup('flatlay', ['linen', 'linen', 'linen'], 'window', ['analogous', ...soft], painted),
    setup('flatlay', ['matte', 'matte', 'matte'], 'none', ['cool', ...soft]),
    setup('room', ['plaster', 'wood', 'linen'], 'none', ['cool', ...soft]),
    setup('room', ['plaster', 'wood', 'linen'], 'none', soft),
    setup('room', ['plaster', 'wood', 'linen'], 'none', ['warm', 'tonal', 'cool']),
  ],
  nature: [
    setup('table', ['plaster', 'travertine', 'travertine'], 'foliage', ['tonal', ...warmFirst]),
    setup('podium', ['matte', 'matte', 'travertine'], 'foliage', warmFirst),
    setup('block', ['plaster', 'plaster', 'stone'], 'foliage', quiet),
    setup('sweep', ['matte', 'matte', 'matte'], 'foliage', ['tonal', ...quiet]),
    setup('rocks', ['plaster', 'sand', 'stone'], 'none', warmFirst, warm),
    setup('dune', ['matte', 'sand', 'travertine'], 'none', warmFirst, warm),
    setup('water', ['matte', 'water', 'stone'], 'none', coolFirst),
    setup('flatlay', ['linen', 'linen', 'linen'], 'foliage', quiet),
    setup('flatlay', ['sand', 'sand', 'sand'], 'none', warmFirst, warm),
    setup('flatlay', ['stone', 'stone', 'stone'], 'none', coolFirst),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'foliage', ['tonal', ...warmFirst]),
    setup('room', ['plaster', 'wood', 'linen'], 'foliage', ['tonal', ...quiet]),
    setup('room', ['plaster', 'travertine', 'linen'], 'foliage', warmFirst, warm),
  ],
  dark: [
    setup('sweep', ['matte', 'matte', 'matte'], 'none', dark, painted),
    setup('podium', ['plaster', 'matte', 'stone'], 'none', dark, painted),
    setup('table', ['plaster', 'matte', 'stone'], 'none', darkHue, painted),
    setup('block', ['plaster', 'plaster', 'concrete'], 'none', darkHue, painted),
    setup('curtain', ['linen', 'matte', 'matte'], 'none', darkHue, painted),
    setup('flatlay', ['stone', 'stone', 'stone'], 'none', dark, painted),
    setup('flatlay', ['linen', 'linen', 'linen'], 'none', darkHue, painted),
    setup('flatlay', ['concrete', 'concrete', 'concrete'], 'none', dark, painted),
    setup('room', ['plaster', 'wood', 'linen'], 'none', darkHue),
    setup('room', ['plaster', 'wood', 'linen'], 'none', dark),
  ],
  fabric: [
    setup('curtain', ['linen', 'matte', 'matte'], 'none', warmFirst),
    setup('table', ['plaster', 'linen', 'wood'], 'window', quiet),
    setup('curtain', ['linen', 'wood', 'wood'], 'window', ['cool', ...quiet]),
    setup('drape', ['linen', 'linen', 'wood'], 'none', quiet),
    setup('drape', ['satin', 'satin', 'matte'], 'none', ['tonal', ...soft]),
    setup('curtain', ['satin', 'matte', 'matte'], 'none', ['tonal', ...quiet]),
    setup('flatlay', ['linen', 'linen', 'linen'], 'window', quiet),
    setup('flatlay', ['linen', 'linen', 'linen'], 'none', ['tonal', ...quiet], painted),
    setup('flatlay', ['satin', 'satin', 'satin'], 'none', ['tonal', ...quiet]),
    setup('room', ['linen', 'wood', 'linen'], 'none', quiet),
    setup('room', ['linen', 'wood', 'linen'], 'none', warmFirst),
  ],
  studio: [
    setup('sweep', ['matte', 'matte', 'matte'], 'none', quiet),
    setup('podium', ['matte', 'matte', 'matte'], 'none', ['tonal', ...quiet]),
    setup('block', ['plaster', 'plaster', 'matte'], 'none', coolFirst, cool),
    setup('table', ['plaster', 'wood', 'matte'], 'none', warmFirst),
    setup('curtain', ['linen', 'matte', 'matte'], 'none', ['tonal', ...quiet]),
    setup('sweep', ['matte', 'matte', 'matte'], 'none', warmFirst),
    setup('arch', ['plaster', 'plaster', 'matte'], 'none', warmFirst),
    setup('shelf', ['matte', 'matte', 'matte'], 'none', quiet),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'none', quiet),
    setup('flatlay', ['matte', 'matte', 'matte'], 'window', coolFirst),
    setup('flatlay', ['concrete', 'concrete', 'concrete'], 'none', warmFirst),
    setup('room', ['plaster', 'wood', 'linen'], 'none', quiet),
    setup('room', ['plaster', 'wood', 'linen'], 'none', coolFirst),
    setup('room', ['plaster', 'wood', 'linen'], 'none', warmFirst),
  ],
};

/** Titles of the lists in a suggestion. */
export const styleTitles: Readonly<Record<SceneStyle, string>> = {
  stone: 'Stone & marble',
  wood: 'Warm wood',
  color: 'Bold color',
  pastel: 'Soft pastels',
  nature: 'Sand, water & leaves',
  dark: 'Dark & elegant',
  fabric: 'Linen & silk',
  studio: 'Clean studio',
};
