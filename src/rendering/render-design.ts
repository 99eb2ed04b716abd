/**
 * Coordinates the rendering of previews and full versions: resolves the recipe, waits for the cutout and draws
 * the picture.
 */

import { PackshotError } from 'packshot-errors';
import { StepClock, type StepTiming } from 'packshot-pixels';
import type { CutoutMaker } from '../cutouts/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import { listRevisions, type MadeCutout, type ReadyDesign } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { PhotoViewer } from '../designs/show-photo.ts';
import { makeEtag } from '../etag.ts';
import { listIllustrationUris, type Mutations, mergeMutations } from '../recipes/mutations.ts';
import { type PicturePlan, type RecipeRequest, resolveRecipe } from '../recipes/resolve-recipe.ts';
import { resolveStudio, type StudioRequest } from '../recipes/studio-recipe.ts';
import { createSingleFlight, type Flight, type KeptResults } from '../single-flight.ts';
import type { TaskOptions, Tasks } from '../tasks.ts';
import { type DrawnPicture, type drawPicture, isDraft } from './draw-picture.ts';
import type { drawUncut } from './draw-uncut.ts';
import { type PictureLine, plannedShare } from './picture-line.ts';
import { drawingRevision, type RenderTarget } from './render-target.ts';
import type { StampedLogo } from './stamp-logo.ts';
import { findUncutPlan } from './uncut-plan.ts';

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
  /** Milliseconds from now until a draft is better than nothing; default: the picture takes as long as it needs. */
  readonly leftMs?: number | undefined;
  /** The cutout that the caller's ETag refers to; default: the current cutout. */
  readonly cutout?: MadeCutout | undefined;
}

export interface RenderRequest extends DrawRequest {
  /** ETags that the caller already holds (`If-None-Match`). */
  readonly knownEtags: readonly string[];
  /**
   * Reserves the credits for what was ordered, identified by a name; may reject. Called before drawing, but not if the
   * caller already holds the picture.
   */
  readonly claim: (order: string) => Promise<void>;
  /** Whether the caller would rather have a coarse scene than none; default false. */
  readonly mayBeDraft?: boolean;
  /** Finished pictures that are stored; a stored picture is neither claimed nor drawn. */
  readonly stored?: StoredPictures | undefined;
  /** Milliseconds since the request arrived; counts toward the deadline. */
  readonly elapsedMs?: number;
  readonly signal: AbortSignal;
}

export interface StoredPictures {
  find(etag: string): Promise<DrawnPicture | undefined>;
  /** Never rejects because the storage is full. */
  keep(etag: string, picture: DrawnPicture): Promise<void>;
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
  /** The plan for a photo that is left as it is; undefined for a scene, which then is replaced by the photo itself. */
  readonly plain?: PicturePlan | undefined;
  /** The logo of a look, with the changes of the call. */
  readonly logo?: Mutations['logo'];
  readonly readLogo?: () => Promise<StampedLogo>;
  draw(drawing: Drawing, signal: AbortSignal): Promise<DrawnPicture>;
}

/** The input for drawing any picture of a design. */
export interface Drawing {
  readonly design: ReadyDesign;
  readonly cutoutPng: Buffer;
  readonly target: RenderTarget;
  readonly urgency: TaskOptions['urgency'];
  /** When the picture must be done, in the unit of `performance.now()`; undefined: it takes as long as it needs. */
  readonly dueAt?: (() => number) | undefined;
  /** To be called when a task of the drawing starts. */
  readonly onStart?: TaskOptions['onStart'];
}

/** When the caller would rather have a draft; undefined: never. In the unit of `performance.now()`. */
interface Timed {
  readonly dueAt: number | undefined;
}

type RenderUrgency = RenderTarget['name'] | 'batch';

/** Share of a full version's deadline for waiting for a better cutout; the rest is for drawing. */
const betterCutoutShare = plannedShare / 2;

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
  /** Throws `mutation_uri_rejected` and `invalid_mutation`. */
  orderOnUpload(upload: string, accountId: string, request: OnBackdrop): Promise<SceneOrder>;
  /** Reads a picture that the account uploaded, given its URI or id. Throws `mutation_uri_rejected`. */
  openUpload(reference: string, accountId: string): Promise<OwnUpload>;
}

/** What applies to a product on a caller's own backdrop. */
export type OnBackdrop = Pick<StudioRequest, 'variant' | 'others'>;

export interface OwnUpload {
  readonly id: string;
  read(): Promise<Uint8Array>;
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
  readonly photos: Pick<PhotoViewer, 'readTags' | 'readSource'>;
  readonly imaging: Tasks<{ drawPicture: typeof drawPicture; drawUncut: typeof drawUncut }>;
  /** The line of the pictures that other processes ask for. */
  readonly line: Pick<PictureLine, 'join'>;
  /** Calls `drawDesign` in another process; if undefined, this process draws. */
  readonly drawElsewhere?: ((request: DrawRequest, signal: AbortSignal) => Promise<DrawnPicture>) | undefined;
  readonly deadlineMs: Readonly<Record<RenderUrgency, number>>;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createDesignRenderer(needs: Dependencies) {
  const { designs, cutouts, photos, imaging, scenes, looks, line, drawElsewhere, deadlineMs } = needs;
  const share = createSingleFlight<DrawnPicture>(keptPictures);

  async function renderInTime(
    request: RenderRequest & Timed,
    clock: StepClock,
    signal: AbortSignal,
  ): Promise<Rendered> {
    const design = await designs.resolveDesign(request.designId, request.accountId);
    const order = await resolveOrder({ ...request, waitsForPainting: true }, signal);
    const joined = await clock.run('join-cutout', () =>
      cutouts.joinCutout(design, signal, { patienceMs: patienceFor(request) }),
    );
    const etag = identify(order, request, joined.design);
    if (request.knownEtags.includes(etag)) {
      return { etag, picture: null, timings: [...joined.timings, ...clock.timings] };
    }
    const stored = await request.stored?.find(etag);
    if (stored) return { etag, picture: stored, timings: clock.timings };
    // A better cutout of the same revision changes the ETag, but not what the caller ordered and paid for.
    const { current } = listRevisions(joined.design);
    await request.claim(makeEtag([design.id, current, ...order.identity, request.target]));
    const draw = () => drawOnce(etag, order, { ...request, signal }, joined.design);
    const picture = await clock.run(drawElsewhere ? 'draw-elsewhere' : 'draw', draw);
    const timings = [...joined.timings, ...clock.timings, ...picture.timings];
    if (isDraft(picture)) return { etag: makeEtag([etag, picture.draftPx]), picture, timings };
    await request.stored?.keep(etag, picture);
    return { etag, picture, timings };
  }

  /**
   * Draws the picture, or joins its drawing. A drawing continues after its callers' deadlines, and after they leave if
   * it has started; the next call for the picture gets the result.
   */
  function drawOnce(
    etag: string,
    order: SceneOrder,
    request: DrawRequest & Timed & Pick<RenderRequest, 'signal'>,
    design: ReadyDesign,
  ): Promise<DrawnPicture> {
    const { dueAt, signal } = request;
    const caller = { signal, urgency: () => urgencyUntil(dueAt, request), dueAt };
    // A picture that may be a draft is not shared with callers who want the finished one.
    return share(dueAt === undefined ? etag : `${etag} in time`, caller, (flight) =>
      drawElsewhere
        ? drawElsewhere(describeDraw(request, design), flight.signal)
        : drawOrder(order, request, design, flight),
    );
  }

  /** A full version whose time runs out is as urgent as a preview; else, a stream of previews would go before it. */
  function urgencyUntil(dueAt: number | undefined, request: DrawRequest): RenderUrgency {
    const isLate = dueAt !== undefined && dueAt - performance.now() < plannedShare * deadlineMs.preview;
    return isLate ? 'preview' : urgencyOf(request);
  }

  /** Milliseconds to wait for a better cutout; 0 for previews, which are needed immediately. */
  const patienceFor = (request: DrawRequest): number =>
    request.target.name === 'preview' ? 0 : betterCutoutShare * deadlineMs[urgencyOf(request)];

  async function drawOrder(
    order: SceneOrder,
    request: DrawRequest & Timed,
    design: ReadyDesign,
    { signal, urgency, dueAt, onStart }: Flight,
  ): Promise<DrawnPicture> {
    const uncut = findUncutPlan(order.plain, request, design.subject);
    if (uncut) return drawPhoto(order, uncut, request, design, { signal, urgency, dueAt, onStart });
    const clock = new StepClock(signal);
    const cutoutPng = await clock.run('read-cutout', () => cutouts.readCutout(design));
    const target = await completeTarget(order, request, design, clock);
    const timed = request.dueAt === undefined ? {} : { dueAt };
    const drawing = { design, cutoutPng, target, urgency, ...timed, onStart };
    const picture = await clock.run('draw-picture', () => order.draw(drawing, signal));
    return { ...picture, timings: [...clock.timings, ...picture.timings] };
  }

  async function drawPhoto(
    order: SceneOrder,
    plan: PicturePlan,
    request: DrawRequest,
    design: ReadyDesign,
    { signal, urgency, onStart }: Flight,
  ): Promise<DrawnPicture> {
    const clock = new StepClock(signal);
    const bytes = await clock.run('read-photo', () => photos.readSource(design.id));
    const target = await completeTarget(order, request, design, clock);
    const options = { signal, urgency, account: design.accountId, onStart };
    const picture = await clock.run('draw-uncut', () => imaging.drawUncut({ bytes, plan, target }, options));
    return { ...picture, timings: [...clock.timings, ...picture.timings] };
  }

  /** The target with the photo's tags and the logo's file. */
  async function completeTarget(
    { readLogo }: SceneOrder,
    { target, ...request }: DrawRequest,
    design: ReadyDesign,
    clock: StepClock,
  ): Promise<RenderTarget> {
    const { metadata, dpi } = target;
    const options = { urgency: urgencyOf({ target, ...request }), signal: clock.signal };
    const read =
      metadata === 'photo' ? await clock.run('read-tags', () => photos.readTags(design, options)) : null;
    const logo = readLogo && (await clock.run('read-logo', readLogo));
    return {
      ...target,
      ...((read !== null || dpi !== undefined) && { tags: { ...read, ...(dpi !== undefined && { dpi }) } }),
      ...(logo && { logo }),
    };
  }

  /**
   * An illustration implies the mutations with which it was suggested, so the caller need not send them. Mutations in
   * the call take precedence.
   */
  async function resolvePlain(request: DrawRequest): Promise<PicturePlan> {
    const { recipeId, variant, mutations } = request;
    const uris = listIllustrationUris(mutations ?? {});
    if (uris.length === 0) return resolveRecipe(request);
    // Check recipe and variant first: these errors are more specific than those about the illustration.
    resolveRecipe({ recipeId, variant });
    const suggested = await scenes.findPlainMutations(uris, recipeId, request).catch(blameIllustration);
    return resolveRecipe({ recipeId, variant, mutations: mergeMutations(suggested, mutations ?? {}) });
  }

  /** Resolves what to draw, before any wait for a cutout. */
  async function resolveOrder(request: DrawRequest & Caller, signal: AbortSignal): Promise<SceneOrder> {
    const order = await resolveScene(request, signal);
    const logo = order.logo ?? request.mutations?.logo;
    if (!logo) return order;
    const { uri, ...place } = logo;
    const { id, read } = await scenes.openUpload(uri, request.accountId).catch(blame('/mutations/logo/uri'));
    return {
      ...order,
      identity: [...order.identity, [id, place]],
      readLogo: async () => ({ bytes: await read(), ...place }),
    };
  }

  async function resolveScene(request: DrawRequest & Caller, signal: AbortSignal): Promise<SceneOrder> {
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
      plain: plan,
      identity: [plan, drawingRevision],
      identityOf: ({ product }) => [product?.pose ?? null],
      draw: ({ design: { accountId, subject, product }, cutoutPng, target, urgency, onStart }, signal) => {
        const { boundingBox, touchesEdges } = subject;
        const picture = {
          cutoutPng,
          boundingBox,
          touchesEdges,
          plan,
          pose: product?.pose,
          target,
        };
        return imaging.drawPicture(picture, { signal, urgency, onStart, account: accountId });
      },
    };
  }

  return {
    /** Throws the errors of its steps, and `deadline_exceeded` after the target's deadline. */
    async renderDesign(request: RenderRequest): Promise<Rendered> {
      const { name } = request.target;
      const { elapsedMs = 0, mayBeDraft } = request;
      const timeoutMs = deadlineMs[urgencyOf(request)];
      const dueAt = mayBeDraft ? performance.now() + plannedShare * timeoutMs - elapsedMs : undefined;
      const clock = new StepClock(request.signal);
      return underDeadline(
        {
          ...{ timeoutMs, elapsedMs, signal: request.signal },
          what: `The ${name} picture`,
          advice: () =>
            `${describeSteps(clock)} Call again: the work continues, and the next call gets the picture.`,
        },
        (signal) => renderInTime({ ...request, dueAt }, clock, signal),
      );
    },

    /** Draws a design whose cutout is ready, for another process that holds the caller's connection. */
    async drawDesign(request: DrawRequest, signal: AbortSignal): Promise<DrawnPicture> {
      const found = await designs.resolveDesign(request.designId, request.accountId);
      if (found.state !== 'ready') throw new Error(`${found.id} is ${found.state}`);
      const design = { ...found, ...request.cutout };
      const { leftMs, accountId } = request;
      const dueAt = leftMs === undefined ? undefined : performance.now() + leftMs;
      const inLine = dueAt === undefined ? undefined : line.join(accountId, dueAt);
      try {
        const order = await resolveOrder({ ...request, waitsForPainting: false }, signal);
        return await drawOnce(identify(order, request, design), order, { ...request, dueAt, signal }, design);
      } finally {
        inLine?.leave();
      }
    },
  };
}

/** How long a picture is kept for a caller who missed it, in milliseconds. */
const keptMs = 600_000;
const keptPictures: KeptResults<DrawnPicture> = {
  forMs: keptMs,
  maxBytes: 64 * 1024 * 1024,
  bytesOf: ({ bytes }) => bytes.byteLength,
};

function identify(order: SceneOrder, request: DrawRequest, design: ReadyDesign): string {
  const uncut = findUncutPlan(order.plain, request, design.subject);
  const identity = [...order.identity, ...(order.identityOf?.(design) ?? []), ...(uncut ? [uncut] : [])];
  return makeEtag([design.id, design.cutoutVersion, ...identity, request.target]);
}

/** Where the time of a late call went. */
function describeSteps({ timings }: StepClock): string {
  const seconds = (names: readonly string[]) =>
    timings.reduce((sum, { step, durationMs }) => sum + (names.includes(step) ? durationMs / 1_000 : 0), 0);
  const [cut, drawn] = [['join-cutout'], ['draw', 'draw-elsewhere']].map((names) =>
    seconds(names).toFixed(1),
  );
  return `It waited ${cut} s for the cutout and ${drawn} s for the drawing.`;
}

const urgencyOf = ({ urgency, target }: DrawRequest): RenderUrgency => urgency ?? target.name;

/** Returns a function that rethrows an error. If a client error names no field, it is attributed to this one. */
const blame =
  (pointer: string) =>
  (error: unknown): never => {
    if (!(error instanceof PackshotError) || error.fields || error.status >= 429) throw error;
    throw error.at(pointer);
  };
const blameIllustration = blame('/mutations/images/primaryIllustration');

export type DesignRenderer = ReturnType<typeof createDesignRenderer>['renderDesign'];

function describeDraw(
  { designId, accountId, keyId, recipeId, variant, mutations, target, urgency, dueAt }: DrawRequest & Timed,
  { subject, cutoutVersion, cutoutName }: ReadyDesign,
): DrawRequest {
  const cutout = { subject, cutoutVersion, cutoutName };
  const leftMs = dueAt === undefined ? undefined : dueAt - performance.now();
  return { designId, accountId, keyId, recipeId, variant, mutations, target, urgency, leftMs, cutout };
}
