/** Conductor of a render: recipe resolved, cutout joined, picture drawn; the same for preview and full version. */
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import { underDeadline } from '../deadline.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { makeEtag } from '../etag.ts';
import type { Mutations } from '../recipes/mutations.ts';
import { resolveRecipe } from '../recipes/resolve-recipe.ts';
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

interface Needs {
  readonly designs: DesignStore;
  readonly cutouts: CutoutMaker;
  /** Draws in a process that may die. Throws what `drawPicture` throws, and `queue_full`. */
  readonly draw: (input: Omit<DrawPicture, 'signal'>, signal: AbortSignal) => Promise<DrawnPicture>;
  readonly deadlineMs: Readonly<Record<RenderTarget['name'], number>>;
}

export function createDesignRenderer({ designs, cutouts, draw, deadlineMs }: Needs) {
  /**
   * Throws what its rooms throw, and `deadline_exceeded` once the target's deadline has passed; then the work is
   * stopped, but a running cutout goes on for the next call.
   */
  async function renderInTime(request: RenderRequest, signal: AbortSignal): Promise<Rendered> {
    const { target } = request;
    const clock = new StepClock(signal);
    const plan = resolveRecipe(request);
    const design = await designs.resolveDesign(request.designId, request.accountId);
    const joined = await clock.run('join-cutout', () => cutouts.joinCutout(design, signal));
    const etag = makeEtag([joined.design.id, joined.design.cutoutVersion, plan, target, drawingRevision]);
    if (request.knownEtags.includes(etag)) {
      return { etag, picture: null, timings: [...joined.timings, ...clock.timings] };
    }
    const cutoutPng = await clock.run('read-cutout', () => cutouts.readCutout(joined.design));
    const { boundingBox, touchesEdges } = joined.design.subject;
    const picture = await clock.run('draw-picture', () =>
      draw({ cutoutPng, boundingBox, touchesEdges, plan, target }, signal),
    );
    return { etag, picture, timings: [...joined.timings, ...clock.timings, ...picture.timings] };
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
