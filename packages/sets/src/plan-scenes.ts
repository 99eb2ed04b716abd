/** Plans the scenes of a suggestion, and reports which words of the prompt their pictures show. */
import type { Variant } from 'packshot-pixels';
import { chooseScenes, type PlannedScene, type SceneList } from './choose-scenes.ts';
import { builtIn, type SceneFiles } from './open-sets.ts';
import type { ProductFeatures } from './product-features.ts';
import type { ProductKind } from './product-kind.ts';
import { suitProduct } from './product-suit.ts';
import { toPlain } from './read-units.ts';
import { combineWants, type Spoken } from './read-wants.ts';
import { reportWords, type WordReport } from './report-words.ts';
import type { ScenePreset } from './scene-styles.ts';

export interface PlanRequest {
  readonly product: Pick<ProductKind, 'kind' | 'staging' | 'lengthCm' | 'fallsOver'>;
  readonly features: ProductFeatures;
  readonly prompt: string | undefined;
  /** What the prompt asks for; undefined without one. */
  readonly spoken: readonly Spoken[] | undefined;
  readonly ratio: Variant;
  readonly preset: ScenePreset;
  readonly exclude: readonly string[];
  readonly seed: number;
  readonly page: number;
  /** An operator's own sets and places, beside the built-in ones. */
  readonly own: SceneFiles | undefined;
}

export interface ScenePlans {
  readonly lists: readonly (Omit<SceneList, 'scenes'> & {
    readonly scenes: readonly (Pick<PlannedScene, 'title' | 'plan'> & {
      /** The set or place. */
      readonly id: string;
      readonly tags: readonly string[];
      /** A photographed place in words, for image models. */
      readonly background: string | undefined;
    })[];
  })[];
  readonly report: WordReport | undefined;
}

export function planScenes({ prompt, own, features, ...request }: PlanRequest): ScenePlans {
  const files = own ?? builtIn;
  const spoken = request.spoken && nameFiles(request.spoken, prompt ?? '', files);
  const wanted = spoken && combineWants(spoken);
  const product = suitProduct(features, request.product, request.seed);
  const lists = chooseScenes({ ...request, kind: request.product.kind, product, files, wanted });
  const asked = lists.find(({ id }) => id === 'words')?.scenes ?? [];
  return {
    lists: lists.map(({ scenes, ...list }) => ({
      ...list,
      scenes: scenes.map(({ title, plan, file }) => ({
        title,
        plan,
        id: file.id,
        tags: file.tags,
        background: file.kind === 'place' ? file.background : undefined,
      })),
    })),
    report: spoken && reportWords(spoken, asked),
  };
}

/** Adds wants for the sets and places that the prompt names by phrases of their own. */
function nameFiles(spoken: readonly Spoken[], prompt: string, { sets, places }: SceneFiles): Spoken[] {
  const plainly = (text: string): string =>
    ` ${toPlain(text)
      .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
      .trim()} `;
  const plain = plainly(prompt);
  const named = [...sets, ...places].flatMap(({ id, words }) =>
    words
      .filter((phrase) => plain.includes(plainly(phrase)))
      .map((phrase): Spoken => ({ words: [phrase], want: { type: 'file', id } })),
  );
  const isNamed = (word: string): boolean =>
    named.some(({ words: [phrase] }) => plainly(phrase!).includes(plainly(word)));
  return [...spoken.filter(({ want, words }) => want !== undefined || !words.every(isNamed)), ...named];
}
