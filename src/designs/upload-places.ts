/** The memory slots of files that are held in memory until they are stored; all kinds of uploads share them. */
import { type Claim, createFairSemaphore, type FairSemaphoreOptions, type Leave } from '../fair-semaphore.ts';

/** Maximum wait for a slot, in milliseconds. A caller who would wait longer is told to retry later. */
const longestLineMs = 30_000;

export interface UploadPlaces {
  /** Resolves once a slot is held. Rejects with `queue_full` after 30 s. */
  enter(claim: Claim): Promise<Leave>;
  /** Holds a slot while `work` runs. No body is read outside of it. */
  hold<T>(claim: Claim, work: () => Promise<T>): Promise<T>;
}

export function createUploadPlaces(options: FairSemaphoreOptions): UploadPlaces {
  const places = createFairSemaphore(options);
  const inLine = (claim: Claim): Claim => ({
    ...claim,
    signal: AbortSignal.any([claim.signal, AbortSignal.timeout(longestLineMs)]),
  });
  return {
    enter: (claim) => places.enter(inLine(claim)),
    hold: (claim, work) => places.hold(inLine(claim), work),
  };
}
