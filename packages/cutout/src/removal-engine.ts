/**
 * Interface of a removal engine: it takes a photo and returns the fraction of each pixel that belongs to the product.
 * All later steps (resolution, islands and holes, edge colors) are our own and the same for every engine.
 */
import type { Matte, RgbImage } from 'packshot-pixels';

/** Least length of each side of a matte, in pixels. */
export const MIN_SIDE_PX = 16;

export interface RemovalEngine {
  /** Such as `isnet`. */
  readonly id: string;
  /** Part of the key of every stored cutout, so it must change whenever the same photo may give another matte. */
  readonly version: string;
  /**
   * Returns a matte that covers the whole source, at the engine's own resolution (both sides at least `MIN_SIDE_PX`; the aspect
   * ratio may differ). An empty matte is a valid result. Once the signal is aborted, rejects with the signal's reason as
   * soon as the engine can stop.
   */
  predictMatte(source: RgbImage, options: PredictOptions): Promise<Matte>;
  /** Frees the engine's resources. The engine must not be called afterwards. */
  close(): Promise<void>;
  /** Undefined if all passes cost the same; the engine then ignores `resolution`. */
  readonly resolutions?: Resolutions;
  /** Frees the memory of earlier passes. A later pass waits for it. Must not be called during a pass. */
  rest?(): Promise<void>;
}

export interface PredictOptions {
  readonly signal: AbortSignal;
  /** Default: `full`. */
  readonly resolution?: Resolution;
}

/**
 * `coarse` uses half as many pixels per side, and loses thin parts and fine edges; `reduced` five eighths. `shaped` has
 * the longer side of `full`, and the picture's aspect ratio.
 */
export type Resolution = 'full' | 'shaped' | 'reduced' | 'coarse';

/** What passes cost, as fractions of a full one. */
export interface Resolutions {
  readonly coarseShare: number;
  measureShapedShare(picture: Pick<RgbImage, 'width' | 'height'>): number;
}
