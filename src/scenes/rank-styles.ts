/** Ranks styles and setups by how well they suit a product. */
import type { SceneStyle } from '../recipes/presets.ts';
import type { Staging } from '../studio/scene-plan.ts';
import type { PromptReading } from './parse-prompt.ts';
import type { ProductKindName } from './product/product-kinds.ts';
import { createRandom, hashSeed } from './seeded-random.ts';
import { compositionParts } from './sets/compositions.ts';
import { type Setup, setupsByStyle } from './sets/setups.ts';

/** Suitable styles by kind, judged on rendered sheets; the rest follows in the order of `everyStyle`. */
const stylesOfKind: Partial<Record<ProductKindName, readonly SceneStyle[]>> = {
  'Health & Beauty': ['stone', 'pastel', 'nature', 'fabric', 'dark'],
  'Food, Beverages & Tobacco': ['wood', 'nature', 'color', 'stone'],
  'Apparel & Accessories': ['studio', 'stone', 'color', 'fabric', 'nature'],
  'Luggage & Bags': ['studio', 'stone', 'color', 'nature'],
  'Home & Garden': ['wood', 'stone', 'pastel', 'nature', 'studio'],
  Media: ['wood', 'pastel', 'studio', 'color'],
  'Office Supplies': ['wood', 'studio', 'color', 'pastel'],
  Electronics: ['studio', 'dark', 'color', 'stone'],
  'Cameras & Optics': ['dark', 'studio', 'stone', 'wood'],
  Furniture: ['studio', 'wood', 'pastel', 'nature'],
  'Toys & Games': ['color', 'pastel', 'studio', 'wood'],
  'Baby & Toddler': ['pastel', 'fabric', 'studio', 'wood'],
  'Sporting Goods': ['studio', 'color', 'stone', 'dark'],
  'Vehicles & Parts': ['studio', 'dark', 'nature', 'color'],
  Hardware: ['studio', 'stone', 'wood', 'dark'],
};
const stylesOfStaging: Partial<Record<Staging, readonly SceneStyle[]>> = {
  'small-precious': ['stone', 'fabric', 'dark', 'pastel'],
  garment: ['fabric', 'studio', 'pastel', 'wood'],
};
const everyStyle: readonly SceneStyle[] = [
  'stone',
  'wood',
  'color',
  'studio',
  'pastel',
  'nature',
  'dark',
  'fabric',
];
const styleOfMood = {
  dark: 'dark',
  bold: 'color',
  pastel: 'pastel',
  minimal: 'studio',
  natural: 'nature',
} as const;

export function rankStyles(
  kind: ProductKindName,
  staging: Staging,
  words: PromptReading | undefined,
): SceneStyle[] {
  const spoken = words?.mood ? [styleOfMood[words.mood]] : [];
  return [...new Set([...spoken, ...(stylesOfStaging[staging] ?? stylesOfKind[kind] ?? []), ...everyStyle])];
}

export function suitedSetups(style: SceneStyle, staging: Staging): Setup[] {
  return setupsByStyle[style].filter(({ composition }) =>
    compositionParts[composition].stagings.includes(staging),
  );
}

/**
 * One setup per style and round. Styles come in this order: the safest, the next, a dark or natural one, a bold one,
 * then the rest.
 */
export function pickSetups(ranked: readonly SceneStyle[], staging: Staging, seed: number): Setup[] {
  const random = createRandom(hashSeed(seed, 'picked'));
  const [safe = 'studio', ...others] = ranked;
  const bold = others.find((style) => style === 'color');
  const edge = others.find((style) => style === 'dark' || style === 'nature');
  const order = [...new Set([safe, others[0], edge, bold, others[1], ...others])].filter(
    (style) => style !== undefined,
  );
  const pools = order.map((style) => random.shuffle(suitedSetups(style, staging)));
  // One setup per style and round; later rounds matter only if earlier setups turned out too similar.
  const rounds = Math.max(...pools.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => pools.flatMap((pool) => pool[round] ?? [])).flat();
}
