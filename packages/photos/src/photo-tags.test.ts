import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { parseExif, readPhotoTags } from './photo-tags.ts';
import { type ExifEntry, exifBlock } from './testing/exif-block.ts';
import { allowedTags, keptTags, listTags, serialNumber, taggedPhoto } from './testing/tagged-photo.ts';
import { tagPicture } from './write-photo-tags.ts';

const limits = { maxBytes: 1e7, maxPixels: 1e7, maxAvifPixels: 1e7, minSidePx: 16, maxSidePx: 1e4 };
const MAKE = 0x010f;
const ARTIST = 0x013b;
const COPYRIGHT = 0x8298;
const EXIF_DIRECTORY = 0x8769;
const DATE = 0x9003;

const utf8 = (text: string) => Buffer.from(`${text}\0`);

describe("a photo's tags", () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('are read from %s', async (format) => {
    const bytes = await taggedPhoto(format);
    expect(bytes.includes(serialNumber)).toBe(true);
    expect(await readPhotoTags({ bytes, limits })).toEqual(keptTags);
  });

  it('are null for a photo without EXIF, or with EXIF that has none of the tags', async () => {
    const blank = sharp({ create: { width: 20, height: 20, channels: 3, background: 'white' } });
    const bytes = await blank.clone().jpeg().toBuffer();
    expect(await readPhotoTags({ bytes, limits })).toBeNull();
    const other = await blank
      .withExif({ IFD0: { Software: 'Editor' } })
      .jpeg()
      .toBuffer();
    expect(await readPhotoTags({ bytes: other, limits })).toBeNull();
  });

  it('include the density that the photo states', async () => {
    const picture = sharp({ create: { width: 20, height: 20, channels: 3, background: 'white' } });
    for (const format of ['jpeg', 'png', 'tiff'] as const) {
      const bytes = await picture.clone().withDensity(300).toFormat(format).toBuffer();
      expect(await readPhotoTags({ bytes, limits })).toEqual({ dpi: 300 });
    }
  });

  it('are read in either byte order, with and without the prefix of a JPEG segment', () => {
    const directories = [
      [
        [MAKE, utf8('Nikon')],
        [ARTIST, utf8('Ono')],
        [EXIF_DIRECTORY, 8 + 6 + 12 * 3],
      ],
      [[DATE, utf8('2024:05:06 07:08:09')]],
    ] as const;
    for (const little of [true, false]) {
      const exif = exifBlock(directories, little);
      const expected = { make: 'Nikon', artist: 'Ono', dateTaken: '2024:05:06 07:08:09' };
      expect(parseExif(exif)).toEqual(expected);
      expect(parseExif(Buffer.concat([Buffer.from('Exif\0\0'), exif]))).toEqual(expected);
    }
  });

  it.each([
    ['UTF-8', utf8('Mühle 山田'), 'Mühle 山田'],
    ['Windows-1252', Buffer.from('M\xfchle\0', 'latin1'), 'Mühle'],
    ['photographer and editor', utf8('Ono\0Weaver & Sons'), 'Ono; Weaver & Sons'],
    ['an editor only', Buffer.from(' \0Weaver\0'), 'Weaver'],
    ['control characters', utf8('a\u001b[31m\r\nb\u007f\u202ec\u200bd\u2028e'), 'a [31m b c d e'],
    ['a text that is too long', utf8('山'.repeat(5_000)), '山'.repeat(1_000)],
    ['blanks', Buffer.alloc(40, ' '), undefined],
    ['nulls', Buffer.alloc(40), undefined],
  ])('are clean lines: %s', (_, text, expected) => {
    expect(parseExif(exifBlock([[[COPYRIGHT, text]]])).copyright).toBe(expected);
  });

  it.each([
    '0000:00:00 00:00:00',
    '    :  :     :  :  ',
    '2024:13:01 00:00:00',
    '2024-05-06 07:08:09',
    '<b>',
  ])('have no date for %s', (date) => {
    const exif = exifBlock([[[EXIF_DIRECTORY, 8 + 6 + 12]], [[DATE, utf8(date)]]]);
    expect(parseExif(exif)).toEqual({});
  });

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no directory', Buffer.from('II*\0\xff\xff\xff\xff', 'latin1')],
    ['a text beyond the end', exifBlock([[[MAKE, utf8('Nikon'), { at: 0xfffffff0 }]]])],
    ['a directory beyond the end', exifBlock([[[EXIF_DIRECTORY, 0xfffffff0]]])],
    ['a directory within itself', exifBlock([[[EXIF_DIRECTORY, 8]]])],
    ['a number in place of a text', exifBlock([[[MAKE, 7]]])],
  ])('are empty if EXIF has %s', (_, exif) => {
    expect(parseExif(exif)).toEqual({});
  });

  it.each([
    ['4 GB', 0xffffffff, { artist: 'Weaver' }],
    ["its neighbor's bytes", 13, { make: 'Nikon', artist: 'Weaver' }],
  ])('contain no foreign bytes if a text claims %s', (_, length, expected) => {
    const entries: ExifEntry[] = [
      [MAKE, utf8('Nikon'), { length }],
      [ARTIST, utf8('Weaver')],
    ];
    expect(parseExif(exifBlock([entries]))).toEqual(expected);
  });

  it('are clean and of limited length for any EXIF: thousands of entries, truncated anywhere, or noise', async () => {
    const many = exifBlock([
      Array.from(
        { length: 5_000 },
        (): ExifEntry => [MAKE, Buffer.alloc(60_000, 'x').subarray(0, 5), { length: 60_000, at: 8 }],
      ),
    ]);
    const whole = (await sharp(await taggedPhoto()).metadata()).exif!;
    const blocks = [many, ...Array.from(whole, (_, cut) => whole.subarray(0, cut))];
    const noise = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    const flipped = fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
      const copy = Buffer.from(whole);
      copy[at] = byte;
      return copy;
    });
    const isClean = (exif: Buffer) =>
      Object.values(parseExif(exif)).every(
        (text) => text.length > 0 && text.length <= 2_000 && !/[\p{Cc}\p{Cs}\n]/u.test(text),
      );
    for (const exif of blocks) expect(isClean(exif)).toBe(true);
    const starts = noise.map((bytes) => Buffer.concat([Buffer.from('II*\0\b\0\0\0'), bytes]));
    fc.assert(fc.property(fc.oneof(noise, starts, flipped), isClean), { numRuns: 2_000, seed: 7 });
  });
});

describe('a tagged picture', () => {
  const blank = () => sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } });

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('has the tags in %s, and no others', async (format) => {
    const bytes = await tagPicture(blank(), keptTags).toFormat(format).toBuffer();
    expect(await readPhotoTags({ bytes, limits })).toEqual(keptTags);
    expect((await listTags(bytes)).filter((tag) => !allowedTags.has(tag))).toEqual([]);
    expect((await sharp(bytes).metadata()).orientation ?? 1).toBe(1);
  });

  it('has every character in its XMP, as text and not as markup', async () => {
    const tags = { artist: 'Łukasz 山田', copyright: 'A & B <c> "d" ]]>' };
    const bytes = await tagPicture(blank(), tags, ' xmlns:x="y" x:own="kept"').jpeg().toBuffer();
    const xmp = (await sharp(bytes).metadata()).xmp!.toString();
    expect(xmp).toContain('x:own="kept"');
    expect(xmp).toContain('<rdf:li>Łukasz 山田</rdf:li>');
    expect(xmp).toContain('<rdf:li xml:lang="x-default">A &amp; B &lt;c&gt; "d" ]]&gt;</rdf:li>');
  });
});
