/** What `packshot remove` does with a photo, and how it does so in child processes of this machine. */
import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';
import { createImageFetcher } from '../../designs/fetch-image.ts';
import { PackshotError } from '../../errors.ts';
import type { Mutations } from '../../recipes/mutations.ts';
import { resolveRecipe } from '../../recipes/resolve-recipe.ts';
import { type RenderFormat, renderTarget } from '../../rendering/render-target.ts';
import { createHeicConverter } from '../../workers/heic-converter.ts';
import { openCutoutPool, openImagingPool } from '../../workers/pools.ts';
import { WorkerCrash } from '../../workers/worker-pool.ts';
import { openPhoto, type Photo, readStandardInput } from './find-photos.ts';

/** What the pictures are to be. */
export interface PictureOrder {
  /** Undefined for the cutout at the photo's own size. */
  readonly recipe:
    | { readonly recipeId: string; readonly variant: string; readonly mutations?: Mutations }
    | undefined;
  /** The matte in place of the cutout; without a recipe, and as `png`. */
  readonly mask?: true;
  /** Without a recipe `png` or `webp`. */
  readonly format: RenderFormat;
}

export interface FinishedPhoto {
  readonly picture: Uint8Array;
  /** 1 for a clear outline, towards 0 where the engine was guessing. */
  readonly confidence: number;
  /** What a person should check, in words. */
  readonly issues: readonly { readonly code: string; readonly detail: string }[];
}

export interface PhotoFinisher {
  /** Rejects with what is wrong with the photo, or with the signal's reason. */
  finish(photo: Photo, signal: AbortSignal): Promise<FinishedPhoto>;
  close(): Promise<void>;
}

/** Resolves when the engine is warmed up, so that an engine that cannot be opened is reported once. */
export async function openLocalFinisher(
  config: Config,
  { recipe, format, mask }: PictureOrder,
  concurrency: number,
): Promise<PhotoFinisher> {
  const { limits, readsHeic } = config.designs;
  const heic = readsHeic ? createHeicConverter() : undefined;
  const cutting = openCutoutPool({
    engine: config.cutout.engine,
    mode: config.cutout.mode,
    // Bytes are counted when the photo is read; a converted HEIC has more.
    limits: { ...limits, maxBytes: Number.MAX_SAFE_INTEGER },
  });
  const isStored = recipe === undefined && format === 'png';
  const imaging = isStored
    ? undefined
    : openImagingPool({
        size: Math.min(concurrency, availableParallelism()),
        maxWaiting: Number.POSITIVE_INFINITY,
      });
  const fetcher = createImageFetcher(config.designs.fetch);
  const close = async () => {
    await Promise.all([cutting.close(), imaging?.close(), heic?.close(), fetcher.close()]);
  };
  const task = { signal: new AbortController().signal, priority: 0, account: undefined };
  await cutting.run('warmUp', null, task).catch(async (error) => {
    await close();
    throw error;
  });

  async function readPhoto(photo: Photo, signal: AbortSignal): Promise<Uint8Array> {
    switch (photo.kind) {
      case 'file':
        return new Uint8Array(await (await openPhoto(photo, limits.maxBytes)).arrayBuffer());
      case 'url':
        return fetcher.fetchImage(photo.name, { signal });
      case 'stdin':
        return readStandardInput(limits.maxBytes);
    }
  }

  async function cut(sent: Uint8Array, signal: AbortSignal) {
    const options = { signal, priority: 1, account: undefined };
    const bytes = heic ? await heic.toReadable(sent, limits, options) : sent;
    const once = () => cutting.run('cutSubject', { bytes }, { signal, priority: 0, account: undefined });
    return once()
      .catch((error) => {
        if (error instanceof WorkerCrash) return once();
        throw error;
      })
      .catch(blamePhoto);
  }

  return {
    async finish(photo, signal) {
      const { cutoutPng, mattePng, subject } = await cut(await readPhoto(photo, signal), signal);
      const { boundingBox, touchesEdges, confidence, issues } = subject;
      const finished = (picture: Uint8Array) => ({ picture, confidence, issues });
      if (!imaging) return finished(mask ? mattePng : cutoutPng);
      if (!recipe) {
        return finished(
          await imaging.run('encodeWebp', { cutoutPng }, { signal, priority: 0, account: undefined }),
        );
      }
      const drawn = await imaging.run(
        'drawPicture',
        {
          cutoutPng,
          boundingBox,
          touchesEdges,
          plan: resolveRecipe(recipe),
          target: renderTarget('generated', format),
        },
        { signal, priority: 0, account: undefined },
      );
      return finished(drawn.bytes);
    },
    close,
  };
}

/** A photo that ended two processes, one after the other, is not given a third. */
function blamePhoto(error: unknown): never {
  if (!(error instanceof WorkerCrash)) throw error;
  throw new PackshotError(
    'image_undecodable',
    'The photo could not be processed in two attempts. Save it again as JPEG or PNG.',
    { cause: error },
  );
}
