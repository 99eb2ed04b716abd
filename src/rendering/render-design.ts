/**
 * Coordinates the rendering of previews and full versions: resolves the recipe, waits for the cutout and draws
 * the picture.
 */
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { MadeCutout, ReadyDesign } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { PhotoViewer } from '../designs/show-photo.ts';
import { PackshotError } from '../errors.ts';
import { makeEtag } from '../etag.ts';
import { type Mutations, mergeMutations } from '../recipes/mutations.ts';
import { type PicturePlan, type RecipeRequest, resolveRecipe } from '../recipes/resolve-recipe.ts';
import { resolveStudio, type StudioRequest } from '../recipes/studio-recipe.ts';
import { StepClock, type StepTiming } from '../step-clock.ts';
import type { Tasks } from '../tasks.ts';
import type { DrawnPicture, drawPicture } from './draw-picture.ts';
import { drawingRevision, type RenderTarget } from './render-target.ts';

/** A requested picture and its caller. Serializable, so that another process can draw it. */
export interface DrawRequest {
  readonly designId: string;
  readonly accountId: string;
  /** The caller's API key ID; the key is charged if an illustration engine creates a picture. */
  readonly keyId: string;
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations?: Mutations | undefined;
  readonly target: RenderTarget;
  /** `batch`: drawn after all other work. Default: the urgency that has the target's name, `preview` or `generated`. */
  readonly urgency?: 'batch' | undefined;
  /** The cutout that the caller's ETag refers to; default: the current cutout. */
  readonly cutout?: MadeCutout | undefined;
}

export interface RenderRequest extends DrawRequest {
  /** ETags that the caller already holds (`If-None-Match`). */
  readonly knownEtags: readonly string[];
  /**
   * Reserves the credits for the picture, identified by its ETag; may reject. Called before drawing, but not if the
   * caller already holds the picture.
   */
  readonly claim: (etag: string) => Promise<void>;
  /** Milliseconds since the request arrived; counts toward the deadline. */
  readonly elapsedMs?: number;
  readonly signal: AbortSignal;
}

export interface Rendered {
  readonly etag: string;
  /** Null if the caller already holds this picture. */
  readonly picture: DrawnPicture | null;
  readonly timings: readonly StepTiming[];
}

/** What to draw. If an illustration is part of it, that illustration has been verified to belong to the caller. */
export interface SceneOrder {
  /** All properties of the illustration and of the mutations that affect the picture's bytes. */
  readonly identity: readonly unknown[];
  /** All properties of the design, apart from its cutout, that affect the picture's bytes. */
  readonly identityOf?: (design: ReadyDesign) => readonly unknown[];
  /** How glass is drawn; default: as in the call's own mutations. */
  readonly glass?: Glass | undefined;
  draw(drawing: Drawing, signal: AbortSignal): Promise<DrawnPicture>;
}

/** The input for drawing any picture of a design. */
export interface Drawing {
  readonly design: ReadyDesign;
  /** The cutout for which the scene is planned. */
  readonly cutoutPng: Buffer;
  /** The layer that is composited and casts the shadows: `cutoutPng`, or a copy of it with transparent glass. */
  readonly productPng: Buffer;
  readonly target: RenderTarget;
  readonly urgency: RenderUrgency;
}

type Glass = NonNullable<Mutations['edge']>['glass'];

type RenderUrgency = RenderTarget['name'] | 'batch';

/** Share of a full version's deadline for waiting for a better cutout; the rest is for drawing. */
const betterCutoutShare = 0.5;

type Owner = Pick<RenderRequest, 'designId' | 'accountId'>;
interface Caller extends Owner, Pick<RenderRequest, 'keyId' | 'target' | 'urgency'> {
  /** Whether to wait for the scene that an engine paints; false if another process has already waited for it. */
  readonly waitsForPainting: boolean;
}

/** What rendering needs from `illustrations`; illustrations and their plans stay private there. */
export interface SceneOrders {
  /** Throws `mutation_uri_rejected`, `invalid_mutation`, and the errors of fetching a picture from another host. */
  orderScene(request: StudioRequest, caller: Caller, signal: AbortSignal): Promise<SceneOrder>;
  /**
   * A suggestion of a plain recipe contains illustration URIs, too. From these, returns the mutations that were
   * suggested with the recipe. Throws `mutation_uri_rejected` if the illustration belongs to another recipe.
   */
  findPlainMutations(uris: readonly string[], recipeId: string, owner: Owner): Promise<Mutations>;
}

/** What rendering needs from `looks`. */
export interface LookOrders {
  isLook(recipeId: string): boolean;
  /** Throws `unknown_recipe`, `unknown_variant` and `invalid_mutation`. */
  orderLook(request: RecipeRequest, accountId: string): Promise<SceneOrder>;
}

interface Dependencies {
  readonly scenes: SceneOrders;
  readonly looks: LookOrders;
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  readonly photos: Pick<PhotoViewer, 'readTags'>;
  readonly imaging: Tasks<{ drawPicture: typeof drawPicture }>;
  /** Calls `drawDesign` in another process; if undefined, this process draws. */
  readonly drawElsewhere?: ((request: DrawRequest, signal: AbortSignal) => Promise<DrawnPicture>) | undefined;
  readonly deadlineMs: Readonly<Record<RenderUrgency, number>>;
}

export function createDesignRenderer(needs: Dependencies) {
  const { designs, cutouts, photos, imaging, scenes, looks, drawElsewhere, deadlineMs } = needs;

  async function renderInTime(request: RenderRequest, signal: AbortSignal): Promise<Rendered> {
    const clock = new StepClock(signal);
    const design = await designs.resolveDesign(request.designId, request.accountId);
    const order = await resolveOrder({ ...request, waitsForPainting: true }, signal);
    const joined = await clock.run('join-cutout', () =>
      cutouts.joinCutout(design, signal, { patienceMs: patienceFor(request) }),
    );
    const { id, cutoutVersion } = joined.design;
    const clear = isClear(order, request) ? [glassRevision] : [];
    const identity = [...order.identity, ...(order.identityOf?.(joined.design) ?? []), ...clear];
    const etag = makeEtag([id, cutoutVersion, ...identity, request.target]);
    if (request.knownEtags.includes(etag)) {
      return { etag, picture: null, timings: [...joined.timings, ...clock.timings] };
    }
    await request.claim(etag);
    const picture = drawElsewhere
      ? await clock.run('draw-elsewhere', () => drawElsewhere(describeDraw(request, joined.design), signal))
      : await drawOrder(order, request, joined.design, clock);
    return { etag, picture, timings: [...joined.timings, ...clock.timings, ...picture.timings] };
  }

  /** Milliseconds to wait for a better cutout; 0 for previews, which are needed immediately. */
  const patienceFor = (request: DrawRequest): number =>
    request.target.name === 'preview' ? 0 : betterCutoutShare * deadlineMs[urgencyOf(request)];

  async function drawOrder(
    order: SceneOrder,
    request: DrawRequest,
    design: ReadyDesign,
    clock: StepClock,
  ): Promise<DrawnPicture> {
    const cutoutPng = await clock.run('read-cutout', () => cutouts.readCutout(design));
    const urgency = urgencyOf(request);
    const productPng = isClear(order, request)
      ? await clock.run('clear-glass', () => cutouts.readWithClearGlass(design, urgency, clock.signal))
      : cutoutPng;
    const target = await tagTarget(request, design, clock);
    const drawing = { design, cutoutPng, productPng, target, urgency };
    return clock.run('draw-picture', () => order.draw(drawing, clock.signal));
  }

  async function tagTarget(
    { target, ...request }: DrawRequest,
    design: ReadyDesign,
    clock: StepClock,
  ): Promise<RenderTarget> {
    if (target.metadata !== 'photo') return target;
    const options = { urgency: urgencyOf({ target, ...request }), signal: clock.signal };
    const tags = await clock.run('read-tags', () => photos.readTags(design, options));
    return tags ? { ...target, tags } : target;
  }

  /**
   * An illustration implies the mutations with which it was suggested, so the caller need not send them. Mutations in
   * the call take precedence.
   */
  async function resolvePlain(request: DrawRequest): Promise<PicturePlan> {
    const { recipeId, variant, mutations } = request;
    const illustration = mutations?.images?.primaryIllustration;
    const uris = [illustration?.uri, illustration?.previewUri].filter((uri) => uri !== undefined);
    if (uris.length === 0) return resolveRecipe(request);
    // Check recipe and variant first: these errors are more specific than those about the illustration.
    resolveRecipe({ recipeId, variant });
    const suggested = await scenes.findPlainMutations(uris, recipeId, request).catch(blameIllustration);
    return resolveRecipe({ recipeId, variant, mutations: mergeMutations(suggested, mutations ?? {}) });
  }

  /** Resolves what to draw, before any wait for a cutout. */
  async function resolveOrder(request: DrawRequest & Caller, signal: AbortSignal): Promise<SceneOrder> {
    if (looks.isLook(request.recipeId)) return looks.orderLook(request, request.accountId);
    const studio = resolveStudio(request);
    if (studio) {
      const scene = await scenes.orderScene(studio, request, signal).catch(blameIllustration);
      return {
        identity: [studio.recipeId, studio.revision, studio.variant, ...scene.identity],
        draw: scene.draw,
      };
    }
    const plan = await resolvePlain(request);
    return {
      identity: [plan, drawingRevision],
      identityOf: ({ product }) => [product?.pose ?? null],
      draw: ({ design: { accountId, subject, product }, productPng, target, urgency }, signal) => {
        const { boundingBox, touchesEdges } = subject;
        const picture = {
          cutoutPng: productPng,
          boundingBox,
          touchesEdges,
          plan,
          pose: product?.pose,
          target,
        };
        return imaging.drawPicture(picture, { signal, urgency, account: accountId });
      },
    };
  }

  return {
    /**
     * Throws the errors of its steps, and `deadline_exceeded` after the target's deadline. The deadline aborts the
     * drawing, but a running cutout job continues for the next call.
     */
    async renderDesign(request: RenderRequest): Promise<Rendered> {
      const { name } = request.target;
      return underDeadline(
        {
          timeoutMs: deadlineMs[urgencyOf(request)],
          elapsedMs: request.elapsedMs,
          signal: request.signal,
          what: `The ${name} picture`,
        },
        (signal) => renderInTime(request, signal),
      );
    },

    /** Draws a design whose cutout is ready, for another process that holds the caller's connection. */
    async drawDesign(request: DrawRequest, signal: AbortSignal): Promise<DrawnPicture> {
      const clock = new StepClock(signal);
      const design = await designs.resolveDesign(request.designId, request.accountId);
      if (design.state !== 'ready') throw new Error(`${design.id} is ${design.state}`);
      const order = await resolveOrder({ ...request, waitsForPainting: false }, signal);
      const picture = await drawOrder(order, request, { ...design, ...request.cutout }, clock);
      return { ...picture, timings: [...clock.timings, ...picture.timings] };
    },
  };
}

/** Part of the ETag. Increment when a code change makes glass look different for the same photo and cutout. */
const glassRevision = 'glass 2';

const isClear = (order: SceneOrder, { mutations }: DrawRequest): boolean =>
  (order.glass ?? mutations?.edge?.glass) === 'auto';

const urgencyOf = ({ urgency, target }: DrawRequest): RenderUrgency => urgency ?? target.name;

/** Rethrows the error. If a client error names no field, it is attributed to the illustration. */
function blameIllustration(error: unknown): never {
  if (!(error instanceof PackshotError) || error.fields || error.status >= 429) throw error;
  throw error.at('/mutations/images/primaryIllustration');
}

export type DesignRenderer = ReturnType<typeof createDesignRenderer>['renderDesign'];

function describeDraw(
  { designId, accountId, keyId, recipeId, variant, mutations, target, urgency }: RenderRequest,
  { subject, cutoutVersion, cutoutName }: ReadyDesign,
): DrawRequest {
  const cutout = { subject, cutoutVersion, cutoutName };
  return { designId, accountId, keyId, recipeId, variant, mutations, target, urgency, cutout };
}
