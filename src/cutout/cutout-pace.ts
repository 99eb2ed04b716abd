/** The average time between finished cutouts across all processes, estimated from their completion notices. */

/** A process that has finished no cutout for this long no longer counts as one that makes cutouts. */
const forgottenAfterMs = 60_000;

export interface FinishedCut {
  readonly tookMs: number;
  /** Id of the process that made the cutout. */
  readonly maker: string;
}

export function createCutoutPace(clock: () => number) {
  const seenAt = new Map<string, number>();
  /** Moving average duration of one cutout; 0 before the first. */
  let meanMs = 0;

  return {
    note({ tookMs, maker }: FinishedCut): void {
      meanMs = meanMs === 0 ? tookMs : meanMs + (tookMs - meanMs) / 8;
      seenAt.set(maker, clock());
    },

    /** In milliseconds; 0 before the first cutout. */
    findPaceMs(): number {
      for (const [maker, at] of seenAt) if (clock() - at > forgottenAfterMs) seenAt.delete(maker);
      return meanMs / Math.max(1, seenAt.size);
    },
  };
}
