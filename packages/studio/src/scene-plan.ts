// biome-ignore-all lint/style/noExcessiveLinesPerFile: one schema, read from top to bottom.
/**
 * The scene plan: everything that a studio picture needs besides the product, as versioned,
 * renderer-independent JSON.
 */

import { variants } from 'packshot-pixels';
import { z } from 'zod';
import { placeNames } from './places/place-names.ts';

/**
 * Scene units: a product's height is 1; if it is wider than 1.3:1, its width is 1.35 instead. +x is right, +y up, and
 * the camera looks along -z. The product's centroid is at x = 0, z = 0, so that a handle does not shift the product.
 * Frame units: at an object's own depth, `u` is -1 at the left and 1 at the right edge of the picture; `v` is 0 at the
 * lower and 1 at the upper edge. Sizes are fractions of the frame's height Hf: the visible height at z = 0, in scene
 * units.
 */
export const scenePlanVersion = 1;

export const stagings = [
  'upright-tall',
  'upright-squat',
  'long-low',
  'panel',
  'garment',
  'small-precious',
  'irregular',
  'large',
  'hung',
] as const;
/** How a product is set up: it determines which compositions, stands and cameras suit the product. */
export type Staging = (typeof stagings)[number];

export const compositions = [
  'podium',
  'block',
  'table',
  'arch',
  'halo',
  'steps',
  'columns',
  'colorblock',
  'shelf',
  'sweep',
  'garden',
  'curtain',
  'drape',
  'rocks',
  'dune',
  'water',
  'luxury',
  'room',
  'flatlay',
] as const;
export type Composition = (typeof compositions)[number];

export const materials = [
  'plaster',
  'matte',
  'lacquer',
  'marble',
  'travertine',
  'wood',
  'concrete',
  'terrazzo',
  'linen',
  'satin',
  'sand',
  'stone',
  'water',
  'metal',
  'leaf',
  'petal',
] as const;
export type Material = (typeof materials)[number];

export const gobos = ['none', 'window', 'blinds', 'palm', 'foliage', 'slit'] as const;
export type GoboKind = (typeof gobos)[number];

export const shapes = [
  'box',
  'cylinder',
  'disc',
  'sphere',
  'arch',
  'panel',
  'pot',
  'vase',
  'stone',
  'branch',
  'olive',
  'palm',
  'monstera',
  'pampas',
  'petals',
  'curtain',
] as const;
export type Shape = (typeof shapes)[number];

const range = (min: number, max: number, what: string) =>
  z.number().min(min).max(max).describe(`${what}; ${min} to ${max}`);
const hexColor = z
  .string()
  .regex(/^#[0-9A-F]{6}$/)
  .describe('sRGB, #RRGGBB in capitals');
const seed = z.int().min(0).max(0xffffffff).describe('whole number; 0 to 4294967295');
const light = (max: number, what: string) => {
  const channel = range(0, max, `${what}, linear light`);
  return z.tuple([channel, channel, channel]).describe('red, green, blue');
};

const finishFields = {
  material: z.enum(materials),
  colors: z
    .array(hexColor)
    .min(1)
    .max(6)
    .describe('base first; then the vein, band, plank or petal-tip color, or the chips of terrazzo'),
  scale: range(
    0.2,
    4,
    'frequency of the pattern; 1 is the material as seen beside a bottle, larger is finer',
  ),
  roughness: range(0.02, 1, 'microfacet roughness, 0 is a mirror'),
  bump: range(0, 1.5, "share of the material's own relief"),
  wear: range(0, 1, 'smudges, stains and scratches; default none').optional(),
  boardsDeg: range(-90, 90, 'turn of wooden boards about the vertical, relative to the object').optional(),
  slabWidth: range(
    0.3,
    6,
    'width of slabs of stone laid with joints, scene units; default one piece',
  ).optional(),
};
const finish = z.strictObject(finishFields);
export type Finish = z.infer<typeof finish>;

const surface = z.strictObject({
  ...finishFields,
  relief: z
    .enum(['flat', 'dune', 'drape', 'ripples'])
    .describe('shape of the ground; level within the pedestal or, without one, under the product'),
  amplitude: range(0, 0.6, 'height of the relief in scene units; 0 when flat'),
});

const backdrop = z.strictObject({
  ...finishFields,
  kind: z
    .enum(['cyclorama', 'wall', 'horizon'])
    .describe('floor that curves up into the wall; wall that meets the floor; far sky over the ground'),
  z: range(-16, 0, 'depth of the wall, scene units; 0 only for flatlay, whose ground faces the camera'),
  sweepRadius: range(0, 3, 'radius of the curve from floor to wall, scene units; 0 unless a cyclorama'),
});

const level = z.strictObject({
  ...finishFields,
  shape: z.enum(['cylinder', 'box', 'stone']).describe('a stone has a top that is flat under the product'),
  width: range(0.05, 16, 'scene units; diameter of a cylinder'),
  height: range(0.005, 1.5, 'scene units'),
  depth: range(0.05, 20, 'scene units; equals width for a cylinder'),
  bevel: range(0.002, 0.1, 'radius of the edges, scene units'),
  x: range(-3, 3, 'center, scene units'),
  z: range(-8, 8, 'center, scene units'),
  turnDeg: range(-90, 90, 'about the vertical, degrees'),
  seed,
});
export type PedestalLevel = z.infer<typeof level>;

const pedestal = z.strictObject({
  y: range(-0.4, 0.3, 'where the lowest level begins; below 0 it is sunk into the ground'),
  levels: z
    .array(level)
    .min(1)
    .max(3)
    .describe('stacked from the ground up; the product stands on the last, at y plus all heights'),
});

const prop = z.strictObject({
  ...finishFields,
  shape: z.enum(shapes),
  u: range(-2, 2, 'center (a plant: its root), frame units at its own depth'),
  y: range(
    -0.3,
    1.6,
    'lower edge above the ground (flatlay: above the lower edge of the frame), shares of Hf',
  ),
  z: range(-16, 1.6, 'depth of the center (flatlay: height over the ground), scene units'),
  width: range(
    0.005,
    12,
    'shares of Hf; for a branch, the width of one leaf; other plants set their own width',
  ),
  height: range(0.005, 3, 'shares of Hf; length along the stem for a plant'),
  depth: range(0.005, 3, 'shares of Hf; thickness of a disc, panel or arch; fold depth of a curtain'),
  bevel: range(0.002, 0.1, 'radius of the edges, scene units'),
  turnDeg: range(-180, 180, 'about the vertical, degrees'),
  leanDeg: range(-180, 180, 'about the view axis, degrees, clockwise'),
  tipDeg: range(-90, 90, 'toward the camera, degrees'),
  seed,
});
export type Prop = z.infer<typeof prop>;

const key = z.strictObject({
  az: range(-80, 80, 'degrees, negative is from the left, 0 from the camera'),
  el: range(15, 80, 'degrees above the horizon'),
  angularRadius: range(0.3, 30, 'degrees; 1 is hard sun, 9 a softbox, 24 a wall of windows'),
  color: light(1.2, 'color'),
  intensity: range(0, 4, 'radiance of a white surface at the product that faces the light'),
  distance: range(1, 40, 'from product to lamp, scene units; default infinite, like the sun').optional(),
});

const env = z.strictObject({
  top: light(2, 'sky overhead'),
  bottom: light(2, 'light from below'),
  front: light(1, 'light from the camera side'),
  softbox: z.strictObject({
    direction: z
      .tuple([range(-1, 1, 'x'), range(-1, 1, 'y'), range(-1, 1, 'z')])
      .describe('vector toward the softbox; normalized by the renderer'),
    intensity: range(0, 4, 'radiance, linear light'),
  }),
});

const goboFields = {
  target: z
    .strictObject({
      u: range(-1.5, 1.5, 'frame units'),
      v: range(-0.5, 1.5, 'frame units'),
      z: range(-5, 1, 'scene units'),
    })
    .describe('point that the middle of the pattern falls on'),
  distance: range(
    0.3,
    5,
    'from the lit surface to the gobo, in scene units; a larger distance makes softer edges',
  ),
  scale: range(0.3, 3, 'size of the pattern, shares of Hf / 1.5'),
  leak: range(0, 1, 'share of the light that passes the dark parts of the pattern'),
  tiltDeg: range(-60, 60, 'turn of the pattern, degrees'),
};
const gobo = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('window'),
    ...goboFields,
    columns: z.int().min(1).max(4).describe('panes side by side; 1 to 4'),
    rows: z.int().min(1).max(5).describe('panes above each other; 1 to 5'),
    paneWidth: range(0.2, 2, 'before scale'),
    paneHeight: range(0.2, 2, 'before scale'),
    bar: range(0.01, 0.3, 'width of the bars, before scale'),
  }),
  z.strictObject({
    kind: z.literal('blinds'),
    ...goboFields,
    period: range(0.05, 1, 'slat to slat, before scale'),
    open: range(0.1, 0.9, 'share of the period that lets light through'),
  }),
  z.strictObject({
    kind: z.literal('palm'),
    ...goboFields,
    fronds: z.int().min(1).max(6).describe('1 to 6'),
    directionDeg: range(-180, 180, 'where the fronds point, degrees'),
    seed,
  }),
  z.strictObject({
    kind: z.literal('foliage'),
    ...goboFields,
    leafSize: range(0.03, 0.5, 'length of a leaf, before scale'),
    density: range(0.1, 0.9, 'share of the light that leaves block'),
    seed,
  }),
  z.strictObject({
    kind: z.literal('slit'),
    ...goboFields,
    width: range(0.1, 3, 'before scale'),
    softness: range(0.005, 0.5, 'width of the edge, before scale'),
  }),
]);
export type Gobo = z.infer<typeof gobo>;

const camera = z.strictObject({
  tan: range(0.05, 0.6, 'tangent of half the vertical angle of view'),
  elevDeg: range(0, 30, 'height of the camera over the foot, degrees; 0 for flatlay'),
  fillW: range(0.05, 1, "maximum share of the picture's width for the product"),
  fillH: range(0.05, 1, "maximum share of the picture's height for the product"),
  baseline: range(0, 0.5, "the product's foot above the lower edge, share of the height"),
  flushWith: z
    .enum(['top', 'bottom'])
    .describe('edge of the picture that the product touches, if its photo crops it there; default none')
    .optional(),
  offset: z
    .strictObject({ x: range(-1, 1, 'to the right'), y: range(-1, 1, 'upward') })
    .describe('how far a lens shift moves the whole set, shares of the frame; set by callers, never planned')
    .optional(),
});
export type Camera = z.infer<typeof camera>;

const place = z
  .strictObject({
    name: z.enum(placeNames),
    headingDeg: range(-180, 180, 'longitude in the middle of the picture'),
    isMirrored: z
      .boolean()
      .describe('left and right exchanged, around that longitude; default false')
      .optional(),
    groundFade: z
      .tuple([range(0.2, 8, 'scene units'), range(0.4, 12, 'scene units')])
      .describe(
        "depths behind the product over which the ground fades into the place's own; default no fading",
      )
      .optional(),
    horizon: range(
      0.3,
      1.3,
      "height of the place's horizon, share of the picture's height; default the camera's",
    ).optional(),
  })
  .describe(
    'a photographed place, which lights the set and is visible behind it; env and backdrop do not apply, and the intensity of key is relative to the light on level ground from the rest of the place',
  );

export const scenePlanSchema = z
  .strictObject({
    version: z.literal(scenePlanVersion),
    seed,
    composition: z.enum(compositions),
    staging: z.enum(stagings),
    ratio: z.enum(variants).describe('aspect ratio (width to height) for which the props were placed'),
    subject: z
      .strictObject({
        width: range(0.05, 4, 'scene units'),
        height: range(0.05, 2, 'scene units'),
        shift: range(-4, 4, 'center of its box, scene units right of x = 0; default 0').optional(),
        lies: z
          .boolean()
          .describe('rests on its whole lower outline, as a cushion seen from above; default false')
          .optional(),
        hangs: z
          .boolean()
          .describe('in a flat lay: hangs in front of the ground, which is a wall; default false')
          .optional(),
        isBushy: z
          .boolean()
          .describe('has the outline of a potted plant, so its crown is as deep as it is wide; default false')
          .optional(),
      })
      .describe('size of the product that the set was built around'),
    surface,
    backdrop,
    place: place.optional(),
    pedestal: pedestal.nullable(),
    backProps: z.array(prop).max(12).describe('behind the product'),
    sideProps: z.array(prop).max(12).describe('beside it or in front, outside its free zone'),
    palette: z.tuple([hexColor, hexColor, hexColor, hexColor]).describe('wall, floor, pedestal, accent'),
    key,
    env,
    gobo,
    camera,
    dof: range(0, 0.05, "blur radius of infinitely distant things, share of the picture's longer side"),
    tone: z.strictObject({
      exposure: range(0.4, 2.5, 'factor, linear light'),
      grain: range(0, 0.03, 'standard deviation, share of white'),
      vignette: range(0, 0.3, 'darkening of the corners, share'),
      balance: z
        .tuple([range(0.5, 2, 'red'), range(0.5, 2, 'green'), range(0.5, 2, 'blue')])
        .describe('white balance: factors on the channels of all light; default none')
        .optional(),
    }),
  })
  .describe('A studio set around one product');
export type ScenePlan = z.infer<typeof scenePlanSchema>;

/** The visible frame at z = 0 and the camera's distance, in scene units. */
export interface Frame {
  /** The frame's width divided by its height. */
  readonly aspect: number;
  /** Visible height at z = 0 (Hf). */
  readonly height: number;
  /** Distance from the camera to z = 0. */
  readonly distance: number;
}

/** Width divided by height. */
export function aspectOf(ratio: ScenePlan['ratio']): number {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  return across / down;
}

export function measureFrame(plan: Pick<ScenePlan, 'ratio' | 'subject' | 'camera'>): Frame {
  const aspect = aspectOf(plan.ratio);
  const { fillH, fillW, tan } = plan.camera;
  const height = Math.max(plan.subject.height / fillH, plan.subject.width / (fillW * aspect));
  return { aspect, height, distance: height / (2 * tan) };
}
