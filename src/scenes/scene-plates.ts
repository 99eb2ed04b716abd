/**
 * Where a scene's pictures come from: stored, being drawn, or drawn now, and never drawn twice at once.
 *
 * Each scene has two plates at two sizes. The clean one is the empty set, for looking at. The grounded one holds the
 * product's shadow, bounced light and reflection, but not the product: every format of a render is made from it. Both
 * are stored whole or not at all; a plate that is lost is drawn again from the plan, with the same pixels.
 */
import { designBlobs, type ReadyDesign } from '../designs/design.ts';
import type { RenderTargetName } from '../rendering/render-target.ts';
import { createSharedWork } from '../shared-work.ts';
import type { StepTiming } from '../step-clock.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { SceneIllustration } from './illustration.ts';
import { sceneRevision } from './revision.ts';

export interface Plate {
  /** An image file. */
  readonly bytes: Uint8Array;
  /** Steps of the drawing that this call waited for; empty where it was stored. */
  readonly timings: readonly StepTiming[];
}

interface Needs {
  readonly blobs: BlobStore;
  /** The empty set as WebP, in a process that may die. */
  readonly drawPlate: (
    illustration: SceneIllustration,
    size: RenderTargetName,
    priority: PlatePriority,
    signal: AbortSignal,
  ) => Promise<Plate>;
  /** The set with the product's light in it, in a process that may die. */
  readonly groundPlate: (
    illustration: SceneIllustration,
    product: StandingProduct,
    size: RenderTargetName,
    priority: PlatePriority,
    signal: AbortSignal,
  ) => Promise<Plate>;
}

export interface StandingProduct {
  readonly design: ReadyDesign;
  readonly cutoutPng: Buffer;
}

/** `asked` is waited for by a caller; `ahead` is drawn because nothing else is to do. */
export type PlatePriority = 'asked' | 'ahead';

export function createScenePlates({ blobs, drawPlate, groundPlate }: Needs) {
  const share = createSharedWork<Plate>();

  async function findOrDraw(
    key: string,
    signal: AbortSignal,
    draw: (signal: AbortSignal) => Promise<Plate>,
  ): Promise<Plate> {
    const stored = await blobs.get(key);
    if (stored) return { bytes: stored, timings: [] };
    return share(key, signal, async (shared) => {
      const drawn = await draw(shared);
      // A picture that cannot be kept, say on a full disk, is still a picture.
      await blobs.put(key, drawn.bytes).catch(() => undefined);
      return drawn;
    });
  }

  return {
    cleanPlate(
      illustration: SceneIllustration,
      size: RenderTargetName,
      priority: PlatePriority,
      signal: AbortSignal,
    ): Promise<Plate> {
      const key = plateKey(illustration, `clean-${size}`);
      return findOrDraw(key, signal, (shared) => drawPlate(illustration, size, priority, shared));
    },

    groundedPlate(
      illustration: SceneIllustration,
      product: StandingProduct,
      size: RenderTargetName,
      priority: PlatePriority,
      signal: AbortSignal,
    ): Promise<Plate> {
      const key = plateKey(illustration, `grounded-${size}`);
      return findOrDraw(key, signal, (shared) => groundPlate(illustration, product, size, priority, shared));
    },

    /** For a stored plate that turned out to be damaged: the next one who asks has it drawn again. */
    async discardGrounded(illustration: SceneIllustration, size: RenderTargetName): Promise<void> {
      await blobs.deleteAll(plateKey(illustration, `grounded-${size}`));
    },
  };
}

export type ScenePlates = ReturnType<typeof createScenePlates>;

/** The revision is part of the name, so that no picture of an older renderer is ever served beside newer ones. */
function plateKey({ designId, id }: SceneIllustration, name: string): string {
  return designBlobs.illustration(designId, id, `${name}-r${sceneRevision}`);
}
