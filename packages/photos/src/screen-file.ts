/** Selects the sanitizer for a format. Sanitizing is the last step for untrusted bytes before a decoder reads them. */
import { screenAvif } from './screens/avif.ts';
import { screenGif } from './screens/gif.ts';
import { screenJpeg } from './screens/jpeg.ts';
import { screenPng } from './screens/png.ts';
import type { Screen, Screened } from './screens/screen.ts';
import { screenTiff } from './screens/tiff.ts';
import { screenWebp } from './screens/webp.ts';
import type { ImageFormat } from './sniff-format.ts';

/** HEIC is converted earlier, in a separate process. */
type ScreenedFormat = Exclude<ImageFormat, 'heic'>;

const screens: Record<ScreenedFormat, Screen> = {
  jpeg: screenJpeg,
  png: screenPng,
  webp: screenWebp,
  avif: screenAvif,
  tiff: screenTiff,
  gif: screenGif,
};

export function screenFile(bytes: Uint8Array, format: ScreenedFormat): Screened {
  return screens[format](bytes);
}
