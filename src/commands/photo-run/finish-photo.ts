/** How `packshot remove` processes a photo, and its local implementation in child processes. */
import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';
import { createImageFetcher } from '../../designs/fetch-image.ts';
import { ofAnySize } from '../../designs/image-limits.ts';
import type { Mutations } from '../../recipes/mutations.ts';
import { resolveRecipe } from '../../recipes/resolve-recipe.ts';
import { type RenderFormat, renderTarget } from '../../rendering/render-target.ts';
import { describePose } from '../../scenes/product/pose.ts';
import { detectKindByRules } from '../../scenes/product-kind.ts';
import { createHeicConverter } from '../../workers/heic-converter.ts';
import { openCutoutPool, openImagingPool } from '../../workers/pools.ts';
import { openPhoto, type Photo, readStandardInput } from './find-photos.ts';

/** The pictures requested by the command line. */
export interface PictureOrder {
  /** Undefined for the cutout at the photo's size. */
  readonly recipe:
    | { readonly recipeId: string; readonly variant: string; readonly mutations?: Mutations }
    | undefined;
  /** Write the matte instead of the cutout; only without a recipe, as `png`. */
  readonly mask?: true;
  /** `png` or `webp` if there is no recipe. */
  readonly format: RenderFormat;
  /** Quality of a picture on a recipe, 1 to 100; undefined for the default of its format. */
  readonly quality?: number;
  /** The photo's metadata to keep; undefined for none. */
  readonly metadata?: 'photo';
}

export interface FinishedPhoto {
  readonly picture: Uint8Array;
  /** 1 for a clear outline; lower values for less certain ones, down to 0. */
  readonly confidence: number;
  /** Messages about anything that a person should check. */
  readonly issues: readonly { readonly code: string; readonly detail: string }[];
}

export interface PhotoFinisher {
  /** Rejects with an error that describes the problem with the photo, or with the signal's reason. */
  finish(photo: Photo, signal: AbortSignal): Promise<FinishedPhoto>;
  close(): Promise<void>;
}

/** Resolves when the engine is warmed up, so that an engine that cannot be opened is reported once, not per photo. */
export async function openLocalFinisher(
  config: Config,
  { recipe, format, quality, metadata, mask }: PictureOrder,
  concurrency: number,
): Promise<PhotoFinisher> {
  const { limits, readsHeic } = config.designs;
  const heic = readsHeic ? createHeicConverter() : undefined;
  const { engine, mode } = config.cutout;
  const cutting = openCutoutPool(
    { engine, mode, limits: ofAnySize(limits) },
    { retriesAfterCrash: 1, decoding: ['cutPhoto'] },
  );
  const isStored = recipe === undefined && format === 'png' && metadata === undefined;
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
  const { signal: never } = new AbortController();
  await cutting.tasks.warmUp(null, { ...task, signal: never }).catch(async (error) => {
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

  async function readReadable(photo: Photo, signal: AbortSignal): Promise<Uint8Array> {
    const bytes = await readPhoto(photo, signal);
    return heic ? heic.toReadable(bytes, limits, { ...task, signal }) : bytes;
  }

  return {
    async finish(source, signal) {
      const bytes = await readReadable(source, signal);
      const { cutoutPng, mattePng, subject } = await cutting.tasks.cutPhoto({ bytes }, { ...task, signal });
      const { boundingBox, touchesEdges, confidence, issues } = subject;
      const finished = (picture: Uint8Array) => ({ picture, confidence, issues });
      if (!imaging) return finished(mask ? mattePng : cutoutPng);
      const photo = { bytes, limits: ofAnySize(limits) };
      const tags = metadata && (await imaging.tasks.readPhotoTags(photo, { ...task, signal }));
      if (!recipe) {
        const cutout = { cutoutPng, format: format === 'webp' ? format : 'png', tags } as const;
        return finished(await imaging.tasks.convertCutout(cutout, { ...task, signal }));
      }
      const plan = resolveRecipe(recipe);
      const productPng =
        recipe.mutations?.edge?.glass === 'auto'
          ? await imaging.tasks.clearCutout({ bytes, cutoutPng }, { ...task, signal })
          : Buffer.from(cutoutPng);
      const target = { ...renderTarget('generated', format, quality), ...(tags && { tags }) };
      const findPose = async () => {
        const seen = { cutoutPng, box: boundingBox, touchesEdges };
        const { features } = await imaging.tasks.lookAtCutout(seen, { ...task, signal });
        return (
          features && describePose(features, detectKindByRules({ features, fileName: source.name }).fallsOver)
        );
      };
      const pose = plan.shadow.kind === 'none' ? undefined : await findPose();
      const drawn = await imaging.tasks.drawPicture(
        { cutoutPng: productPng, boundingBox, touchesEdges, plan, pose, target },
        { ...task, signal },
      );
      return finished(drawn.bytes);
    },
    close,
  };
}

/** All photos have the same urgency, so they are processed in order. */
const task = { urgency: 'generated', account: undefined } as const;
