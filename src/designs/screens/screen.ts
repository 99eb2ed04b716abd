/**
 * The interface of sanitizers: inspect a file of one format and remove dangerous parts before a decoder sees
 * it.
 */
import type { Box } from '../../pixels.ts';

/**
 * Runs in time linear in the file, checks every length and offset against the file's end, and leaves unknown
 * structures to the decoder, which then rejects them. Throws `PackshotError` only.
 */
export type Screen = (bytes: Uint8Array) => Screened;

export interface Screened {
  /** Bytes for the decoder: the file itself, or a copy without dangerous parts. */
  readonly bytes: Uint8Array;
  /** Size that the file claims, in pixels before any rotation; absent if only the decoder knows it. */
  readonly claimed?: { readonly width: number; readonly height: number };
  /** Area of the canvas that the first frame covers; absent: all of it. May exceed the canvas. */
  readonly painted?: Box;
  /** The colors are Display P3, declared by a code point that the decoder ignores. */
  readonly displayP3?: boolean;
  /**
   * Present if the end mark was missing: a copy with filler before the added mark, where `bytes` has none.
   * Both decode to the same pixels only if nothing else is missing.
   */
  readonly otherEnd?: Uint8Array;
}
