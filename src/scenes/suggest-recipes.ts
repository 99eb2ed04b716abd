/** Conductor of a suggestion: the product looked at, scenes planned for it, each with an illustration that can be shown. */
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { ReadyDesign } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { PackshotError } from '../errors.ts';
import { type Variant, variants } from '../recipes/catalogue.ts';
import type { IllustrationUris } from '../recipes/illustration-uri.ts';
import { aiStudio } from '../recipes/presets.ts';
import { studioRecipe } from '../recipes/studio-recipe.ts';
import type { IllustrationStore } from './illustration-store.ts';
import { type PromptReading, parsePrompt } from './parse-prompt.ts';
import { planScenes, type SceneList } from './plan-scenes.ts';
import type { ProductFeatures } from './product-features.ts';
import { detectKindByRules } from './product-kind.ts';
import { hashSeed } from './seeded-random.ts';

export interface SuggestRequest {
  readonly designId: string;
  readonly accountId: string;
  readonly recipePreset: string;
  readonly prompt: string | undefined;
  readonly aspectRatio: string | undefined;
  /** Base of the URIs in the answer, without a trailing slash. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

export interface SuggestedRecipe {
  readonly recipeId: string;
  readonly variant: Variant;
  readonly title: string;
  readonly mutations: {
    readonly images: {
      readonly primaryIllustration: {
        readonly uri: string;
        readonly previewUri: string;
        readonly source: 'WEB';
      };
    };
  };
}

export interface Suggestions {
  readonly suggestedRecipeLists: readonly {
    readonly id: string;
    readonly title: string;
    readonly recipes: readonly SuggestedRecipe[];
  }[];
  /** What was made of the prompt; undefined without one. */
  readonly prompt:
    | { readonly understood: readonly string[]; readonly ignored: readonly string[] }
    | undefined;
}

interface Needs {
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  readonly illustrations: IllustrationStore;
  readonly uris: IllustrationUris;
  /** Measures in a process that may die; undefined for a cutout with next to nothing in it. */
  readonly measure: (
    design: ReadyDesign,
    cutoutPng: Uint8Array,
    signal: AbortSignal,
  ) => Promise<ProductFeatures | undefined>;
  readonly deadlineMs: number;
}

export function createRecipeSuggester({ designs, cutouts, illustrations, uris, measure, deadlineMs }: Needs) {
  async function suggestInTime(request: SuggestRequest, signal: AbortSignal): Promise<Suggestions> {
    const ratio = resolveRatio(request.aspectRatio);
    if (request.recipePreset !== aiStudio.name) {
      throw new PackshotError(
        'unknown_preset',
        `There is no preset of this name; everyone has ${aiStudio.name}.`,
      );
    }
    const design = await designs.resolveDesign(request.designId, request.accountId);
    const joined = await cutouts.joinCutout(design, signal);
    const features = await measure(joined.design, await cutouts.readCutout(joined.design), signal);
    if (!features)
      throw new PackshotError('no_subject_found', 'The product in the photo is too small to be set up.');

    const words = request.prompt ? parsePrompt(request.prompt) : undefined;
    const product = detectKindByRules({ features, promptSubject: words?.subject });
    const seed = hashSeed(design.id, request.prompt ?? '', ratio);
    const lists = planScenes({ product, features, words, ratio, preset: aiStudio, seed });
    return {
      suggestedRecipeLists: await Promise.all(lists.map((list) => issueList(list, request, ratio))),
      prompt: describeWords(words),
    };
  }

  async function issueList(list: SceneList, request: SuggestRequest, ratio: Variant) {
    const { designId, accountId, baseUrl } = request;
    const kept = await illustrations.keepIllustrations(
      { designId, accountId },
      list.scenes.map(({ plan }) => plan),
    );
    const recipes = kept.map(
      (illustration, index): SuggestedRecipe => ({
        recipeId: studioRecipe.id,
        variant: ratio,
        title: list.scenes[index]!.title,
        mutations: {
          images: {
            primaryIllustration: {
              uri: baseUrl + uris.issue(illustration, 'full'),
              previewUri: baseUrl + uris.issue(illustration, 'preview'),
              source: 'WEB',
            },
          },
        },
      }),
    );
    return { id: list.id, title: list.title, recipes };
  }

  /** Throws what its rooms throw, and `deadline_exceeded`. */
  return async function suggestRecipes(request: SuggestRequest): Promise<Suggestions> {
    const deadline = { timeoutMs: deadlineMs, signal: request.signal, what: 'The suggestions' };
    return underDeadline(deadline, (signal) => suggestInTime(request, signal));
  };
}

export type RecipeSuggester = ReturnType<typeof createRecipeSuggester>;

function resolveRatio(aspectRatio = '1:1'): Variant {
  const known = variants.find((variant) => variant === aspectRatio);
  if (known) return known;
  throw new PackshotError('unknown_variant', `Aspect ratios are ${variants.join(', ')}.`);
}

function describeWords(words: PromptReading | undefined): Suggestions['prompt'] {
  return words && { understood: words.understood, ignored: words.ignored };
}
