/**
 * A place's light, ready for tracing. Its strongest light, the lamp, is separated, and a table allows importance
 * sampling of the rest.
 */
import { luminanceOf } from 'packshot-pixels';
import { type AliasTable, makeAliasTable } from './alias-table.ts';
import { type Panorama, shrinkPanorama, solidAngleOf } from './panorama.ts';
import { type PlaceName, placeSettings } from './place-names.ts';
import { eraseSpot, readPanorama } from './read-panorama.ts';
import { type Lamp, measureUpward, takeLightOut } from './take-light-out.ts';

export interface PlaceLight {
  readonly lamp: Lamp;
  /** The panorama without the lamp. */
  readonly soft: Panorama;
  /** The soft light averaged in small blocks, for reflections. */
  readonly mirrored: Panorama;
  /**
   * The soft light for indirect light: less saturated (see `SOFT_COLOR`), and averaged in blocks so large that single
   * bright spots no longer stand out.
   */
  readonly broad: Panorama;
  /** Draws pixels of the soft light in proportion to their power. */
  readonly table: AliasTable;
  /**
   * Sum over all pixels of luminance times solid angle. The probability of drawing a pixel is its luminance times solid
   * angle, divided by this sum.
   */
  readonly power: number;
  /**
   * Radiance of a white, level card in the soft light, 3 channels, less saturated (see `SOFT_COLOR`). `card` is the
   * luminance of that card with the lamp included.
   */
  readonly sky: readonly [number, number, number];
  readonly card: number;
}

/** The place's light, adjusted for use with the scene's own key light. */
export interface BalancedLight extends PlaceLight {
  /**
   * Multipliers for the soft light on the set, 3 channels, chosen so that soft light and key light together are as
   * bright as the place.
   */
  readonly fill: readonly [number, number, number];
}

/** Linear brightness of a white, level card before the place's exposure setting (`stops`). */
const WHITE_CARD = 0.8;
/** Fraction of the color cast that white balance removes. The rest stays, so that evening is warmer than noon. */
const BALANCE = 0.7;
/**
 * Fraction of the soft light's color that is kept in diffuse light. White balance is measured on level ground, but a
 * wall is lit by other parts of the place. With the full color of that light, a shadow on a gray wall was olive,
 * although the same shadow on the floor was gray.
 */
const SOFT_COLOR = 0.4;
const MIRRORED_BLOCK = 8;
const BROAD_BLOCK = 16;
/** Cache of the opened panoramas. There are only a few, of about 3 MB each. */
const opened = new Map<PlaceName, Promise<PlaceLight>>();

export function openPlace(name: PlaceName): Promise<PlaceLight> {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const opening = readPanorama(name).then((panorama) => lightFrom(panorama, name));
  opened.set(name, opening);
  // Do not keep a failed read in the cache.
  opening.catch(() => opened.delete(name));
  return opening;
}

/**
 * Splits the panorama's light into lamp and soft light. Exposes and white-balances both as a camera would for a white,
 * level card.
 */
function lightFrom(panorama: Panorama, name: PlaceName): PlaceLight {
  const { sun, stops, spot } = placeSettings[name];
  const { lamp, soft } = takeLightOut(spot ? eraseSpot(panorama, spot) : panorama, sun);
  const steep = Math.max(0, Math.sin((lamp.latitudeDeg * Math.PI) / 180));
  const card = measureUpward(soft).map((sky, c) => sky + steep * lamp.radiance[c]!);
  const gray = luminanceOf(card, 0);
  const gains = card.map((channel) => ((WHITE_CARD * 2 ** stops) / gray) * (gray / channel) ** BALANCE);
  const data = soft.data.map((value, i) => value * gains[i % 3]!);
  const developed = { ...soft, data };
  const developedCard = card.map((channel, c) => channel * gains[c]!);
  const [red, green, blue] = lamp.radiance;
  const sky = measureUpward(developed);
  const level = luminanceOf(sky, 0);
  return {
    lamp: { ...lamp, radiance: [red * gains[0]!, green * gains[1]!, blue * gains[2]!] },
    soft: developed,
    mirrored: shrinkPanorama(developed, MIRRORED_BLOCK),
    broad: fadeColors(shrinkPanorama(developed, BROAD_BLOCK)),
    ...makeTable(developed),
    sky: [fadeColor(sky[0], level), fadeColor(sky[1], level), fadeColor(sky[2], level)],
    card: luminanceOf(developedCard, 0),
  };
}

function fadeColors(panorama: Panorama): Panorama {
  const data = panorama.data.slice();
  for (let at = 0; at < data.length; at += 3) {
    const luminance = luminanceOf(panorama.data, at);
    for (let c = at; c < at + 3; c++) data[c] = fadeColor(data[c]!, luminance);
  }
  return { ...panorama, data };
}

/** Returns a channel of a color, moved toward the color's luminance as in diffuse light. */
export const fadeColor = (channel: number, luminance: number): number =>
  luminance + SOFT_COLOR * (channel - luminance);

export function makeTable(soft: Panorama): Pick<PlaceLight, 'table' | 'power'> {
  const weights = new Float64Array(soft.width * soft.height);
  let power = 0;
  for (let row = 0; row < soft.height; row++) {
    const angle = solidAngleOf(soft, row);
    for (let column = 0; column < soft.width; column++) {
      const pixel = row * soft.width + column;
      weights[pixel] = luminanceOf(soft.data, pixel * 3) * angle;
      power += weights[pixel]!;
    }
  }
  return { table: makeAliasTable(weights), power };
}
