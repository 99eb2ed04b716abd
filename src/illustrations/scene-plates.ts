/**
 * Provides a scene's plates (pictures without the product): returns a stored plate, or draws it. Concurrent requests
 * share one drawing.
 *
 * Each scene has two plates, each in two sizes. The clean plate is the empty set, for viewing. The grounded plate holds
 * the product's shadow, bounced light and reflection, but not the product; it is the basis of renders in all formats.
 * Plates are stored atomically; a lost plate is drawn again from the plan, with the same pixels. A draft, for which there
 * was too little time, is never stored.
 */

import type { StepTiming } from 'packshot-pixels';
import { designBlobs } from '../designs/design.ts';
import type { PictureLine } from '../rendering/picture-line.ts';
import type { Drawing } from '../rendering/render-design.ts';
import { type RenderTargetName, renderTarget } from '../rendering/render-target.ts';
import { createSingleFlight, type Flight, type FlightCaller } from '../single-flight.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Tasks } from '../tasks.ts';
import type { drawPlate, groundScene, SceneDetail } from './draw-scene.ts';
import type { DesignIllustration, SceneIllustration } from './illustration.ts';
import type { IllustrationStore } from './illustration-store.ts';
import type { KeylessDraws } from './keyless-draws.ts';
import { sceneRevision } from './revision.ts';
import type { StagedScene } from './staged-scene.ts';

export interface Plate {
  readonly bytes: Uint8Array;
  /** The steps of drawing for which this call waited; empty if the plate was already stored. */
  readonly timings: readonly StepTiming[];
  /** Longer side at which a draft was traced for want of time, in pixels; undefined for a finished plate. */
  readonly draftPx?: number | undefined;
}

interface Dependencies {
  readonly blobs: BlobStore;
  readonly illustrations: Pick<IllustrationStore, 'findIllustration'>;
  readonly imaging: Tasks<{ drawPlate: typeof drawPlate; groundScene: typeof groundScene }>;
  /** Limits the number of concurrent draws for viewers without an API key (those of urgency `shown`). */
  readonly drawKeyless: KeylessDraws;
  /** Milliseconds that a plate of this account may take; undefined: as many as it needs. */
  readonly findBudgetMs: PictureLine['findBudgetMs'];
  /** Default: `normal`. */
  readonly detail?: SceneDetail;
}

/** A scene as suggested, or with a caller's mutations applied. */
type GroundedScene = Pick<SceneIllustration, 'plan' | 'accountId'> & Partial<StagedScene>;

export type StandingProduct = Pick<Drawing, 'design' | 'cutoutPng'>;

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createScenePlates(dependencies: Dependencies) {
  const { blobs, illustrations, imaging, drawKeyless, findBudgetMs, detail = 'normal' } = dependencies;
  const share = createSingleFlight<Plate>();
  const revision = detail === 'normal' ? sceneRevision : `${sceneRevision}-${detail}`;

  /** The revision of the renderer is part of the key, so that plates of different revisions are never mixed. */
  const plateKey = ({ designId, id }: SceneIllustration, name: string): string =>
    designBlobs.illustration(designId, id, `${name}-r${revision}`);

  /** The cutout is part of the key: if the cutout is replaced, its outline changes, and with it the shadow. */
  function groundedKey(
    illustration: SceneIllustration,
    product: StandingProduct,
    size: RenderTargetName,
  ): string {
    const { cutoutName } = product.design;
    const key = plateKey(illustration, `grounded-${size}`);
    return cutoutName ? `${key}-${cutoutName}` : key;
  }

  async function findOrDraw(
    { id }: DesignIllustration,
    key: string,
    caller: FlightCaller,
    draw: (shared: Flight) => Promise<Plate>,
  ): Promise<Plate> {
    const stored = await blobs.get(key);
    if (stored) return { bytes: stored, timings: [] };
    return share(flightKey(key, caller), caller, async (shared) => {
      const drawn = await draw(shared);
      if (drawn.draftPx !== undefined) return drawn;
      // A picture that cannot be stored, for example on a full disk, is still returned.
      await blobs.put(key, drawn.bytes).catch(() => undefined);
      // If the design was deleted while the plate was drawn, the plate must not stay.
      if (!(await illustrations.findIllustration(id))) await blobs.deleteAll(key);
      return drawn;
    });
  }

  async function groundPlate(
    { plan, accountId, rotateDeg, shadowStrength }: GroundedScene,
    { design, cutoutPng }: StandingProduct,
    size: RenderTargetName,
    shared: Flight,
  ): Promise<Plate> {
    const { boundingBox } = design.subject;
    const scene = { plan, rotateDeg, shadowStrength, cutoutPng, boundingBox, size, detail };
    const { tracedPx, isDraft, ...drawn } = await imaging.groundScene(
      (threads) => ({ ...scene, threads, budgetMs: findBudgetMs(accountId, shared.dueAt()) }),
      { ...shared, account: accountId, long: true },
    );
    return { ...drawn, ...(isDraft && { draftPx: tracedPx }) };
  }

  async function viewPlate(
    { plan, accountId }: Pick<SceneIllustration, 'plan' | 'accountId'>,
    size: RenderTargetName,
    shared: Flight,
  ): Promise<Plate> {
    const target = renderTarget(size, 'webp');
    const { tracedPx, isDraft, ...drawn } = await imaging.drawPlate(
      (threads) => ({ plan, target, detail, threads, budgetMs: findBudgetMs(accountId, shared.dueAt()) }),
      { ...shared, account: accountId, long: true },
    );
    return { ...drawn, ...(isDraft && { draftPx: tracedPx }) };
  }

  return {
    /** Revision of the pictures, part of the ETag of every picture with a plate. */
    revision,

    /** Returns undefined if the plate has not been drawn yet. */
    async findCleanPlate(illustration: SceneIllustration, size: RenderTargetName) {
      const stored = await blobs.get(plateKey(illustration, `clean-${size}`));
      return stored && { bytes: stored, timings: [] };
    },

    cleanPlate(
      illustration: SceneIllustration,
      size: RenderTargetName,
      caller: FlightCaller,
    ): Promise<Plate> {
      return findOrDraw(illustration, plateKey(illustration, `clean-${size}`), caller, (shared) => {
        const draw = () => viewPlate(illustration, size, shared);
        return caller.urgency === 'shown' ? drawKeyless(illustration.accountId, shared.signal, draw) : draw();
      });
    },

    /** A clean plate that is not stored. */
    viewPlate,

    groundedPlate(
      illustration: SceneIllustration,
      product: StandingProduct,
      size: RenderTargetName,
      caller: FlightCaller,
    ): Promise<Plate> {
      const key = groundedKey(illustration, product, size);
      return findOrDraw(illustration, key, caller, (shared) =>
        groundPlate(illustration, product, size, shared),
      );
    },

    /** A grounded plate with a caller's layout. Shared, but not stored, because calls rarely have the same layout. */
    stagedPlate(
      illustration: Pick<SceneIllustration, 'id' | 'accountId'>,
      scene: StagedScene,
      { target: { name: size }, urgency, dueAt, onStart, ...product }: Drawing,
      signal: AbortSignal,
    ): Promise<Plate> {
      const { plan, rotateDeg, shadowStrength } = scene;
      const changes = [plan.camera, rotateDeg, shadowStrength];
      const key = JSON.stringify([illustration.id, size, ...changes]);
      const staged = { ...illustration, ...scene };
      const caller = { signal, urgency, dueAt, onStart };
      return share(flightKey(key, caller), caller, (shared) => groundPlate(staged, product, size, shared));
    },

    /**
     * A picture for viewing other than a clean plate: an engine's painting, or the backdrop of a plain recipe. Drawn
     * once and stored. `name`: its kind, size and revision.
     */
    shownPlate(
      illustration: DesignIllustration,
      name: string,
      signal: AbortSignal,
      draw: (signal: AbortSignal) => Promise<Uint8Array>,
    ): Promise<Plate> {
      const key = designBlobs.illustration(illustration.designId, illustration.id, name);
      return findOrDraw(illustration, key, { signal, urgency: 'shown' }, async (shared) => ({
        bytes: await draw(shared.signal),
        timings: [],
      }));
    },

    /** Deletes a corrupt plate from the store, so that the next request draws it again. */
    async discardGrounded(
      illustration: SceneIllustration,
      product: StandingProduct,
      size: RenderTargetName,
    ): Promise<void> {
      await blobs.deleteAll(groundedKey(illustration, product, size));
    },
  };
}

/** A caller who has a deadline joins no drawing that takes as long as it needs, nor the other way round. */
const flightKey = (key: string, { dueAt }: FlightCaller): string =>
  dueAt === undefined ? key : `${key} in time`;

export type ScenePlates = ReturnType<typeof createScenePlates>;
