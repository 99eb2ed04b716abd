/** The styles: a title for shoppers and the setups of each. Data only. */

import type { SceneStyle } from '../../recipes/presets.ts';
import type { Composition, GoboKind, Material } from '../../studio/scene-plan.ts';
import type { PaletteMode } from '../palette.ts';
import type { LightWish } from './light.ts';

/** A combination of composition, materials, light and colors; product and random numbers determine the rest. */
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
  /** Natural materials take the palette's color instead of their own. */
  readonly isPainted: boolean;
}

const pale = ['complementary', 'warm', 'cool', 'analogous', 'neutral', 'triad', 'tonal'] as const;
const warmFirst = ['warm', 'analogous', 'neutral', 'complementary', 'tonal', 'triad', 'cool'] as const;
const coolFirst = ['cool', 'complementary', 'neutral', 'triad', 'tonal', 'analogous', 'warm'] as const;
const neutralFirst = ['neutral', 'warm', 'cool', 'complementary', 'tonal', 'analogous'] as const;
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
const gold = { accent: 'gold', isPainted: true } as const;

export const setupsByStyle: Readonly<Record<SceneStyle, readonly Setup[]>> = {
  stone: [
    setup('table', ['plaster', 'marble', 'marble'], 'window', neutralFirst),
    setup('block', ['plaster', 'plaster', 'travertine'], 'palm', pale),
    setup('podium', ['matte', 'terrazzo', 'terrazzo'], 'window', coolFirst),
    setup('steps', ['plaster', 'plaster', 'marble'], 'foliage', warmFirst),
    setup('columns', ['plaster', 'plaster', 'travertine'], 'foliage', ['analogous', ...pale]),
    setup('arch', ['plaster', 'plaster', 'marble'], 'palm', ['tonal', ...pale]),
    setup('rocks', ['plaster', 'stone', 'stone'], 'none', neutralFirst, cool),
    setup('shelf', ['plaster', 'plaster', 'terrazzo'], 'window', ['triad', ...pale]),
    setup('block', ['plaster', 'plaster', 'stone'], 'slit', ['dark', 'neutral']),
    setup('sweep', ['plaster', 'marble', 'marble'], 'window', neutralFirst),
    setup('sweep', ['plaster', 'terrazzo', 'terrazzo'], 'palm', coolFirst),
    setup('curtain', ['linen', 'travertine', 'travertine'], 'foliage', warmFirst),
    setup('flatlay', ['marble', 'marble', 'marble'], 'window', neutralFirst),
    setup('flatlay', ['terrazzo', 'terrazzo', 'terrazzo'], 'foliage', coolFirst),
    setup('flatlay', ['travertine', 'travertine', 'travertine'], 'none', warmFirst),
    setup('flatlay', ['terrazzo', 'terrazzo', 'terrazzo'], 'palm', pale),
    setup('room', ['plaster', 'marble', 'linen'], 'window', neutralFirst),
    setup('room', ['plaster', 'terrazzo', 'linen'], 'foliage', warmFirst),
    setup('room', ['plaster', 'travertine', 'linen'], 'palm', ['tonal', ...pale]),
  ],
  wood: [
    setup('table', ['plaster', 'wood', 'wood'], 'window', warmFirst, golden),
    setup('podium', ['plaster', 'plaster', 'wood'], 'palm', pale),
    setup('block', ['plaster', 'plaster', 'wood'], 'window', coolFirst),
    setup('shelf', ['plaster', 'plaster', 'wood'], 'palm', neutralFirst),
    setup('arch', ['plaster', 'concrete', 'wood'], 'foliage', ['analogous', ...pale], warm),
    setup('steps', ['plaster', 'plaster', 'wood'], 'blinds', ['triad', ...warmFirst], warm),
    setup('halo', ['plaster', 'wood', 'wood'], 'foliage', ['tonal', ...pale]),
    setup('sweep', ['plaster', 'wood', 'wood'], 'window', neutralFirst, warm),
    setup('garden', ['plaster', 'wood', 'wood'], 'foliage', ['complementary', ...pale]),
    setup('curtain', ['linen', 'wood', 'wood'], 'window', warmFirst),
    setup('flatlay', ['wood', 'wood', 'wood'], 'window', warmFirst, warm),
    setup('flatlay', ['wood', 'wood', 'wood'], 'palm', coolFirst, { isPainted: true }),
    setup('room', ['plaster', 'wood', 'linen'], 'window', warmFirst, warm),
    setup('room', ['plaster', 'wood', 'linen'], 'none', ['tonal', ...coolFirst]),
    setup('room', ['plaster', 'wood', 'linen'], 'blinds', ['complementary', ...neutralFirst], warm),
    setup('room', ['plaster', 'wood', 'linen'], 'foliage', ['analogous', ...pale]),
  ],
  color: [
    setup('colorblock', ['matte', 'matte', 'matte'], 'none', boldWarm),
    setup('podium', ['plaster', 'plaster', 'matte'], 'palm', bold),
    setup('halo', ['matte', 'matte', 'matte'], 'palm', boldCool),
    setup('steps', ['matte', 'matte', 'lacquer'], 'window', bold),
    setup('arch', ['plaster', 'plaster', 'matte'], 'window', bold),
    setup('block', ['matte', 'matte', 'matte'], 'blinds', boldCool),
    setup('columns', ['matte', 'matte', 'matte'], 'foliage', boldWarm),
    setup('sweep', ['matte', 'matte', 'matte'], 'window', boldWarm),
    setup('curtain', ['satin', 'matte', 'matte'], 'none', boldCool),
    setup('flatlay', ['matte', 'matte', 'matte'], 'palm', bold),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'window', boldWarm),
    setup('flatlay', ['matte', 'matte', 'matte'], 'blinds', boldCool),
    setup('flatlay', ['linen', 'linen', 'linen'], 'foliage', bold, { isPainted: true }),
    setup('room', ['plaster', 'matte', 'linen'], 'window', bold),
    setup('room', ['matte', 'wood', 'linen'], 'none', boldCool),
    setup('room', ['plaster', 'concrete', 'linen'], 'blinds', boldWarm),
  ],
  pastel: [
    setup('podium', ['plaster', 'plaster', 'matte'], 'palm', soft),
    setup('arch', ['plaster', 'plaster', 'matte'], 'window', ['analogous', ...soft]),
    setup('halo', ['matte', 'matte', 'matte'], 'window', ['triad', ...soft]),
    setup('drape', ['satin', 'satin', 'matte'], 'none', ['tonal', 'complementary', ...soft]),
    setup('curtain', ['satin', 'matte', 'matte'], 'blinds', ['cool', ...soft]),
    setup('steps', ['plaster', 'plaster', 'matte'], 'foliage', ['warm', ...soft]),
    setup('columns', ['matte', 'matte', 'matte'], 'palm', ['tonal', ...soft]),
    setup('sweep', ['plaster', 'plaster', 'matte'], 'palm', soft),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'palm', soft),
    setup('flatlay', ['linen', 'linen', 'linen'], 'window', ['analogous', ...soft], { isPainted: true }),
    setup('flatlay', ['matte', 'matte', 'matte'], 'foliage', ['cool', ...soft]),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'blinds', ['triad', ...soft]),
    setup('room', ['plaster', 'matte', 'linen'], 'window', soft),
    setup('room', ['plaster', 'wood', 'linen'], 'palm', ['cool', ...soft]),
    setup('room', ['plaster', 'concrete', 'linen'], 'foliage', ['analogous', ...soft]),
  ],
  nature: [
    setup('dune', ['matte', 'sand', 'travertine'], 'palm', warmFirst, warm),
    setup('water', ['matte', 'water', 'stone'], 'none', coolFirst),
    setup('garden', ['plaster', 'plaster', 'travertine'], 'foliage', ['complementary', ...pale]),
    setup('rocks', ['plaster', 'sand', 'stone'], 'palm', ['analogous', ...pale], warm),
    setup('table', ['plaster', 'wood', 'wood'], 'foliage', ['tonal', ...pale]),
    setup('arch', ['plaster', 'sand', 'travertine'], 'none', ['neutral', ...pale], golden),
    setup('sweep', ['plaster', 'plaster', 'travertine'], 'foliage', ['tonal', ...pale]),
    setup('flatlay', ['sand', 'sand', 'sand'], 'palm', warmFirst, warm),
    setup('flatlay', ['linen', 'linen', 'linen'], 'foliage', neutralFirst),
    setup('flatlay', ['wood', 'wood', 'wood'], 'foliage', warmFirst),
    setup('flatlay', ['stone', 'stone', 'stone'], 'palm', coolFirst),
    setup('room', ['plaster', 'wood', 'linen'], 'foliage', ['complementary', ...pale]),
    setup('room', ['plaster', 'travertine', 'linen'], 'palm', warmFirst, warm),
  ],
  dark: [
    setup('luxury', ['matte', 'matte', 'marble'], 'palm', darkHue, gold),
    setup('block', ['concrete', 'concrete', 'concrete'], 'slit', dark, { isPainted: true }),
    setup('halo', ['matte', 'matte', 'lacquer'], 'none', ['dark-hue', 'dark'], gold),
    setup('curtain', ['satin', 'marble', 'marble'], 'none', darkHue, gold),
    setup('columns', ['plaster', 'plaster', 'stone'], 'slit', darkHue, { isPainted: true }),
    setup('podium', ['plaster', 'matte', 'lacquer'], 'window', dark, gold),
    setup('sweep', ['plaster', 'concrete', 'concrete'], 'slit', dark, { isPainted: true }),
    setup('flatlay', ['stone', 'stone', 'stone'], 'window', dark, { isPainted: true }),
    setup('flatlay', ['marble', 'marble', 'marble'], 'none', darkHue, { isPainted: true }),
    setup('flatlay', ['linen', 'linen', 'linen'], 'slit', darkHue, { isPainted: true }),
    setup('flatlay', ['concrete', 'concrete', 'concrete'], 'palm', dark, { isPainted: true }),
    setup('room', ['plaster', 'wood', 'linen'], 'window', darkHue),
    setup('room', ['plaster', 'concrete', 'linen'], 'slit', dark),
    setup('room', ['matte', 'wood', 'linen'], 'none', darkHue),
  ],
  fabric: [
    setup('drape', ['satin', 'satin', 'matte'], 'none', pale),
    setup('curtain', ['linen', 'matte', 'travertine'], 'window', ['warm', ...pale]),
    setup('table', ['plaster', 'linen', 'wood'], 'window', neutralFirst),
    setup('drape', ['linen', 'linen', 'wood'], 'foliage', ['analogous', ...pale]),
    setup('curtain', ['satin', 'marble', 'marble'], 'none', ['cool', ...pale]),
    setup('drape', ['satin', 'satin', 'lacquer'], 'none', darkHue, gold),
    setup('flatlay', ['linen', 'linen', 'linen'], 'window', neutralFirst),
    setup('flatlay', ['linen', 'linen', 'linen'], 'palm', pale, { isPainted: true }),
    setup('flatlay', ['satin', 'satin', 'satin'], 'none', ['tonal', ...pale]),
    setup('flatlay', ['linen', 'linen', 'linen'], 'foliage', ['analogous', ...pale], { isPainted: true }),
    setup('room', ['linen', 'wood', 'linen'], 'window', neutralFirst),
    setup('room', ['linen', 'concrete', 'linen'], 'foliage', warmFirst),
  ],
  studio: [
    setup('sweep', ['matte', 'matte', 'matte'], 'none', neutralFirst),
    setup('podium', ['matte', 'matte', 'matte'], 'foliage', coolFirst, cool),
    setup('sweep', ['plaster', 'concrete', 'concrete'], 'window', warmFirst),
    setup('arch', ['plaster', 'plaster', 'matte'], 'palm', ['warm', ...pale]),
    setup('block', ['plaster', 'concrete', 'concrete'], 'window', ['cool', ...neutralFirst], cool),
    setup('shelf', ['matte', 'matte', 'matte'], 'window', ['complementary', ...pale]),
    setup('halo', ['matte', 'matte', 'matte'], 'palm', ['analogous', ...pale]),
    setup('curtain', ['linen', 'matte', 'matte'], 'window', ['tonal', ...pale]),
    setup('sweep', ['plaster', 'plaster', 'matte'], 'palm', ['complementary', ...pale]),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'none', neutralFirst),
    setup('flatlay', ['matte', 'matte', 'matte'], 'window', coolFirst),
    setup('flatlay', ['concrete', 'concrete', 'concrete'], 'none', warmFirst),
    setup('flatlay', ['plaster', 'plaster', 'plaster'], 'window', pale),
    setup('room', ['plaster', 'concrete', 'linen'], 'window', neutralFirst),
    setup('room', ['plaster', 'wood', 'linen'], 'window', coolFirst),
    setup('room', ['plaster', 'matte', 'linen'], 'blinds', warmFirst),
  ],
};

/** Display titles above each row. */
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
