/** Ranks styles and setups by how well they suit a product. */
import type { SceneStyle } from '../recipes/presets.ts';
import type { Material, Staging } from '../studio/scene-plan.ts';
import type { PromptReading } from './parse-prompt.ts';
import type { ProductKindName } from './product/product-kinds.ts';
import type { ProductFeatures } from './product-features.ts';
import type { ProductKind } from './product-kind.ts';
import { createRandom, hashSeed } from './seeded-random.ts';
import { compositionParts } from './sets/compositions.ts';
import { isAfloat, isConspicuous, isMisfit, isNoWall, type Outline } from './sets/misfits.ts';
import { suitability } from './sets/setup-suits.ts';
import { type Setup, setupsByStyle } from './sets/setups.ts';

/** Suitable styles by kind, best first, judged in test renders. All others follow in the order of `everyStyle`. */
const stylesOfKind: Partial<Record<ProductKindName, readonly SceneStyle[]>> = {
  'Health & Beauty': ['stone', 'pastel', 'fabric', 'studio', 'nature'],
  'Food, Beverages & Tobacco': ['studio', 'stone', 'wood', 'color'],
  'Apparel & Accessories': ['studio', 'stone', 'fabric', 'pastel'],
  'Luggage & Bags': ['studio', 'stone', 'wood', 'fabric'],
  'Home & Garden': ['studio', 'stone', 'pastel', 'wood'],
  Media: ['studio', 'pastel', 'stone', 'wood'],
  'Office Supplies': ['studio', 'stone', 'pastel', 'wood'],
  Electronics: ['studio', 'stone', 'dark', 'wood'],
  'Cameras & Optics': ['studio', 'stone', 'dark', 'wood'],
  Furniture: ['studio', 'pastel', 'stone', 'wood'],
  'Toys & Games': ['pastel', 'studio', 'color', 'wood'],
  'Baby & Toddler': ['pastel', 'studio', 'fabric', 'wood'],
  'Sporting Goods': ['studio', 'stone', 'color', 'dark'],
  'Vehicles & Parts': ['studio', 'dark', 'stone', 'wood'],
  Hardware: ['studio', 'stone', 'dark', 'wood'],
};
const stylesOfStaging: Partial<Record<Staging, readonly SceneStyle[]>> = {
  'small-precious': ['stone', 'fabric', 'studio', 'pastel'],
  garment: ['fabric', 'studio', 'pastel', 'wood'],
  hung: ['studio', 'pastel'],
};
const everyStyle: readonly SceneStyle[] = [
  'studio',
  'stone',
  'wood',
  'pastel',
  'fabric',
  'nature',
  'color',
  'dark',
];
const styleOfMood = {
  dark: 'dark',
  bold: 'color',
  pastel: 'pastel',
  minimal: 'studio',
  natural: 'nature',
} as const;

/** Kinds of products that are never placed on a tablecloth. */
const neverOnCloth: ReadonlySet<ProductKindName> = new Set([
  'Business & Industrial',
  'Electronics',
  'Hardware',
  'Office Supplies',
  'Sporting Goods',
  'Vehicles & Parts',
]);
const cloth: ReadonlySet<Material> = new Set(['linen', 'satin']);

/**
 * A product whose mean color has a lower OKLCH lightness than this vanishes in a dark set. If the mean color is gray,
 * the limit is higher: a product with black and white parts has a gray mean color, and its black parts vanish.
 */
const darkBelow = { colored: 0.4, gray: 0.58 };
const grayBelow = 0.03;

interface RankedRequest {
  readonly product: Pick<ProductKind, 'kind' | 'staging'>;
  readonly features: Pick<ProductFeatures, 'meanColor'>;
  readonly words: PromptReading | undefined;
}

function vanishesIn(style: SceneStyle, { meanColor }: RankedRequest['features']): boolean {
  return style === 'dark' && meanColor.l < darkBelow[meanColor.c < grayBelow ? 'gray' : 'colored'];
}

/** Styles for products without an entry in the tables above: none of these styles has strong or dark walls. */
const calmStyles = everyStyle.slice(0, 4);

function suitedStyles({ staging, kind }: RankedRequest['product']): readonly SceneStyle[] {
  const ofStaging = stylesOfStaging[staging] ?? [];
  const ofKind = stylesOfKind[kind] ?? [];
  // Everything that lies flat is staged like a garment. But garments are shown on cloth first, so other products get
  // the styles of their own kind, if it has any.
  const isHard = staging === 'garment' && kind !== 'Apparel & Accessories' && ofKind.length > 0;
  return [isHard ? [] : ofStaging, ofKind].find(({ length }) => length > 0) ?? calmStyles;
}

export function rankStyles({ product, features, words }: RankedRequest): SceneStyle[] {
  const spoken = words?.mood ? [styleOfMood[words.mood]] : [];
  const ranked = [...suitedStyles(product), ...everyStyle];
  const shown = ranked.filter((style) => !vanishesIn(style, features));
  return [...new Set([...spoken, ...shown, ...ranked])];
}

/**
 * The style's setups for a product: the well-suited ones in order of preference, then the acceptable ones. If
 * none suits, returns all setups that can show the product.
 */
export function suitedSetups(style: SceneStyle, staging: Staging): Setup[] {
  const able = setupsByStyle[style].filter(({ composition }) =>
    compositionParts[composition].stagings.includes(staging),
  );
  const suit = (degree: 'well' | 'fairly'): Setup[] =>
    able.filter(({ composition }) => suitability[composition][degree].includes(staging));
  const suited = [...suit('well'), ...suit('fairly')];
  return suited.length > 0 ? suited : able;
}

/** A style's list shows misfits (see `isMisfit`) only if fewer setups than this are left without them. */
const fewestOfStyle = 3;

interface ListWish {
  readonly product: Pick<ProductKind, 'kind' | 'staging'>;
  readonly features: Outline & Pick<ProductFeatures, 'meanColor'>;
}

/**
 * The setups of a style's own list: `suitedSetups` without those on seamless paper if the product is furniture, and
 * without those in materials that no wall is made of if it hangs. Misfits, whose stand or ground makes the product look
 * wrong, are left out, too, unless fewer than `fewestOfStyle` setups would remain.
 */
export function listSetups(style: SceneStyle, wish: ListWish): Setup[] {
  const suited = suitedSetups(style, wish.product.staging).filter(
    (setup) => !isAfloat(setup, wish.product) && !isNoWall(setup, wish.product),
  );
  const shown = suited.filter((setup) => !isMisfit(setup, wish.features));
  return shown.length >= fewestOfStyle ? shown : suited;
}

interface PickWish extends ListWish, Pick<RankedRequest, 'words'> {
  readonly seed: number;
}

/** If fewer setups than this remain, `pickSetups` appends those that it left out. */
const fewest = 4;

/**
 * Orders setups in rounds: each round has one setup of each style, and the styles are in the order of `ranked`. Only
 * styles that suit the product or that the prompt asks for are used, and only their well-suited setups if there are
 * any. Setups in which viewers notice the set first, or the product looks wrong, are left out.
 */
export function pickSetups(ranked: readonly SceneStyle[], wish: PickWish): Setup[] {
  const { product, features, words, seed } = wish;
  const { kind, staging } = product;
  const random = createRandom(hashSeed(seed, 'picked'));
  const fitting = ranked.filter((style) => !vanishesIn(style, features));
  const pools = (fitting.length > 0 ? fitting : ranked).map((style) => {
    const suited = suitedSetups(style, staging);
    const well = suited.filter(({ composition }) => suitability[composition].well.includes(staging));
    const pool = (well.length > 0 ? well : suited).filter(
      ({ floor }) => !(neverOnCloth.has(kind) && cloth.has(floor)),
    );
    // The first two setups of a style are its best; the seed decides which one comes first.
    return { style, setups: [...random.shuffle(pool.slice(0, 2)), ...pool.slice(2)] };
  });
  const wanted = new Set([...suitedStyles(product), ...(words?.mood ? [styleOfMood[words.mood]] : [])]);
  const setups = inTurn(pools);
  const best = inTurn(pools.filter(({ style }) => wanted.has(style))).filter(
    (setup) =>
      !isConspicuous(setup) &&
      !isMisfit(setup, features) &&
      !isAfloat(setup, product) &&
      !isNoWall(setup, product) &&
      !(staging === 'hung' && setup.gobo !== 'none'),
  );
  return best.length >= fewest ? best : [...best, ...setups.filter((setup) => !best.includes(setup))];
}

/** The first setup of every style, then the second ones, and so on. */
function inTurn(pools: readonly { readonly setups: readonly Setup[] }[]): Setup[] {
  const rounds = Math.max(0, ...pools.map(({ setups }) => setups.length));
  return Array.from({ length: rounds }, (_, round) =>
    pools.flatMap(({ setups }) => setups[round] ?? []),
  ).flat();
}
