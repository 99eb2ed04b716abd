/** The known recipes as data: what each picture's backdrop, shadow and layout are, and in which ratios it comes. */
import { palette } from './palette.ts';

export const variants = ['1:1', '4:5', '9:16', '16:9', '5:4', '4:3', '3:4', '3:2', '2:3'] as const;

/** Width to height of the picture. */
export type Variant = (typeof variants)[number];

export interface GradientStop {
  /** 0 is the start (linear) or the centre (radial), 1 the end. */
  readonly at: number;
  /** sRGB, `#RRGGBB`; colours between stops are mixed in OKLab. */
  readonly color: string;
}

export type Backdrop =
  | { readonly kind: 'transparent' }
  | { readonly kind: 'solid'; readonly color: string }
  | {
      readonly kind: 'linear';
      /** Direction of travel from stop 0 to stop 1, clockwise; 0 is upwards, 180 downwards (as in CSS). */
      readonly angleDeg: number;
      readonly stops: readonly GradientStop[];
    }
  | {
      readonly kind: 'radial';
      /** Centre, as shares of the canvas' width and height. */
      readonly center: readonly [x: number, y: number];
      /** Where stop 1 lies, as a share of the canvas' longer side. */
      readonly radius: number;
      readonly stops: readonly GradientStop[];
    }
  | Sweep;

/**
 * A seamless studio sweep: a floor that curves up into a wall, both of one paper. Light levels are linear
 * and relative to the paper's colour at the product's foot (1).
 */
export interface Sweep {
  readonly kind: 'sweep';
  /** The paper, sRGB `#RRGGBB`. */
  readonly color: string;
  /** Level of the floor at the edge next to the camera, 0 to 1.2. */
  readonly floorFront: number;
  /** Level of the wall inside the light pool, 0 to 1.2. */
  readonly wall: number;
  /** Level of the wall far outside the pool, as a share of `wall`, 0 to 1. */
  readonly wallEdge: number;
  /** Centre of the pool on the wall as a share of the canvas' width, 0 to 1. */
  readonly poolX: number;
  /** Reach of the pool as a share of the canvas' longer side, 0.2 to 1.5. */
  readonly poolRadius: number;
  /** How far the floor runs back behind the foot before it turns up, as a share of the shorter side, 0 to 0.4. */
  readonly horizon: number;
  /** Half the height of the turn, as a share of the shorter side, 0.02 to 0.4: small is crisp. */
  readonly curve: number;
  /** Mirror reflection at the foot, 0 (matte paper) to 1 (mirror). */
  readonly gloss: number;
}

/**
 * `contact`: dark at the contact and soft around. `cast`: that, and a soft shadow thrown by a large key light.
 * Strength 0 to 1, 1 is a black core.
 */
export type Shadow =
  | { readonly kind: 'none' }
  | { readonly kind: 'contact' | 'cast'; readonly strength: number };

export interface Layout {
  /** `center`: middle of the canvas. `baseline`: standing on the line that all such recipes share. */
  readonly align: 'center' | 'baseline';
  /** Free border around the subject, 0 to 0.4 of the canvas' shorter side. */
  readonly margin: number;
  /** Share of the largest size that fits inside the margin, 0.1 to 1. */
  readonly scale: number;
}

/** What a caller may set on top of it. */
export interface PlacedLayout extends Layout {
  /** Of the subject's middle, shares of the canvas; by `align` where left out. */
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** Degrees clockwise, -180 to 180; 0 where left out. */
  readonly rotate?: number | undefined;
}

export type RecipeFamily = 'solid' | 'transparent' | 'gradient' | 'surface';

export interface Recipe {
  readonly id: string;
  readonly title: string;
  readonly family: RecipeFamily;
  readonly variants: readonly Variant[];
  /** Counts up whenever the same recipe gives other pixels: part of every cache key and ETag. */
  readonly revision: number;
  readonly backdrop: Backdrop;
  readonly shadow: Shadow;
  readonly layout: Layout;
}

// 9 % is between the 85 % fill that marketplaces ask for and the air a shop's grid wants.
const centered: Layout = { align: 'center', margin: 0.09, scale: 1 };
const standing: Layout = { align: 'baseline', margin: 0.14, scale: 1 };
const noShadow: Shadow = { kind: 'none' };

const solids: Recipe[] = variants.flatMap((variant) =>
  palette.map(
    ({ number, name, color }): Recipe => ({
      id: `Solid${variant.replace(':', '_')}_${number}`,
      title: name,
      family: 'solid',
      variants: [variant],
      revision: 1,
      backdrop: { kind: 'solid', color },
      shadow: noShadow,
      layout: centered,
    }),
  ),
);

const transparent: Recipe = {
  id: 'Transp001',
  title: 'Transparent',
  family: 'transparent',
  variants,
  revision: 1,
  backdrop: { kind: 'transparent' },
  shadow: noShadow,
  layout: centered,
};

const gradient = (id: string, title: string, backdrop: Backdrop): Recipe => ({
  id,
  title,
  family: 'gradient',
  variants,
  revision: 1,
  backdrop,
  shadow: noShadow,
  layout: centered,
});

const stops = (...colors: string[]): GradientStop[] =>
  colors.map((color, index) => ({ at: index / (colors.length - 1), color }));
const down = (...colors: string[]): Backdrop => ({ kind: 'linear', angleDeg: 180, stops: stops(...colors) });
const glow = (...colors: string[]): Backdrop => ({
  kind: 'radial',
  center: [0.5, 0.46],
  radius: 0.72,
  stops: stops(...colors),
});

const gradients: Recipe[] = [
  gradient('Gradient001', 'Pearl glow', glow('#FFFFFF', '#F3F3F2', '#DCDDDF')),
  gradient('Gradient002', 'Warm linen', glow('#FBF6EE', '#F0E6D8', '#D9C9B4')),
  gradient('Gradient003', 'Graphite spot', glow('#6B6F76', '#3F4248', '#1C1E22')),
  gradient('Gradient004', 'Blush dawn', {
    kind: 'linear',
    angleDeg: 165,
    stops: stops('#F7E4DC', '#F2CFC8', '#E3B3B5'),
  }),
  gradient('Gradient005', 'Morning sky', down('#C3D7EA', '#DDE8F1', '#F4F3EE')),
  gradient('Gradient006', 'Sage haze', {
    kind: 'linear',
    angleDeg: 200,
    stops: stops('#E7EBDD', '#CBD5C0', '#A9B9A2'),
  }),
  gradient('Gradient007', 'Lilac dusk', {
    kind: 'linear',
    angleDeg: 150,
    stops: stops('#EFE3F1', '#D3C6E6', '#AEB3DB'),
  }),
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

const surface = (id: string, title: string, sweep: Omit<Sweep, 'kind'>, strength: number): Recipe => ({
  id,
  title,
  family: 'surface',
  variants,
  revision: 1,
  backdrop: { kind: 'sweep', ...sweep },
  shadow: { kind: 'cast', strength },
  layout: standing,
});

const surfaces: Recipe[] = [
  surface('Surface001', 'Studio white', { ...paper, color: '#F4F3F1', wall: 0.93, wallEdge: 0.8 }, 0.75),
  surface('Surface002', 'Warm sand', { ...paper, color: '#E6D5BE' }, 0.8),
  surface('Surface003', 'Blush paper', { ...paper, color: '#EBC9C0' }, 0.8),
  surface('Surface004', 'Sage paper', { ...paper, color: '#BCC7B0' }, 0.8),
  surface('Surface005', 'Cool grey', { ...paper, color: '#B9BEC5', wall: 0.82, wallEdge: 0.55 }, 0.85),
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

const recipes: readonly Recipe[] = [transparent, ...solids, ...gradients, ...surfaces];
const recipesById: ReadonlyMap<string, Recipe> = new Map(recipes.map((recipe) => [recipe.id, recipe]));

export function findRecipe(id: string): Recipe | undefined {
  return recipesById.get(id);
}

export function listRecipes(): readonly Recipe[] {
  return recipes;
}
