/** The average time between finished cutouts across all processes, estimated from their completion notices. */

/** A process that has finished no cutout for this long no longer counts as one that makes cutouts. */
const forgottenAfterMs = 60_000;

/** How many cutouts the shortest recent duration is taken from. */
const recent = 8;

export interface FinishedCut {
  /** Without the wait for a process. */
  readonly tookMs: number;
  /** Id of the process that made the cutout. */
  readonly maker: string;
}

export function createCutoutPace(clock: () => number) {
  const seenAt = new Map<string, number>();
  /** Moving average duration of one cutout; 0 before the first. */
  let meanMs = 0;
  const lastMs: number[] = [];

  function countMakers(): number {
    for (const [maker, at] of seenAt) if (clock() - at > forgottenAfterMs) seenAt.delete(maker);
    return Math.max(1, seenAt.size);
  }

  return {
    note({ tookMs, maker }: FinishedCut): void {
      meanMs = meanMs === 0 ? tookMs : meanMs + (tookMs - meanMs) / 8;
      seenAt.set(maker, clock());
      lastMs.unshift(tookMs);
      lastMs.length = Math.min(lastMs.length, recent);
    },

    /** Number of processes that make cutouts at present; at least 1. */
    countMakers,

    /** In milliseconds; 0 before the first cutout. */
    findPaceMs: (): number => meanMs / countMakers(),

    /** If all cutouts took as long as the shortest recent one. One that hung says nothing about the next. */
    findLeastPaceMs: (): number => (lastMs.length === 0 ? 0 : Math.min(...lastMs) / countMakers()),
  };
}
