/** Plans for tests: one set or place fitted to a plain product, or whole lists for a prompt. */
import type { Variant } from '../../../pixels/ratios.ts';
import type { ScenePlan, Staging } from '../../../studio/src/scene-plan.ts';
import { fitFile } from '../fit-file.ts';
import { builtIn } from '../open-sets.ts';
import { type PlanRequest, planScenes } from '../plan-scenes.ts';
import type { ProductFeatures } from '../product-features.ts';
import { suitProduct } from '../product-suit.ts';
import { readUnits } from '../read-units.ts';
import { readWants } from '../read-wants.ts';
import type { ScenePreset } from '../scene-styles.ts';
import { makeFeatures } from './silhouettes.ts';

interface SampleWish {
  readonly features?: ProductFeatures;
  readonly staging?: Staging;
  readonly lengthCm?: number;
  readonly ratio?: Variant;
  readonly seed?: number;
}

/** A built-in set or place, by its id, fitted to a product. */
export function makePlan(id: string, wish: SampleWish = {}): ScenePlan {
  const {
    features = makeFeatures(),
    staging = 'upright-tall',
    lengthCm = 28,
    ratio = '1:1',
    seed = 1,
  } = wish;
  const product = suitProduct(features, { staging, lengthCm }, seed);
  const file = [...builtIn.sets, ...builtIn.places].find((other) => other.id === id)!;
  return fitFile(file, { product, ratio, turn: 0, seed });
}

export function planSample({
  prompt,
  features = makeFeatures(),
  staging = 'upright-tall',
  kind = 'Health & Beauty',
  lengthCm,
  ratio = '1:1',
  preset = {},
  seed = 1,
  ...more
}: SampleWish &
  Partial<Pick<PlanRequest, 'page' | 'exclude' | 'own'>> & {
    readonly prompt?: string | undefined;
    readonly kind?: PlanRequest['product']['kind'];
    readonly preset?: ScenePreset;
  } = {}) {
  return planScenes({
    product: { kind, staging, ...(lengthCm && { lengthCm }) },
    features,
    prompt,
    spoken: prompt === undefined ? undefined : readWants(readUnits(prompt), () => false),
    ratio,
    preset,
    seed,
    exclude: [],
    page: 1,
    own: undefined,
    ...more,
  });
}

export const plansIn = ({ lists }: Pick<ReturnType<typeof planScenes>, 'lists'>): ScenePlan[] =>
  lists.flatMap(({ scenes }) => scenes.map(({ plan }) => plan));
