/** Conductor of a render: recipe resolved, cutout joined, picture drawn; the same for preview and full version. */
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { MadeCutout, ReadyDesign } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { PackshotError } from '../errors.ts';
import { makeEtag } from '../etag.ts';
import { type Mutations, mergeMutations } from '../recipes/mutations.ts';
import { type PicturePlan, resolveRecipe } from '../recipes/resolve-recipe.ts';
import { resolveStudio, type StudioRequest } from '../recipes/studio-recipe.ts';
import { StepClock, type StepTiming } from '../step-clock.ts';
import type { DrawnPicture, DrawPicture } from './draw-picture.ts';
import { drawingRevision, type RenderTarget } from './render-target.ts';

/** Which picture is wanted, and by whom. All of it can be sent to another process. */
export interface DrawRequest {
  readonly designId: string;
  readonly accountId: string;
  /** The API key that asks: what an engine's picture costs is on its account. */
  readonly keyId: string;
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations?: Mutations | undefined;
  readonly target: RenderTarget;
  /** The cutout that the caller's ETag was made of; the current one where left out. */
  readonly cutout?: MadeCutout | undefined;
}

export interface RenderRequest extends DrawRequest {
  /** ETags that the caller holds already (`If-None-Match`). */
  readonly knownEtags: readonly string[];
  /** Asked once it is known which picture is to be drawn, and may refuse. Never asked for one that the caller holds. */
  readonly claim: (etag: string) => Promise<void>;
  /** Since the call arrived; it counts against the deadline. */
  readonly elapsedMs?: number;
  readonly signal: AbortSignal;
}

export interface Rendered {
  readonly etag: string;
  /** Null where the caller holds this very picture already. */
  readonly picture: DrawnPicture | null;
  readonly timings: readonly StepTiming[];
}

/** A render with an illustration, once that is known to be the caller's. */
export interface SceneOrder {
  /** Everything about the illustration and the mutations that decides the bytes. */
  readonly identity: readonly unknown[];
  draw(
    design: ReadyDesign,
    cutoutPng: Buffer,
    target: RenderTarget,
    signal: AbortSignal,
  ): Promise<DrawnPicture>;
}

/** Of a full version's deadline: the rest is for drawing it. */
const betterCutoutShare = 0.5;

type Owner = Pick<RenderRequest, 'designId' | 'accountId'>;
interface Asker extends Owner, Pick<RenderRequest, 'keyId' | 'target'> {
  /** False where the caller's process has waited for it already: then the picture is made of what there is. */
  readonly waitsForPainting: boolean;
}

/** What the scenes' room does for a render; illustrations and their plans are its own business. */
export interface SceneOrders {
  /** Throws `mutation_uri_rejected`, `invalid_mutation`, and for another host's picture what fetching it throws. */
  orderScene(request: StudioRequest, asker: Asker, signal: AbortSignal): Promise<SceneOrder>;
  /** The mutations that a plain recipe was suggested with, from its illustration's URIs. Throws `mutation_uri_rejected` for illustrations of other recipes. */
  findPlainMutations(uris: readonly string[], recipeId: string, owner: Owner): Promise<Mutations>;
}

interface Needs {
  readonly scenes: SceneOrders;
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  /** Draws in a process that may die. Throws what `drawPicture` throws, and `queue_full`. */
  readonly draw: (
    input: Omit<DrawPicture, 'signal'>,
    accountId: string,
    signal: AbortSignal,
  ) => Promise<DrawnPicture>;
  /** Has another process draw with its `drawDesign`; undefined where pictures are drawn here. */
  readonly drawElsewhere?: ((request: DrawRequest, signal: AbortSignal) => Promise<DrawnPicture>) | undefined;
  readonly deadlineMs: Readonly<Record<RenderTarget['name'], number>>;
}

interface Order {
  /** Everything about recipe and mutations that decides the bytes. */
  readonly identity: readonly unknown[];
  readonly draw: (design: ReadyDesign, cutoutPng: Buffer, signal: AbortSignal) => Promise<DrawnPicture>;
}

export function createDesignRenderer(needs: Needs) {
  const { designs, cutouts, draw, scenes, drawElsewhere, deadlineMs } = needs;

  async function renderInTime(request: RenderRequest, signal: AbortSignal): Promise<Rendered> {
    const clock = new StepClock(signal);
    const design = await designs.resolveDesign(request.designId, request.accountId);
    const order = await resolveOrder({ ...request, waitsForPainting: true }, signal);
    const joined = await clock.run('join-cutout', () =>
      cutouts.joinCutout(design, signal, { patienceMs: patienceFor(request.target) }),
    );
    const etag = makeEtag([joined.design.id, joined.design.cutoutVersion, ...order.identity, request.target]);
    if (request.knownEtags.includes(etag)) {
      return { etag, picture: null, timings: [...joined.timings, ...clock.timings] };
    }
    await request.claim(etag);
    const picture = drawElsewhere
      ? await clock.run('draw-elsewhere', () => drawElsewhere(describeDraw(request, joined.design), signal))
      : await drawOrder(order, joined.design, clock, signal);
    return { etag, picture, timings: [...joined.timings, ...clock.timings, ...picture.timings] };
  }

  /** A preview is looked at now, a full version is kept. */
  const patienceFor = ({ name }: RenderTarget): number =>
    name === 'preview' ? 0 : betterCutoutShare * deadlineMs[name];

  async function drawOrder(
    order: Order,
    design: ReadyDesign,
    clock: StepClock,
    signal: AbortSignal,
  ): Promise<DrawnPicture> {
    const cutoutPng = await clock.run('read-cutout', () => cutouts.readCutout(design));
    return clock.run('draw-picture', () => order.draw(design, cutoutPng, signal));
  }

  /** The illustration knows what its suggestion changed, so a caller may send nothing else; what the caller sends wins. */
  async function resolvePlain(request: DrawRequest): Promise<PicturePlan> {
    const { recipeId, variant, mutations } = request;
    const illustration = mutations?.images?.primaryIllustration;
    const uris = [illustration?.uri, illustration?.previewUri].filter((uri) => uri !== undefined);
    if (uris.length === 0) return resolveRecipe(request);
    // Recipe and variant are judged first: an error about them says more than one about the illustration.
    resolveRecipe({ recipeId, variant });
    const suggested = await scenes.findPlainMutations(uris, recipeId, request).catch(blameIllustration);
    return resolveRecipe({ recipeId, variant, mutations: mergeMutations(suggested, mutations ?? {}) });
  }

  /** What is to be drawn, before anybody waits for a cutout. */
  async function resolveOrder(request: DrawRequest & Asker, signal: AbortSignal): Promise<Order> {
    const { target } = request;
    const studio = resolveStudio(request);
    if (studio) {
      const scene = await scenes.orderScene(studio, request, signal).catch(blameIllustration);
      return {
        identity: [studio.recipeId, studio.revision, studio.variant, ...scene.identity],
        draw: (design, cutoutPng, signal) => scene.draw(design, cutoutPng, target, signal),
      };
    }
    const plan = await resolvePlain(request);
    return {
      identity: [plan, drawingRevision],
      draw: ({ accountId, subject: { boundingBox, touchesEdges } }, cutoutPng, signal) =>
        draw({ cutoutPng, boundingBox, touchesEdges, plan, target }, accountId, signal),
    };
  }

  return {
    /**
     * Throws what its rooms throw, and `deadline_exceeded` once the target's deadline has passed; then the work is
     * stopped, but a running cutout goes on for the next call.
     */
    async renderDesign(request: RenderRequest): Promise<Rendered> {
      const { name } = request.target;
      return underDeadline(
        {
          timeoutMs: deadlineMs[name],
          elapsedMs: request.elapsedMs,
          signal: request.signal,
          what: `The ${name} picture`,
        },
        (signal) => renderInTime(request, signal),
      );
    },

    /** The picture alone, of a design whose cutout is made, for a process that holds the call itself. */
    async drawDesign(request: DrawRequest, signal: AbortSignal): Promise<DrawnPicture> {
      const clock = new StepClock(signal);
      const design = await designs.resolveDesign(request.designId, request.accountId);
      if (design.state !== 'ready') throw new Error(`${design.id} is ${design.state}`);
      const order = await resolveOrder({ ...request, waitsForPainting: false }, signal);
      const picture = await drawOrder(order, { ...design, ...request.cutout }, clock, signal);
      return { ...picture, timings: [...clock.timings, ...picture.timings] };
    },
  };
}

/** What names no other field is about the illustration. */
function blameIllustration(error: unknown): never {
  if (!(error instanceof PackshotError) || error.fields || error.status >= 429) throw error;
  throw error.at('/mutations/images/primaryIllustration');
}

export type DesignRenderer = ReturnType<typeof createDesignRenderer>['renderDesign'];

function describeDraw(
  { designId, accountId, keyId, recipeId, variant, mutations, target }: RenderRequest,
  { subject, cutoutVersion, cutoutName }: ReadyDesign,
): DrawRequest {
  const cutout = { subject, cutoutVersion, cutoutName };
  return { designId, accountId, keyId, recipeId, variant, mutations, target, cutout };
}
