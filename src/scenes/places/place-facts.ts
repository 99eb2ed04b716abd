/** Facts about each place and the grounds that belong there, judged on rendered pictures. Data only. */

import type { Setting } from '../../recipes/presets.ts';
import type { PlaceName } from '../../studio/places/place-names.ts';
import type { Finish, ScenePlan } from '../../studio/scene-plan.ts';
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
  | 'white-table'
  | 'paving'
  | 'sandstone'
  | 'granite'
  | 'oak'
  | 'terrazzo'
  | 'sand';

interface GroundFacts {
  /** Names of the ground in titles: `table` under most products, `floor` under furniture. */
  readonly table: string;
  readonly floor: string;
  readonly finish: Finish;
  /** Width of the slabs that a table of this ground is laid with, in centimeters; undefined for one piece. */
  readonly slabCm?: number;
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
    finish: worn('marble', ['#EDEAE5', '#BDBBBC'], [1.25, 0.2, 1, 0.6]),
  },
  'black-marble': {
    table: 'Black marble counter',
    floor: 'Black marble floor',
    finish: worn('marble', ['#2B2C30', '#86837E'], [1, 0.2, 1, 0.6]),
  },
  stone: {
    table: 'Stone slab',
    floor: 'Stone floor',
    finish: worn('stone', ['#8A847B'], [1.2, 0.7, 0.4, 0.7]),
  },
  concrete: {
    table: 'Concrete ledge',
    floor: 'Concrete floor',
    finish: worn('concrete', ['#B5AFA5'], [1.4, 0.6, 0.3, 0.7]),
  },
  travertine: {
    table: 'Travertine slab',
    floor: 'Travertine floor',
    finish: worn('travertine', ['#DDD0BA', '#C2AB8A'], [1, 0.42, 0.6, 0.6]),
  },
  'white-table': {
    table: 'White table',
    floor: 'White floor',
    finish: worn('lacquer', ['#E4E0D9'], [1, 0.25, 1, 0.8]),
  },
  paving: {
    table: 'Stone slabs',
    floor: 'Stone slabs',
    finish: worn('stone', ['#B5B0A8'], [1.4, 0.7, 0.55, 0.7]),
    slabCm: 40,
  },
  sandstone: {
    table: 'Sandstone slabs',
    floor: 'Sandstone slabs',
    finish: worn('stone', ['#A8977F'], [1.5, 0.75, 0.6, 0.7]),
    slabCm: 40,
  },
  granite: {
    table: 'Granite counter',
    floor: 'Granite floor',
    finish: worn('stone', ['#BDB3A6'], [0.9, 0.36, 0.05, 0.4]),
  },
  oak: {
    table: 'Oak table',
    floor: 'Oak floor',
    finish: worn('wood', ['#CBAF88', '#97744C'], [1, 0.42, 1, 0.6]),
  },
  terrazzo: {
    table: 'Terrazzo counter',
    floor: 'Terrazzo floor',
    finish: worn('terrazzo', ['#E6E0D6', '#B99B7C', '#8E8A84', '#C9C2B4', '#5F5C58'], [2.8, 0.2, 1, 0.6]),
  },
  sand: { table: 'Sand', floor: 'Sand', finish: worn('sand', ['#D9C09A'], [1.6, 1, 0.45, 0]) },
};

/** A light above this latitude, in degrees, is overhead: it fits products that were lit from either side. */
export const highLight = 70;

/** Colors of a wall and of its baseboard. */
export interface Paint {
  readonly color: string;
  readonly trim: string;
}

export interface PlaceFacts {
  /** Follows the ground's name in titles. */
  readonly title: string;
  /** The reported effect of a prompt word that names the place. */
  readonly effect: string;
  /** Direction of the shadow-casting light in the panorama; undefined if the light is soft from all sides. */
  readonly light: { readonly longitudeDeg: number; readonly latitudeDeg: number } | undefined;
  /** Grounds for products on a table, best first. */
  readonly grounds: readonly [GroundName, ...GroundName[]];
  /** Grounds for furniture; empty if furniture does not belong in the place. */
  readonly floors: readonly GroundName[];
  /**
   * Colors of the first ground in `floors`. They match the panorama's floor, into which that ground fades;
   * default: the ground's usual colors.
   */
  readonly floorColors?: readonly string[];
  /** Angle below the horizon, in degrees, at which the panorama's floor ends; default 3, as outdoors. */
  readonly floorEndDeg?: number;
  /** Whether the view is so dark that the fine outline of a bright plant stands out from it as a fringe. */
  readonly isDim?: boolean;
  /** White balance of a room, if the place's own light is too strongly colored for painted walls; default none. */
  readonly roomBalance?: [red: number, green: number, blue: number];
  /** Whether furniture, plants and lamps stand in front of a wall; outdoors, the ground runs on. */
  readonly hasWall?: boolean;
}

/** Quiet paints that look different from each other in any room's light. */
export const roomPaints: readonly [Paint, ...Paint[]] = [
  { color: '#E9E4DA', trim: '#F1EEE8' },
  { color: '#B9BFB0', trim: '#EDEBE4' },
  { color: '#D9C9B6', trim: '#F0EAE0' },
  { color: '#B4BEC4', trim: '#ECEBE7' },
  { color: '#CFC8BC', trim: '#EFEBE4' },
  { color: '#D9C2B8', trim: '#F1EAE4' },
];

export const places: Readonly<Record<PlaceName, PlaceFacts>> = {
  apartment: {
    title: 'bright room',
    effect: 'blurred bright room',
    light: { longitudeDeg: 33, latitudeDeg: 13 },
    grounds: ['marble', 'oak', 'terrazzo', 'wood', 'white-table'],
    floors: ['wood', 'concrete'],
    floorColors: ['#B99A72', '#8A6A45'],
    floorEndDeg: 20,
    hasWall: true,
  },
  city: {
    title: 'city street',
    effect: 'blurred city street',
    light: undefined,
    grounds: ['paving', 'stone', 'dark-wood'],
    floors: ['concrete'],
    floorColors: ['#77716C'],
  },
  dawn: {
    title: 'desert hills at dusk',
    effect: 'blurred desert hills at dusk',
    light: { longitudeDeg: 46, latitudeDeg: 7 },
    grounds: ['sandstone', 'stone', 'gray-wood', 'paving'],
    floors: ['stone'],
  },
  esplanade: {
    title: 'evening lights',
    isDim: true,
    effect: 'blurred evening lights',
    light: { longitudeDeg: -149, latitudeDeg: 84 },
    grounds: ['dark-wood', 'black-marble', 'wood'],
    floors: [],
  },
  forest: {
    title: 'forest',
    isDim: true,
    effect: 'blurred forest',
    light: undefined,
    grounds: ['sandstone', 'dark-wood', 'gray-wood', 'paving'],
    floors: [],
  },
  lobby: {
    title: 'bright interior',
    effect: 'blurred bright interior',
    light: undefined,
    grounds: ['terrazzo', 'oak', 'marble', 'wood', 'white-table'],
    floors: ['wood'],
    floorColors: ['#BFA380', '#8F7450'],
    roomBalance: [0.99, 1, 1.12],
    floorEndDeg: 10,
    hasWall: true,
  },
  park: {
    title: 'sunny meadow',
    effect: 'blurred sunny meadow',
    light: { longitudeDeg: 36.5, latitudeDeg: 10 },
    grounds: ['gray-wood', 'sandstone', 'wood', 'paving'],
    floors: ['gray-wood'],
  },
  sky: {
    title: 'sea and clouds',
    effect: 'blurred sea under clouds',
    light: { longitudeDeg: 34, latitudeDeg: 48 },
    grounds: ['sand', 'gray-wood', 'travertine'],
    floors: [],
  },
  sunrise: {
    title: 'misty morning',
    effect: 'blurred field in the morning mist',
    light: { longitudeDeg: 36, latitudeDeg: 8.5 },
    grounds: ['gray-wood', 'sandstone', 'wood', 'paving'],
    floors: ['gray-wood'],
  },
  sunset: {
    title: 'old square at sunset',
    effect: 'blurred old square at sunset',
    light: { longitudeDeg: 36.5, latitudeDeg: 3.5 },
    grounds: ['sandstone', 'paving', 'wood', 'stone'],
    floors: ['stone', 'travertine'],
    floorColors: ['#857B70'],
  },
  venice: {
    title: 'waterfront at dawn',
    effect: 'blurred waterfront at dawn',
    light: undefined,
    grounds: ['gray-wood', 'stone', 'wood'],
    floors: ['stone', 'gray-wood'],
    floorColors: ['#80766F'],
  },
  warehouse: {
    title: 'warehouse',
    effect: 'blurred warehouse',
    light: { longitudeDeg: 35, latitudeDeg: 52 },
    grounds: ['concrete', 'oak', 'granite', 'wood'],
    floors: ['concrete', 'wood'],
    floorColors: ['#B3ACA0'],
    floorEndDeg: 9,
    hasWall: true,
  },
  workshop: {
    title: 'workshop',
    effect: 'blurred workshop',
    light: undefined,
    grounds: ['wood', 'granite', 'concrete', 'dark-wood'],
    floors: ['wood', 'concrete'],
    floorColors: ['#A98B66', '#7A5C3C'],
    floorEndDeg: 12,
    hasWall: true,
  },
};

/** Places with a roof. */
export const indoorPlaces = [
  'apartment',
  'lobby',
  'warehouse',
  'workshop',
] as const satisfies readonly PlaceName[];

/**
 * Places by kind, best first: where people use, carry or keep such products. Electrical and office products
 * stay indoors, unless a prompt or a preset places them elsewhere. Judged in test renders of a product of each
 * shape in each place: trees, fields and old walls look like a photograph behind any product, but
 * a gray street does so only behind products that people carry there. Lamps at night, the open sea and the
 * waterfront, whose water is a flat gradient out of focus, are shown only on request.
 */
export const placesOfKind: Readonly<Record<ProductKindName, readonly PlaceName[]>> = {
  'Animals & Pet Supplies': ['apartment', 'park', 'forest', 'sunrise', 'lobby'],
  'Apparel & Accessories': ['sunset', 'dawn', 'forest', 'apartment', 'sunrise', 'city'],
  'Arts & Entertainment': ['apartment', 'workshop', 'warehouse', 'lobby'],
  'Baby & Toddler': ['apartment', 'lobby', 'park', 'sunrise'],
  'Business & Industrial': ['warehouse', 'workshop', 'city', 'lobby'],
  'Cameras & Optics': ['forest', 'dawn', 'sunset', 'apartment', 'warehouse', 'workshop'],
  Electronics: indoorPlaces,
  'Food, Beverages & Tobacco': ['park', 'apartment', 'forest', 'sunset', 'sunrise'],
  Furniture: indoorPlaces,
  Hardware: ['workshop', 'warehouse', 'forest', 'park'],
  'Health & Beauty': ['apartment', 'forest', 'sunset', 'dawn', 'lobby'],
  'Home & Garden': ['apartment', 'park', 'forest', 'sunset', 'lobby', 'sunrise'],
  'Luggage & Bags': ['sunset', 'dawn', 'apartment', 'city', 'lobby'],
  Mature: indoorPlaces,
  Media: ['apartment', 'park', 'sunset', 'forest', 'lobby'],
  'Office Supplies': indoorPlaces,
  'Religious & Ceremonial': ['apartment', 'sunset', 'dawn', 'forest', 'lobby'],
  Software: indoorPlaces,
  'Sporting Goods': ['park', 'forest', 'city', 'sunrise', 'dawn'],
  'Toys & Games': ['apartment', 'park', 'lobby', 'forest', 'sunrise'],
  Unknown: ['apartment', 'forest', 'sunset', 'park', 'lobby', 'dawn', 'sunrise'],
  'Vehicles & Parts': ['warehouse', 'workshop', 'city', 'sunset', 'dawn'],
};

/**
 * Rooms for furniture, plants and lamps, best first. On a floor that fades into a blurred place, furniture looks like a
 * scale model. The lobby is missing, because the lobby's light, with its one green wall, makes every shadow yellow.
 */
export const roomPlaces: readonly PlaceName[] = ['apartment', 'warehouse', 'workshop'];

/** Like `roomPlaces`, for kinds of products that do not belong in a living room. */
export const roomsOfKind: Readonly<Partial<Record<ProductKindName, readonly PlaceName[]>>> = {
  'Business & Industrial': ['warehouse', 'workshop'],
  Hardware: ['workshop', 'warehouse'],
  'Sporting Goods': ['warehouse', 'workshop'],
  'Vehicles & Parts': ['warehouse', 'workshop'],
};

const indoors: ReadonlySet<PlaceName> = new Set(indoorPlaces);

export function settingOf(name: PlaceName): Setting {
  return indoors.has(name) ? 'indoor' : 'outdoor';
}

/**
 * Describes the background of a scene in a place: the blurred place or, if the product stands in front of a wall, that
 * wall in the place's light.
 */
export function nameBackground({
  place,
  backProps,
}: Pick<ScenePlan, 'place' | 'backProps'>): string | undefined {
  if (place === undefined) return undefined;
  const { title, effect } = places[place.name];
  return backProps.length > 0 ? `wall in the light of a ${title}` : effect;
}
