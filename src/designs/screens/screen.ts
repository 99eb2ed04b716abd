/** The specification of a screen: what is looked at and taken out of a file of one format before a decoder sees it. */
import type { Box } from '../../pixels.ts';

/**
 * A screen runs in time linear in the file, believes no length or offset that it has not held against the
 * file's end, and leaves what it does not understand to the decoder, which then refuses it. It throws
 * `PackshotError` only.
 */
export type Screen = (bytes: Uint8Array) => Screened;

export interface Screened {
  /** What the decoder may see: the file itself, or a copy without what could hurt. */
  readonly bytes: Uint8Array;
  /** Size that the file claims, in pixels before any turn; absent where only the decoder can tell. */
  readonly claimed?: { readonly width: number; readonly height: number };
  /** The part of the canvas that the first frame covers; absent: all of it. May reach beyond the canvas. */
  readonly painted?: Box;
  /** The colours are Display P3, said by a code point that decoders here do not heed. */
  readonly displayP3?: boolean;
  /**
   * Present where the end mark was missing: a copy that has filler before the added mark, where `bytes` has none.
   * Both decode to the same pixels only if nothing else is missing.
   */
  readonly otherEnd?: Uint8Array;
}
