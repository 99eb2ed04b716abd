/** How fast cutouts are made just now, by all processes together, as far as the notices of finished ones tell. */

/** Whoever has finished nothing for so long is not counted among the makers. */
const forgottenAfterMs = 60_000;

export interface FinishedCut {
  readonly tookMs: number;
  /** The process that made it. */
  readonly maker: string;
}

export function createCutoutPace(clock: () => number) {
  const seenAt = new Map<string, number>();
  /** A moving mean of single cuts; 0 before the first. */
  let meanMs = 0;

  return {
    note({ tookMs, maker }: FinishedCut): void {
      meanMs = meanMs === 0 ? tookMs : meanMs + (tookMs - meanMs) / 8;
      seenAt.set(maker, clock());
    },

    /** Milliseconds from one cutout to the next; 0 before the first. */
    findPaceMs(): number {
      for (const [maker, at] of seenAt) if (clock() - at > forgottenAfterMs) seenAt.delete(maker);
      return meanMs / Math.max(1, seenAt.size);
    },
  };
}
