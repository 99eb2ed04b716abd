/** Renders a product with a look: fits the scene, or the recipe's layout, to the product, and draws it. */
import { PackshotError } from 'packshot-errors';
import type { Variant } from 'packshot-pixels';
import { findStance, poseOf, stageBySilhouette } from 'packshot-sets';
import { type Imaging as Placing, placeInDrawn } from '../illustrations/place-product.ts';
import type { IllustrationResolver } from '../illustrations/resolve-illustration.ts';
import { matchRevision } from '../illustrations/revision.ts';
import type { ScenePlates } from '../illustrations/scene-plates.ts';
import { stageRequest } from '../illustrations/staged-scene.ts';
import { requireVariant } from '../recipes/catalogue.ts';
import { type Mutations, mergeMutations, refuseMutation } from '../recipes/mutations.ts';
import { type RecipeRequest, resolveRecipe } from '../recipes/resolve-recipe.ts';
import type { DrawnPicture, drawPicture } from '../rendering/draw-picture.ts';
import { lockStyle } from '../rendering/lock-style.ts';
import type { LookOrders, SceneOrder, SceneOrders } from '../rendering/render-design.ts';
import { drawingRevision } from '../rendering/render-target.ts';
import type { Tasks } from '../tasks.ts';
import type { lookAtCutout } from '../understanding/look-at-cutout.ts';
import { cropScene } from './crop-scene.ts';
import {
  isLookId,
  type LockedRecipe,
  type Look,
  type LookContent,
  recipeInVariant,
  variantsOfLook,
} from './look.ts';
import type { LookStore } from './look-store.ts';
import { describeProduct, measureSize, recognize } from './recognized-product.ts';
import { refitScene, turnOf } from './refit-scene.ts';

interface Dependencies {
  readonly looks: Pick<LookStore, 'findLook'>;
  readonly scenes: Pick<SceneOrders, 'orderOnUpload'>;
  readonly plates: Pick<ScenePlates, 'revision' | 'stagedPlate'>;
  readonly resolver: Pick<IllustrationResolver, 'findClaimed'>;
  readonly imaging: Pick<Placing, 'placeInScene'> &
    Tasks<{ drawPicture: typeof drawPicture; lookAtCutout: typeof lookAtCutout }>;
}

type SceneLook = Extract<LookContent, { plan: unknown }>;

/** Part of the ETag. Increment when a code change makes the same look and product give different bytes. */
const lookRevision = 7;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createLookOrders({ looks, scenes, plates, resolver, imaging }: Dependencies): LookOrders {
  /**
   * A scene's plan depends on the product, so each product needs its own plate (the scene's picture without the
   * product). Concurrent calls for the same product share the plate, but the plate is not stored.
   */
  function orderScene(
    look: Look,
    { plan: kept, changes }: SceneLook,
    variant: Variant,
    own: Mutations,
  ): SceneOrder {
    const plan = cropScene(kept, variant);
    const mutations = mergeMutations(changes, own);
    stageRequest(plan, mutations);
    return {
      logo: mutations.logo,
      identity: [
        look.id,
        plan.ratio,
        mutations,
        plates.revision,
        lookRevision,
        ...(mutations.match === 'light' ? [matchRevision] : []),
      ],
      identityOf: describeProduct,
      async draw(drawing, signal) {
        const { design, cutoutPng, urgency, onStart } = drawing;
        const { boundingBox, touchesEdges } = design.subject;
        const seen = await imaging.lookAtCutout(
          { cutoutPng, box: boundingBox, touchesEdges },
          { signal, urgency, onStart, account: design.accountId },
        );
        const { features } = seen;
        if (!features)
          throw new PackshotError('no_subject_found', 'The product in the photo is too small for a scene.');
        const { staging = stageBySilhouette(features), lengthCm } = recognize(design);
        const pose = design.product?.pose ?? poseOf(findStance(features));
        const product = {
          features,
          staging,
          lengthCm,
          lies: pose === 'lying',
          hangs: pose === 'hung',
        };
        const scene = stageRequest(refitScene(plan, product), mutations);
        const illustration = {
          id: [look.id, plan.ratio, design.id, design.cutoutVersion].join(' '),
          accountId: look.accountId,
        };
        const plate = await plates.stagedPlate(illustration, scene, drawing, signal);
        const drawn = await placeInDrawn(imaging, drawing, scene, plate, signal);
        return { ...drawn, warnings: [...drawn.warnings, ...explainTurn(plan, product)] };
      },
    };
  }

  function orderPlain(look: Look, locked: LockedRecipe, variant: string, own: Mutations): SceneOrder {
    const recipeId = recipeInVariant(locked.recipeId, variant) ?? locked.recipeId;
    const mutations = mergeMutations(locked.mutations, own);
    const plan = resolveRecipe({ recipeId, variant, mutations });
    const layouts = { fixed: locked.mutations.layout, asked: own.layout };
    return {
      plain: plan,
      logo: mutations.logo,
      identity: [look.id, plan, own.layout ?? null, drawingRevision, lookRevision],
      identityOf: describeProduct,
      async draw(drawing, signal): Promise<DrawnPicture> {
        const { design, cutoutPng, target, urgency, onStart } = drawing;
        const { boundingBox, touchesEdges } = design.subject;
        const call = { signal, urgency, onStart, account: design.accountId };
        const locked = lockStyle(plan, measureSize(design), layouts);
        const pose = design.product?.pose;
        return imaging.drawPicture(
          { cutoutPng, boundingBox, touchesEdges, plan: locked, pose, target },
          call,
        );
      },
    };
  }

  /** Refuses all illustrations but the look's own, which callers may send back as they do with other suggestions. */
  async function requireOwn({ id, content }: Look, images: Mutations['images']): Promise<void> {
    const shown = 'backdrop' in content ? content.backdrop : id;
    const { uri, previewUri } = images?.primaryIllustration ?? {};
    for (const given of [uri, previewUri].filter((each) => each !== undefined)) {
      if ((await resolver.findClaimed(given))?.illustration.id === shown) continue;
      throw refuseMutation(
        'images/primaryIllustration',
        'A look has its own picture. Omit mutations.images.',
      );
    }
  }

  return {
    isLook: isLookId,

    async orderLook(
      { recipeId, variant, mutations = {} }: RecipeRequest,
      accountId: string,
    ): Promise<SceneOrder> {
      const look = await looks.findLook(recipeId, accountId);
      if (!look) {
        throw new PackshotError(
          'unknown_recipe',
          'Your account has no look with this id. GET /v1/looks lists them.',
          { pointer: '/recipeId' },
        );
      }
      const offered = variantsOfLook(look);
      const asked = requireVariant(variant, offered, `This look comes in ${offered.join(', ')}.`);
      const { images, ...own } = mutations;
      await requireOwn(look, images);
      const { content } = look;
      if ('backdrop' in content) {
        const others = mergeMutations(content.mutations, own);
        const order = await scenes.orderOnUpload(content.backdrop, accountId, { variant: asked, others });
        return { ...order, identity: [look.id, asked, ...order.identity], logo: others.logo };
      }
      return 'plan' in content
        ? orderScene(look, content, asked, own)
        : orderPlain(look, content.recipe, variant, own);
    },
  };
}

function explainTurn(...args: Parameters<typeof turnOf>): DrawnPicture['warnings'] {
  const turned = turnOf(...args);
  if (turned === undefined) return [];
  const detail =
    turned === 'worn'
      ? 'Clothes cannot stand, so they are shown as on an invisible mannequin, with the hem on the common baseline.'
      : "This product cannot lie flat, so it stands in the look's colors and light.";
  return [{ code: 'adapted_to_look', detail }];
}
