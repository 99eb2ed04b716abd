/**
 * The sweep of one kind of object with a row and blobs under one id: deletes expired objects and orphaned
 * blobs.
 */
import type { BlobStore } from './blob-store.ts';

/** Blobs are put before their row is inserted, so younger orphans may belong to an upload in progress. */
const orphanAgeMs = 3_600_000;

/** The owners of the blobs below a prefix. */
export interface BlobOwners {
  /** Keys are `prefix/id/…`. */
  readonly prefix: string;
  readonly listExpired: () => Promise<readonly string[]>;
  /** Whether the row that owns the blobs exists. */
  readonly isKnown: (id: string) => Promise<boolean>;
  /** Resolves once the row and all blobs are gone. */
  readonly erase: (id: string) => Promise<void>;
}

export interface StaleOwner {
  readonly id: string;
  readonly why: 'expired' | 'orphaned';
}

/** Called once per prefix with the bytes below each id, after all blobs were listed. */
export type CountListener = (prefix: string, bytes: ReadonlyMap<string, number>) => Promise<void>;

export interface BlobSweeper {
  /** Dry run of a sweep. Changes nothing. */
  findStale(): AsyncIterable<StaleOwner>;
  sweep(): Promise<void>;
}

export function createBlobSweeper(needs: {
  readonly owners: BlobOwners;
  readonly blobs: BlobStore;
  readonly clock: () => number;
  readonly onCounted?: CountListener | undefined;
  /** Called for each object that could not be deleted; the sweep continues with the next. */
  readonly onError: (error: unknown) => void;
}): BlobSweeper {
  const { owners, blobs, clock, onCounted, onError } = needs;

  /** Yields the objects to delete, and adds up the bytes below each id in `counted`. */
  async function* look(counted: Map<string, number>): AsyncIterable<StaleOwner> {
    for (const id of await owners.listExpired()) yield { id, why: 'expired' };
    const seen = new Set<string>();
    for await (const { key, bytes, modifiedAt } of blobs.list(owners.prefix)) {
      const id = key.slice(owners.prefix.length + 1).split('/', 1)[0]!;
      counted.set(id, (counted.get(id) ?? 0) + bytes);
      if (seen.has(id) || clock() - modifiedAt.getTime() < orphanAgeMs) continue;
      seen.add(id);
      if (!(await owners.isKnown(id))) yield { id, why: 'orphaned' };
    }
  }

  return {
    findStale: () => look(new Map()),
    async sweep() {
      const counted = new Map<string, number>();
      for await (const { id, why } of look(counted)) {
        const erasing = why === 'expired' ? owners.erase(id) : blobs.deleteAll(`${owners.prefix}/${id}`);
        await erasing.catch(onError);
      }
      await onCounted?.(owners.prefix, counted);
    },
  };
}
