/** Describes a scene plan in English, as a prompt: product, surface, backdrop, props, light, camera, style. */

import { colorDistance, dictionary, oklchFromHex, type ProductKindName } from 'packshot-sets';
import type { Finish, GoboKind, Material, Prop, ScenePlan, Shape } from 'packshot-studio';
import type { IllustrationMode, SceneBrief } from './illustration-engine.ts';

/** The parts of a prompt. Stored with the illustration, because the mode is known only when an engine is called. */
export interface BriefParts {
  /** The product in words, such as "a bottle or jar of a beauty product". */
  readonly product: string;
  /** Everything except the product: surface, backdrop, props, light, camera. */
  readonly set: string;
  /** The caller's own words, without control characters and tags; last in the prompt, where words have the least weight. */
  readonly wish: string | undefined;
}

export interface BriefRequest {
  readonly plan: ScenePlan;
  /** The photographed place in words, from its file. */
  readonly background?: string | undefined;
  readonly kind: ProductKindName;
  readonly wish: string | undefined;
}

/** Maximum characters of a wish. Image engines limit prompts to a few thousand characters. */
const MAX_WISH_CHARS = 600;

export function describeScene({ plan, background, kind, wish }: BriefRequest): BriefParts {
  const parts = [
    describeGround(plan),
    describeBackdrop(plan, background),
    describeProps(plan),
    describeLight(plan),
  ];
  return {
    product: productNouns[kind],
    set: [...parts, describeCamera(plan)].filter((part) => part !== '').join(', '),
    wish: wish && (dropCommands(wish).slice(0, MAX_WISH_CHARS) || undefined),
  };
}

/** Servers take commands from a prompt: `<sd_cpp_extra_args>` sets sizes and files, `<lora:…>` loads weights. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this removes them
const dropCommands = (wish: string): string => wish.replace(/[\x00-\x1f\x7f<>]+/g, ' ');

/** Writes the parts in an order that works well for product pictures. */
export function writeBrief({ product, set, wish }: BriefParts, mode: IllustrationMode): SceneBrief {
  const wished = wish === undefined ? '' : ` The customer asked for: ${dropCommands(wish)}`;
  if (mode === 'plate-only') {
    return {
      prompt: `Empty set for ${product}: ${set.replace(/^standing on/, 'free space on').replace(/^lying on/, 'free space on')}, ${style}, free space in the middle, no product, no text.${wished}`,
      negativePrompt: `${negative}, product, bottle, object in the middle`,
    };
  }
  const task =
    mode === 'instruct-edit'
      ? `Keep ${product} in this picture exactly as it is, at its place and size, and repaint everything around it as a real photograph: `
      : `Product photograph of ${product}, `;
  return {
    prompt: `${task}${set}, ${style}, empty space around the product, no text, no extra products.${wished}`,
    negativePrompt: `${negative}, extra products`,
  };
}

const style = 'commercial product photograph, natural light falloff, realistic materials';
const negative =
  'text, signature, watermark, logo, floating, levitating, gap, person, hands, cropped, low quality, 3d render, cgi';

const productNouns: Readonly<Record<ProductKindName, string>> = {
  'Animals & Pet Supplies': 'a pet product',
  'Apparel & Accessories': 'a fashion item',
  'Arts & Entertainment': 'an arts or music item',
  'Baby & Toddler': 'a baby product',
  'Business & Industrial': 'an industrial product',
  'Cameras & Optics': 'a camera or optical device',
  Electronics: 'an electronic device',
  'Food, Beverages & Tobacco': 'a food or drink product',
  Furniture: 'a piece of furniture',
  Hardware: 'a tool',
  'Health & Beauty': 'a beauty product',
  'Home & Garden': 'a household item',
  'Luggage & Bags': 'a bag',
  Mature: 'a product',
  Media: 'a book or record',
  'Office Supplies': 'a desk item',
  'Religious & Ceremonial': 'a ceremonial item',
  Software: 'a boxed product',
  'Sporting Goods': 'a sports item',
  'Toys & Games': 'a toy',
  'Vehicles & Parts': 'a vehicle',
  Unknown: 'a product',
};

const materialNouns: Readonly<Record<Material, string>> = {
  plaster: 'plaster',
  matte: 'matte painted',
  lacquer: 'glossy lacquered',
  marble: 'marble',
  travertine: 'travertine',
  wood: 'wooden',
  concrete: 'concrete',
  terrazzo: 'terrazzo',
  linen: 'linen',
  satin: 'satin',
  sand: 'fine sand',
  stone: 'natural stone',
  water: 'calm water',
  metal: 'brushed metal',
  leaf: 'leafy',
  petal: 'petal',
};

const pedestalNouns = { cylinder: 'round podium', box: 'block', stone: 'flat stone slab' } as const;

const shapeNouns: Readonly<Partial<Record<Shape, string>>> = {
  box: 'blocks',
  cylinder: 'cylinders',
  disc: 'a round disc',
  sphere: 'spheres',
  arch: 'an arch',
  panel: 'a tall panel',
  pot: 'a plant pot',
  vase: 'a vase',
  stone: 'stones',
  branch: 'leafy branches',
  palm: 'palm fronds',
  petals: 'scattered petals',
  curtain: 'a draped curtain',
};

const goboPhrases: Readonly<Record<GoboKind, string>> = {
  none: '',
  window: 'with the shadow of window panes on the wall',
  blinds: 'falling in stripes through window blinds',
  palm: 'with soft palm leaf shadows',
  foliage: 'dappled by leaves',
  slit: 'in one narrow beam',
};

const nameFinish = ({ material, colors }: Finish): string =>
  `${nameOf(colors[0]!)} ${materialNouns[material]}`;

/** Returns the nearest basic color name. Engines would draw the names of shades, such as olive, as objects. */
function nameOf(hex: string): string {
  const wanted = oklchFromHex(hex);
  const [nearest] = dictionary.colors
    .map((color) => ({ name: color.name, distance: colorDistance(color, wanted) }))
    .sort((one, other) => one.distance - other.distance);
  return nearest!.name;
}

function describeGround({ composition, pedestal, surface, place, subject }: ScenePlan): string {
  if (subject.hangs)
    return place ? 'hanging in the foreground' : `hanging in front of a ${nameFinish(surface)} wall`;
  if (place) return `standing on a worn ${nameFinish(surface)} surface`;
  if (composition === 'flatlay') return `lying on ${nameFinish(surface)} surface, seen from straight above`;
  const ground = `${nameFinish(surface)} ground`;
  const top = pedestal?.levels.at(-1);
  return top
    ? `standing on a ${nameFinish(top)} ${pedestalNouns[top.shape]} on ${ground}`
    : `standing on ${ground}`;
}

function describeBackdrop(
  { composition, backdrop, place }: ScenePlan,
  background: string | undefined,
): string {
  if (place) return `${background ?? `a blurred ${place.name}`} behind`;
  if (composition === 'flatlay') return '';
  if (backdrop.kind === 'horizon') return `an open ${nameOf(backdrop.colors[0]!)} sky behind`;
  return backdrop.kind === 'wall'
    ? `a plain ${nameFinish(backdrop)} wall behind`
    : `a seamless ${nameFinish(backdrop)} backdrop`;
}

/** Maximum props in a prompt; engines cannot keep more of them apart. */
const MAX_PROPS = 4;

function describeProps({ place, backProps, sideProps }: ScenePlan): string {
  // In a scene in a real place, `backProps` make up the wall, which `describeBackdrop` describes.
  const nouns = (place ? sideProps : [...sideProps, ...backProps]).map(
    (prop: Prop) => shapeNouns[prop.shape] ?? prop.shape.replaceAll('-', ' '),
  );
  return [...new Set(nouns)].slice(0, MAX_PROPS).join(' and ');
}

/** Light is soft if its source looks larger than the sun or a bare lamp, and warm with over 20 % less blue than red. */
function describeLight({ key, gobo }: ScenePlan): string {
  const soft = key.angularRadius > 3 ? 'soft' : 'crisp';
  const [red, , blue] = key.color;
  const tint = blue < 0.8 * red ? 'warm ' : red < blue ? 'cool ' : '';
  const side = Math.abs(key.az) < 12 ? 'the front' : key.az < 0 ? 'the left' : 'the right';
  const height = key.el > 55 ? 'high ' : key.el < 30 ? 'low ' : '';
  return `${soft} ${tint}light from ${height}${side} ${goboPhrases[gobo.kind]}`.trim().replace(/ {2,}/g, ' ');
}

function describeCamera({ composition, camera, dof, subject }: ScenePlan): string {
  if (composition === 'flatlay' && !subject.hangs) return 'camera straight above, everything sharp';
  const height = camera.elevDeg < 7 ? 'camera at eye level' : 'camera slightly above';
  return `${height}, 85 mm lens${dof > 0 ? ', shallow depth of field' : ''}`;
}
