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
import type { PlainIllustration, SceneIllustration } from './illustration.ts';
import { sceneRevision } from './revision.ts';
import type { StagedScene } from './staged-scene.ts';

export interface Plate {
  /** An image file. */
  readonly bytes: Uint8Array;
  /** Steps of the drawing that this call waited for; empty where it was stored. */
  readonly timings: readonly StepTiming[];
}

interface Needs {
  readonly blobs: BlobStore;
  /** False once its design was erased: then nothing of it may be kept. */
  readonly isKept: (illustrationId: string) => Promise<boolean>;
  /** The empty set as WebP, in a process that may die. */
  readonly drawPlate: (
    illustration: SceneIllustration,
    size: RenderTargetName,
    priority: PlatePriority,
    signal: AbortSignal,
  ) => Promise<Plate>;
  /** The set with the product's light in it, in a process that may die. */
  readonly groundPlate: (
    scene: GroundedScene,
    product: StandingProduct,
    size: RenderTargetName,
    priority: PlatePriority,
    signal: AbortSignal,
  ) => Promise<Plate>;
}

type DesignIllustration = SceneIllustration | PlainIllustration;

/** As it was suggested, or with a caller's mutations applied. */
type GroundedScene = SceneIllustration & Partial<StagedScene>;

export interface StandingProduct {
  readonly design: ReadyDesign;
  readonly cutoutPng: Buffer;
}

/** `asked` is waited for by a caller with a key, `shown` by someone who has a signed URI; `ahead` is drawn because nothing else is to do. */
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
      // A picture that cannot be kept, say on a full disk, is still a picture.
      await blobs.put(key, drawn.bytes).catch(() => undefined);
      // Erased while it was being drawn: then nothing of it may stay.
      if (!(await isKept(id))) await blobs.deleteAll(key);
      return drawn;
    });
  }

  return {
    /** Undefined where it was not drawn yet. */
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

    /** Grounded as a caller wants it: drawn for all who ask at once, and not stored, since every layout is another plate. */
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

    /** What else is shown of an illustration of a design, drawn once and kept in the same way. `name` says what made it. */
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

    /** For a stored plate that turned out to be damaged: the next one who asks has it drawn again. */
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

/** The revision is part of the name, so that no picture of an older renderer is ever served beside newer ones. */
function plateKey({ designId, id }: SceneIllustration, name: string): string {
  return designBlobs.illustration(designId, id, `${name}-r${sceneRevision}`);
}

/** A cutout that replaced another one has an outline, and so a shadow, of its own. */
function groundedKey(
  illustration: SceneIllustration,
  { cutoutName }: ReadyDesign,
  size: RenderTargetName,
): string {
  const key = plateKey(illustration, `grounded-${size}`);
  return cutoutName ? `${key}-${cutoutName}` : key;
}
