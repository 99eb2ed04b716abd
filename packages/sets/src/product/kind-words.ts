/** Product words with the shop category, the staging (how a product is set up) and the length that they imply. */
import { readFileSync } from 'node:fs';
import { type Staging, stagings } from 'packshot-studio';
import { z } from 'zod';
import { type ProductKindName, productKinds } from './product-kinds.ts';

export interface KindWord {
  readonly kind: ProductKindName;
  /** Undefined if the silhouette determines the staging. */
  readonly staging?: Staging;
  /** Usual length of the longer side, in centimeters; undefined if such products vary too much. */
  readonly lengthCm?: number;
  /** Whether such products cannot stand upright: in a photo that shows them upright, they lie, seen from above. */
  readonly fallsOver?: boolean;
}

const list = z.string().transform((text) => text.split(','));
/**
 * Lengths are rounded, within a factor of 1.5 of most products of that name. A product's size in a picture grows at most
 * with the 0.22th power of its length, so such an error changes that size by less than a tenth.
 */
const { kinds, fallsOver, lengthsCm } = z
  .strictObject({
    kinds: z.array(
      z.strictObject({ kind: z.enum(productKinds), staging: z.enum(stagings).optional(), words: list }),
    ),
    fallsOver: list,
    lengthsCm: z.array(z.strictObject({ lengthCm: z.number(), words: list })),
  })
  .parse(JSON.parse(readFileSync(new URL('../data/kind-words.json', import.meta.url), 'utf8')));

/** Keyed by word or phrase, in lower case and without accents. */
export const kindWords: ReadonlyMap<string, KindWord> = new Map(
  kinds.flatMap(({ kind, staging, words }) =>
    words.map((word): [string, KindWord] => {
      const lengthCm = lengthsCm.find((length) => length.words.includes(word))?.lengthCm;
      const size = { ...(staging && { staging }), ...(lengthCm && { lengthCm }) };
      return [word, { kind, ...size, ...(fallsOver.includes(word) && { fallsOver: true }) }];
    }),
  ),
);
