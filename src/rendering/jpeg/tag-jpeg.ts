/** Adds a photo's tags to a JPEG written by our own encoder, without changing its pixels. */
import sharp from 'sharp';
import type { PhotoTags } from '../../designs/photo-tags.ts';
import { tagPicture } from '../../designs/write-photo-tags.ts';
import type { CanvasSize } from '../../pixels.ts';

const SOS = 0xda;
/** EXIF and XMP are APP1 segments (Exif 3.0, 4.5.4; XMP part 3, 1.1.3). */
const APP1 = 0xe1;
const SOI_BYTES = 2;

/** `jpeg` begins with its JFIF segment, which stays first. */
export async function tagJpeg(jpeg: Buffer, { width, height }: CanvasSize, tags: PhotoTags): Promise<Buffer> {
  // Has the picture's size, because EXIF states it.
  const blank = sharp({ create: { width, height, channels: 3, background: 'white' } });
  const carrier = await tagPicture(blank, tags).jpeg({ quality: 1 }).toBuffer();
  const [jfif] = segments(jpeg);
  const tagged = [...segments(carrier)].filter(({ marker }) => marker === APP1);
  return Buffer.concat([
    jpeg.subarray(0, jfif!.to),
    ...tagged.map(({ from, to }) => carrier.subarray(from, to)),
    jpeg.subarray(jfif!.to),
  ]);
}

/** Segments before the scan of a file that we wrote. */
function* segments(jpeg: Buffer) {
  for (let from = SOI_BYTES; jpeg[from + 1] !== SOS; ) {
    const to = from + 2 + jpeg.readUInt16BE(from + 2);
    yield { marker: jpeg[from + 1]!, from, to };
    from = to;
  }
}
