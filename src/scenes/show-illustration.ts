/** Conductor of looking at an illustration, for whoever holds its signed URI. */
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import type { RenderTargetName } from '../rendering/render-target.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { backdropBlobs } from './illustration.ts';
import type { Painter } from './paint-illustration.ts';
import type { IllustrationResolver } from './resolve-illustration.ts';
import type { Plate, ScenePlates } from './scene-plates.ts';

export interface ShownPicture extends Plate {
  /** What made it: the same illustration may be shown as drawn first, and as painted later. */
  readonly version: string;
}

interface Needs {
  readonly resolver: IllustrationResolver;
  readonly plates: ScenePlates;
  readonly blobs: BlobStore;
  /** Undefined where the embedded studio makes all scenes. */
  readonly painter: Pick<Painter, 'findPainting' | 'readPainting'> | undefined;
  /** The backdrop of a plain recipe as WebP. */
  readonly drawPlain: (plan: PicturePlan, size: RenderTargetName, signal: AbortSignal) => Promise<Uint8Array>;
  /** A caller's own picture, at a size for looking at, as WebP. */
  readonly drawBackdrop: (
    source: Uint8Array,
    size: RenderTargetName,
    signal: AbortSignal,
  ) => Promise<Uint8Array>;
}

export function createIllustrationViewer({
  resolver,
  plates,
  blobs,
  painter,
  drawPlain,
  drawBackdrop,
}: Needs) {
  /** Undefined for whatever may not be shown. */
  return async function showIllustration(
    path: string,
    signal: AbortSignal,
  ): Promise<ShownPicture | undefined> {
    const found = await resolver.findClaimed(path);
    if (!found) return undefined;
    const { illustration } = found;
    const size = found.size === 'preview' ? 'preview' : 'generated';
    switch (illustration.kind) {
      case 'scene': {
        const painting = await painter?.findPainting(illustration.id, 0, signal);
        const painted = painting?.state === 'done' && (await painter?.readPainting(illustration));
        if (painted) {
          return {
            bytes: await drawBackdrop(painted, size, signal),
            timings: [],
            version: painting.engineVersion,
          };
        }
        return { ...(await plates.cleanPlate(illustration, size, 'asked', signal)), version: 'studio' };
      }
      case 'plain':
        return { bytes: await drawPlain(illustration.plan, size, signal), timings: [], version: 'plain' };
      case 'backdrop': {
        const source = await blobs.get(backdropBlobs.source(illustration.id));
        return source && { bytes: await drawBackdrop(source, size, signal), timings: [], version: 'upload' };
      }
    }
  };
}

export type IllustrationViewer = ReturnType<typeof createIllustrationViewer>;
