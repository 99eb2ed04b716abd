/** The pixel containers that all parts of the service use. Row-major, no padding, 8 bits per channel. */

/** Interleaved sRGB, `width * height * 3` bytes. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Interleaved sRGB with straight (not premultiplied) alpha, `width * height * 4` bytes. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** One channel: 0 is background, 255 is subject; values between are the subject's share of the pixel. */
export interface Matte {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** From this alpha on, a pixel of a matte is subject rather than background. */
export const SUBJECT = 128;

/** A box inside a picture, in whole pixels; `x` and `y` are its top left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Size of a picture, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Size of a picture to be rendered. */
export type CanvasSize = Size;

/** A side of a picture. */
export type Edge = 'top' | 'right' | 'bottom' | 'left';
