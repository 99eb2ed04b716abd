/**
 * Photos whose EXIF contains more than a shop wants to publish, and functions that read a picture's metadata.
 */
import sharp from 'sharp';

/** Tags that pictures keep. Their parentheses, `&`, `<` and `>` are easily lost when EXIF and XMP are written. */
export const keptTags = {
  make: 'Nikon (Tokyo)',
  model: 'Z 8',
  dateTaken: '2024:05:06 07:08:09',
  artist: 'A. Weaver',
  copyright: 'Copyright (c) 2024 Weaver & Sons (London)',
  description: 'A crate <red>',
};
/** Text of a tag that must not appear in any picture. */
export const serialNumber = 'SN-4711-0815';

/** A dark red crate on plain paper. The photo's EXIF contains a location and a serial number, but no thumbnail. */
export function taggedPhoto(format: 'jpeg' | 'png' | 'webp' | 'avif' = 'jpeg'): Promise<Buffer> {
  const background = '#7a1f1f';
  const crate = { create: { width: 160, height: 120, channels: 3 as const, background } };
  return sharp({ create: { width: 320, height: 240, channels: 3, background: '#e8e6e2' } })
    .composite([{ input: crate, left: 80, top: 60 }])
    .withExif({
      // `whole` in `write-photo-tags` explains the ` ()` at the end.
      IFD0: {
        Make: `${keptTags.make} ()`,
        Model: keptTags.model,
        Artist: keptTags.artist,
        Copyright: `${keptTags.copyright} ()`,
        ImageDescription: keptTags.description,
        Software: 'Editor 1.0',
      },
      IFD2: { DateTimeOriginal: keptTags.dateTaken, BodySerialNumber: serialNumber },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    })
    .toFormat(format)
    .toBuffer();
}

const EXIF_DIRECTORY = 0x8769;

/**
 * Returns the numbers of the tags in a picture's main and Exif directories; none without EXIF. The tag that points to
 * the GPS directory is included, but not the tags in that directory. The EXIF must be well-formed.
 */
export async function listTags(picture: Uint8Array): Promise<number[]> {
  const { exif } = await sharp(picture).metadata();
  if (!exif) return [];
  const block = exif.subarray(exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0);
  const little = block[0] === 0x49;
  const u16 = (at: number) => (little ? block.readUInt16LE(at) : block.readUInt16BE(at));
  const u32 = (at: number) => (little ? block.readUInt32LE(at) : block.readUInt32BE(at));
  const walk = (from: number): number[] =>
    Array.from({ length: u16(from) }, (_, i) => from + 2 + 12 * i).flatMap((at) =>
      u16(at) === EXIF_DIRECTORY ? [u16(at), ...walk(u32(at + 8))] : [u16(at)],
    );
  return walk(u32(4));
}

/** The only tags that a picture may have: the kept ones, and those that EXIF itself requires. */
export const allowedTags: ReadonlySet<number> = new Set([
  ...[0x010e, 0x010f, 0x0110, 0x013b, 0x8298, EXIF_DIRECTORY, 0x9003],
  // Orientation (upright), resolution and its unit, YCbCrPositioning.
  ...[0x0112, 0x011a, 0x011b, 0x0128, 0x0213],
  // Versions, components, color space and size in pixels.
  ...[0x9000, 0x9101, 0xa000, 0xa001, 0xa002, 0xa003],
]);
