/** Forgetting by and by, alike for all that has a row and blobs under one id: what has expired, and bytes that no row knows. */
import type { BlobStore } from './blob-store.ts';

/** Blobs are put before their row; younger ones without a row may belong to what is under way. */
const orphanAgeMs = 3_600_000;

/** What owns the blobs below a prefix. */
export interface BlobOwners {
  /** Keys are `prefix/id/…`. */
  readonly prefix: string;
  readonly listExpired: () => Promise<readonly string[]>;
  /** Whether there is a row that its blobs belong to. */
  readonly isKnown: (id: string) => Promise<boolean>;
  /** Resolves when neither row nor blobs are left. */
  readonly erase: (id: string) => Promise<void>;
}

export interface StaleOwner {
  readonly id: string;
  readonly why: 'expired' | 'orphaned';
}

/** Hears how many bytes lie below each id of a prefix, once all of them were listed. */
export type CountListener = (prefix: string, bytes: ReadonlyMap<string, number>) => Promise<void>;

export interface BlobSweeper {
  /** What a sweep would erase just now. Changes nothing. */
  findStale(): AsyncIterable<StaleOwner>;
  sweep(): Promise<void>;
}

export function createBlobSweeper(needs: {
  readonly owners: BlobOwners;
  readonly blobs: BlobStore;
  readonly clock: () => number;
  readonly onCounted?: CountListener | undefined;
  /** Hears of what a sweep could not erase; the sweep goes on with the next. */
  readonly onError: (error: unknown) => void;
}): BlobSweeper {
  const { owners, blobs, clock, onCounted, onError } = needs;

  /** Adds up what lies below each id on the way. */
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
