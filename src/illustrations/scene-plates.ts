/**
 * Provides a scene's plates: stored, in progress, or drawn now; concurrent requests share one drawing.
 *
 * Each scene has two plates at two sizes. The clean one is the empty set, for viewing. The grounded one holds
 * the product's shadow, bounced light and reflection, but not the product: every format of a render is made
 * from it. Both are stored atomically; a lost plate is drawn again from the plan, with the same pixels.
 */
import { designBlobs, type ReadyDesign } from '../designs/design.ts';
import type { RenderTargetName } from '../rendering/render-target.ts';
import { createSharedWork } from '../shared-work.ts';
import type { StepTiming } from '../step-clock.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { PlainIllustration, SceneIllustration } from './illustration.ts';
import { sceneRevision } from './revision.ts';
import type { StagedScene } from './staged-scene.ts';

export interface Plate {
  /** An image file. */
  readonly bytes: Uint8Array;
  /** Steps of the drawing that this call waited for; empty if it was stored. */
  readonly timings: readonly StepTiming[];
}

interface Needs {
  readonly blobs: BlobStore;
  /** False once its design has been erased: then nothing of it may be stored. */
  readonly isKept: (illustrationId: string) => Promise<boolean>;
  /** The empty set as WebP, in a child process. */
  readonly drawPlate: (
    illustration: SceneIllustration,
    size: RenderTargetName,
    priority: PlatePriority,
    signal: AbortSignal,
  ) => Promise<Plate>;
  /** The set with the product's light in it, in a child process. */
  readonly groundPlate: (
    scene: GroundedScene,
    product: StandingProduct,
    size: RenderTargetName,
    priority: PlatePriority,
    signal: AbortSignal,
  ) => Promise<Plate>;
}

type DesignIllustration = SceneIllustration | PlainIllustration;

/** As suggested, or with a caller's mutations applied. */
type GroundedScene = SceneIllustration & Partial<StagedScene>;

export interface StandingProduct {
  readonly design: ReadyDesign;
  readonly cutoutPng: Buffer;
}

/** `asked`: a caller with a key waits. `shown`: the holder of a signed URI waits. `ahead`: prerendered while idle. */
export type PlatePriority = 'asked' | 'shown' | 'ahead';

export function createScenePlates({ blobs, isKept, drawPlate, groundPlate }: Needs) {
  const share = createSharedWork<Plate>();

  async function findOrDraw(
    { id }: DesignIllustration,
    key: string,
    signal: AbortSignal,
    draw: (signal: AbortSignal) => Promise<Plate>,
  ): Promise<Plate> {
    const stored = await blobs.get(key);
    if (stored) return { bytes: stored, timings: [] };
    return share(key, signal, async (shared) => {
      const drawn = await draw(shared);
      // A picture that cannot be stored, for example on a full disk, is still returned.
      await blobs.put(key, drawn.bytes).catch(() => undefined);
      // The design was erased during the drawing, so nothing of it may stay.
      if (!(await isKept(id))) await blobs.deleteAll(key);
      return drawn;
    });
  }

  return {
    /** Undefined if it has not been drawn yet. */
    async findCleanPlate(
      illustration: SceneIllustration,
      size: RenderTargetName,
    ): Promise<Plate | undefined> {
      const stored = await blobs.get(plateKey(illustration, `clean-${size}`));
      return stored && { bytes: stored, timings: [] };
    },

    cleanPlate(
      illustration: SceneIllustration,
      size: RenderTargetName,
      priority: PlatePriority,
      signal: AbortSignal,
    ): Promise<Plate> {
      const key = plateKey(illustration, `clean-${size}`);
      return findOrDraw(illustration, key, signal, (shared) =>
        drawPlate(illustration, size, priority, shared),
      );
    },

    groundedPlate(
      illustration: SceneIllustration,
      product: StandingProduct,
      size: RenderTargetName,
      priority: PlatePriority,
      signal: AbortSignal,
    ): Promise<Plate> {
      const key = groundedKey(illustration, product.design, size);
      return findOrDraw(illustration, key, signal, (shared) =>
        groundPlate(illustration, product, size, priority, shared),
      );
    },

    /**
     * A grounded plate with a caller's layout: shared by concurrent requests, but not stored, since every
     * layout differs.
     */
    stagedPlate(
      illustration: SceneIllustration,
      scene: StagedScene,
      product: StandingProduct,
      size: RenderTargetName,
      signal: AbortSignal,
    ): Promise<Plate> {
      const { plan, rotateDeg, shadowStrength } = scene;
      const key = JSON.stringify([illustration.id, size, plan.camera, rotateDeg, shadowStrength]);
      const staged = { ...illustration, ...scene };
      return share(key, signal, (shared) => groundPlate(staged, product, size, 'asked', shared));
    },

    /**
     * Any other view of a design's illustration, drawn once and stored in the same way. `name` identifies its
     * origin.
     */
    shownPlate(
      illustration: DesignIllustration,
      name: string,
      signal: AbortSignal,
      draw: (signal: AbortSignal) => Promise<Uint8Array>,
    ): Promise<Plate> {
      const key = designBlobs.illustration(illustration.designId, illustration.id, name);
      return findOrDraw(illustration, key, signal, async (shared) => ({
        bytes: await draw(shared),
        timings: [],
      }));
    },

    /** Deletes a corrupt stored plate, so that the next request draws it again. */
    async discardGrounded(
      illustration: SceneIllustration,
      design: ReadyDesign,
      size: RenderTargetName,
    ): Promise<void> {
      await blobs.deleteAll(groundedKey(illustration, design, size));
    },
  };
}

export type ScenePlates = ReturnType<typeof createScenePlates>;

/** The revision is part of the name, so that plates of an older renderer are never mixed with newer ones. */
function plateKey({ designId, id }: SceneIllustration, name: string): string {
  return designBlobs.illustration(designId, id, `${name}-r${sceneRevision}`);
}

/** A replaced cutout has another outline, and so another shadow. */
function groundedKey(
  illustration: SceneIllustration,
  { cutoutName }: ReadyDesign,
  size: RenderTargetName,
): string {
  const key = plateKey(illustration, `grounded-${size}`);
  return cutoutName ? `${key}-${cutoutName}` : key;
}
