/**
 * Interface of a removal engine: it takes a photo and returns the fraction of each pixel that belongs to the
 * product. All later steps (resolution, islands and holes, edge colors) are our own and the same for every
 * engine.
 */
import type { Matte, RgbImage } from '../pixels.ts';

export type Resolution = 'full' | 'shaped' | 'reduced' | 'coarse';

export interface PredictOptions {
  readonly signal: AbortSignal;
  /**
   * Default: `full`. `coarse` uses half as many pixels per side; it is faster, but loses thin parts and fine edges.
   * `reduced` uses five eighths. `shaped` uses as many pixels as
   * `full` along the longer side, and fewer along the other one, so that the picture keeps its aspect ratio. All values
   * except `full` are requested only from engines that have coarse passes.
   */
  readonly resolution?: Resolution;
}

/** Least length of each side of a matte, in pixels. */
export const MIN_SIDE_PX = 16;

export interface RemovalEngine {
  /** The value of `REMOVAL_ENGINE` that selects this engine, such as `isnet`. */
  readonly id: string;
  /** Part of the key of every stored cutout, so it must change whenever the same photo may give another matte. */
  readonly version: string;
  /**
   * Returns a matte that covers the whole source, at the engine's own resolution (both sides at least `MIN_SIDE_PX`;
   * the aspect ratio may differ from the source's). An empty matte is a valid result, not an error. Once the
   * signal is aborted, rejects with the signal's reason as soon as the engine can stop.
   */
  predictMatte(source: RgbImage, options: PredictOptions): Promise<Matte>;
  /**
   * Cost of a coarse pass as a fraction of a full one, below 1. Undefined if the engine has only one
   * resolution; it then ignores `resolution`.
   */
  readonly coarseShare?: number;
  /** Cost of a `shaped` pass over this picture as a fraction of a full one. Undefined if it costs the same. */
  measureShapedShare?(picture: Pick<RgbImage, 'width' | 'height'>): number;
  /**
   * Frees the memory that earlier passes took. A later pass waits until this is done, and takes a little longer.
   * Undefined if the engine keeps no such memory. Must not be called during a pass.
   */
  rest?(): Promise<void>;
  /** Frees the engine's resources. The engine must not be called afterwards. */
  close(): Promise<void>;
}
