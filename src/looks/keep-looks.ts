/** Creates looks (saved scenes or recipes) from illustrations, recipes or plans; lists and deletes looks. */
import { PackshotError } from 'packshot-errors';
import type { Variant } from 'packshot-pixels';
import { titlePlan } from 'packshot-sets';
import { type ScenePlan, scenePlanSchema } from 'packshot-studio';
import type { IllustrationSize, IllustrationUris } from '../illustrations/illustration-uri.ts';
import { backdropUriLifeMs } from '../illustrations/keep-backdrop.ts';
import type { IllustrationResolver } from '../illustrations/resolve-illustration.ts';
import { stageRequest } from '../illustrations/staged-scene.ts';
import { findRecipe } from '../recipes/catalogue.ts';
import { type Mutations, mergeMutations, refuseMutation } from '../recipes/mutations.ts';
import { resolveRecipe } from '../recipes/resolve-recipe.ts';
import { resolveStudio, studioRecipe } from '../recipes/studio-recipe.ts';
import type { SceneOrders } from '../rendering/render-design.ts';
import { isLookId, type Look, type LookContent, pictureOfLook, variantsOfLook } from './look.ts';
import type { LookStore } from './look-store.ts';

export type LookSource =
  /** URI of an illustration from a suggestion. */
  | { readonly uri: string }
  | { readonly recipeId: string; readonly variant: string; readonly mutations?: Mutations | undefined }
  /** An unverified plan, in the format that `GET /v1/looks/{id}` returns. */
  | { readonly plan: unknown; readonly mutations?: Mutations | undefined };

interface Dependencies {
  readonly looks: LookStore;
  readonly resolver: Pick<IllustrationResolver, 'findClaimed'>;
  readonly uris: Pick<IllustrationUris, 'issue'>;
  readonly scenes: Pick<SceneOrders, 'openUpload' | 'orderOnUpload'>;
  readonly clock: () => number;
  /** Throws if the storage is full or the account has used up its share of the storage. */
  readonly admit: (accountId: string) => Promise<void>;
}

interface NewLook {
  readonly accountId: string;
  readonly from: LookSource;
  readonly title: string | undefined;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createLookKeeper({ looks, resolver, uris, scenes, admit, clock }: Dependencies) {
  async function findIllustration(uri: string, accountId: string, pointer: string) {
    const found = (await resolver.findClaimed(uri))?.illustration;
    if (found?.accountId !== accountId) {
      throw new PackshotError(
        'mutation_uri_rejected',
        'This illustration was not issued to your account, was altered, or has expired. Request new suggestions.',
        { pointer },
      );
    }
    if (found.kind !== 'look') return found;
    throw new PackshotError('invalid_field', 'This is already the picture of a look.', { pointer });
  }

  async function readIllustration(uri: string, accountId: string): Promise<LookContent> {
    const found = await findIllustration(uri, accountId, '/from/uri');
    if (found.kind === 'scene') return { plan: found.plan, changes: {} };
    if (found.kind === 'backdrop') return { backdrop: found.id, variant: '1:1', mutations: {} };
    const { recipeId, variant } = found.plan;
    return { recipe: { recipeId, variant, mutations: found.mutations } };
  }

  async function readRecipe(
    request: Extract<LookSource, { recipeId: string }>,
    accountId: string,
  ): Promise<LookContent> {
    if (isLookId(request.recipeId)) {
      throw new PackshotError('invalid_field', 'This is already a look.', { pointer: '/from/recipeId' });
    }
    const pointer = '/from/mutations/images/primaryIllustration';
    const studio = resolveStudio(request);
    if (studio) {
      const found = await findIllustration(studio.illustrationUris[0], accountId, pointer);
      const others = await fixLogo(studio.others, accountId);
      if (found.kind === 'scene' && found.plan.ratio === studio.variant) return fixScene(found.plan, others);
      if (found.kind === 'backdrop') {
        refuseRotation(others);
        await scenes.orderOnUpload(found.id, accountId, { variant: studio.variant, others });
        return { backdrop: found.id, variant: studio.variant, mutations: others };
      }
      throw new PackshotError(
        'mutation_uri_rejected',
        'This illustration belongs to another recipe or variant.',
        { pointer },
      );
    }
    const { images, ...own } = request.mutations ?? {};
    const uri = images?.primaryIllustration?.uri ?? images?.primaryIllustration?.previewUri;
    const found = uri === undefined ? undefined : await findIllustration(uri, accountId, pointer);
    const { images: _, ...merged } = mergeMutations(found?.kind === 'plain' ? found.mutations : {}, own);
    const mutations = await fixLogo(merged, accountId);
    const { recipeId, variant } = resolveRecipe({ ...request, mutations });
    return { recipe: { recipeId, variant, mutations } };
  }

  /** Names the logo by its id, which outlives its URI. */
  async function fixLogo<Given extends Mutations>(mutations: Given, accountId: string): Promise<Given> {
    if (!mutations.logo) return mutations;
    const { id } = await scenes.openUpload(mutations.logo.uri, accountId);
    return { ...mutations, logo: { ...mutations.logo, uri: id } };
  }

  async function readContent(from: LookSource, accountId: string): Promise<LookContent> {
    if ('uri' in from) return readIllustration(from.uri, accountId);
    if ('recipeId' in from) return readRecipe(from, accountId);
    return fixScene(readPlan(from.plan), await fixLogo(from.mutations ?? {}, accountId));
  }

  function issue(look: Look, size: IllustrationSize): string {
    const lifeMs = look.createdAt.getTime() + backdropUriLifeMs - clock();
    const { content, accountId } = look;
    const backdrop = 'backdrop' in content ? { id: content.backdrop, designId: '', accountId } : undefined;
    return uris.issue(pictureOfLook(look) ?? backdrop!, size, lifeMs);
  }

  async function findLook(id: string, accountId: string): Promise<Look> {
    const look = await looks.findLook(id, accountId);
    if (look) return look;
    throw new PackshotError(
      'unknown_look',
      'Your account has no look with this id. GET /v1/looks lists them.',
    );
  }

  return {
    /** Throws `mutation_uri_rejected`, `invalid_field`, `too_many_looks`, and the errors of a render. */
    async keepLook({ accountId, from, title }: NewLook): Promise<Look> {
      await admit(accountId);
      const content = await readContent(from, accountId);
      return looks.keepLook({ accountId, content, title, suggestedTitle: titleOf(content) });
    },

    listLooks: looks.listLooks,

    /**
     * Path and query of the look's picture without a product. Until the look is deleted, the picture can be
     * fetched without a key. Path and query stay the same, so that browsers cache the picture.
     */
    showPreview: (look: Look): string => issue(look, 'preview'),

    /**
     * The account's looks with these ids, in the order of the ids, as recipes of a suggestion. Omits looks that do not
     * come in this variant.
     */
    async listRecipes(ids: readonly string[], accountId: string, variant: Variant) {
      const found = await Promise.all(ids.map((id) => looks.findLook(id, accountId)));
      return found
        .filter((look) => look !== undefined)
        .filter((look) => variantsOfLook(look).includes(variant))
        .map((look) => ({
          recipeId: look.id,
          title: look.title,
          uri: issue(look, 'full'),
          previewUri: issue(look, 'preview'),
        }));
    },

    /** Throws `unknown_look`. */
    findLook,

    /** The look's definition, as `keepLook` takes it; `uriBase` precedes path and query of a URI. */
    toSource(look: Look, uriBase: string): LookSource {
      const { content } = look;
      if ('recipe' in content) return content.recipe;
      if ('plan' in content) return { plan: content.plan, mutations: content.changes };
      const { variant, mutations } = content;
      const uri = uriBase + issue(look, 'full');
      const images = { primaryIllustration: { uri, source: 'UPLOAD' as const } };
      return { recipeId: studioRecipe.id, variant, mutations: { ...mutations, images } };
    },

    /** Throws `unknown_look`. */
    async removeLook(id: string, accountId: string): Promise<void> {
      if (!(await looks.removeLook(id, accountId))) await findLook(id, accountId);
    },
  };
}

export type LookKeeper = ReturnType<typeof createLookKeeper>;

/** Makes the caller's layout part of the plan, so that every product is framed in the same way. */
function fixScene(plan: ScenePlan, mutations: Mutations): LookContent {
  const { shadow, edge, match, logo } = mutations;
  refuseRotation(mutations);
  if (plan.place && plan.subject.hangs) {
    throw new PackshotError(
      'invalid_field',
      'This scene has no ground, because its product hangs, so other products could not stand in it. Keep another scene as the look.',
      { pointer: '/from' },
    );
  }
  const staged = stageRequest(plan, mutations);
  const changes = {
    ...(shadow && { shadow }),
    ...(edge && { edge }),
    ...(match && { match }),
    ...(logo && { logo }),
  };
  return { plan: staged.plan, changes };
}

function refuseRotation({ layout }: Mutations): void {
  if (layout?.rotate === undefined) return;
  throw refuseMutation(
    'layout/rotate',
    'A look cannot contain a rotation, which belongs to one product: send it when you render.',
  );
}

function readPlan(value: unknown): ScenePlan {
  const { data, error } = scenePlanSchema.safeParse(value);
  if (data) return data;
  const { path, message } = error.issues[0]!;
  throw new PackshotError('invalid_field', `The plan cannot be used: ${message}.`, {
    pointer: ['/from/plan', ...path.map(String)].join('/'),
  });
}

function titleOf(content: LookContent): string {
  if ('backdrop' in content) return 'Own backdrop';
  return 'plan' in content ? titlePlan(content.plan) : findRecipe(content.recipe.recipeId)!.title;
}
