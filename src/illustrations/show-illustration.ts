/** Shows an illustration: identifies it by its signed URI before any pixel work, draws it and stores the result. */
import type { drawPlain } from '../rendering/draw-plain.ts';
import { drawingRevision, type RenderTargetName, renderTarget } from '../rendering/render-target.ts';
import { createSingleFlight, type Flight } from '../single-flight.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { Tasks } from '../tasks.ts';
import type { drawBackdropPlate } from './ground-on-backdrop.ts';
import {
  type Backdrop,
  backdropBlobs,
  type LookPicture,
  type PlainIllustration,
  type SceneIllustration,
} from './illustration.ts';
import type { KeylessDraws } from './keyless-draws.ts';
import type { Painter } from './painting/paint-illustration.ts';
import type { IllustrationResolver } from './resolve-illustration.ts';
import { groundingRevision } from './revision.ts';
import type { Plate, ScenePlates } from './scene-plates.ts';

export interface ShownIllustration {
  /** Everything that determines the bytes; it changes once an engine has painted the scene. */
  readonly identity: readonly unknown[];
  /**
   * Returns a WebP file, or undefined if the illustration was deleted in the meantime. A scene that could not be done by
   * `dueAt` (in the unit of `performance.now()`) is a draft.
   */
  readonly draw: (signal: AbortSignal, dueAt?: number) => Promise<Plate | undefined>;
}

interface Dependencies {
  readonly resolver: IllustrationResolver;
  readonly plates: ScenePlates;
  readonly blobs: BlobStore;
  /** Undefined if the built-in renderer (studio) draws all scenes. */
  readonly painter: Pick<Painter, 'findPainting' | 'readPainting'> | undefined;
  readonly imaging: Tasks<{
    drawPlain: typeof drawPlain;
    drawBackdropPlate: typeof drawBackdropPlate;
  }>;
  /** Limits how many pictures are drawn at once for an account's signed URIs, which work without a key. */
  readonly drawKeyless: KeylessDraws;
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a factory, whose closures share its state.
export function createIllustrationViewer(needs: Dependencies) {
  const { resolver, plates, blobs, painter, imaging, drawKeyless } = needs;
  const share = createSingleFlight<Plate | undefined>();

  /** A caller's own picture, or an engine's picture, at viewing size. */
  const drawBackdrop = (source: Uint8Array, size: RenderTargetName, account: string, signal: AbortSignal) =>
    drawKeyless(account, signal, () =>
      imaging.drawBackdropPlate(
        { source, target: renderTarget(size, 'webp') },
        { signal, urgency: 'shown', account },
      ),
    );

  /** Draws and stores the plate of which somebody got a draft; after a failure, the next caller tries again. */
  function finish(illustration: SceneIllustration, size: RenderTargetName): void {
    const { signal } = new AbortController();
    plates.cleanPlate(illustration, size, { signal, urgency: 'ahead' }).catch(() => undefined);
  }

  async function showScene(
    illustration: SceneIllustration,
    size: RenderTargetName,
    signal: AbortSignal,
  ): Promise<ShownIllustration> {
    const painting = await painter?.findPainting(illustration.id, 0, signal);
    const painted = painting?.state === 'done' && (await painter?.readPainting(illustration));
    if (!painted) {
      return {
        identity: [illustration.id, size, plates.revision],
        async draw(signal, dueAt) {
          const plate = await plates.cleanPlate(illustration, size, { signal, dueAt, urgency: 'shown' });
          if (plate.draftPx !== undefined) finish(illustration, size);
          return plate;
        },
      };
    }
    return {
      identity: [illustration.id, size, painting.engineVersion, groundingRevision],
      draw: (signal) =>
        plates.shownPlate(illustration, `painted-${size}-r${groundingRevision}`, signal, (shared) =>
          drawBackdrop(painted, size, illustration.accountId, shared),
        ),
    };
  }

  function showPlain(illustration: PlainIllustration, size: RenderTargetName): ShownIllustration {
    const { id, plan, accountId: account } = illustration;
    const target = renderTarget(size, 'webp');
    return {
      identity: [id, size, plan, drawingRevision],
      draw: (signal) =>
        plates.shownPlate(illustration, `plain-${size}-r${drawingRevision}`, signal, (shared) =>
          drawKeyless(account, shared, () =>
            imaging.drawPlain({ plan, target }, { signal: shared, urgency: 'shown', account }),
          ),
        ),
    };
  }

  /** The view is stored beside the uploaded backdrop, and deleted with it. */
  function showBackdrop({ id, accountId }: Backdrop, size: RenderTargetName): ShownIllustration {
    const key = backdropBlobs.shown(id, `${size}-r${groundingRevision}`);
    return {
      identity: [id, size, groundingRevision],
      async draw(signal) {
        const stored = await blobs.get(key);
        if (stored) return { bytes: stored, timings: [] };
        return share(key, { signal, urgency: 'shown' }, async (shared) => {
          const source = await blobs.get(backdropBlobs.source(id));
          if (!source) return undefined;
          const bytes = await drawBackdrop(source, size, accountId, shared.signal);
          await blobs.put(key, bytes).catch(() => undefined);
          // If the backdrop was deleted while the view was drawn, the view must not stay.
          if (!(await blobs.get(backdropBlobs.source(id)))) await blobs.deleteAll(backdropBlobs.of(id));
          return { bytes, timings: [] };
        });
      },
    };
  }

  /** Pictures of looks are not stored: each takes only a few seconds to draw, and then the browser caches it. */
  function showLook({ id, plan, accountId }: LookPicture, size: RenderTargetName): ShownIllustration {
    const draw = (shared: Flight): Promise<Plate> =>
      drawKeyless(accountId, shared.signal, async () => {
        if (!('recipeId' in plan)) return plates.viewPlate({ plan, accountId }, size, shared);
        const options = { ...shared, account: accountId };
        const bytes = await imaging.drawPlain({ plan, target: renderTarget(size, 'webp') }, options);
        return { bytes, timings: [] };
      });
    return {
      identity: [id, size, plates.revision, drawingRevision],
      draw: (signal, dueAt) => share(`${id} ${size}`, { signal, dueAt, urgency: 'shown' }, draw),
    };
  }

  /** Returns undefined if the URI is not valid. */
  return async function showIllustration(
    path: string,
    signal: AbortSignal,
  ): Promise<ShownIllustration | undefined> {
    const found = await resolver.findClaimed(path);
    if (!found) return undefined;
    const { illustration } = found;
    const size = found.size === 'preview' ? 'preview' : 'generated';
    switch (illustration.kind) {
      case 'scene':
        return showScene(illustration, size, signal);
      case 'plain':
        return showPlain(illustration, size);
      case 'backdrop':
        return showBackdrop(illustration, size);
      case 'look':
        return showLook(illustration, size);
    }
  };
}

export type IllustrationViewer = ReturnType<typeof createIllustrationViewer>;
