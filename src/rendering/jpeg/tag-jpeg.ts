/** Adds a photo's tags to a JPEG that our own encoder wrote, without changing its pixels. */

import { type PhotoTags, tagPicture } from 'packshot-photos';
import type { CanvasSize } from 'packshot-pixels';
import sharp from 'sharp';

const SOS = 0xda;
/** Marker of the JFIF segment. */
const APP0 = 0xe0;
/** Marker of APP1 segments, which hold EXIF and XMP (Exif 3.0, 4.5.4; XMP part 3, 1.1.3). */
const APP1 = 0xe1;
const SOI_BYTES = 2;

/** `jpeg` must begin with a JFIF segment; it is replaced by one that states the density, and the tags follow. */
export async function tagJpeg(jpeg: Buffer, { width, height }: CanvasSize, tags: PhotoTags): Promise<Buffer> {
  // As large as the picture, because EXIF states the size.
  const blank = sharp({ create: { width, height, channels: 3, background: 'white' } });
  const carrier = await tagPicture(blank, tags).jpeg({ quality: 1 }).toBuffer();
  const [jfif] = segments(jpeg);
  const tagged = [...segments(carrier)].filter(({ marker }) => marker === APP0 || marker === APP1);
  return Buffer.concat([
    jpeg.subarray(0, jfif!.from),
    ...tagged.map(({ from, to }) => carrier.subarray(from, to)),
    jpeg.subarray(jfif!.to),
  ]);
}

/** Yields the segments of a JPEG that come before its scan. */
function* segments(jpeg: Buffer) {
  for (let from = SOI_BYTES; jpeg[from + 1] !== SOS; ) {
    const to = from + 2 + jpeg.readUInt16BE(from + 2);
    yield { marker: jpeg[from + 1]!, from, to };
    from = to;
  }
}
