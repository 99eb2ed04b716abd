/** Conductor of a render: recipe resolved, cutout joined, picture drawn; the same for preview and full version. */
import { createHash } from 'node:crypto';
import type { CutoutMaker } from '../cutout/make-cutout.ts';
import type { ReadyDesign } from '../designs/design.ts';
import type { DesignStore } from '../designs/design-store.ts';
import { PackshotError } from '../errors.ts';
import type { Mutations } from '../recipes/mutations.ts';
import { type PicturePlan, resolveRecipe } from '../recipes/resolve-recipe.ts';
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
  return async function renderDesign(request: RenderRequest): Promise<Rendered> {
    const deadline = AbortSignal.timeout(deadlineMs[request.target.name]);
    const signal = AbortSignal.any([request.signal, deadline]);
    const clock = new StepClock(signal);
    try {
      const plan = resolveRecipe(request);
      const design = await designs.resolveDesign(request.designId, request.accountId);
      const joined = await clock.run('join-cutout', () => cutouts.joinCutout(design, signal));
      const etag = etagOf(joined.design, plan, request.target);
      if (request.knownEtags.includes(etag)) {
        return { etag, picture: null, timings: [...joined.timings, ...clock.timings] };
      }
      const cutoutPng = await clock.run('read-cutout', () => cutouts.readCutout(joined.design));
      const { boundingBox, touchesEdges } = joined.design.subject;
      const picture = await clock.run('draw-picture', () =>
        draw({ cutoutPng, boundingBox, touchesEdges, plan, target: request.target }, signal),
      );
      return { etag, picture, timings: [...joined.timings, ...clock.timings, ...picture.timings] };
    } catch (error) {
      if (deadline.aborted && !(error instanceof PackshotError)) {
        throw new PackshotError(
          'deadline_exceeded',
          `The ${request.target.name} picture was not done within ${deadlineMs[request.target.name] / 1000} s; the work on the cutout goes on.`,
          { cause: error, retryAfterS: 2 },
        );
      }
      throw error;
    }
  };
}

export type DesignRenderer = ReturnType<typeof createDesignRenderer>;

/** Known before a pixel is touched: everything that decides the bytes is in it. */
function etagOf(design: ReadyDesign, plan: PicturePlan, target: RenderTarget): string {
  const inputs = JSON.stringify([design.id, design.cutoutVersion, plan, target, drawingRevision]);
  return `"${createHash('sha256').update(inputs).digest('base64url').slice(0, 27)}"`;
}
