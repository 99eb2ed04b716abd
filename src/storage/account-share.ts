/** Storage quota per account, so that one account cannot fill the storage. Checked before each upload. */
import { PackshotError } from 'packshot-errors';
import type { Database } from './database.ts';
import type { StoredBytes } from './stored-bytes.ts';

/**
 * A sum is cached for at least this time, and for at least 100 times as long as the measurement took, so that at most
 * 1% of the time is spent on measuring. For an account at its limit, see `measure`.
 */
const measureEveryMs = 1_000;
const measureShare = 100;
/** Default share of the total room, which consists of the bytes stored and the bytes free on the disk. */
const defaultShare = 1 / 2;
/** The hourly sweep deletes expired objects, so a retry may find room after an hour. */
const retryAfterS = 3_600;

interface Dependencies {
  readonly database: Database;
  readonly storedBytes: Pick<StoredBytes, 'flush' | 'sumOf' | 'sumAll'>;
  /** Maximum bytes per account. 0: no limit; undefined: half of the total room once there are two accounts. */
  readonly limitBytes: number | undefined;
  /** Resolves to undefined if the blobs are not on a local disk. */
  readonly measureFreeBytes: () => Promise<number | undefined>;
}

interface Measure {
  readonly bytes: number;
  readonly at: number;
  readonly tookMs: number;
}

export function createAccountShare({ database, storedBytes, limitBytes, measureFreeBytes }: Dependencies) {
  const measures = new Map<string, Measure>();

  async function measure(name: string, sum: () => Promise<number>, fresh = false): Promise<number> {
    const now = performance.now();
    const last = measures.get(name);
    if (last && !fresh && now - last.at < Math.max(measureEveryMs, measureShare * last.tookMs))
      return last.bytes;
    // Even if `fresh`, return the last sum until as much time has passed as its measurement took. Otherwise, each call
    // of an account at its limit would measure again.
    if (last && now - last.at < last.tookMs) return last.bytes;
    await storedBytes.flush();
    const bytes = await sum();
    const endedAt = performance.now();
    measures.set(name, { bytes, at: endedAt, tookMs: endedAt - now });
    return bytes;
  }

  /** Returns undefined if there is no limit. */
  async function findLimit(): Promise<number | undefined> {
    if (limitBytes !== undefined) return limitBytes || undefined;
    const freeBytes = await measureFreeBytes();
    if (freeBytes === undefined) return undefined;
    const accounts = await database.selectFrom('accounts').select('id').limit(2).execute();
    // A single account may use the whole storage.
    if (accounts.length < 2) return undefined;
    return defaultShare * (freeBytes + (await measure('', storedBytes.sumAll)));
  }

  return {
    /** Throws `storage_full` if this account has reached its limit. */
    async admit(accountId: string): Promise<void> {
      const limit = await findLimit();
      if (limit === undefined) return;
      const sum = () => storedBytes.sumOf(accountId);
      if ((await measure(accountId, sum)) < limit) return;
      // The cached sum may be out of date: the account may have deleted something in the meantime.
      const bytes = await measure(accountId, sum, true);
      if (bytes < limit) return;
      throw new PackshotError(
        'storage_full',
        `Your account stores ${inMB(bytes)}, and its limit is ${inMB(limit)}. Delete designs, backdrops or batches that you no longer need; unused ones expire by themselves.`,
        { retryAfterS, lasting: true },
      );
    },
  };
}

const inMB = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;
