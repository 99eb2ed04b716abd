/**
 * The files that describe sets and places: a scene plan with slots for the product, the colors and the light's side. A
 * designer writes them; the fitter fills the slots.
 */

import { compositions, gobos, materials, placeNames, shapes } from 'packshot-studio';
import { z } from 'zod';
import { paletteModes } from './palette.ts';
import { sceneStyles, settings } from './scene-styles.ts';

/** How a product can be shown: standing, by its shape; or lying, hanging, worn by a person, or in no known way. */
export const suits = [
  'upright-tall',
  'upright-squat',
  'long-low',
  'panel',
  'small-precious',
  'irregular',
  'large',
  'lying',
  'hung',
  'worn',
  'unclear',
] as const;
export type Suit = (typeof suits)[number];

/** From a higher camera, the top of a stand or a table tips toward the viewer, and products on it seem to slide. */
export const highestForStands = 20;

const range = (min: number, max: number, what: string) =>
  z.number().min(min).max(max).describe(`${what}; ${min} to ${max}`);
const hex = z
  .string()
  .regex(/^#[0-9A-F]{6}$/)
  .describe('sRGB, #RRGGBB in capitals');
const name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Needs lower-case words joined by hyphens.');

const finish = {
  material: z.enum(materials),
  paint: z
    .union([z.enum(['wall', 'floor', 'stand', 'accent']), z.array(hex).min(1).max(6)])
    .optional()
    .describe(
      "a color of the set's palette, or fixed colors, base first; default: the material's own colors, or those of the part",
    ),
  scale: range(0.2, 4, 'frequency of the pattern; larger is finer').optional(),
  roughness: range(0.02, 1, 'microfacet roughness; 0 is a mirror').optional(),
  bump: range(0, 1.5, "share of the material's relief").optional(),
  wear: range(0, 1, 'smudges and scratches').optional(),
};
const slot = z
  .strictObject(finish)
  .describe('what a part is made of; numbers default to the usual ones of the material');
export type FinishSlot = z.infer<typeof slot>;

const level = z.strictObject({
  ...finish,
  shape: z.enum(['cylinder', 'box', 'stone']),
  width: range(0.5, 4, 'multiple of the width that suits the product').default(1),
  height: range(0.02, 1.5, 'in heights of the product'),
  depth: range(0.3, 3, 'multiple of the width; a cylinder is always round').default(1),
});

export const propSlotSchema = z.strictObject({
  ...finish,
  shape: z.enum(shapes),
  u: range(-2, 2, "center: -1 is the picture's left edge, 1 its right edge, at the prop's depth").default(0),
  y: range(-0.3, 1.6, 'lower edge above the ground, in heights of the frame').default(0),
  z: range(
    -6,
    1.6,
    "depth: 0 is the product's, negative is behind it; with `atWall`, measured from the wall",
  ),
  atWall: z.boolean().default(false),
  width: range(0.005, 12, 'in heights of the frame; with `spans`, in visible widths of the frame'),
  spans: z.boolean().default(false),
  height: range(0.005, 3, 'in heights of the frame'),
  depth: range(0.005, 3, 'in heights of the frame'),
  turnDeg: range(-180, 180, 'about the vertical').default(0),
  leanDeg: range(-180, 180, 'sideways, clockwise').default(0),
  tipDeg: range(-90, 90, 'toward the camera').default(0),
});
export type PropSlot = z.infer<typeof propSlotSchema>;

const light = z.strictObject({
  az: range(-80, 80, 'from the side; negative is from the left, 0 from the camera'),
  el: range(15, 80, 'above the horizon'),
  angularRadius: range(0.3, 30, 'degrees: 1 is hard sun, 9 a softbox, 24 a wall of windows'),
  warmth: z.enum(['day', 'warm', 'gold', 'cool']).default('day'),
  intensity: range(0.2, 3, 'strength of the main light').default(1.7),
  distance: range(1, 40, 'from product to lamp, in heights of the product').optional(),
  fill: range(0.1, 1.5, 'light from all around: less makes deeper shadows').default(0.42),
  softbox: range(0, 4, 'what glossy things mirror').default(1.1),
  pattern: z.enum(gobos).default('none').describe('shadow that the light casts'),
});
export type LightSlot = z.infer<typeof light>;

const band = z
  .tuple([range(0, 30, 'lowest'), range(0, 30, 'highest')])
  .describe("heights of the camera that suit the set, degrees; the product's photo decides within them");

const common = {
  $schema: z.string().optional(),
  id: name.describe('unique; the name of the file without its ending'),
  title: z
    .string()
    .min(1)
    .max(60)
    .describe('what a shopper reads; {wall}, {floor}, {stand} and {accent} become names of colors'),
  offered: z
    .array(z.enum(suits))
    .min(1)
    .describe('products to which the set is offered: by shape if they stand, else by how they are held'),
  asked: z.array(z.enum(suits)).default([]).describe('further products, only if a prompt asks for the set'),
  tags: z.array(name).min(1).describe('what the set shows, in words of the dictionary'),
  words: z
    .array(z.string().min(2).max(60))
    .default([])
    .describe('further words or phrases that ask for the set, in any language'),
};

export const setFileSchema = z
  .strictObject({
    kind: z.literal('set'),
    ...common,
    style: z.enum(sceneStyles).describe('the list that it belongs to; presets choose styles'),
    composition: z.enum(compositions),
    palettes: z
      .array(z.enum(paletteModes))
      .min(1)
      .describe("how the wall's color follows the product's, best first"),
    wall: slot.extend({
      kind: z.enum(['cyclorama', 'wall', 'horizon']),
      depth: range(
        0.4,
        8,
        'distance behind the product, in heights of it; default: by the camera',
      ).optional(),
    }),
    floor: slot.extend({
      relief: z.enum(['flat', 'dune', 'drape', 'ripples']).default('flat'),
      amplitude: range(0, 0.6, 'height of the relief').default(0),
    }),
    stand: z
      .strictObject({
        sunk: range(0, 0.4, 'how deep it sits in the ground').default(0),
        levels: z.array(level).min(1).max(3).describe('from the ground up'),
      })
      .optional()
      .describe('what the product stands on; default the floor'),
    behind: z.array(propSlotSchema).max(12).default([]),
    beside: z.array(propSlotSchema).max(12).default([]),
    light,
    camera: z.strictObject({
      elevDeg: band,
      tan: range(0.05, 0.6, 'tangent of half the vertical angle of view').default(0.21),
    }),
    blur: range(0, 0.05, "of distant things, share of the picture's longer side").default(0.007),
  })
  .refine((set) => set.stand === undefined || set.camera.elevDeg[1] <= highestForStands, {
    path: ['camera', 'elevDeg'],
    message: `A set with a stand suits cameras up to ${highestForStands} degrees: lower the second number.`,
  })
  .refine((set) => set.stand === undefined || !set.offered.some((suit) => groundless.has(suit)), {
    path: ['offered'],
    message: 'A product that lies, hangs, is worn or is unclear gets no stand: offer the set to others.',
  })
  .describe('A studio set for any product');
export type SetFile = z.infer<typeof setFileSchema>;

/** How products are shown that do not stand on a visible foot. */
export const groundless: ReadonlySet<Suit> = new Set(['lying', 'hung', 'worn', 'unclear']);

export const placeFileSchema = z
  .strictObject({
    kind: z.literal('place'),
    ...common,
    setting: z.enum(settings),
    background: z
      .string()
      .min(1)
      .max(200)
      .describe('the background in words, for image models that paint it'),
    panorama: z.enum(placeNames).describe('photographed place around the product, which also lights it'),
    views: z
      .array(
        z.strictObject({
          headingDeg: range(-180, 180, 'longitude in the middle of the picture'),
          because: z.string().min(1).describe('what the view shows'),
        }),
      )
      .min(1)
      .describe('directions that make a good background, best first'),
    ground: slot.extend({
      slabCm: range(10, 200, 'width of the slabs that it is laid with').optional(),
      continues: z
        .boolean()
        .default(false)
        .describe('a floor that fades into that of the place, not a table'),
    }),
    wall: z
      .strictObject({ colors: z.array(hex).min(1), trim: hex })
      .optional()
      .describe(
        'a painted wall behind the product, in the light of the place; without it, the place is seen',
      ),
    light: z
      .strictObject({
        longitudeDeg: range(-180, 180, 'where it is'),
        latitudeDeg: range(0, 90, 'its height'),
      })
      .optional()
      .describe('the light that casts shadows; default: soft light from all sides'),
    balance: z.tuple([range(0.5, 2, 'red'), range(0.5, 2, 'green'), range(0.5, 2, 'blue')]).optional(),
    floorEndDeg: range(0, 40, "how far below the horizon the place's own floor ends").default(3),
  })
  .describe('A photographed place for any product');
export type PlaceFile = z.infer<typeof placeFileSchema>;

export const sceneFileSchema = z.union([setFileSchema, placeFileSchema]);
export type SceneFile = SetFile | PlaceFile;
