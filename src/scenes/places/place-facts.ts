/** Facts about each place and the grounds that belong there, judged on rendered pictures. Data only. */

import type { Setting } from '../../recipes/presets.ts';
import type { PlaceName } from '../../studio/places/place-names.ts';
import type { Finish } from '../../studio/scene-plan.ts';
import type { ProductKindName } from '../product/product-kinds.ts';

export type GroundName =
  | 'wood'
  | 'dark-wood'
  | 'gray-wood'
  | 'marble'
  | 'black-marble'
  | 'stone'
  | 'concrete'
  | 'travertine'
  | 'sand';

interface GroundFacts {
  /** Names for titles: as a tabletop, and as a floor under furniture. */
  readonly table: string;
  readonly floor: string;
  readonly finish: Finish;
}

const worn = (
  material: Finish['material'],
  colors: string[],
  [scale, roughness, bump, wear]: readonly [number, number, number, number],
): Finish => ({ material, colors, scale, roughness, bump, wear });

export const grounds: Readonly<Record<GroundName, GroundFacts>> = {
  wood: {
    table: 'Wooden table',
    floor: 'Wooden floor',
    finish: worn('wood', ['#B58A5E', '#6E4A2E'], [1, 0.4, 1, 0.7]),
  },
  'dark-wood': {
    table: 'Dark wooden table',
    floor: 'Dark wooden floor',
    finish: worn('wood', ['#6B4A33', '#2E1D14'], [1, 0.36, 1, 0.7]),
  },
  'gray-wood': {
    table: 'Weathered boards',
    floor: 'Weathered deck',
    finish: worn('wood', ['#AE9F8B', '#6B5A48'], [1, 0.6, 1.3, 0.7]),
  },
  marble: {
    table: 'Marble counter',
    floor: 'Marble floor',
    finish: worn('marble', ['#EDEAE5', '#A3A2A6'], [1.25, 0.2, 1, 0.6]),
  },
  'black-marble': {
    table: 'Black marble counter',
    floor: 'Black marble floor',
    finish: worn('marble', ['#2B2C30', '#86837E'], [1, 0.2, 1, 0.6]),
  },
  stone: {
    table: 'Stone slab',
    floor: 'Stone floor',
    finish: worn('stone', ['#9C968C'], [1.2, 0.7, 0.4, 0.7]),
  },
  concrete: {
    table: 'Concrete ledge',
    floor: 'Concrete floor',
    finish: worn('concrete', ['#A5A29C'], [1.4, 0.6, 0.3, 0.7]),
  },
  travertine: {
    table: 'Travertine slab',
    floor: 'Travertine floor',
    finish: worn('travertine', ['#DDD0BA', '#C2AB8A'], [1, 0.42, 0.6, 0.6]),
  },
  sand: { table: 'Sand', floor: 'Sand', finish: worn('sand', ['#D9C09A'], [1.6, 1, 0.45, 0]) },
};

/** A light above this latitude, in degrees, is overhead: it fits products that were lit from either side. */
export const highLight = 70;

export interface PlaceFacts {
  /** Follows the ground's name in titles. */
  readonly title: string;
  /** The reported effect of a prompt word that names the place. */
  readonly effect: string;
  /** Direction of the shadow-casting light in the panorama; undefined if the light is soft from all sides. */
  readonly light: { readonly longitudeDeg: number; readonly latitudeDeg: number } | undefined;
  /** View directions, in degrees, that avoid a blown-out half, a pole or a seam. */
  readonly headings: readonly number[];
  readonly grounds: readonly [GroundName, ...GroundName[]];
  /** Grounds for furniture; empty if furniture does not belong in the place. */
  readonly floors: readonly GroundName[];
  /**
   * Colors of the first entry of `floors`, matching the place's own floor in the panorama, into which it
   * fades.
   */
  readonly floorColors?: readonly string[];
  /** Angle below the horizon, in degrees, at which that floor ends; default 3, as outdoors. */
  readonly floorEndDeg?: number;
}

export const places: Readonly<Record<PlaceName, PlaceFacts>> = {
  apartment: {
    title: 'bright room',
    effect: 'blurred bright room',
    light: { longitudeDeg: 33, latitudeDeg: 13 },
    headings: [-27, -150, 118],
    grounds: ['wood', 'marble', 'dark-wood'],
    floors: ['wood'],
    floorColors: ['#B99A72', '#8A6A45'],
    floorEndDeg: 20,
  },
  city: {
    title: 'city street',
    effect: 'blurred city street',
    light: undefined,
    headings: [-30, 60, 120, -60],
    grounds: ['concrete', 'stone', 'gray-wood'],
    floors: ['concrete'],
    floorColors: ['#77716C'],
  },
  dawn: {
    title: 'desert hills at dusk',
    effect: 'blurred desert hills at dusk',
    light: { longitudeDeg: 46, latitudeDeg: 7 },
    headings: [-60, -30, -90, 150, 120, -180],
    grounds: ['stone', 'travertine', 'gray-wood', 'sand'],
    floors: ['stone'],
  },
  esplanade: {
    title: 'evening lights',
    effect: 'blurred evening lights',
    light: { longitudeDeg: -149, latitudeDeg: 84 },
    headings: [-90, -60, 60, 150],
    grounds: ['dark-wood', 'black-marble', 'wood'],
    floors: [],
  },
  forest: {
    title: 'forest',
    effect: 'blurred forest',
    light: undefined,
    headings: [0, 150, -120, -180, -150],
    grounds: ['wood', 'gray-wood', 'stone', 'dark-wood'],
    floors: [],
  },
  lobby: {
    title: 'bright interior',
    effect: 'blurred bright interior',
    light: undefined,
    headings: [60, 30, 90],
    grounds: ['marble', 'wood'],
    floors: ['wood'],
    floorColors: ['#C7A475', '#94713F'],
    floorEndDeg: 10,
  },
  park: {
    title: 'sunny meadow',
    effect: 'blurred sunny meadow',
    light: { longitudeDeg: 36.5, latitudeDeg: 10 },
    headings: [-60, -100, -130, 150, 120, 175],
    grounds: ['wood', 'gray-wood', 'stone'],
    floors: ['gray-wood'],
  },
  sky: {
    title: 'sea and clouds',
    effect: 'blurred sea under clouds',
    light: { longitudeDeg: 34, latitudeDeg: 48 },
    headings: [-90, -60, -120, 120, 150, -180],
    grounds: ['sand', 'gray-wood', 'travertine'],
    floors: [],
  },
  sunrise: {
    title: 'misty morning',
    effect: 'blurred field in the morning mist',
    light: { longitudeDeg: 36, latitudeDeg: 8.5 },
    headings: [-60, -75, -105, -180, 165],
    grounds: ['wood', 'gray-wood', 'stone'],
    floors: ['gray-wood'],
  },
  sunset: {
    title: 'old square at sunset',
    effect: 'blurred old square at sunset',
    light: { longitudeDeg: 36.5, latitudeDeg: 3.5 },
    headings: [-90, -60, -120, 168, -180, -150],
    grounds: ['marble', 'travertine', 'stone', 'wood'],
    floors: ['stone', 'travertine'],
    floorColors: ['#857B70'],
  },
  venice: {
    title: 'waterfront at dawn',
    effect: 'blurred waterfront at dawn',
    light: undefined,
    headings: [60, 90, -120, -30, 120, -90],
    grounds: ['gray-wood', 'stone', 'concrete'],
    floors: ['stone', 'gray-wood'],
    floorColors: ['#80766F'],
  },
  warehouse: {
    title: 'warehouse',
    effect: 'blurred warehouse',
    light: { longitudeDeg: 35, latitudeDeg: 52 },
    headings: [-120, -105, 150, 120],
    grounds: ['concrete', 'wood'],
    floors: ['concrete'],
    floorColors: ['#918C7E'],
    floorEndDeg: 9,
  },
  workshop: {
    title: 'workshop',
    effect: 'blurred workshop',
    light: undefined,
    headings: [-30, -60, 90],
    grounds: ['wood', 'dark-wood', 'concrete'],
    floors: ['concrete'],
    floorColors: ['#8A867C'],
    floorEndDeg: 12,
  },
};

/** Suitable places by kind, best first; the others follow in the order of `anyPlace`. */
export const placesOfKind: Readonly<Partial<Record<ProductKindName, readonly PlaceName[]>>> = {
  'Health & Beauty': ['sunset', 'forest', 'venice', 'apartment', 'dawn'],
  'Food, Beverages & Tobacco': ['park', 'sunrise', 'forest', 'sunset', 'apartment'],
  'Home & Garden': ['apartment', 'park', 'sunset', 'forest', 'sunrise'],
  Electronics: ['apartment', 'city', 'sunset', 'workshop', 'lobby'],
  'Cameras & Optics': ['city', 'dawn', 'forest', 'sunset'],
  'Apparel & Accessories': ['sunset', 'city', 'dawn', 'venice'],
  'Luggage & Bags': ['city', 'sunset', 'venice', 'dawn'],
  'Sporting Goods': ['park', 'forest', 'sunrise', 'dawn'],
  'Toys & Games': ['park', 'apartment', 'sunrise', 'forest'],
  'Baby & Toddler': ['apartment', 'park', 'sunrise', 'lobby'],
  Furniture: ['apartment', 'lobby', 'sunset', 'warehouse', 'venice'],
  'Vehicles & Parts': ['sunset', 'warehouse', 'city', 'venice'],
  Hardware: ['workshop', 'warehouse', 'city', 'forest'],
  'Office Supplies': ['apartment', 'lobby', 'workshop', 'sunset'],
  Media: ['apartment', 'park', 'sunset', 'venice'],
};
export const anyPlace: readonly PlaceName[] = [
  'sunset',
  'park',
  'apartment',
  'forest',
  'venice',
  'sunrise',
  'dawn',
  'city',
];

const indoors: ReadonlySet<PlaceName> = new Set(['apartment', 'lobby', 'warehouse', 'workshop']);

export function settingOf(name: PlaceName): Setting {
  return indoors.has(name) ? 'indoor' : 'outdoor';
}
