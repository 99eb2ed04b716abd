/** Makes one item of a batch, at the lowest priority: creates a design of the photo, renders it, and charges. */
import type { RenderCharger } from '../accounts/charge-render.ts';
import type { DesignCreator, Photo } from '../designs/create-design.ts';
import type { ImageFetcher } from '../designs/fetch-image.ts';
import { type ListingChecker, summarizeChecks } from '../listing/check-listing.ts';
import type { DesignRenderer } from '../rendering/render-design.ts';
import { renderTarget, sampleTarget, withWishes } from '../rendering/render-target.ts';
import type { Batch, ItemRecipe, ItemResult } from './batch.ts';

export interface MadePicture extends Omit<ItemResult, 'bytes'> {
  readonly bytes: Uint8Array;
}

interface Dependencies {
  readonly creator: DesignCreator;
  readonly fetcher: Pick<ImageFetcher, 'fetchImage'>;
  readonly noteUpload: (keyId: string) => Promise<void>;
  readonly chargeRender: RenderCharger;
  readonly renderDesign: DesignRenderer;
  readonly checkDrawn: ListingChecker['checkDrawn'];
}

type PhotoOrder = Pick<RenderOrder, 'batch' | 'recipe'>;

const originOf = ({ alpha, cutout, project }: ItemRecipe) => ({
  kindHint: undefined,
  ...{ alpha, cutout, project },
});

export function createItemMaker(needs: Dependencies) {
  const { creator, fetcher, noteUpload, chargeRender, renderDesign, checkDrawn } = needs;

  async function createDesign(
    { accountId, keyId }: Batch,
    signal: AbortSignal,
    readPhoto: () => Promise<Photo>,
  ): Promise<string> {
    const { id } = await creator.createDesign({ accountId, readPhoto, urgency: 'batch', signal });
    await noteUpload(keyId);
    return id;
  }

  return {
    /** Returns the ID of the new design. Throws the errors of fetching and uploading. */
    createFromUrl: (url: string, { batch, recipe }: PhotoOrder, signal: AbortSignal): Promise<string> =>
      createDesign(batch, signal, async () => ({
        bytes: await fetcher.fetchImage(url, { signal }),
        fileName: undefined,
        ...originOf(recipe),
      })),

    /** Like `createFromUrl`, for a file that was uploaded with the batch. */
    createFromFile: (
      file: { readonly bytes: Uint8Array; readonly fileName: string },
      { batch, recipe }: PhotoOrder,
      signal: AbortSignal,
    ): Promise<string> => createDesign(batch, signal, async () => ({ ...file, ...originOf(recipe) })),

    async render(
      {
        batch,
        designId,
        recipe: { format, quality, marketplaces, alpha: _, project: __, cutout, ...wishes },
      }: RenderOrder,
      signal: AbortSignal,
    ): Promise<MadePicture> {
      const { accountId, keyId, sandbox } = batch;
      const target = withWishes(renderTarget('generated', format, quality), wishes);
      const { result } = await chargeRender(
        { keyId, sandbox, size: 'generated', mayBeKnown: false },
        (claim) =>
          renderDesign({
            ...{ recipeId: wishes.recipeId, variant: wishes.variant, mutations: wishes.mutations },
            ...(cutout && { mutations: { ...wishes.mutations, cutout } }),
            designId,
            accountId,
            keyId,
            target: sandbox ? sampleTarget(target) : target,
            urgency: 'batch',
            knownEtags: [],
            claim,
            signal,
          }),
      );
      const { etag, picture } = result;
      if (!picture) throw new Error(`no picture of ${designId}, although no ETag was sent`);
      const { bytes, warnings } = picture;
      if (!marketplaces) return { bytes, etag, warnings };
      const drawn = { bytes, designId, accountId, marketplaces, urgency: 'batch', signal } as const;
      return { bytes, etag, warnings, checks: summarizeChecks(await checkDrawn(drawn)) };
    },
  };
}

interface RenderOrder {
  readonly batch: Batch;
  readonly designId: string;
  readonly recipe: ItemRecipe;
}

export type ItemMaker = ReturnType<typeof createItemMaker>;
