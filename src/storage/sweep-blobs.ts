/** Deletes expired objects of one kind, and orphaned blobs. Each object has a row and blobs under one ID. */
import type { BlobStore } from './blob-store.ts';

/**
 * Minimum age of an orphan, in milliseconds. A younger blob may belong to an upload that has not written its row yet.
 */
const orphanAgeMs = 3_600_000;

/** The objects that own the blobs under `prefix`. */
export interface BlobOwners {
  /** The keys of the blobs are `prefix/id/…`. */
  readonly prefix: string;
  readonly listExpired: () => Promise<readonly string[]>;
  readonly isKnown: (id: string) => Promise<boolean>;
  /** Resolves once the row and all its blobs are deleted. */
  readonly erase: (id: string) => Promise<void>;
}

export interface StaleOwner {
  readonly id: string;
  readonly why: 'expired' | 'orphaned';
}

/** Called once per prefix with the bytes below each ID, after all blobs have been listed. */
export type CountListener = (prefix: string, bytes: ReadonlyMap<string, number>) => Promise<void>;

export interface BlobSweeper {
  /** Finds what a sweep would delete, and changes nothing. */
  findStale(): AsyncIterable<StaleOwner>;
  sweep(): Promise<void>;
}

export interface SweepDependencies {
  readonly blobs: BlobStore;
  readonly clock: () => number;
  /** Called by each sweep with the number of bytes that each object has stored. */
  readonly onCounted?: CountListener | undefined;
  /** Called with the error of each object that could not be deleted; the sweep continues with the next object. */
  readonly onError: (error: unknown) => void;
}

export function createBlobSweeper(needs: SweepDependencies & { readonly owners: BlobOwners }): BlobSweeper {
  const { owners, blobs, clock, onCounted, onError } = needs;

  /** Yields the objects to delete. Adds up the bytes below each ID in `counted`. */
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
