/** Creates looks (saved scenes or recipes) from illustrations, recipes or plans; lists and deletes looks. */
import { PackshotError } from '../errors.ts';
import type { IllustrationSize, IllustrationUris } from '../illustrations/illustration-uri.ts';
import { backdropUriLifeMs } from '../illustrations/keep-backdrop.ts';
import type { IllustrationResolver } from '../illustrations/resolve-illustration.ts';
import { stageRequest } from '../illustrations/staged-scene.ts';
import { findRecipe, type Variant } from '../recipes/catalogue.ts';
import { type Mutations, mergeMutations, refuseMutation } from '../recipes/mutations.ts';
import { resolveRecipe } from '../recipes/resolve-recipe.ts';
import { resolveStudio } from '../recipes/studio-recipe.ts';
import { titlePlan } from '../scenes/name-color.ts';
import { type ScenePlan, scenePlanSchema } from '../studio/scene-plan.ts';
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
export function createLookKeeper({ looks, resolver, uris, admit, clock }: Dependencies) {
  async function findIllustration(uri: string, accountId: string, pointer: string) {
    const found = (await resolver.findClaimed(uri))?.illustration;
    if (found?.accountId !== accountId) {
      throw new PackshotError(
        'mutation_uri_rejected',
        'This illustration was not issued to your account, was altered, or has expired. Request new suggestions.',
        { pointer },
      );
    }
    if (found.kind === 'scene' || found.kind === 'plain') return found;
    throw new PackshotError(
      'invalid_field',
      'A look is made from a scene or a recipe. Your own backdrop needs no look to work with every design: send it in mutations.images with the recipe Studio001.',
      { pointer },
    );
  }

  async function readIllustration(uri: string, accountId: string): Promise<LookContent> {
    const found = await findIllustration(uri, accountId, '/from/uri');
    if (found.kind === 'scene') return { plan: found.plan, changes: {} };
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
      if (found.kind === 'scene' && found.plan.ratio === studio.variant)
        return fixScene(found.plan, studio.others);
      throw new PackshotError(
        'mutation_uri_rejected',
        'This illustration belongs to another recipe or variant.',
        { pointer },
      );
    }
    const { images, ...own } = request.mutations ?? {};
    const uri = images?.primaryIllustration?.uri ?? images?.primaryIllustration?.previewUri;
    const found = uri === undefined ? undefined : await findIllustration(uri, accountId, pointer);
    const { images: _, ...mutations } = mergeMutations(found?.kind === 'plain' ? found.mutations : {}, own);
    const { recipeId, variant } = resolveRecipe({ ...request, mutations });
    return { recipe: { recipeId, variant, mutations } };
  }

  function readContent(from: LookSource, accountId: string): Promise<LookContent> | LookContent {
    if ('uri' in from) return readIllustration(from.uri, accountId);
    if ('recipeId' in from) return readRecipe(from, accountId);
    return fixScene(readPlan(from.plan), from.mutations ?? {});
  }

  function issue(look: Look, size: IllustrationSize): string {
    const lifeMs = look.createdAt.getTime() + backdropUriLifeMs - clock();
    return uris.issue(pictureOfLook(look), size, lifeMs);
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

    /** Throws `unknown_look`. */
    async removeLook(id: string, accountId: string): Promise<void> {
      if (!(await looks.removeLook(id, accountId))) await findLook(id, accountId);
    },
  };
}

export type LookKeeper = ReturnType<typeof createLookKeeper>;

/** Makes the caller's layout part of the plan, so that every product is framed in the same way. */
function fixScene(plan: ScenePlan, mutations: Mutations): LookContent {
  const { shadow, edge, layout, match } = mutations;
  if (layout?.rotate !== undefined) {
    throw refuseMutation(
      'layout/rotate',
      'A look cannot contain a rotation, which belongs to one product: send it when you render.',
    );
  }
  if (plan.place && plan.subject.hangs) {
    throw new PackshotError(
      'invalid_field',
      'This scene has no ground, because its product hangs, so other products could not stand in it. Keep another scene as the look.',
      { pointer: '/from' },
    );
  }
  const staged = stageRequest(plan, mutations);
  const changes = { ...(shadow && { shadow }), ...(edge && { edge }), ...(match && { match }) };
  return { plan: staged.plan, changes };
}

function readPlan(value: unknown): ScenePlan {
  const { data, error } = scenePlanSchema.safeParse(value);
  if (data) return data;
  const { path, message } = error.issues[0]!;
  throw new PackshotError('invalid_field', `The plan cannot be used: ${message}.`, {
    pointer: ['/from/plan', ...path.map(String)].join('/'),
  });
}

const titleOf = (content: LookContent): string =>
  'plan' in content ? titlePlan(content.plan) : findRecipe(content.recipe.recipeId)!.title;
