/** How long looks and the steps after them take at present, measured in the process that holds the engine. */

/**
 * The steps after the last look, in full looks a megapixel, until they have been measured: 0.11 on one core with ISNet.
 */
const FIRST_FINISH_SHARE = 0.12;
/** The load may grow meanwhile. */
const MARGIN = 1.25;
/**
 * Of the first full look. Without it there is a coarse one, which is replaced soon; where it comes too late, there is no
 * answer at all. With a margin of 1.25, one of 60 first previews on one core with two busy processes was too late.
 */
const FIRST_MARGIN = 1.75;

export type LookPace = ReturnType<typeof createLookPace>;

export function createLookPace() {
  /** Of a full one; 0 before the first look of either kind. */
  let lookMs = 0;
  let finishShare = FIRST_FINISH_SHARE;
  const megapixels = (pixels: number): number => Math.max(1, pixels / 1e6);

  function estimateMs(looks: number, pixels: number, margin: number): number {
    if (lookMs === 0) return Number.POSITIVE_INFINITY;
    return margin * lookMs * (looks + finishShare * megapixels(pixels));
  }

  return {
    /** `share` is what such a look costs of a full one. */
    noteLook(tookMs: number, share = 1): void {
      lookMs = tookMs / share;
    },

    noteFinish(tookMs: number, pixels: number): void {
      if (lookMs > 0) finishShare = tookMs / lookMs / megapixels(pixels);
    },

    /** Milliseconds for so many full looks and the steps after them. Infinity where nothing was measured yet. */
    estimateMs: (looks: number, pixels: number): number => estimateMs(looks, pixels, MARGIN),

    /** The same for the first full look at a photo. */
    estimateFirstMs: (pixels: number): number => estimateMs(1, pixels, FIRST_MARGIN),
  };
}
