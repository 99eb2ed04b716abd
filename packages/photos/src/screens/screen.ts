/**
 * The interface of sanitizers. A sanitizer inspects a file of one format, and removes dangerous parts before a decoder
 * reads the file.
 */
import type { Box, Size } from 'packshot-pixels';
import type { WideGamut } from '../wide-gamut.ts';

/**
 * Takes time linear in the file's length, checks every length and offset against the end of the file, and leaves
 * unknown structures to the decoder, which then rejects them. Throws `PackshotError` only.
 */
export type Screen = (bytes: Uint8Array) => Screened;

export interface Screened {
  /** Bytes for the decoder: the file itself, or a copy without dangerous parts. */
  readonly bytes: Uint8Array;
  /** Width and height that the file claims, in pixels before any rotation; absent if only the decoder knows them. */
  readonly claimed?: Size | undefined;
  /** For a GIF: the area of the canvas that the first frame covers. May exceed the canvas. */
  readonly painted?: Box;
  /** The color space, if it is declared by a code point that the decoder ignores. */
  readonly gamut?: WideGamut | undefined;
  /**
   * Present if the end mark was missing; `bytes` is then a copy of the file with an end mark added. This second copy
   * also has filler before that mark. If the two decode to different pixels, more than the end mark was missing.
   */
  readonly otherEnd?: Uint8Array;
}
