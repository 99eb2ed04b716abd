/**
 * Limits how many pictures are drawn at once for an account's signed URIs. These need no key, so without the limit, a
 * page full of such pictures could starve other work.
 */
import { PackshotError } from 'packshot-errors';
import { createFairSemaphore } from '../fair-semaphore.ts';

export type KeylessDraws = <T>(accountId: string, signal: AbortSignal, draw: () => Promise<T>) => Promise<T>;

/** Maximum waiting requests per concurrent draw. By default, an account has 4 draws at once, and 32 may wait. */
const lineLength = 8;

/** Throws `rate_limited` if too many of the account's calls are waiting, and the errors of `draw`. */
export function createKeylessDraws(maxPerAccount: number): KeylessDraws {
  const places = createFairSemaphore({ places: Number.POSITIVE_INFINITY, maxPerAccount });
  return async (account, signal, draw) => {
    if (places.countWaiting(account) >= maxPerAccount * lineLength) {
      throw new PackshotError(
        'rate_limited',
        `${maxPerAccount * lineLength} illustrations of this account, the maximum, are waiting to be drawn; try again soon.`,
        { retryAfterS: 5 },
      );
    }
    return places.hold({ account, signal }, draw);
  };
}
