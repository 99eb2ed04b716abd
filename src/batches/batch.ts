/**
 * A batch: up to a thousand pictures, processed in the background at the lowest priority.
 *
 *     posted ──> queued ──first item started──> running ──last item ended──> completed
 *                  └────────────DELETE─────────────┴──> cancelled
 *
 * Each item is a separate job and changes its state only once: `waiting` → `done` | `failed` | `cancelled`. If a
 * process dies, its current items stay in `waiting`, and the next process resumes them; finished items are never
 * repeated. DELETE cancels an unfinished batch: its row stays, and its pictures are deleted. DELETE of a finished
 * batch, or the expiry of any batch, deletes everything: first the row, then the pictures.
 */

import type { CutoutWish } from 'packshot-cutout/service';
import type { AlphaWish } from 'packshot-photos';
import type { CheckSummary } from '../listing/check-listing.ts';
import type { MarketplaceId } from '../listing/marketplaces.ts';
import type { RecipeRequest } from '../recipes/resolve-recipe.ts';
import type { MetadataChoice, RenderFormat } from '../rendering/render-target.ts';

/** Maximum items of one batch. */
export const MOST_ITEMS = 1_000;

export const batchEventTypes = ['batch.completed', 'render.completed'] as const;

export interface Batch {
  readonly id: string;
  readonly accountId: string;
  /** The API key that posted the batch and is charged. */
  readonly keyId: string;
  readonly sandbox: boolean;
  readonly state: 'queued' | 'running' | 'completed' | 'cancelled';
  /** The types of webhook events to send. */
  readonly events: readonly (typeof batchEventTypes)[number][];
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** Null if batches are kept until they are deleted. */
  readonly expiresAt: Date | null;
}

export interface ItemRecipe extends RecipeRequest {
  readonly format: RenderFormat;
  /** Encoder quality, 1 to 100; undefined for the default of the format. */
  readonly quality?: number | undefined;
  /** Metadata to copy from the photo; undefined means `none`. */
  readonly metadata?: MetadataChoice | undefined;
  readonly dpi?: number | undefined;
  readonly longEdgePx?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** Properties of the design that is made of the photo; see `PhotoOrigin`. */
  readonly alpha?: AlphaWish | undefined;
  readonly cutout?: CutoutWish | undefined;
  readonly project?: string | undefined;
  /** The marketplaces against whose rules the picture is checked. */
  readonly marketplaces?: readonly MarketplaceId[] | undefined;
}

export interface ItemResult {
  readonly bytes: number;
  readonly etag: string;
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
  /** One verdict per requested marketplace. */
  readonly checks?: readonly CheckSummary[] | undefined;
}

export interface ItemFailure {
  readonly code: string;
  readonly detail: string;
}

export interface BatchItem {
  /** Position in the request, starting at 0. */
  readonly position: number;
  readonly state: 'waiting' | 'done' | 'failed' | 'cancelled';
  /** Name of the result's file, with folder and extension; unique within the batch. */
  readonly fileName: string;
  readonly recipe: ItemRecipe;
  /** Undefined until the photo has become a design. */
  readonly designId: string | undefined;
  readonly result: ItemResult | undefined;
  /** Set for failed items, and for waiting items that are already known to fail when they run. */
  readonly failure: ItemFailure | undefined;
}

/** A file that was uploaded with a batch. Several items may use the same file. */
export interface BatchPhoto {
  /** Position in the upload, starting at 0. */
  readonly number: number;
  readonly fileName: string;
}

export type ItemCounts = Readonly<Record<'total' | BatchItem['state'], number>>;

export const isOver = ({ state }: Batch): boolean => state === 'completed' || state === 'cancelled';

/** Keys of a batch's blobs. */
export const batchBlobs = {
  all: 'batches',
  of: (id: string) => `batches/${id}`,
  result: (id: string, position: number) => `batches/${id}/${position}`,
  /** A file that was uploaded with the batch; deleted once it is a design. */
  photo: (id: string, number: number) => `batches/${id}/photo-${number}`,
} as const;
