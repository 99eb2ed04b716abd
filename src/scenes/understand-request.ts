/** What a caller wants: the prompt read and the product named, by a language model where there is one, else by rules. */
import type { ProductFacts } from '../designs/subject.ts';
import type { Variant } from '../recipes/catalogue.ts';
import { stagings } from '../studio/scene-plan.ts';
import type { LlmPlanner } from './llm-planner.ts';
import type { KindWord } from './product/kind-words.ts';
import { productKinds } from './product/product-kinds.ts';
import type { ProductFeatures } from './product-features.ts';
import { detectKindByRules, type ProductKind } from './product-kind.ts';
import { type PromptUnit, readUnits } from './prompt/read-units.ts';
import { findStatedProduct } from './prompt/stated-product.ts';

export interface UnderstandingRequest {
  readonly prompt: string | undefined;
  readonly features: ProductFeatures;
  readonly picturePng: Uint8Array;
  readonly fileName: string | undefined;
  /** The caller's own word. */
  readonly hint: string | undefined;
  /** What the product was taken for when it was cut out. */
  readonly known: ProductFacts | undefined;
  readonly ratio: Variant;
  readonly brandColors: readonly string[];
  readonly signal: AbortSignal;
}

export interface Understanding {
  readonly product: ProductKind;
  /** Undefined without a prompt. */
  readonly units: readonly PromptUnit[] | undefined;
  /** Where the prompt says what the product is: which units do, and what it would be taken for without them. */
  readonly stated: { readonly units: readonly number[]; readonly otherwise: ProductKind } | undefined;
  readonly readBy: 'model' | 'rules';
  /** In the caller's language, for the lists of these ids. */
  readonly titles: Readonly<Partial<Record<string, string>>>;
  /** For engines that read words. */
  readonly wish: string | undefined;
}

/** Names that were given on purpose are believed before what anybody makes of an outline. */
const GIVEN = 0.85;

/** Rejects only with the signal's reason. */
export type RequestReader = (request: UnderstandingRequest) => Promise<Understanding>;

/** `seesPicture`: whether the model is shown the product. */
export function createRequestReader(
  model: { readonly plan: LlmPlanner; readonly seesPicture: boolean } | undefined,
): RequestReader {
  return async function readRequest({ prompt, features, picturePng, fileName, hint, known, ...request }) {
    const outline = { features, fileName, hint };
    const first = preferGiven(detectKindByRules(outline), known);
    if (!prompt) {
      return {
        product: first,
        units: undefined,
        stated: undefined,
        readBy: 'rules',
        titles: {},
        wish: undefined,
      };
    }
    const planned = await model?.plan({
      ...request,
      prompt,
      kind: first.kind,
      staging: first.staging,
      picturePng: model.seesPicture ? picturePng : undefined,
    });
    const kindOf = (promptSubject: KindWord | undefined) =>
      preferGiven(detectKindByRules({ ...outline, promptSubject }), known);
    if (planned?.plannedBy === 'model') {
      const { units, titles, englishPrompt } = planned;
      const product = planned.product ? kindOf(planned.product) : first;
      return { product, units, stated: undefined, readBy: 'model', titles, wish: englishPrompt };
    }
    const units = planned?.units ?? readUnits(prompt);
    const stated = findStatedProduct(units);
    return {
      product: stated ? kindOf(stated.word) : first,
      units,
      stated: stated && { units: stated.units, otherwise: first },
      readBy: 'rules',
      titles: {},
      wish: prompt,
    };
  };
}

function preferGiven(ruled: ProductKind, known: ProductFacts | undefined): ProductKind {
  const kind = productKinds.find((name) => name === known?.kind);
  const staging = stagings.find((name) => name === known?.staging);
  if (!known || !kind || !staging) return ruled;
  if (ruled.confidence >= GIVEN || ruled.confidence >= known.confidence) return ruled;
  return { ...known, kind, staging };
}
