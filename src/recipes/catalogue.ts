/** The built-in recipes as data: backdrop, shadow, layout and available aspect ratios of each picture. */
import { PackshotError } from 'packshot-errors';
import { type Variant, variants } from 'packshot-pixels/ratios';
import { palette } from './solid-colors.ts';

export interface GradientStop {
  /** Position: 0 is the start (linear) or the center (radial), 1 the end. */
  readonly at: number;
  /** sRGB, `#RRGGBB`. Colors between stops are interpolated in OKLab. */
  readonly color: string;
}

export type Backdrop =
  | { readonly kind: 'transparent' }
  | { readonly kind: 'solid'; readonly color: string }
  | {
      readonly kind: 'linear';
      /** Direction from position 0 to position 1, in degrees clockwise: 0 points up, 180 down (as in CSS). */
      readonly angleDeg: number;
      readonly stops: readonly GradientStop[];
    }
  | {
      readonly kind: 'radial';
      /** Center, as fractions of the canvas width and height. */
      readonly center: readonly [x: number, y: number];
      /** Distance of position 1 from the center, as a fraction of the canvas's longer side. */
      readonly radius: number;
      readonly stops: readonly GradientStop[];
    }
  | Sweep;

/**
 * A seamless studio sweep: a floor that curves up into a wall, both of the same paper. Light levels are
 * linear; at the product's foot, the level is 1 and the paper has exactly its color.
 */
export interface Sweep {
  readonly kind: 'sweep';
  /** Paper color, sRGB `#RRGGBB`. */
  readonly color: string;
  /** Light level of the floor at the edge nearest to the camera, 0 to 1.2. */
  readonly floorFront: number;
  /** Light level of the wall inside a round pool of light, 0 to 1.2. */
  readonly wall: number;
  /** Light level of the wall far outside the pool, as a fraction of `wall`, 0 to 1. */
  readonly wallEdge: number;
  /** Horizontal center of the pool on the wall, as a fraction of the canvas width, 0 to 1. */
  readonly poolX: number;
  /** Radius of the pool, as a fraction of the canvas's longer side, 0.2 to 1.5. */
  readonly poolRadius: number;
  /** Height in the picture, above the foot, at which floor becomes wall; fraction of the shorter side, 0 to 0.4. */
  readonly horizon: number;
  /** Half the height of the curve, as a fraction of the shorter side, 0.02 to 0.4; small values give a sharp bend. */
  readonly curve: number;
  /** Strength of the mirror reflection at the foot, 0 (matte paper) to 1 (mirror). */
  readonly gloss: number;
}

/**
 * `contact`: dark at the contact, soft around it. `cast`: the contact shadow plus a soft shadow cast by a
 * large key light. Strength is 0 to 1; 1 is a black core.
 */
export type Shadow =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'contact' | 'cast';
      readonly strength: number;
      /** 0 (hard) to 1 (soft); default 0.5. */
      readonly softness?: number;
      /** Where a cast shadow falls, in degrees: 0 toward the viewer, 90 to the right; default 85. */
      readonly direction?: number;
    };

export interface Layout {
  /** `center`: middle of the canvas. `baseline`: standing on the line shared by all recipes with this alignment. */
  readonly align: 'center' | 'baseline';
  /** Minimum margin around the subject, 0 to 0.4 of the canvas's shorter side. */
  readonly margin: number;
  /** Subject size as a fraction of the largest size that fits inside the margin, 0.1 to 1. */
  readonly scale: number;
}

/** A layout with the optional overrides that a caller may set. */
export interface PlacedLayout extends Layout {
  /** Center of the subject as fractions of the canvas; default: as `align` says. */
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** Degrees clockwise, -180 to 180; default 0. */
  readonly rotate?: number | undefined;
  /** How a photo that is left uncut gets the picture's ratio; default `pad`. */
  readonly fit?: 'pad' | 'crop' | 'extend' | undefined;
}

export const families = ['solid', 'listing', 'transparent', 'gradient', 'surface'] as const;
export type RecipeFamily = (typeof families)[number];

export interface Recipe {
  readonly id: string;
  readonly title: string;
  readonly family: RecipeFamily;
  readonly variants: readonly Variant[];
  /** Part of every cache key and ETag. Increment when a code change makes the recipe give different pixels. */
  readonly revision: number;
  readonly backdrop: Backdrop;
  readonly shadow: Shadow;
  readonly layout: Layout;
}

// The product fills 82 % of the picture and leaves the white space that shop grids prefer. Marketplaces that
// require 85 % have their own Listing recipes.
const centered: Layout = { align: 'center', margin: 0.09, scale: 1 };
const standing: Layout = { align: 'baseline', margin: 0.14, scale: 1 };
/** `own` overrides what most recipes have in common. */
const recipe = (
  family: RecipeFamily,
  id: string,
  title: string,
  backdrop: Backdrop,
  own: Partial<Recipe> = {},
): Recipe => ({
  id,
  title,
  family,
  variants,
  revision: 1,
  backdrop,
  shadow: { kind: 'none' },
  layout: centered,
  ...own,
});

const listingMarketplaces = [
  { id: 'amazon', title: 'Amazon, main image' },
  { id: 'google', title: 'Google Merchant Center' },
  { id: 'walmart', title: 'Walmart Marketplace' },
  { id: 'ebay', title: 'eBay' },
  { id: 'bol', title: 'bol, main image' },
  { id: 'otto', title: 'OTTO Market' },
  { id: 'tiktok', title: 'TikTok Shop, main image' },
  { id: 'shopify', title: 'Shopify' },
  { id: 'etsy', title: 'Etsy' },
] as const;

const solid = (color: string): Backdrop => ({ kind: 'solid', color });

const solids = variants.flatMap((variant) =>
  palette.map(({ number, name, color }) =>
    recipe('solid', `Solid${variant.replace(':', '_')}_${number}`, name, solid(color), {
      variants: [variant],
    }),
  ),
);

/** The product fills 88 %: between the 85 % required by Amazon and OTTO, and the maximum of 90 % advised by Google. */
const filling: Layout = { align: 'center', margin: 0.06, scale: 1 };

/** Main images for marketplaces: pure white, with the product large enough to pass `listing/marketplaces`. */
const listings = listingMarketplaces.map(({ id, title }) =>
  recipe('listing', `Listing_${id}_main`, title, solid('#FFFFFF'), { variants: ['1:1'], layout: filling }),
);

const transparent = recipe('transparent', 'Transp001', 'Transparent', { kind: 'transparent' });

const gradient = (id: string, title: string, backdrop: Backdrop) => recipe('gradient', id, title, backdrop);

const stops = (...colors: string[]): GradientStop[] =>
  colors.map((color, index) => ({ at: index / (colors.length - 1), color }));
const linear = (angleDeg: number, ...colors: string[]): Backdrop => ({
  kind: 'linear',
  angleDeg,
  stops: stops(...colors),
});
const glow = (...colors: string[]): Backdrop => ({
  kind: 'radial',
  center: [0.5, 0.46],
  radius: 0.72,
  stops: stops(...colors),
});

const gradients = [
  gradient('Gradient001', 'Pearl glow', glow('#FFFFFF', '#F3F3F2', '#DCDDDF')),
  gradient('Gradient002', 'Warm linen', glow('#FBF6EE', '#F0E6D8', '#D9C9B4')),
  gradient('Gradient003', 'Graphite spot', glow('#6B6F76', '#3F4248', '#1C1E22')),
  gradient('Gradient004', 'Blush dawn', linear(165, '#F7E4DC', '#F2CFC8', '#E3B3B5')),
  gradient('Gradient005', 'Morning sky', linear(180, '#C3D7EA', '#DDE8F1', '#F4F3EE')),
  gradient('Gradient006', 'Sage haze', linear(200, '#E7EBDD', '#CBD5C0', '#A9B9A2')),
  gradient('Gradient007', 'Lilac dusk', linear(150, '#EFE3F1', '#D3C6E6', '#AEB3DB')),
  gradient('Gradient008', 'Deep ocean', glow('#3A7C8C', '#1D5163', '#0B2838')),
];

const paper: Omit<Sweep, 'color'> = {
  kind: 'sweep',
  floorFront: 0.9,
  wall: 0.94,
  wallEdge: 0.74,
  poolX: 0.44,
  poolRadius: 0.75,
  horizon: 0.13,
  curve: 0.13,
  gloss: 0,
};

const surface = (id: string, title: string, sweep: Omit<Sweep, 'kind'>, strength: number) =>
  recipe(
    'surface',
    id,
    title,
    { kind: 'sweep', ...sweep },
    { shadow: { kind: 'cast', strength }, layout: standing },
  );

const surfaces = [
  surface('Surface001', 'Studio white', { ...paper, color: '#F4F3F1', wall: 0.93, wallEdge: 0.8 }, 0.75),
  surface('Surface002', 'Warm sand', { ...paper, color: '#E6D5BE' }, 0.8),
  surface('Surface003', 'Blush paper', { ...paper, color: '#EBC9C0' }, 0.8),
  surface('Surface004', 'Sage paper', { ...paper, color: '#BCC7B0' }, 0.8),
  surface('Surface005', 'Cool gray', { ...paper, color: '#B9BEC5', wall: 0.82, wallEdge: 0.55 }, 0.85),
  surface(
    'Surface006',
    'Black acrylic',
    {
      ...paper,
      color: '#3A3C41',
      wall: 0.7,
      wallEdge: 0.22,
      floorFront: 0.55,
      poolRadius: 0.6,
      horizon: 0.1,
      curve: 0.05,
      gloss: 0.22,
    },
    0.85,
  ),
];

const recipes: readonly Recipe[] = [transparent, ...solids, ...listings, ...gradients, ...surfaces];
const recipesById: ReadonlyMap<string, Recipe> = new Map(recipes.map((recipe) => [recipe.id, recipe]));

export function findRecipe(id: string): Recipe | undefined {
  return recipesById.get(id);
}

export function listRecipes(): readonly Recipe[] {
  return recipes;
}

/** Returns the variant if it is offered. Throws `unknown_variant` with the message `refusal` otherwise. */
export function requireVariant(
  asked: string,
  offered: readonly Variant[],
  refusal: string,
  pointer = '/variant',
): Variant {
  const known = offered.find((variant) => variant === asked);
  if (known !== undefined) return known;
  throw new PackshotError('unknown_variant', refusal, { pointer });
}
