/** How long looks and the steps after them take at present, measured in the process that holds the engine. */

/** A glance has a quarter of the pixels of a look. */
const LOOKS_PER_GLANCE = 0.22;
/**
 * The steps after the last look, in looks a megapixel, until they have been measured: 0.11 on one core with ISNet.
 */
const FIRST_FINISH_SHARE = 0.12;
/** A measurement of this very photo may be off by so much; one from before says nothing of the load at present. */
const MARGIN = { measuredNow: 1.25, remembered: 3 } as const;

export type LookPace = ReturnType<typeof createLookPace>;

export function createLookPace() {
  /** 0 before the first look. */
  let lookMs = 0;
  let finishShare = FIRST_FINISH_SHARE;
  const megapixels = (pixels: number): number => Math.max(1, pixels / 1e6);

  return {
    noteLook(tookMs: number): void {
      lookMs = tookMs;
    },

    noteGlance(tookMs: number): void {
      lookMs = tookMs / LOOKS_PER_GLANCE;
    },

    noteFinish(tookMs: number, pixels: number): void {
      if (lookMs > 0) finishShare = tookMs / lookMs / megapixels(pixels);
    },

    /** Milliseconds for so many looks and the steps after them. Infinity where nothing was measured yet. */
    estimateMs(looks: number, pixels: number, basis: keyof typeof MARGIN): number {
      if (lookMs === 0) return Number.POSITIVE_INFINITY;
      return MARGIN[basis] * lookMs * (looks + finishShare * megapixels(pixels));
    },
  };
}
