/**
 * Divides the time until their deadlines among an account's pictures, so that a long line is served coarser instead of
 * late.
 */

/**
 * A picture's part for drawing its scene. The rest is for putting the product into it and for encoding, which takes a third
 * of the processor time at the smallest size, and a tenth at full size.
 */
const DRAWING_SHARE = 0.8;
/** The part of the time until its deadline that a picture may take at most, because more calls may come meanwhile. */
const MOST = 0.5;

/**
 * The part of its deadline in which a picture is planned to be done. Other programs may slow the machine down meanwhile: with
 * four busy processes beside two cores, 5 of 264 pictures that were planned for the whole deadline came too late.
 */
export const plannedShare = 0.7;

/** A call that waits for its turn is planned to be done this long from now, in milliseconds, however long it has waited. */
const waitingMs = 42_000;

export interface LineCall {
  /** When the picture must be done, in the unit of `performance.now()`; undefined while the call waits for its turn. */
  dueAt: number | undefined;
  leave(): void;
}

export function createPictureLine(processes: number, clock: () => number = () => performance.now()) {
  const lines = new Map<string, Set<LineCall>>();

  return {
    /** Adds a call for a picture, also one that waits for its turn among the calls of its key. */
    join(account: string, dueAt?: number): LineCall {
      const line = lines.get(account) ?? new Set();
      lines.set(account, line);
      const call: LineCall = {
        dueAt,
        leave() {
          line.delete(call);
          if (line.size === 0 && lines.get(account) === line) lines.delete(account);
        },
      };
      line.add(call);
      return call;
    },

    /**
     * Milliseconds for drawing the scene of a picture that begins now: if every picture of the account takes that long,
     * all are done in time. Undefined for a picture that is never late.
     */
    findBudgetMs(account: string, dueAt: number): number | undefined {
      if (dueAt === Number.POSITIVE_INFINITY) return undefined;
      const now = clock();
      const left = [...(lines.get(account) ?? [])].map((call) => (call.dueAt ?? now + waitingMs) - now);
      const shares = left.toSorted((a, b) => a - b).map((ms, index) => (processes * ms) / (index + 1));
      return Math.max(0, DRAWING_SHARE * Math.min(MOST * (dueAt - now), ...shares));
    },
  };
}

export type PictureLine = ReturnType<typeof createPictureLine>;
