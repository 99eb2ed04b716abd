/** The styles: a title for shoppers and the looks of each. Data only. */

import type { SceneStyle } from '../../recipes/presets.ts';
import type { Composition, GoboKind, Material } from '../../studio/scene-plan.ts';
import type { PaletteMode } from '../palette.ts';
import type { LightWish } from './light.ts';

/** A combination of composition, materials, light and colors; product and random numbers determine the rest. */
export interface Look {
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

const look = (
  composition: Composition,
  [wall, floor, pedestal]: readonly [Material, Material, Material],
  gobo: GoboKind,
  modes: Look['modes'],
  more: Partial<Pick<Look, 'warmth' | 'accent' | 'isPainted'>> = {},
): Look => ({
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

export const looksByStyle: Readonly<Record<SceneStyle, readonly Look[]>> = {
  stone: [
    look('table', ['plaster', 'marble', 'marble'], 'window', neutralFirst),
    look('block', ['plaster', 'plaster', 'travertine'], 'palm', pale),
    look('podium', ['matte', 'terrazzo', 'terrazzo'], 'window', coolFirst),
    look('steps', ['plaster', 'plaster', 'marble'], 'foliage', warmFirst),
    look('columns', ['plaster', 'plaster', 'travertine'], 'foliage', ['analogous', ...pale]),
    look('arch', ['plaster', 'plaster', 'marble'], 'palm', ['tonal', ...pale]),
    look('rocks', ['plaster', 'stone', 'stone'], 'none', neutralFirst, cool),
    look('shelf', ['plaster', 'plaster', 'terrazzo'], 'window', ['triad', ...pale]),
    look('block', ['plaster', 'plaster', 'stone'], 'slit', ['dark', 'neutral']),
    look('sweep', ['plaster', 'marble', 'marble'], 'window', neutralFirst),
    look('sweep', ['plaster', 'terrazzo', 'terrazzo'], 'palm', coolFirst),
    look('curtain', ['linen', 'travertine', 'travertine'], 'foliage', warmFirst),
    look('flatlay', ['marble', 'marble', 'marble'], 'window', neutralFirst),
    look('flatlay', ['terrazzo', 'terrazzo', 'terrazzo'], 'foliage', coolFirst),
    look('flatlay', ['travertine', 'travertine', 'travertine'], 'none', warmFirst),
    look('flatlay', ['terrazzo', 'terrazzo', 'terrazzo'], 'palm', pale),
    look('room', ['plaster', 'marble', 'linen'], 'window', neutralFirst),
    look('room', ['plaster', 'terrazzo', 'linen'], 'foliage', warmFirst),
    look('room', ['plaster', 'travertine', 'linen'], 'palm', ['tonal', ...pale]),
  ],
  wood: [
    look('table', ['plaster', 'wood', 'wood'], 'window', warmFirst, golden),
    look('podium', ['plaster', 'plaster', 'wood'], 'palm', pale),
    look('block', ['plaster', 'plaster', 'wood'], 'window', coolFirst),
    look('shelf', ['plaster', 'plaster', 'wood'], 'palm', neutralFirst),
    look('arch', ['plaster', 'concrete', 'wood'], 'foliage', ['analogous', ...pale], warm),
    look('steps', ['plaster', 'plaster', 'wood'], 'blinds', ['triad', ...warmFirst], warm),
    look('halo', ['plaster', 'wood', 'wood'], 'foliage', ['tonal', ...pale]),
    look('sweep', ['plaster', 'wood', 'wood'], 'window', neutralFirst, warm),
    look('garden', ['plaster', 'wood', 'wood'], 'foliage', ['complementary', ...pale]),
    look('curtain', ['linen', 'wood', 'wood'], 'window', warmFirst),
    look('flatlay', ['wood', 'wood', 'wood'], 'window', warmFirst, warm),
    look('flatlay', ['wood', 'wood', 'wood'], 'palm', coolFirst, { isPainted: true }),
    look('room', ['plaster', 'wood', 'linen'], 'window', warmFirst, warm),
    look('room', ['plaster', 'wood', 'linen'], 'none', ['tonal', ...coolFirst]),
    look('room', ['plaster', 'wood', 'linen'], 'blinds', ['complementary', ...neutralFirst], warm),
    look('room', ['plaster', 'wood', 'linen'], 'foliage', ['analogous', ...pale]),
  ],
  color: [
    look('colorblock', ['matte', 'matte', 'matte'], 'none', boldWarm),
    look('podium', ['plaster', 'plaster', 'matte'], 'palm', bold),
    look('halo', ['matte', 'matte', 'matte'], 'palm', boldCool),
    look('steps', ['matte', 'matte', 'lacquer'], 'window', bold),
    look('arch', ['plaster', 'plaster', 'matte'], 'window', bold),
    look('block', ['matte', 'matte', 'matte'], 'blinds', boldCool),
    look('columns', ['matte', 'matte', 'matte'], 'foliage', boldWarm),
    look('sweep', ['matte', 'matte', 'matte'], 'window', boldWarm),
    look('curtain', ['satin', 'matte', 'matte'], 'none', boldCool),
    look('flatlay', ['matte', 'matte', 'matte'], 'palm', bold),
    look('flatlay', ['plaster', 'plaster', 'plaster'], 'window', boldWarm),
    look('flatlay', ['matte', 'matte', 'matte'], 'blinds', boldCool),
    look('flatlay', ['linen', 'linen', 'linen'], 'foliage', bold, { isPainted: true }),
    look('room', ['plaster', 'matte', 'linen'], 'window', bold),
    look('room', ['matte', 'wood', 'linen'], 'none', boldCool),
    look('room', ['plaster', 'concrete', 'linen'], 'blinds', boldWarm),
  ],
  pastel: [
    look('podium', ['plaster', 'plaster', 'matte'], 'palm', soft),
    look('arch', ['plaster', 'plaster', 'matte'], 'window', ['analogous', ...soft]),
    look('halo', ['matte', 'matte', 'matte'], 'window', ['triad', ...soft]),
    look('drape', ['satin', 'satin', 'matte'], 'none', ['tonal', 'complementary', ...soft]),
    look('curtain', ['satin', 'matte', 'matte'], 'blinds', ['cool', ...soft]),
    look('steps', ['plaster', 'plaster', 'matte'], 'foliage', ['warm', ...soft]),
    look('columns', ['matte', 'matte', 'matte'], 'palm', ['tonal', ...soft]),
    look('sweep', ['plaster', 'plaster', 'matte'], 'palm', soft),
    look('flatlay', ['plaster', 'plaster', 'plaster'], 'palm', soft),
    look('flatlay', ['linen', 'linen', 'linen'], 'window', ['analogous', ...soft], { isPainted: true }),
    look('flatlay', ['matte', 'matte', 'matte'], 'foliage', ['cool', ...soft]),
    look('flatlay', ['plaster', 'plaster', 'plaster'], 'blinds', ['triad', ...soft]),
    look('room', ['plaster', 'matte', 'linen'], 'window', soft),
    look('room', ['plaster', 'wood', 'linen'], 'palm', ['cool', ...soft]),
    look('room', ['plaster', 'concrete', 'linen'], 'foliage', ['analogous', ...soft]),
  ],
  nature: [
    look('dune', ['matte', 'sand', 'travertine'], 'palm', warmFirst, warm),
    look('water', ['matte', 'water', 'stone'], 'none', coolFirst),
    look('garden', ['plaster', 'plaster', 'travertine'], 'foliage', ['complementary', ...pale]),
    look('rocks', ['plaster', 'sand', 'stone'], 'palm', ['analogous', ...pale], warm),
    look('table', ['plaster', 'wood', 'wood'], 'foliage', ['tonal', ...pale]),
    look('arch', ['plaster', 'sand', 'travertine'], 'none', ['neutral', ...pale], golden),
    look('sweep', ['plaster', 'plaster', 'travertine'], 'foliage', ['tonal', ...pale]),
    look('flatlay', ['sand', 'sand', 'sand'], 'palm', warmFirst, warm),
    look('flatlay', ['linen', 'linen', 'linen'], 'foliage', neutralFirst),
    look('flatlay', ['wood', 'wood', 'wood'], 'foliage', warmFirst),
    look('flatlay', ['stone', 'stone', 'stone'], 'palm', coolFirst),
    look('room', ['plaster', 'wood', 'linen'], 'foliage', ['complementary', ...pale]),
    look('room', ['plaster', 'travertine', 'linen'], 'palm', warmFirst, warm),
  ],
  dark: [
    look('luxury', ['matte', 'matte', 'marble'], 'palm', darkHue, gold),
    look('block', ['concrete', 'concrete', 'concrete'], 'slit', dark, { isPainted: true }),
    look('halo', ['matte', 'matte', 'lacquer'], 'none', ['dark-hue', 'dark'], gold),
    look('curtain', ['satin', 'marble', 'marble'], 'none', darkHue, gold),
    look('columns', ['plaster', 'plaster', 'stone'], 'slit', darkHue, { isPainted: true }),
    look('podium', ['plaster', 'matte', 'lacquer'], 'window', dark, gold),
    look('sweep', ['plaster', 'concrete', 'concrete'], 'slit', dark, { isPainted: true }),
    look('flatlay', ['stone', 'stone', 'stone'], 'window', dark, { isPainted: true }),
    look('flatlay', ['marble', 'marble', 'marble'], 'none', darkHue, { isPainted: true }),
    look('flatlay', ['linen', 'linen', 'linen'], 'slit', darkHue, { isPainted: true }),
    look('flatlay', ['concrete', 'concrete', 'concrete'], 'palm', dark, { isPainted: true }),
    look('room', ['plaster', 'wood', 'linen'], 'window', darkHue),
    look('room', ['plaster', 'concrete', 'linen'], 'slit', dark),
    look('room', ['matte', 'wood', 'linen'], 'none', darkHue),
  ],
  fabric: [
    look('drape', ['satin', 'satin', 'matte'], 'none', pale),
    look('curtain', ['linen', 'matte', 'travertine'], 'window', ['warm', ...pale]),
    look('table', ['plaster', 'linen', 'wood'], 'window', neutralFirst),
    look('drape', ['linen', 'linen', 'wood'], 'foliage', ['analogous', ...pale]),
    look('curtain', ['satin', 'marble', 'marble'], 'none', ['cool', ...pale]),
    look('drape', ['satin', 'satin', 'lacquer'], 'none', darkHue, gold),
    look('flatlay', ['linen', 'linen', 'linen'], 'window', neutralFirst),
    look('flatlay', ['linen', 'linen', 'linen'], 'palm', pale, { isPainted: true }),
    look('flatlay', ['satin', 'satin', 'satin'], 'none', ['tonal', ...pale]),
    look('flatlay', ['linen', 'linen', 'linen'], 'foliage', ['analogous', ...pale], { isPainted: true }),
    look('room', ['linen', 'wood', 'linen'], 'window', neutralFirst),
    look('room', ['linen', 'concrete', 'linen'], 'foliage', warmFirst),
  ],
  studio: [
    look('sweep', ['matte', 'matte', 'matte'], 'none', neutralFirst),
    look('podium', ['matte', 'matte', 'matte'], 'foliage', coolFirst, cool),
    look('sweep', ['plaster', 'concrete', 'concrete'], 'window', warmFirst),
    look('arch', ['plaster', 'plaster', 'matte'], 'palm', ['warm', ...pale]),
    look('block', ['plaster', 'concrete', 'concrete'], 'window', ['cool', ...neutralFirst], cool),
    look('shelf', ['matte', 'matte', 'matte'], 'window', ['complementary', ...pale]),
    look('halo', ['matte', 'matte', 'matte'], 'palm', ['analogous', ...pale]),
    look('curtain', ['linen', 'matte', 'matte'], 'window', ['tonal', ...pale]),
    look('sweep', ['plaster', 'plaster', 'matte'], 'palm', ['complementary', ...pale]),
    look('flatlay', ['plaster', 'plaster', 'plaster'], 'none', neutralFirst),
    look('flatlay', ['matte', 'matte', 'matte'], 'window', coolFirst),
    look('flatlay', ['concrete', 'concrete', 'concrete'], 'none', warmFirst),
    look('flatlay', ['plaster', 'plaster', 'plaster'], 'window', pale),
    look('room', ['plaster', 'concrete', 'linen'], 'window', neutralFirst),
    look('room', ['plaster', 'wood', 'linen'], 'window', coolFirst),
    look('room', ['plaster', 'matte', 'linen'], 'blinds', warmFirst),
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
