/** Fits any set or place to a product, in one of its own palettes. */
import type { Variant } from 'packshot-pixels';
import type { ScenePlan } from 'packshot-studio';
import { fitPlace } from './fit-place.ts';
import { fitSet } from './fit-set.ts';
import type { FittedProduct } from './product-suit.ts';
import type { SceneFile } from './set-file.ts';

interface FitWish {
  readonly product: FittedProduct;
  readonly ratio: Variant;
  /** Which of the set's palettes, counted from the best and around. */
  readonly turn: number;
  readonly seed: number;
}

export function fitFile(file: SceneFile, { turn, ...wish }: FitWish): ScenePlan {
  if (file.kind === 'place') return fitPlace(file, wish);
  return fitSet(file, { ...wish, mode: file.palettes[turn % file.palettes.length]! });
}
