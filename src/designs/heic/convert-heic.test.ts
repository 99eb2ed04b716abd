import { readFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { readImage } from '../read-image.ts';
import {
  auxC,
  box,
  clap,
  exifData,
  gridData,
  type HeicItem,
  type HevcPicture,
  icc,
  imir,
  irot,
  ispe,
  nclx,
  readHevc,
  writeHeic,
} from '../testing/heic-file.ts';
import { labDifference } from '../testing/lab-difference.ts';
import { convertHeic } from './convert-heic.ts';

const limits = { maxBytes: 25e6, maxPixels: 50e6, maxAvifPixels: 25e6, minSidePx: 16, maxSidePx: 16_383 };
const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/heic/${name}.heic`, import.meta.url));
const photo = readHevc(fixture('photo'));
const tile = readHevc(fixture('tile-0'));
/** The pixels that `photo.heic` was made of. */
const original = () =>
  sharp(new URL('../../../samples/mug-clutter.jpg', import.meta.url).pathname)
    .resize(512, 384)
    .removeAlpha();

const item = (picture: HevcPicture, more: Partial<HeicItem> = {}): HeicItem => ({
  id: 1,
  type: 'hvc1',
  data: picture.data,
  ...more,
  properties: [picture.hvcC, ispe(picture.width, picture.height), ...(more.properties ?? [])],
});
const single = (properties: Buffer[] = [], picture = photo) =>
  writeHeic([item(picture, { properties })], { primary: 1 });

const read = async (file: Uint8Array) => readImage(await convertHeic(file, limits), limits);
/** The photo after another turn, as sharp makes it. */
async function turned(change: (image: Sharp) => Sharp) {
  const { data, info } = await change(original()).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

function expectSame(
  one: { width: number; height: number; data: Uint8Array },
  other: { width: number; height: number; data: Uint8Array },
  limit: number,
): void {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  expect(labDifference(one.data, other.data)).toBeLessThan(limit);
}

describe('converting HEIC', () => {
  it('keeps the colors of the photo', async () => {
    expectSame(await read(fixture('photo')), await turned((image) => image), 1);
  });

  it('narrows 10 bits', async () => {
    expectSame(await read(fixture('photo-10-bit')), await turned((image) => image), 1);
  });

  it('converts Display P3 as the same photo in JPEG is converted, by profile and by number', async () => {
    const jpeg = await original()
      .withIccProfile('p3')
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const profile = (await sharp(jpeg).metadata()).icc!;
    // The samples' numbers stay, and mean P3 from now on.
    const { data, info } = await original().raw().toBuffer({ resolveWithObject: true });
    const numbers = await sharp(data, { raw: { ...info, channels: 3 } })
      .png()
      .toBuffer();
    const { embedInPng } = await import('./embed-profile.ts');
    const expected = await readImage(embedInPng(numbers, profile), limits);
    expect(labDifference(expected.data, new Uint8Array(data))).toBeGreaterThan(2);
    expectSame(await read(single([icc(profile)])), expected, 1);
    expectSame(await read(single([nclx(12, 13)])), expected, 1);
  });

  it('refuses HDR, which would come out gray', async () => {
    await expect(read(single([nclx(9, 16)]))).rejects.toMatchObject({
      code: 'image_undecodable',
      message: expect.stringContaining('HDR'),
    });
  });

  it.each([
    ['a quarter turn', [irot(1)], (image: Sharp) => image.rotate(270)],
    ['half a turn', [irot(2)], (image: Sharp) => image.rotate(180)],
    ['three quarters', [irot(3)], (image: Sharp) => image.rotate(90)],
    ['left and right', [imir(1)], (image: Sharp) => image.flop()],
    [
      'a clean aperture',
      [clap(448, 320, 32, -16)],
      (image: Sharp) => image.extract({ left: 64, top: 16, width: 448, height: 320 }),
    ],
  ])('applies %s', async (_, properties, change) => {
    // Turned after resizing: sharp does it the other way round in one pipeline.
    const flat = await original().png().toBuffer();
    const { data, info } = await change(sharp(flat)).raw().toBuffer({ resolveWithObject: true });
    expectSame(await read(single(properties)), { ...info, data: new Uint8Array(data) }, 1);
  });

  it('says what helps where the file is cropped more than its decoder admits', async () => {
    await expect(read(single([clap(64, 64)]))).rejects.toMatchObject({
      code: 'image_undecodable',
      message: expect.stringContaining('cropped'),
    });
  });

  it('ignores an orientation in Exif, which repeats the one that was applied', async () => {
    const items = [
      item(photo, { properties: [irot(3)] }),
      { id: 2, type: 'Exif', data: exifData(6), references: [{ type: 'cdsc', to: [1] }] },
    ];
    expect(await read(writeHeic(items, { primary: 1 }))).toMatchObject({ width: 384, height: 512 });
  });

  it('takes the primary picture, not the first', async () => {
    const items = [item(tile, { id: 1 }), item(photo, { id: 2 })];
    expect(await read(writeHeic(items, { primary: 2 }))).toMatchObject({ width: 512, height: 384 });
    expect(await read(writeHeic(items, { primary: 1 }))).toMatchObject({ width: 512, height: 512 });
  });

  it('reads a grid of 48 tiles with a thumbnail and a gain map, as an iPhone writes it', async () => {
    const tiles = Array.from({ length: 48 }, (_, index) => item(tile, { id: index + 1, hidden: true }));
    const grid: HeicItem = {
      id: 49,
      type: 'grid',
      data: gridData(8, 6, 4032, 3024),
      properties: [ispe(4032, 3024), irot(3)],
      references: [{ type: 'dimg', to: tiles.map(({ id }) => id) }],
    };
    const gainMap = item(tile, {
      id: 50,
      hidden: true,
      properties: [auxC('urn:com:apple:photo:2020:aux:hdrgainmap')],
      references: [{ type: 'auxl', to: [49] }],
    });
    const thumbnail = item(photo, { id: 51, references: [{ type: 'thmb', to: [49] }] });
    const file = writeHeic([...tiles, grid, gainMap, thumbnail], { primary: 49 });
    const { width, height, data, alpha } = await read(file);
    expect([width, height, alpha]).toEqual([3024, 4032, null]);
    const one = await read(single([], tile));
    // After the turn, the lower left corner of the first tile is the picture's upper left one.
    const corner = one.data.subarray(0, 3);
    expect([...data.subarray((width - 1) * 3, width * 3)]).toEqual([...corner]);
  });

  it('keeps transparency', async () => {
    const { alpha, width } = await read(fixture('alpha'));
    expect(alpha?.[0]).toBe(0);
    expect(alpha?.[64 * width + 64]).toBe(255);
  });
});

const sound = single();
/** A copy whose bytes at the place of the text are others. */
function spoil(file: Buffer, text: string, offset: number, bytes: Buffer): Buffer {
  const copy = Buffer.from(file);
  bytes.copy(copy, copy.indexOf(text, 0, 'latin1') + offset);
  return copy;
}
const word = (value: number) =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((v) => v & 255));
const grid = (id: number, to: number[], size = [1024, 1024] as const): HeicItem => ({
  id,
  type: 'grid',
  data: gridData(1, 1, ...size),
  properties: [ispe(...size)],
  references: [{ type: 'dimg', to }],
});

describe('hostile HEIC', () => {
  const unread = ['image_undecodable', 'unsupported_image_format'];
  it.each<[string, Buffer]>([
    ['a file that ends in its boxes', sound.subarray(0, 200)],
    ['a file that ends in its pixels', sound.subarray(0, sound.length >> 1)],
    ['no boxes at all', sound.subarray(0, 24)],
    [
      'pixels of zeros',
      Buffer.concat([sound.subarray(0, sound.length - photo.data.length), Buffer.alloc(photo.data.length)]),
    ],
    ['pixels of noise', spoil(sound, 'mdat', 8, Buffer.from(photo.data).reverse())],
    [
      'an item that claims more bytes than there are',
      writeHeic([item(photo, { claimedBytes: 0x7fffffff })], { primary: 1 }),
    ],
    ['a box that is larger than the file', spoil(sound, 'iprp', -4, word(0xfffffff0))],
    ['a box of no bytes', spoil(sound, 'iinf', -4, word(4))],
    ['a primary picture that is not there', writeHeic([item(photo)], { primary: 9 })],
    [
      'no decoder configuration',
      writeHeic([{ id: 1, type: 'hvc1', data: photo.data, properties: [ispe(512, 384)] }], { primary: 1 }),
    ],
    [
      'a configuration of noise',
      writeHeic(
        [
          {
            id: 1,
            type: 'hvc1',
            data: photo.data,
            properties: [box('hvcC', Buffer.alloc(40, 0xaa)), ispe(512, 384)],
          },
        ],
        { primary: 1 },
      ),
    ],
    ['a grid of itself', writeHeic([grid(1, [1])], { primary: 1 })],
    ['two grids of each other', writeHeic([grid(1, [2]), grid(2, [1])], { primary: 1 })],
    ['a grid without its tiles', writeHeic([grid(1, [7])], { primary: 1 })],
    [
      'a grid with too few tiles',
      writeHeic([{ ...grid(1, [2]), data: gridData(200, 200, 40_000, 900) }, item(tile, { id: 2 })], {
        primary: 1,
      }),
    ],
    [
      'AV1 in a HEIC',
      writeHeic([{ id: 1, type: 'av01', data: photo.data, properties: [ispe(512, 384)] }], { primary: 1 }),
    ],
    [
      'an uncompressed picture',
      writeHeic([{ id: 1, type: 'unci', data: photo.data, properties: [ispe(512, 384)] }], { primary: 1 }),
    ],
    [
      'a JPEG in a HEIC',
      writeHeic([{ id: 1, type: 'jpeg', data: photo.data, properties: [ispe(512, 384)] }], { primary: 1 }),
    ],
    [
      'a picture derived from itself',
      writeHeic(
        [
          {
            id: 1,
            type: 'iden',
            data: Buffer.alloc(1),
            properties: [ispe(512, 384)],
            references: [{ type: 'dimg', to: [1] }],
          },
        ],
        { primary: 1 },
      ),
    ],
    ['an aperture outside of the picture', single([clap(4096, 4096, 9000, 0)])],
    [
      'a grid of 3.6 gigapixels',
      writeHeic(
        [
          {
            ...grid(1, Array(16).fill(2)),
            data: gridData(4, 4, 60_000, 60_000),
            properties: [ispe(60_000, 60_000)],
          },
          item(tile, { id: 2 }),
        ],
        { primary: 1 },
      ),
    ],
    ['only a brand', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
  ])('is refused: %s', async (_, file) => {
    const error = await convertHeic(file, limits).then(
      () => undefined,
      (reason) => reason,
    );
    expect(unread).toContain(error?.code);
  });

  it.each<[string, Buffer]>([
    [
      'a picture of 60,000 px',
      writeHeic([{ ...item(photo), properties: [photo.hvcC, ispe(60_000, 60_000)] }], { primary: 1 }),
    ],
    [
      'a side beyond the limit',
      writeHeic([{ ...item(photo), properties: [photo.hvcC, ispe(20_000, 20)] }], { primary: 1 }),
    ],
  ])('is too large by its header: %s', async (_, file) => {
    await expect(convertHeic(file, limits)).rejects.toMatchObject({ code: 'image_too_large' });
  });

  it('is refused where its pixels are more than its header says', async () => {
    const small = writeHeic([{ ...item(photo), properties: [photo.hvcC, ispe(64, 64)] }], { primary: 1 });
    const read = await convertHeic(small, { ...limits, maxPixels: 100_000 }).catch((error) => error);
    expect(unread).toContain(read.code);
  });

  it('answers for files with a few broken bytes, wherever these are', async () => {
    let state = 7;
    const dice = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const head = sound.length - photo.data.length;
    for (let round = 0; round < 60; round++) {
      const copy = Buffer.from(sound);
      for (let flips = 0; flips < 4; flips++) copy[Math.floor(dice() * head)] = Math.floor(dice() * 256);
      const error = await convertHeic(copy, limits).then(
        () => undefined,
        (reason) => reason,
      );
      if (error) expect(['PackshotError', 'RuntimeError']).toContain(error.name);
    }
  });
});
