/** Keeps one account from filling the storage that all share: what it may store, looked at before it sends more. */
import { PackshotError } from '../errors.ts';
import type { Database } from './database.ts';
import type { StoredBytes } from './stored-bytes.ts';

/** Sums are taken again after this, or after a hundred times what they took: large accounts cost no more than 1 % of the time. */
const measureEveryMs = 1_000;
const measureShare = 100;
/** Where it is not told: of what the pictures take and the disk has free. */
const defaultShare = 1 / 2;
/** What expires is erased by an hourly sweep. */
const retryAfterS = 3_600;

interface Needs {
  readonly database: Database;
  readonly storedBytes: Pick<StoredBytes, 'flush' | 'sumOf' | 'sumAll'>;
  /** 0 for no limit; undefined for half of the room, once there are two accounts. */
  readonly limitBytes: number | undefined;
  /** Undefined where the blobs are on no disk of this machine. */
  readonly measureFreeBytes: () => Promise<number | undefined>;
}

interface Measure {
  readonly bytes: number;
  readonly at: number;
  readonly tookMs: number;
}

export function createAccountShare({ database, storedBytes, limitBytes, measureFreeBytes }: Needs) {
  const measures = new Map<string, Measure>();

  async function measure(name: string, sum: () => Promise<number>, fresh = false): Promise<number> {
    const now = performance.now();
    const last = measures.get(name);
    if (last && !fresh && now - last.at < Math.max(measureEveryMs, measureShare * last.tookMs))
      return last.bytes;
    // What deleted is looked at in vain costs an account that is at its limit no more than its own calls.
    if (last && now - last.at < last.tookMs) return last.bytes;
    await storedBytes.flush();
    const bytes = await sum();
    measures.delete(name);
    measures.set(name, { bytes, at: now, tookMs: performance.now() - now });
    return bytes;
  }

  /** Undefined where there is none. */
  async function findLimit(): Promise<number | undefined> {
    if (limitBytes !== undefined) return limitBytes || undefined;
    const freeBytes = await measureFreeBytes();
    if (freeBytes === undefined) return undefined;
    const accounts = await database.selectFrom('accounts').select('id').limit(2).execute();
    // Nobody to share with.
    if (accounts.length < 2) return undefined;
    return defaultShare * (freeBytes + (await measure('', storedBytes.sumAll)));
  }

  return {
    /** Throws `storage_full`, for this account alone. */
    async admit(accountId: string): Promise<void> {
      const limit = await findLimit();
      if (limit === undefined) return;
      const sum = () => storedBytes.sumOf(accountId);
      if ((await measure(accountId, sum)) < limit) return;
      // It may have deleted something since.
      const bytes = await measure(accountId, sum, true);
      if (bytes < limit) return;
      throw new PackshotError(
        'storage_full',
        `Your account stores ${inMB(bytes)}, and its share is ${inMB(limit)}. Delete designs, backdrops or batches that you no longer need; what is not used expires by itself.`,
        { retryAfterS, lasting: true },
      );
    },
  };
}

const inMB = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;
