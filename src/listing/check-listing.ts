/**
 * Listing check: checks a picture (a render of a design, or any other) against the rules of marketplaces. If it does
 * not pass, proposes a recipe whose pictures pass.
 */

import { type ImageLimits, ofAnySize } from 'packshot-photos';
import type { Caller } from '../accounts/authenticate.ts';
import type { Receipt, RenderCharger } from '../accounts/charge-render.ts';
import type { PhotoInspector } from '../designs/inspect-photo.ts';
import type { UploadPlaces } from '../designs/upload-places.ts';
import type { RecipeRequest } from '../recipes/resolve-recipe.ts';
import type { DesignRenderer, RenderRequest } from '../rendering/render-design.ts';
import { renderTarget, sampleTarget } from '../rendering/render-target.ts';
import type { Tasks } from '../tasks.ts';
import { judgePicture, type Verdict } from './judge-picture.ts';
import { type MarketplaceId, marketplaces } from './marketplaces.ts';
import type { measurePicture, PictureMeasures } from './measure-picture.ts';

interface Dependencies {
  readonly imaging: Tasks<{ measurePicture: typeof measurePicture }>;
  readonly inspector: Pick<PhotoInspector, 'toReadable'>;
  readonly renderDesign: DesignRenderer;
  readonly chargeRender: RenderCharger;
  /** Slots for files in memory, shared with uploads. */
  readonly places: UploadPlaces;
  readonly limits: ImageLimits;
}

/** A render call whose picture passes, unless there are problems in `remains`. */
interface Fix {
  readonly recipeId: string;
  readonly variant: string;
  /** Path of the render call. */
  readonly path: '/v1/design/generated.jpeg';
  /** Longer side of the picture, in pixels. */
  readonly sizePx: number;
  /** Margin around the product, as a fraction of the picture's shorter side. */
  readonly margin: number;
  /** ID of the design; null if the picture is not a design yet, so that the photo must be uploaded first. */
  readonly id: string | null;
  /** Problems that the recipe cannot fix. */
  readonly remains: readonly string[];
}

interface MarketplaceCheck extends Verdict {
  readonly marketplace: MarketplaceId;
  /** Null if the picture passes. */
  readonly fix: Fix | null;
}

export interface ListingCheck {
  readonly passes: boolean;
  readonly measures: PictureMeasures;
  readonly checks: readonly MarketplaceCheck[];
}

/** A check in brief, for reports of many pictures. */
export interface CheckSummary extends Pick<MarketplaceCheck, 'marketplace' | 'verdict' | 'summary'> {
  /** IDs of the rules that the picture breaks, including those of level `advised`, which do not fail the picture. */
  readonly failed: readonly string[];
}

interface DrawnToCheck {
  readonly bytes: Uint8Array;
  readonly designId: string;
  readonly accountId: string;
  readonly marketplaces: readonly MarketplaceId[];
  readonly urgency: 'generated' | 'batch';
  readonly signal: AbortSignal;
}

/** The target is that of a full version. */
interface RenderToCheck
  extends Pick<RenderRequest, 'designId' | keyof RecipeRequest | 'target' | 'elapsedMs' | 'signal'> {
  readonly caller: Caller;
  readonly marketplaces: readonly MarketplaceId[];
}

interface PictureToCheck {
  readonly accountId: string;
  /** Called when a slot for the bytes is free. */
  readonly readPicture: () => Promise<{
    readonly bytes: Uint8Array;
    readonly marketplaces: readonly MarketplaceId[];
  }>;
  readonly signal: AbortSignal;
}

export type ListingChecker = ReturnType<typeof createListingChecker>;

export function createListingChecker(needs: Dependencies) {
  const { imaging, inspector, renderDesign, chargeRender, places, limits } = needs;

  /** Checks a picture that this service has drawn. */
  async function checkDrawn(drawn: DrawnToCheck): Promise<ListingCheck> {
    const { bytes, designId, accountId, marketplaces, urgency, signal } = drawn;
    const measures = await imaging.measurePicture(
      { bytes, limits: ofAnySize(limits) },
      { signal, urgency, account: accountId },
    );
    return judgeAll(measures, marketplaces, designId);
  }

  return {
    checkDrawn,

    /**
     * Draws and charges the full version like a render call, under the same ETag, so a picture that was paid for
     * within the last hour is free. Throws the errors of `renderDesign`.
     */
    async checkRender(request: RenderToCheck): Promise<{ check: ListingCheck; receipt: Receipt }> {
      const { caller, marketplaces, target, ...wish } = request;
      const { keyId, accountId, sandbox } = caller;
      const owner = { accountId, keyId, target: sandbox ? sampleTarget(target) : target };
      const { result, receipt } = await chargeRender(
        { keyId, sandbox, size: 'generated', mayBeKnown: false },
        (claim) => renderDesign({ ...wish, ...owner, knownEtags: [], claim }),
      );
      const { bytes } = result.picture!;
      const { designId, signal } = wish;
      const drawn = { bytes, designId, accountId, marketplaces, urgency: 'generated', signal } as const;
      return { check: await checkDrawn(drawn), receipt };
    },

    /** Throws the errors of `measurePicture`. */
    async checkPicture({ accountId, readPicture, signal }: PictureToCheck): Promise<ListingCheck> {
      return places.hold({ account: accountId, signal }, async () => {
        const sent = await readPicture();
        const options = { signal, urgency: 'preview', account: accountId } as const;
        const readable = await inspector.toReadable(sent.bytes, options);
        const isHeic = readable !== sent.bytes;
        const measures = await imaging.measurePicture(
          { bytes: readable, limits: isHeic ? ofAnySize(limits) : limits },
          options,
        );
        return judgeAll(isHeic ? asHeic(measures, sent.bytes) : measures, sent.marketplaces, null);
      });
    },
  };
}

/** Measurements of a picture that was converted from HEIC, with the format and byte length of the original file. */
const asHeic = (measures: PictureMeasures, { byteLength }: Uint8Array): PictureMeasures => ({
  ...measures,
  format: 'heic',
  bytes: byteLength,
});

export function judgeAll(
  measures: PictureMeasures,
  ids: readonly MarketplaceId[],
  designId: string | null,
): ListingCheck {
  const checks = ids.map((id): MarketplaceCheck => {
    const verdict = judgePicture(marketplaces[id], measures);
    const fix = verdict.verdict === 'passes' ? null : proposeFix(id, measures, designId);
    return { marketplace: id, ...verdict, fix };
  });
  return { passes: checks.every(({ verdict }) => verdict === 'passes'), measures, checks };
}

function proposeFix(marketplace: MarketplaceId, measures: PictureMeasures, id: string | null): Fix {
  return {
    ...listingRecipe(marketplace),
    path: '/v1/design/generated.jpeg',
    sizePx: renderTarget('generated', 'jpeg').longEdgePx,
    margin: LISTING_MARGIN,
    id,
    remains: [
      ...(measures.hasContent === 0 ? ['No product was found: use a photo that shows one.'] : []),
      ...(measures.cutEdges ? ['The product is cropped by the frame: photograph the whole product.'] : []),
      ...(measures.fragments
        ? ['Small parts are separate from the product: erase those that do not belong to it.']
        : []),
    ],
  };
}

const LISTING_MARGIN = 0.06;

/** The recipe whose pictures pass our checks for this marketplace. */
export const listingRecipe = (marketplace: MarketplaceId) => ({
  recipeId: `Listing_${marketplace}_main`,
  variant: '1:1',
});

export const summarizeChecks = ({ checks }: ListingCheck): CheckSummary[] =>
  checks.map(({ marketplace, verdict, summary, rules }) => ({
    marketplace,
    verdict,
    summary,
    failed: rules.filter(({ outcome }) => outcome === 'fails').map(({ id }) => id),
  }));
