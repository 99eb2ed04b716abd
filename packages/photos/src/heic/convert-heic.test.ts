import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { readImage } from '../read-image.ts';
import {
  auxC,
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
import { fixture, limits } from '../testing/heic-fixtures.ts';
import { labDifference } from '../testing/lab-difference.ts';
import { convertHeic } from './convert-heic.ts';

const photo = readHevc(fixture('photo'));
const tile = readHevc(fixture('tile-0'));
/** The pixels from which `photo.heic` was made. */
const original = () =>
  sharp(new URL('../../../../samples/mug-clutter.jpg', import.meta.url).pathname)
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
/** The pixels from which `photo.heic` was made, rotated, mirrored or cropped by sharp. */
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

  it('converts 10 bits to 8', async () => {
    expectSame(await read(fixture('photo-10-bit')), await turned((image) => image), 1);
  });

  it('converts Display P3, declared by profile or by code point, like a PNG with the same values and profile', async () => {
    const jpeg = await original()
      .withIccProfile('p3')
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    const profile = (await sharp(jpeg).metadata()).icc!;
    // The sample values stay the same, but the file now declares them as P3.
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

  it('refuses HDR, which would look gray', async () => {
    await expect(read(single([nclx(9, 16)]))).rejects.toMatchObject({
      code: 'image_undecodable',
      message: expect.stringContaining('HDR'),
    });
  });

  it.each([
    ['a quarter turn', [irot(1)], (image: Sharp) => image.rotate(270)],
    ['half a turn', [irot(2)], (image: Sharp) => image.rotate(180)],
    ['three quarters', [irot(3)], (image: Sharp) => image.rotate(90)],
    ['mirroring left to right', [imir(1)], (image: Sharp) => image.flop()],
    [
      'a clean aperture',
      [clap(448, 320, 32, -16)],
      (image: Sharp) => image.extract({ left: 64, top: 16, width: 448, height: 320 }),
    ],
  ])('applies %s', async (_, properties, change) => {
    // Rotated in a second pipeline, after resizing: within one pipeline, sharp would rotate first.
    const flat = await original().png().toBuffer();
    const { data, info } = await change(sharp(flat)).raw().toBuffer({ resolveWithObject: true });
    expectSame(await read(single(properties)), { ...info, data: new Uint8Array(data) }, 1);
  });

  it('refuses a picture that was cropped from a much larger one, with a message that says so', async () => {
    await expect(read(single([clap(64, 64)]))).rejects.toMatchObject({
      code: 'image_undecodable',
      message: expect.stringContaining('cropped'),
    });
  });

  it('ignores an Exif orientation that repeats the rotation already applied', async () => {
    const items = [
      item(photo, { properties: [irot(3)] }),
      { id: 2, type: 'Exif', data: exifData(6), references: [{ type: 'cdsc', to: [1] }] },
    ];
    expect(await read(writeHeic(items, { primary: 1 }))).toMatchObject({ width: 384, height: 512 });
  });

  it('reads the primary picture, not the first', async () => {
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
    // A quarter turn to the right moves the upper left corner of the first tile to the picture's upper right corner.
    const corner = one.data.subarray(0, 3);
    expect([...data.subarray((width - 1) * 3, width * 3)]).toEqual([...corner]);
  });

  it('keeps transparency', async () => {
    const converted = await convertHeic(fixture('alpha'), limits);
    const { alpha, width } = await readImage(converted, limits, 'keep');
    expect(alpha?.[0]).toBe(0);
    expect(alpha?.[64 * width + 64]).toBe(255);
  });
});
