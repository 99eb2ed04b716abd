import { describe, expect, it } from 'vitest';
import {
  box,
  clap,
  gridData,
  type HeicItem,
  type HevcPicture,
  ispe,
  readHevc,
  writeHeic,
} from '../testing/heic-file.ts';
import { fixture, limits } from '../testing/heic-fixtures.ts';
import { convertHeic } from './convert-heic.ts';
import { openHeic } from './libheif.ts';

const photo = readHevc(fixture('photo'));
const tile = readHevc(fixture('tile-0'));

const item = (picture: HevcPicture, more: Partial<HeicItem> = {}): HeicItem => ({
  id: 1,
  type: 'hvc1',
  data: picture.data,
  ...more,
  properties: [picture.hvcC, ispe(picture.width, picture.height), ...(more.properties ?? [])],
});
const single = (properties: Buffer[] = [], picture = photo) =>
  writeHeic([item(picture, { properties })], { primary: 1 });

const sound = single();
/** Returns a copy of the file in which `bytes` overwrites the bytes that are `offset` after the start of `text`. */
function spoil(file: Buffer, text: string, offset: number, bytes: Buffer): Buffer {
  const copy = Buffer.from(file);
  bytes.copy(copy, copy.indexOf(text, 0, 'latin1') + offset);
  return copy;
}
const word = (value: number) =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((v) => v & 255));
const grid = (id: number, to: number[], size: readonly [number, number] = [1024, 1024]): HeicItem => ({
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
      'an item that claims more bytes than the file has',
      writeHeic([item(photo, { claimedBytes: 0x7fffffff })], { primary: 1 }),
    ],
    ['a box that is larger than the file', spoil(sound, 'iprp', -4, word(0xfffffff0))],
    ['an empty box', spoil(sound, 'iinf', -4, word(4))],
    ['a missing primary picture', writeHeic([item(photo)], { primary: 9 })],
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
  ])('is refused as too large, from its header alone: %s', async (_, file) => {
    await expect(convertHeic(file, limits)).rejects.toMatchObject({ code: 'image_too_large' });
  });

  it('is refused, before its pixels are read, if it is a grid with tiles that show nothing', async () => {
    const gridOf = (count: number, size: number) => {
      const tiles = Array.from({ length: count * count }, (_, i) => item(tile, { id: i + 2, hidden: true }));
      const data = gridData(count, count, size, size);
      const ids = tiles.map(({ id }) => id);
      return writeHeic([{ ...grid(1, ids, [size, size]), data }, ...tiles], { primary: 1 });
    };
    const limited = { maxPixels: limits.maxPixels, maxMemoryBytes: 256e6 };
    expect(() => openHeic(gridOf(6, 512), limited)).toThrow('tiles that show nothing');
    expect(openHeic(gridOf(2, 600), limited)).toMatchObject({ width: 600, height: 600 });
  });

  it('is refused if it has more pixels than its header states', async () => {
    const small = writeHeic([{ ...item(photo), properties: [photo.hvcC, ispe(64, 64)] }], { primary: 1 });
    const read = await convertHeic(small, { ...limits, maxPixels: 100_000 }).catch((error) => error);
    expect(unread).toContain(read.code);
  });

  it('with a few broken bytes before its pixels is read, or refused with a known kind of error', async () => {
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
