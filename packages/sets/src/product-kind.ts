/** Detects the kind of product and its staging (how it is set up in a scene) from file name, prompt and silhouette. */

import type { Staging } from 'packshot-studio';
import { type KindWord, kindWords } from './product/kind-words.ts';
import { type ProductKindName, productKinds } from './product/product-kinds.ts';
import { silhouetteRules, stageBySilhouette } from './product/silhouette-rules.ts';
import type { ProductFeatures } from './product-features.ts';

export interface ProductEvidence {
  readonly features: ProductFeatures;
  /** The uploaded file name, or the last path segment of the URL. */
  readonly fileName?: string | undefined;
  /** The word in the prompt that names the product. */
  readonly promptSubject?: KindWord | undefined;
  /** The caller's hint: a category's name or a word such as "shoes"; takes precedence if the rules know it. */
  readonly hint?: string | undefined;
}

export interface ProductKind {
  readonly kind: ProductKindName;
  readonly staging: Staging;
  /**
   * Usual length of the longer side of such products, in centimeters; undefined if the product is not
   * identified.
   */
  readonly lengthCm?: number;
  /** Whether such products cannot stand upright. */
  readonly fallsOver?: boolean;
  /** 0 to 1; 1 only for the caller's hint. */
  readonly confidence: number;
  /** Human-readable reason for this kind. */
  readonly because: string;
}

/** A file name is chosen deliberately, but may describe another picture or name the shop. */
const fileNameConfidence = 0.85;
const promptConfidence = 0.9;

export function detectKindByRules({ features, fileName, promptSubject, hint }: ProductEvidence): ProductKind {
  const hinted = hint === undefined ? undefined : findKindWord(hint);
  if (hinted) return fromWord(hinted, features, 1, 'according to the caller');
  if (promptSubject) return fromWord(promptSubject, features, promptConfidence, 'the prompt names it');
  const named = fileName === undefined ? undefined : findKindWord(fileName);
  if (named) return fromWord(named, features, fileNameConfidence, 'the file is named after it');
  const rule = silhouetteRules.find(({ holds }) => holds(features));
  if (rule) {
    const { name, holds: _, ...known } = rule;
    return { ...known, because: `its outline looks like ${name}` };
  }
  return {
    kind: 'Unknown',
    staging: stageBySilhouette(features),
    confidence: 0,
    because: 'neither its name nor its outline identifies it',
  };
}

function fromWord(
  word: KindWord,
  features: ProductFeatures,
  confidence: number,
  because: string,
): ProductKind {
  const staging = word.staging ?? stageNamed(word.kind, features);
  return { ...word, staging, confidence, because };
}

/** The silhouette determines the staging of a named kind, except that furniture and vehicles are always large. */
function stageNamed(kind: ProductKindName, features: ProductFeatures): Staging {
  if (kind === 'Furniture' || kind === 'Vehicles & Parts') return 'large';
  const rule = silhouetteRules.find(({ kind: other, holds }) => other === kind && holds(features));
  return rule?.staging ?? stageBySilhouette(features);
}

const kindsByName: ReadonlyMap<string, ProductKindName> = new Map(
  productKinds.map((kind) => [plainWords(kind).join(' '), kind]),
);
/** Number of words in the lexicon's longest name; taxonomy names are matched as a whole. */
const maxNameWords = 3;

/** Matches a category's name, or the last known product word: "blue-travel-mug.jpg" is a mug. */
function findKindWord(text: string): KindWord | undefined {
  const words = plainWords(text.slice(0, 200).replace(/\.(jpe?g|png|webp|avif|tiff?|gif)$/i, ''));
  const category = kindsByName.get(words.join(' '));
  if (category) return { kind: category };
  for (let end = words.length; end > 0; end--) {
    for (let length = Math.min(maxNameWords, end); length > 0; length--) {
      const phrase = words.slice(end - length, end).join(' ');
      const found = kindWords.get(phrase) ?? kindWords.get(phrase.replace(/s$/, ''));
      // A pen holder is not a pen.
      if (found && end < words.length) return { ...found, fallsOver: false };
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
