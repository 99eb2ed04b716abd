/** Current duration of passes and of the steps after them, measured in the process that holds the engine. */

/**
 * Duration of the steps after the last pass, per megapixel, as a fraction of the duration of a full pass. This value is
 * assumed until the first measurement. On one core with ISNet, it was 0.11.
 */
const FIRST_FINISH_SHARE = 0.12;
/** Factor on each estimate, because the load may increase in the meantime. */
const MARGIN = 1.25;
/**
 * The factor for the first full pass. It is larger than `MARGIN`, because skipping that pass does less harm than being
 * late: if it is skipped, a coarse pass is used and soon replaced; if it is late, the call has no result at all. With a
 * factor of 1.25, 1 of 60 first previews on one core with two busy processes was late.
 */
const FIRST_MARGIN = 1.75;

export type PassPace = ReturnType<typeof createPassPace>;

export function createPassPace() {
  /** Duration of a full pass; 0 before the first pass, full or coarse. */
  let passMs = 0;
  let finishShare = FIRST_FINISH_SHARE;
  const megapixels = (pixels: number): number => Math.max(1, pixels / 1e6);

  function estimateMs(passes: number, pixels: number, margin: number): number {
    if (passMs === 0) return Number.POSITIVE_INFINITY;
    return margin * passMs * (passes + finishShare * megapixels(pixels));
  }

  return {
    /** `share` is the cost of this kind of pass as a fraction of a full one. */
    notePass(tookMs: number, share = 1): void {
      passMs = tookMs / share;
    },

    noteFinish(tookMs: number, pixels: number): void {
      if (passMs > 0) finishShare = tookMs / passMs / megapixels(pixels);
    },

    /** Milliseconds for `passes` full passes and the steps after them. Infinity before the first measurement. */
    estimateMs: (passes: number, pixels: number): number => estimateMs(passes, pixels, MARGIN),

    /** Milliseconds for the first full pass over a photo and the steps after it, with a larger margin. */
    estimateFirstMs: (pixels: number): number => estimateMs(1, pixels, FIRST_MARGIN),
  };
}
