/**
 * An anytime renderer: renders a picture with as many pixel samples as fit into the caller's time. Shading costs more than
 * light, so samples are saved by tracing fewer pixels. Pictures with the same number of samples have the same bytes.
 */

/** Sizes to trace, as fractions of the longer side, from large to small: each has about half the samples of the last. */
const RUNGS = [1, 0.71, 0.5, 0.35, 0.25, 0.18, 0.125, 0.08] as const;
/** Pictures differ in cost: one may take up to about this multiple of the last one's time. */
const SPREAD = 1.2;
/** Smaller pictures show no set. */
const MIN_PX = 128;

/** Part of a picture's time goes to set-up: at 512 px, it takes 3 to 6 times as long as at 128 px. */
const GROWTH = 1.3;
/** The part of the time that is kept for a smaller picture while the pace is unknown. */
const KEPT = 0.3;
/**
 * After a rough picture, the pace is taken to be better by this factor: a rough one says little about others, and a process that
 * once was slow must find out that it no longer is.
 */
const RECOVERY = 0.6;

/**
 * Milliseconds that the last picture of this process took, divided by its size to the power of `GROWTH`, by the full size,
 * which decides the quality.
 */
const paces = new Map<number, number>();

export interface TracedInTime<T> {
  readonly picture: T;
  /** Longer side at which the picture was traced, in pixels. */
  readonly tracedPx: number;
  /** Whether more time would have given a better picture. */
  readonly isDraft: boolean;
}

/**
 * Calls `render` with the longer side to trace, and whether to leave out what a rough picture can do without, as for the
 * smallest one. Without `deadlineAt` (in the unit of `performance.now()`), once with `longEdgePx`. Otherwise with the
 * largest size that is expected to fit. A picture that runs late is aborted, so that one of the smallest size is always done
 * about in time.
 */
export async function renderInTime<T>(
  {
    longEdgePx,
    deadlineAt,
    signal,
  }: { readonly longEdgePx: number; readonly deadlineAt: number | undefined; readonly signal: AbortSignal },
  render: (longEdgePx: number, signal: AbortSignal, isRough: boolean) => Promise<T>,
): Promise<TracedInTime<T>> {
  if (deadlineAt === undefined)
    return { picture: await render(longEdgePx, signal, false), tracedPx: longEdgePx, isDraft: false };
  const sizes = RUNGS.map((share) => Math.round(share * longEdgePx)).filter(
    (px) => px >= Math.min(MIN_PX, longEdgePx),
  );
  const smallest = sizes.at(-1)!;
  const given = deadlineAt - performance.now();
  for (let most = longEdgePx; ; ) {
    const left = deadlineAt - performance.now();
    const pace = paces.get(longEdgePx);
    const fits = (px: number) => SPREAD * (pace ?? 0) * px ** GROWTH < left;
    const px = left <= 0 ? smallest : (sizes.find((size) => size <= most && fits(size)) ?? smallest);
    const isRough = px === smallest && px < longEdgePx;
    const lapse = new AbortController();
    const kept = pace === undefined ? KEPT * given : pace * smallest ** GROWTH;
    const timer = px === smallest ? undefined : setTimeout(() => lapse.abort(), Math.max(0, left - kept));
    const startedAt = performance.now();
    try {
      const picture = await render(px, AbortSignal.any([signal, lapse.signal]), isRough);
      if (!isRough) paces.set(longEdgePx, (performance.now() - startedAt) / px ** GROWTH);
      else if (pace !== undefined) paces.set(longEdgePx, RECOVERY * pace);
      return { picture, tracedPx: px, isDraft: px < longEdgePx };
    } catch (error) {
      if (signal.aborted || !lapse.signal.aborted) throw error;
      paces.set(longEdgePx, (SPREAD * (performance.now() - startedAt)) / px ** GROWTH);
      most = smallest;
    } finally {
      clearTimeout(timer);
    }
  }
}
