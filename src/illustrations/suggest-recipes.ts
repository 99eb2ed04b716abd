/**
 * Coordinates a suggestion: analyzes the product, plans recipes and scenes, and stores what is needed to draw their
 * illustrations later.
 */
import { PackshotError } from 'packshot-errors';
import { hashSeed, type Variant, variants } from 'packshot-pixels';
import type { planScenes, SceneFiles, ScenePlans, WordReport } from 'packshot-sets';
import type { CutoutMaker } from '../cutouts/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { ReadyDesign } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { requireVariant } from '../recipes/catalogue.ts';
import type { Mutations } from '../recipes/mutations.ts';
import { type PlainList, planSuggestion } from '../recipes/plan-suggestion.ts';
import { findPresetRatio, type Preset } from '../recipes/presets.ts';
import { studioRecipe } from '../recipes/studio-recipe.ts';
import type { Tasks } from '../tasks.ts';
import type { lookAtCutout } from '../understanding/look-at-cutout.ts';
import type { RequestReader, Understanding } from '../understanding/understand-request.ts';
import type { IllustrationContent, IllustrationStore } from './illustration-store.ts';
import type { IllustrationUris } from './illustration-uri.ts';
import type { Painter } from './painting/paint-illustration.ts';
import { type BriefRequest, describeScene } from './painting/write-brief.ts';
import type { Prerenderer } from './prerender.ts';

export interface SuggestRequest {
  readonly designId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly recipePreset: string;
  readonly prompt: string | undefined;
  readonly aspectRatio: string | undefined;
  /** Tags and ids of sets and places that must not appear. */
  readonly exclude: readonly string[];
  /** Chooses other scenes; by default, the design's id does. */
  readonly seed: number | undefined;
  /** From 1; every page continues the lists. */
  readonly page: number;
  /** The caller's name for the kind of product; overrides the name given with the upload. */
  readonly productKind: string | undefined;
  /** Base of the URIs in the response, without a trailing slash. */
  readonly baseUrl: string;
  /** Milliseconds since the request arrived; counts toward the deadline. */
  readonly elapsedMs?: number;
  readonly signal: AbortSignal;
}

interface Dependencies {
  /** Throws if the storage is full or the account has used up its share of it: suggestions are stored as rows. */
  readonly admit: (accountId: string) => Promise<void>;
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  readonly illustrations: IllustrationStore;
  readonly uris: IllustrationUris;
  /** Throws `unknown_preset` or `preset_not_allowed`. */
  readonly resolvePreset: (name: string, keyId: string) => Promise<Preset>;
  /** Planning would block the event loop, so it is done in a process that serves no requests. */
  readonly imaging: Tasks<{ lookAtCutout: typeof lookAtCutout; planScenes: typeof planScenes }>;
  readonly readRequest: RequestReader;
  /** All sets and places, if the operator has own ones; undefined for the built-in ones. */
  readonly ownSets: SceneFiles | undefined;
  /** Returns recipes of the account's looks (saved scenes and recipes) in this variant. URIs lack the base URL. */
  readonly listLooks: (
    ids: readonly string[],
    accountId: string,
    variant: Variant,
  ) => Promise<SuggestedLook[]>;
  /** Undefined if no plates (pictures of scenes without the product) are prerendered. */
  readonly ahead: Pick<Prerenderer, 'requestPlates'> | undefined;
  /**
   * Requests paintings of all suggestions. Undefined without an engine, or if each scene is painted only when its
   * full version is requested.
   */
  readonly paint: Painter['requestPaintings'] | undefined;
  readonly deadlineMs: number;
}

interface SuggestedLook {
  readonly recipeId: string;
  readonly title: string;
  readonly uri: string;
  readonly previewUri: string;
}

/** What all recipes of a response have in common. */
interface RecipeFrame {
  readonly variant: Variant;
  /** Base of the URIs. */
  readonly baseUrl: string;
}

/** A list whose illustrations are not stored yet. */
interface DraftList {
  readonly id: string;
  readonly title: string;
  readonly recipes: readonly Draft[];
}

interface Draft {
  readonly recipeId: string;
  readonly title: string;
  readonly tags?: readonly string[];
  readonly mutations: Pick<Mutations, 'background'>;
  readonly content: IllustrationContent;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createRecipeSuggester(needs: Dependencies) {
  const { designs, cutouts, illustrations, uris, imaging } = needs;

  async function suggestInTime(request: SuggestRequest, signal: AbortSignal) {
    await needs.admit(request.accountId);
    const asked = resolveRatio(request.aspectRatio);
    const preset = await needs.resolvePreset(request.recipePreset, request.keyId);
    const ratio = findPresetRatio(preset, asked);
    if (!ratio) {
      throw new PackshotError(
        'unknown_variant',
        `The preset ${preset.name} comes in ${preset.ratios?.join(', ')}.`,
        { pointer: '/filters/aspectRatio' },
      );
    }
    const design = await designs.resolveDesign(request.designId, request.accountId);
    const joined = await cutouts.joinCutout(design, signal);
    const cutoutPng = await cutouts.readCutout(joined.design);
    const options = { signal, urgency: 'preview', account: design.accountId } as const;
    const { boundingBox: box, touchesEdges } = joined.design.subject;
    const { features, picturePng } = await imaging.lookAtCutout({ cutoutPng, box, touchesEdges }, options);
    if (!features)
      throw new PackshotError('no_subject_found', 'The product in the photo is too small for a scene.');

    const { plainLists, sceneLists } = planSuggestion(preset, ratio);
    const understood = await needs.readRequest({
      prompt: request.prompt,
      features,
      picturePng,
      fileName: design.origin.fileName,
      hint: request.productKind ?? design.origin.kindHint,
      known: joined.design.product,
      ratio,
      brandColors: preset.palette ?? [],
      signal,
    });
    const { product, spoken, titles, wish } = understood;
    const planned = await imaging.planScenes(
      {
        product,
        features,
        prompt: request.prompt,
        spoken,
        ratio,
        preset: { ...preset, lists: sceneLists },
        exclude: request.exclude,
        seed: hashSeed(request.seed ?? design.id, request.prompt ?? '', ratio),
        page: request.page,
        own: needs.ownSets,
      },
      options,
    );
    const drafts = [
      ...plainLists.map(draftPlain),
      ...planned.lists.map((list) =>
        draftScenes({ ...list, title: titles[list.id] ?? list.title }, { kind: product.kind, wish }),
      ),
    ];
    const lists = await keepLists(drafts, joined.design);
    const toDraw = lists.flatMap(({ kept }) => kept).filter((illustration) => illustration.kind === 'scene');
    await needs.ahead?.requestPlates(toDraw, 'preview');
    await needs.paint?.(toDraw, request.keyId);
    const frame = { variant: ratio, baseUrl: request.baseUrl };
    const looks = await needs.listLooks(preset.looks ?? [], request.accountId, ratio);
    return {
      suggestedRecipeLists: [
        ...(looks.length > 0 ? [listOfLooks(looks, frame)] : []),
        ...lists.map((list) => issueList(list, frame)),
      ],
      prompt: planned.report && describeWords(planned.report, understood.readBy),
    };
  }

  /** Stores all lists in one transaction: each commit makes all other calls wait for the disk. */
  async function keepLists(drafts: readonly DraftList[], { id: designId, accountId }: ReadyDesign) {
    const contents = drafts.flatMap(({ recipes }) => recipes.map(({ content }) => content));
    const kept = await illustrations.keepIllustrations({ designId, accountId }, contents);
    const left = [...kept];
    return drafts.map((draft) => ({ draft, kept: left.splice(0, draft.recipes.length) }));
  }

  function issueList(
    { draft: { id, title, recipes }, kept }: Awaited<ReturnType<typeof keepLists>>[number],
    frame: RecipeFrame,
  ) {
    return {
      id,
      title,
      recipes: kept.map((illustration, index) => {
        const { mutations, ...recipe } = recipes[index]!;
        const [uri, previewUri] = [uris.issue(illustration, 'full'), uris.issue(illustration, 'preview')];
        return toSuggested({ ...recipe, uri, previewUri }, mutations, frame);
      }),
    };
  }

  /** Throws the errors of the steps, and `deadline_exceeded`. */
  return async function suggestRecipes(request: SuggestRequest) {
    const { signal, elapsedMs } = request;
    const deadline = { timeoutMs: needs.deadlineMs, elapsedMs, signal, what: 'The list of suggestions' };
    return underDeadline(deadline, (signal) => suggestInTime(request, signal));
  };
}

export type RecipeSuggester = ReturnType<typeof createRecipeSuggester>;

function listOfLooks(looks: readonly SuggestedLook[], frame: RecipeFrame) {
  return { id: 'looks', title: 'Your looks', recipes: looks.map((look) => toSuggested(look, {}, frame)) };
}

/** The URIs of the given recipe lack the base URL. */
function toSuggested(
  { recipeId, title, uri, previewUri, tags }: SuggestedLook & Pick<Draft, 'tags'>,
  mutations: Draft['mutations'],
  { variant, baseUrl }: RecipeFrame,
) {
  const primaryIllustration = {
    uri: baseUrl + uri,
    previewUri: baseUrl + previewUri,
    source: 'WEB',
  } as const;
  return {
    recipeId,
    variant,
    title,
    ...(tags && { tags }),
    mutations: { ...mutations, images: { primaryIllustration } },
  };
}

function draftPlain({ id, title, recipes }: PlainList): DraftList {
  return {
    id,
    title,
    recipes: recipes.map(({ variant, ...recipe }) => ({
      ...recipe,
      content: { plain: { recipeId: recipe.recipeId, variant, mutations: recipe.mutations } },
    })),
  };
}

function draftScenes(
  { id, title, scenes }: ScenePlans['lists'][number],
  product: Pick<BriefRequest, 'kind' | 'wish'>,
): DraftList {
  return {
    id,
    title,
    recipes: scenes.map((scene) => ({
      recipeId: studioRecipe.id,
      title: scene.title,
      tags: scene.tags,
      mutations: {},
      content: { plan: scene.plan, brief: describeScene({ ...product, ...scene }) },
    })),
  };
}

function resolveRatio(asked: string | undefined): Variant | undefined {
  const refusal = `Aspect ratios are ${variants.join(', ')}.`;
  return asked === undefined ? undefined : requireVariant(asked, variants, refusal, '/filters/aspectRatio');
}

function describeWords({ used, notShown }: WordReport, readBy: Understanding['readBy']) {
  return {
    understood: [...new Set(used.flatMap(({ words }) => words))],
    ignored: notShown.map(({ words }) => words),
    used,
    notShown,
    readBy,
  };
}
