/** Coordinates a render with an illustration: verifies the illustration, checks the mutations, places the product. */
import { createHash } from 'node:crypto';
import { PackshotError } from 'packshot-errors';
import type { PhotoInspector } from '../designs/inspect-photo.ts';
import { refuseMutation } from '../recipes/mutations.ts';
import { matchHint } from '../recipes/resolve-recipe.ts';
import type { StudioRequest } from '../recipes/studio-recipe.ts';
import type { DrawnPicture } from '../rendering/draw-picture.ts';
import type { Drawing, OnBackdrop, OwnUpload, SceneOrder, SceneOrders } from '../rendering/render-design.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { ForeignFetcher } from './fetch-foreign.ts';
import { backdropBlobs, type PlainIllustration, type SceneIllustration } from './illustration.ts';
import type { Painter } from './painting/paint-illustration.ts';
import { explainStudio, type Painting } from './painting/painting.ts';
import { type Imaging, placeInDrawn, placeOnBackdrop, placeOnPlate } from './place-product.ts';
import type { Prerenderer } from './prerender.ts';
import type { IllustrationResolver } from './resolve-illustration.ts';
import { groundingRevision, matchRevision } from './revision.ts';
import type { ScenePlates } from './scene-plates.ts';
import { type StagedScene, stageRequest } from './staged-scene.ts';

interface Dependencies {
  readonly resolver: IllustrationResolver;
  readonly plates: ScenePlates;
  readonly blobs: BlobStore;
  readonly imaging: Imaging;
  readonly inspector: Pick<PhotoInspector, 'inspectPhoto'>;
  /** Throws `mutation_uri_rejected` if the URI's host is not on the operator's allowlist, and fetch errors. */
  readonly fetchForeign: ForeignFetcher['fetchForeign'];
  /** Undefined if the built-in renderer (studio) draws all scenes. */
  readonly painter: ScenePainter | undefined;
  /** Draws plates in idle time, to replace drafts; undefined if this is switched off. */
  readonly ahead: Pick<Prerenderer, 'requestPlates'> | undefined;
}

/** Access to scenes painted by an engine. */
export interface ScenePainter {
  readonly painter: Pick<Painter, 'requestPaintings' | 'findPainting' | 'readPainting'>;
  /** Milliseconds that a full version waits for its painting; the rest of its deadline is left for the studio. */
  readonly patienceMs: number;
}

type Caller = Parameters<SceneOrders['orderScene']>[1];

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createSceneOrders(needs: Dependencies): SceneOrders {
  const { resolver, plates, blobs, imaging, inspector, fetchForeign, painter, ahead } = needs;

  async function orderScene(
    illustration: SceneIllustration,
    request: StudioRequest,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<SceneOrder> {
    const { plan } = illustration;
    const scene = stageRequest(plan, request.others);
    if (plan.ratio !== request.variant) {
      throw new PackshotError(
        'invalid_mutation',
        `This illustration was made for the variant ${plan.ratio}.`,
        { pointer: '/variant' },
      );
    }
    // An engine paints the suggested scene around the product. If the request changes the layout or the shadow, or has
    // `match: "light"`, the studio draws the scene.
    if (!scene.asSuggested || scene.matchesLight)
      return orderDrawn(illustration, scene, painter && asSuggestedOnly);
    const painting = await awaitPainting(illustration, caller, signal);
    const picture = painting?.state === 'done' && (await painter?.painter.readPainting(illustration));
    return painting?.state === 'done' && picture
      ? orderPainted(illustration, scene, painting, picture)
      : orderDrawn(illustration, scene, painting);
  }

  /**
   * Previews use the painting only if it is already done. Full versions request it and wait up to `patienceMs`, unless
   * `waitsForPainting` is false.
   */
  async function awaitPainting(
    illustration: SceneIllustration,
    { keyId, target, waitsForPainting }: Caller,
    signal: AbortSignal,
  ): Promise<Painting | undefined> {
    if (!painter) return undefined;
    if (target.name === 'preview' || !waitsForPainting)
      return painter.painter.findPainting(illustration.id, 0, signal);
    await painter.painter.requestPaintings([illustration], keyId);
    return painter.painter.findPainting(illustration.id, painter.patienceMs, signal);
  }

  function orderPainted(
    { id }: SceneIllustration,
    scene: StagedScene,
    { engineVersion, made }: Painting & { state: 'done' },
    picture: Uint8Array,
  ): SceneOrder {
    const { place, seed } = made;
    const madeBy = 'compositeWithTrainedAlgorithmicMedia';
    return {
      identity: [
        id,
        engineVersion,
        seed,
        place,
        place ? plates.revision : groundingRevision,
        ...(scene.shrinkPx > 0 ? [scene.shrinkPx] : []),
      ],
      async draw(drawing, signal) {
        if (place) return placeOnPlate(imaging, drawing, { picture, scene, place, madeBy }, signal);
        const mutations = { edge: { shrinkPx: scene.shrinkPx } };
        return placeOnBackdrop(
          imaging,
          drawing,
          { backdrop: picture, mutations, ratio: scene.plan.ratio, madeBy },
          signal,
        );
      },
    };
  }

  function orderDrawn(
    illustration: SceneIllustration,
    scene: StagedScene,
    painting: Unpainted | undefined,
  ): SceneOrder {
    return {
      identity: [illustration.id, plates.revision, ...describeChanges(illustration, scene)],
      async draw(drawing, signal) {
        const draw = () => drawOnPlate(illustration, scene, drawing, signal);
        const drawn = await draw().catch(async (error: unknown) => {
          if (!(error instanceof PackshotError) || error.code !== 'internal') throw error;
          // Most likely the stored plate (the scene without the product) is corrupt. It can be redrawn from the plan.
          await plates.discardGrounded(illustration, drawing, drawing.target.name);
          return draw();
        });
        return { ...drawn, warnings: [...drawn.warnings, ...explainStudio(painting, drawing.target.name)] };
      },
    };
  }

  async function drawOnPlate(
    illustration: SceneIllustration,
    scene: StagedScene,
    drawing: Drawing,
    signal: AbortSignal,
  ): Promise<DrawnPicture> {
    const plate = scene.asSuggested
      ? await plates.groundedPlate(illustration, drawing, drawing.target.name, { ...drawing, signal })
      : await plates.stagedPlate(illustration, scene, drawing, signal);
    if (plate.draftPx !== undefined && scene.asSuggested)
      await ahead?.requestPlates([illustration], drawing.target.name);
    return placeInDrawn(imaging, drawing, scene, plate, signal);
  }

  function orderOnBackdrop(
    name: string,
    readBackdrop: () => Promise<Uint8Array>,
    { others, variant }: OnBackdrop,
  ): SceneOrder {
    const { layout, shadow, edge, background, match } = others;
    if (background?.color !== undefined) {
      throw refuseMutation(
        'background',
        'Your own backdrop keeps its colors. Omit mutations.background, or use a Solid or Surface recipe.',
      );
    }
    if (match === 'light') {
      throw refuseMutation('match', `The light of your own backdrop is not known. ${matchHint}`);
    }
    const mutations = { ...(layout && { layout }), ...(shadow && { shadow }), ...(edge && { edge }) };
    return {
      identity: [name, mutations, groundingRevision],
      async draw(drawing, signal) {
        const backdrop = await readBackdrop();
        return placeOnBackdrop(
          imaging,
          drawing,
          { backdrop, mutations, ratio: variant, madeBy: 'composite' },
          signal,
        );
      },
    };
  }

  async function orderOnForeign(
    request: StudioRequest,
    { accountId, target, urgency }: Caller,
    signal: AbortSignal,
  ): Promise<SceneOrder> {
    const [, ...rest] = request.illustrationUris;
    if (rest.some(resolver.isOurs)) throw altered();
    const fetched = await fetchForeign(request.illustrationUris, signal);
    const options = { signal, urgency: urgency ?? target.name, account: accountId };
    const { bytes } = await inspector.inspectPhoto(fetched, options);
    const digest = createHash('sha256').update(bytes).digest('base64url');
    return orderOnBackdrop(digest, async () => bytes, request);
  }

  async function openUpload(reference: string, accountId: string): Promise<OwnUpload> {
    const { id } = await resolver.resolveUpload(reference, accountId);
    return {
      id,
      async read() {
        const bytes = await blobs.get(backdropBlobs.source(id));
        if (bytes) return bytes;
        throw reject('This picture was deleted meanwhile. Upload it again.');
      },
    };
  }

  async function orderOnUpload(
    reference: string,
    accountId: string,
    request: OnBackdrop,
  ): Promise<SceneOrder> {
    const { id, read } = await openUpload(reference, accountId);
    return orderOnBackdrop(id, read, request);
  }

  return {
    openUpload,
    orderOnUpload,

    async orderScene(request, caller, signal) {
      const { designId, accountId } = caller;
      const [uri, ...rest] = request.illustrationUris;
      if (!resolver.isOurs(uri)) return orderOnForeign(request, caller, signal);
      const illustration = await resolver.resolveForDesign(uri, designId, accountId);
      for (const other of rest) {
        const { id } = await resolver.resolveForDesign(other, designId, accountId);
        if (id !== illustration.id) throw notTheSame();
      }
      switch (illustration.kind) {
        case 'scene':
          return orderScene(illustration, request, caller, signal);
        case 'look':
          throw reject('This illustration belongs to a look: send the id of the look as "recipeId".');
        case 'plain':
          throw reject(`This illustration belongs to the recipe ${illustration.plan.recipeId}.`);
        case 'backdrop':
          return orderOnUpload(illustration.id, accountId, request);
      }
    },

    async findPlainMutations(uris: readonly string[], recipeId: string, { designId, accountId }) {
      let first: PlainIllustration | undefined;
      for (const uri of uris) {
        const found = resolver.isOurs(uri)
          ? await resolver.resolveForDesign(uri, designId, accountId)
          : undefined;
        if (found?.kind !== 'plain' || found.plan.recipeId !== recipeId)
          throw reject(
            `The recipe ${recipeId} has its own backdrop: send the illustration of its suggestion, or omit mutations.images.`,
          );
        first ??= found;
        if (found.id !== first.id) throw notTheSame();
      }
      return first?.mutations ?? {};
    },
  };
}

const notTheSame = () => reject('"uri" and "previewUri" belong to different illustrations.');
const altered = () =>
  reject('"uri" was altered or cut off. Send it exactly as the suggestion gave it, or omit it.');
const reject = (why: string) => new PackshotError('mutation_uri_rejected', why);

/** Why the studio drew a scene that the engine should have painted; see `explainStudio`. */
type Unpainted = Parameters<typeof explainStudio>[0];
const asSuggestedOnly = {
  state: 'failed',
  failure:
    'the engine paints scenes only as they were suggested, without mutations of layout, shadow or match',
} as const;

/** Part of the ETag: the caller's changes to the scene; empty for a scene as suggested. */
function describeChanges({ plan }: SceneIllustration, scene: StagedScene): readonly unknown[] {
  const { plan: staged, rotateDeg, shadowStrength, shrinkPx, matchesLight } = scene;
  const match = matchesLight ? ['light', matchRevision] : [];
  if (scene.asSuggested && shrinkPx === 0) return match;
  return [staged === plan ? null : staged.camera, rotateDeg, shadowStrength, shrinkPx, ...match];
}
