/** Draws for signed URIs, which need no key: a few at once for each account, so that a page full of them costs others little. */
import { PackshotError } from '../errors.ts';
import { createFairPlaces } from '../fair-places.ts';

export type KeylessDraws = <T>(accountId: string, signal: AbortSignal, draw: () => Promise<T>) => Promise<T>;

/** Times as many as are drawn at once may wait: a page with all the scenes of four suggestions. No rate bounds these calls. */
const lineLength = 8;

/** What it answers throws `rate_limited` where the line of the account is full, and what the drawing throws. */
export function createKeylessDraws(mostPerAccount: number): KeylessDraws {
  const places = createFairPlaces({ places: Number.POSITIVE_INFINITY, mostPerAccount });
  return async (account, signal, draw) => {
    if (places.countWaiting(account) >= mostPerAccount * lineLength) {
      throw new PackshotError(
        'rate_limited',
        `${mostPerAccount * lineLength} illustrations of this account are waiting to be drawn, the most that may; ask again in a moment.`,
        { retryAfterS: 5 },
      );
    }
    return places.hold({ account, signal }, draw);
  };
}
