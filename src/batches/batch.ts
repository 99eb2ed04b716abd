/**
 * A batch: up to a thousand pictures that nobody waits for, made when there is nothing else to do.
 *
 *     posted ──> queued ──first item begun──> running ──last item over──> completed
 *                  └────────────deleted──────────┴──> cancelled
 *
 * Each item is a job of its own and moves once: `waiting` → `done` | `failed` | `cancelled`. A process that dies
 * leaves the items it was at in `waiting`, and the next start makes them; what is over is never made again. A batch
 * ends by deletion or by expiry, its row before its pictures.
 */
import type { Mutations } from '../recipes/mutations.ts';
import type { RenderFormat } from '../rendering/render-target.ts';

/** Items of one batch. */
export const MOST_ITEMS = 1_000;

export const batchEventTypes = ['batch.completed', 'render.completed'] as const;

export interface Batch {
  readonly id: string;
  readonly accountId: string;
  /** The API key that asked, and pays. */
  readonly keyId: string;
  readonly sandbox: boolean;
  readonly state: 'queued' | 'running' | 'completed' | 'cancelled';
  /** What other systems are told of it. */
  readonly events: readonly (typeof batchEventTypes)[number][];
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** Null where batches are kept until they are deleted. */
  readonly expiresAt: Date | null;
}

export interface ItemRecipe {
  readonly recipeId: string;
  readonly variant: string;
  readonly mutations?: Mutations | undefined;
  readonly format: RenderFormat;
}

export interface ItemResult {
  readonly bytes: number;
  readonly etag: string;
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

export interface ItemFailure {
  readonly code: string;
  readonly detail: string;
}

export interface BatchItem {
  /** From 0, as in the request. */
  readonly position: number;
  readonly state: 'waiting' | 'done' | 'failed' | 'cancelled';
  /** With its extension; unique within the batch. */
  readonly fileName: string;
  readonly recipe: ItemRecipe;
  /** Undefined while the photo has yet to be fetched. */
  readonly designId: string | undefined;
  readonly result: ItemResult | undefined;
  /** While the item waits: what it will fail with. */
  readonly failure: ItemFailure | undefined;
}

/** A file that came with a batch. Several items may be made of it. */
export interface BatchPhoto {
  /** From 0, in the order in which the files came. */
  readonly number: number;
  readonly fileName: string;
}

export type ItemCounts = Readonly<Record<'total' | BatchItem['state'], number>>;

export const isOver = ({ state }: Batch): boolean => state === 'completed' || state === 'cancelled';

/** Where the pictures of a batch lie in the blob store. */
export const batchBlobs = {
  all: 'batches',
  of: (id: string) => `batches/${id}`,
  result: (id: string, position: number) => `batches/${id}/${position}`,
  /** A file that came with the batch, until it is a design. */
  photo: (id: string, number: number) => `batches/${id}/photo-${number}`,
} as const;
