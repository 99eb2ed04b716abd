/**
 * What a removal engine is: something that looks at a photo and says which part of each pixel belongs to
 * the product. Everything after that (resolution, islands and holes, colours of the rim) is ours and the same
 * for every engine.
 */
import type { Matte, RgbImage } from '../pixels.ts';

export type Resolution = 'full' | 'coarse';

export interface PredictOptions {
  readonly signal: AbortSignal;
  /** Default: `full`. `coarse` sees half as many pixels a side: sooner, without thin parts and fine edges. */
  readonly resolution?: Resolution;
}

export interface RemovalEngine {
  /** The value of `REMOVAL_ENGINE` that selects it, such as `isnet`. */
  readonly id: string;
  /** Changes whenever the same photo may give another matte: part of every stored cutout's key. */
  readonly version: string;
  /**
   * A matte that covers the whole source, at the engine's own resolution (both sides at least 16 px; the
   * aspect ratio may differ from the source's). An empty matte is an answer, not an error.
   * Rejects with the signal's reason once aborted, at the next point where it can stop.
   */
  predictMatte(source: RgbImage, options: PredictOptions): Promise<Matte>;
  /**
   * About what a coarse look costs of a full one, below 1. Undefined where the engine looks at one resolution only: then it
   * takes no notice of `resolution`.
   */
  readonly coarseShare?: number;
  /** Frees what the engine holds; no call follows. */
  close(): Promise<void>;
}
