/** Says what a product is and how it wants to be set up, from its name, the prompt and its silhouette. */

import type { Staging } from '../studio/scene-plan.ts';
import { type KindWord, kindWords } from './product/kind-words.ts';
import { type ProductKindName, productKinds } from './product/product-kinds.ts';
import { silhouetteRules, stageBySilhouette } from './product/silhouette-rules.ts';
import type { ProductFeatures } from './product-features.ts';

export interface ProductEvidence {
  readonly features: ProductFeatures;
  /** As uploaded, or the last part of the URL. */
  readonly fileName?: string | undefined;
  /** What the prompt calls the product (`PromptReading.subject`). */
  readonly promptSubject?: KindWord | undefined;
  /** From the caller: a category's name or a word such as "shoes"; wins over all else when it is known. */
  readonly hint?: string | undefined;
}

export interface ProductKind {
  readonly kind: ProductKindName;
  readonly staging: Staging;
  /** 0 to 1; 1 only for the caller's own word. */
  readonly confidence: number;
  /** Why, for people. */
  readonly because: string;
}

/** The one way to a product's kind; a model that looks at pixels would come in beside the rules, behind this. */
export type KindDetector = (evidence: ProductEvidence) => ProductKind;

/** A name is given on purpose, but sometimes to the wrong file, or it is the shop's own. */
const trustInFileName = 0.85;
const trustInPrompt = 0.9;

export const detectKindByRules: KindDetector = ({ features, fileName, promptSubject, hint }) => {
  const hinted = hint === undefined ? undefined : findKindWord(hint);
  if (hinted) return fromWord(hinted, features, 1, 'the caller said so');
  if (promptSubject) return fromWord(promptSubject, features, trustInPrompt, 'the prompt names it');
  const named = fileName === undefined ? undefined : findKindWord(fileName);
  if (named) return fromWord(named, features, trustInFileName, 'the file is named after it');
  const rule = silhouetteRules.find(({ holds }) => holds(features));
  if (rule) {
    const { kind, staging, confidence, name } = rule;
    return { kind, staging, confidence, because: `its outline looks like ${name}` };
  }
  return {
    kind: 'Unknown',
    staging: stageBySilhouette(features),
    confidence: 0,
    because: 'neither a word nor its outline tells',
  };
};

function fromWord(
  word: KindWord,
  features: ProductFeatures,
  confidence: number,
  because: string,
): ProductKind {
  const staging = word.staging ?? stageNamed(word.kind, features);
  return { kind: word.kind, staging, confidence, because };
}

/** The word says what it is, the silhouette how it stands; but a sofa is never a small thing on a podium. */
function stageNamed(kind: ProductKindName, features: ProductFeatures): Staging {
  if (kind === 'Furniture' || kind === 'Vehicles & Parts') return 'large';
  const rule = silhouetteRules.find(({ kind: other, holds }) => other === kind && holds(features));
  return rule?.staging ?? stageBySilhouette(features);
}

const kindsByName: ReadonlyMap<string, ProductKindName> = new Map(
  productKinds.map((kind) => [plainWords(kind).join(' '), kind]),
);
/** Longest name in the lexicon, in words; taxonomy names are tried whole. */
const longestName = 3;

/** A category's own name, or the last known product word of a text: "blue-travel-mug.jpg" is a mug. */
function findKindWord(text: string): KindWord | undefined {
  const words = plainWords(text.slice(0, 200).replace(/\.(jpe?g|png|webp|avif|tiff?|gif)$/i, ''));
  const category = kindsByName.get(words.join(' '));
  if (category) return { kind: category };
  for (let end = words.length; end > 0; end--) {
    for (let length = Math.min(longestName, end); length > 0; length--) {
      const phrase = words.slice(end - length, end).join(' ');
      const found = kindWords.get(phrase) ?? kindWords.get(phrase.replace(/s$/, ''));
      if (found) return found;
    }
  }
  return undefined;
}

function plainWords(text: string): string[] {
  return (
    text
      .replace(/(\p{Lowercase})(\p{Uppercase})/gu, '$1 $2')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      .match(/\p{Letter}+/gu) ?? []
  );
}
