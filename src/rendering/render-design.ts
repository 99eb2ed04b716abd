/** Conductor of a render: recipe resolved, cutout joined, picture drawn; the same for preview and full version. */
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { DesignStore } from '../designs/design-store.ts';
import type { SubjectFacts } from '../designs/subject.ts';
import { PackshotError } from '../errors.ts';
import { makeEtag } from '../etag.ts';
import type { Box } from '../pixels.ts';
import type { Variant } from '../recipes/catalogue.ts';
import type { Mutations } from '../recipes/mutations.ts';
import { resolveRecipe } from '../recipes/resolve-recipe.ts';
import { resolveStudio } from '../recipes/studio-recipe.ts';
import { StepClock, type StepTiming } from '../step-clock.ts';
import { type DrawnPicture, type DrawPicture, drawingRevision } from './draw-picture.ts';
import type { RenderTarget } from './render-target.ts';

export interface RenderRequest {
  readonly designId: string;
  readonly accountId: string;
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations?: Mutations | undefined;
  readonly target: RenderTarget;
  /** ETags that the caller holds already (`If-None-Match`). */
  readonly knownEtags: readonly string[];
  readonly signal: AbortSignal;
}

export interface Rendered {
  readonly etag: string;
  /** Null where the caller holds this very picture already. */
  readonly picture: DrawnPicture | null;
  readonly timings: readonly StepTiming[];
}

/** What the scenes' room does for a render; plans are its own business. */
export interface SceneRenderer {
  /** Verifies the URI; throws `mutation_uri_rejected`. */
  resolveIllustration(
    uri: string,
    designId: string,
    accountId: string,
  ): Promise<{ readonly id: string; readonly plan: { readonly ratio: Variant } }>;
  draw(
    input: { cutoutPng: Buffer; boundingBox: Box; plan: { readonly ratio: Variant }; target: RenderTarget },
    signal: AbortSignal,
  ): Promise<DrawnPicture>;
  /** Part of every scene's ETag, as `drawingRevision` is of every other picture's. */
  readonly revision: number;
}

interface Needs {
  readonly scenes: SceneRenderer;
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  /** Draws in a process that may die. Throws what `drawPicture` throws, and `queue_full`. */
  readonly draw: (input: Omit<DrawPicture, 'signal'>, signal: AbortSignal) => Promise<DrawnPicture>;
  readonly deadlineMs: Readonly<Record<RenderTarget['name'], number>>;
}

interface Order {
  /** Everything about recipe and mutations that decides the bytes. */
  readonly identity: readonly unknown[];
  readonly draw: (cutoutPng: Buffer, subject: SubjectFacts, signal: AbortSignal) => Promise<DrawnPicture>;
}

export function createDesignRenderer({ designs, cutouts, draw, scenes, deadlineMs }: Needs) {
  async function renderInTime(request: RenderRequest, signal: AbortSignal): Promise<Rendered> {
    const clock = new StepClock(signal);
    const design = await designs.resolveDesign(request.designId, request.accountId);
    const order = await resolveOrder(request);
    const joined = await clock.run('join-cutout', () => cutouts.joinCutout(design, signal));
    const etag = makeEtag([joined.design.id, joined.design.cutoutVersion, ...order.identity, request.target]);
    if (request.knownEtags.includes(etag)) {
      return { etag, picture: null, timings: [...joined.timings, ...clock.timings] };
    }
    const cutoutPng = await clock.run('read-cutout', () => cutouts.readCutout(joined.design));
    const picture = await clock.run('draw-picture', () =>
      order.draw(cutoutPng, joined.design.subject, signal),
    );
    return { etag, picture, timings: [...joined.timings, ...clock.timings, ...picture.timings] };
  }

  /** What is to be drawn, before anybody waits for a cutout. */
  async function resolveOrder({ target, ...request }: RenderRequest): Promise<Order> {
    const studio = resolveStudio(request);
    if (!studio) {
      const plan = resolveRecipe(request);
      return {
        identity: [plan, drawingRevision],
        draw: (cutoutPng, { boundingBox, touchesEdges }, signal) =>
          draw({ cutoutPng, boundingBox, touchesEdges, plan, target }, signal),
      };
    }
    const { id, plan } = await scenes.resolveIllustration(
      studio.illustrationUri,
      request.designId,
      request.accountId,
    );
    if (plan.ratio !== studio.variant) {
      throw new PackshotError(
        'invalid_mutation',
        `This illustration was made for the variant ${plan.ratio}.`,
      );
    }
    return {
      identity: [studio.recipeId, studio.revision, id, scenes.revision],
      draw: (cutoutPng, { boundingBox }, signal) =>
        scenes.draw({ cutoutPng, boundingBox, plan, target }, signal),
    };
  }

  /**
   * Throws what its rooms throw, and `deadline_exceeded` once the target's deadline has passed; then the work is
   * stopped, but a running cutout goes on for the next call.
   */
  return async function renderDesign(request: RenderRequest): Promise<Rendered> {
    const { name } = request.target;
    return underDeadline(
      { timeoutMs: deadlineMs[name], signal: request.signal, what: `The ${name} picture` },
      (signal) => renderInTime(request, signal),
    );
  };
}

export type DesignRenderer = ReturnType<typeof createDesignRenderer>;
