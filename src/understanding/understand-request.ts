/**
 * Interprets a suggestion request: reads the prompt and detects the product, using a language model if one is
 * configured and rules otherwise.
 */

import type { Variant } from 'packshot-pixels';
import {
  detectKindByRules,
  findStated,
  type KindWord,
  type ProductFacts,
  type ProductFeatures,
  type ProductKind,
  productKinds,
  readUnits,
  readWants,
  type Spoken,
} from 'packshot-sets';
import { stagings } from 'packshot-studio';
import type { LlmPlanner } from './llm-planner.ts';

export interface UnderstandingRequest {
  readonly prompt: string | undefined;
  readonly features: ProductFeatures;
  readonly picturePng: Uint8Array;
  readonly fileName: string | undefined;
  /** The caller's hint about the product. */
  readonly hint: string | undefined;
  /** The product kind stored with the cutout. */
  readonly known: ProductFacts | undefined;
  readonly ratio: Variant;
  readonly brandColors: readonly string[];
  readonly signal: AbortSignal;
}

export interface Understanding {
  readonly product: ProductKind;
  /** What the prompt asks for; undefined without one. */
  readonly spoken: readonly Spoken[] | undefined;
  readonly readBy: 'model' | 'rules';
  /** Titles by list id, in the caller's language. */
  readonly titles: Readonly<Partial<Record<string, string>>>;
  /** Description of the scene, for illustration engines that take a prompt. */
  readonly wish: string | undefined;
}

/**
 * Minimum confidence at which the kind found by the rules (from the caller's hint or the prompt, for example) always
 * takes precedence over the kind stored with the cutout. Below it, the more confident of the two is used.
 */
const DELIBERATE_CONFIDENCE = 0.85;

/** Rejects only with the signal's reason. */
export type RequestReader = (request: UnderstandingRequest) => Promise<Understanding>;

/** `seesPicture`: whether the model receives the product's picture. */
export function createRequestReader(
  model: { readonly plan: LlmPlanner; readonly seesPicture: boolean } | undefined,
): RequestReader {
  return async function readRequest({ prompt, features, picturePng, fileName, hint, known, ...request }) {
    const outline = { features, fileName, hint };
    const first = preferConfident(detectKindByRules(outline), known);
    if (!prompt) return { product: first, spoken: undefined, readBy: 'rules', titles: {}, wish: undefined };
    const planned = await model?.plan({
      ...request,
      prompt,
      kind: first.kind,
      staging: first.staging,
      picturePng: model.seesPicture ? picturePng : undefined,
    });
    const kindOf = (promptSubject: KindWord | undefined) =>
      preferConfident(detectKindByRules({ ...outline, promptSubject }), known);
    if (planned) {
      const { spoken, titles, englishPrompt } = planned;
      const product = planned.product ? kindOf(planned.product) : first;
      return { product, spoken, readBy: 'model', titles, wish: englishPrompt };
    }
    const units = readUnits(prompt);
    const stated = findStated(units);
    const product = stated ? kindOf(stated.word) : first;
    return {
      product,
      spoken: readByRules(units, stated, product),
      readBy: 'rules',
      titles: {},
      wish: prompt,
    };
  };
}

/** Words that only name the product ask for nothing; if the caller says that it is another one, they are told so. */
function readByRules(
  units: ReturnType<typeof readUnits>,
  stated: ReturnType<typeof findStated>,
  { kind }: ProductKind,
): Spoken[] {
  const isNamed = (index: number): boolean => {
    const { meanings, phrase, located, linked } = units[index]!;
    const isKind = meanings.some((meaning) => meaning.type === 'product' && meaning.product.kind === kind);
    return isKind && phrase === 0 && !located && !linked;
  };
  const spoken = readWants(units, (index) => stated?.units.includes(index) || isNamed(index));
  if (!stated || stated.word.kind === kind) return spoken;
  const words = stated.units.map((index) => units[index]!.text);
  return [...spoken, { words: [words.join(' ')], want: undefined, reason: 'not_the_product' }];
}

function preferConfident(ruled: ProductKind, known: ProductFacts | undefined): ProductKind {
  const kind = productKinds.find((name) => name === known?.kind);
  const staging = stagings.find((name) => name === known?.staging);
  if (!known || !kind || !staging) return ruled;
  if (ruled.confidence >= DELIBERATE_CONFIDENCE || ruled.confidence >= known.confidence) return ruled;
  return { ...known, kind, staging, ...(ruled.fallsOver && { fallsOver: true }) };
}
