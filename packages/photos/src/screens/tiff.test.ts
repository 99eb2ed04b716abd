import { describe, expect, it } from 'vitest';
import { PackshotError } from '../../../errors/index.ts';
import { inspectImage, readImage } from '../read-image.ts';
import { screenTiff } from './tiff.ts';

const limits = { maxBytes: 1e6, maxPixels: 1e6, maxAvifPixels: 1e6, minSidePx: 16, maxSidePx: 4000 };
const SIDE = 16;

type Entry = readonly [tag: number, type: 3 | 4, values: readonly number[]];

interface Build {
  readonly little?: boolean;
  readonly big?: boolean;
  /** One list of entries per page. The only strip of every page is `pixels`. */
  readonly pages: readonly (readonly Entry[])[];
  readonly pixels: Uint8Array;
  /** Offset of the next page, as the last page states it; 0 ends the chain. */
  readonly lastNext?: number;
}

/** Classic or BigTIFF: header, pixels, then the pages. Values that are too long for an entry follow their page. */
function tiff({ little = true, big = false, pages, pixels, lastNext = 0 }: Build): Buffer {
  const number = (value: number, bytes: number) => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 8) little ? buffer.writeBigUInt64LE(BigInt(value)) : buffer.writeBigUInt64BE(BigInt(value));
    else little ? buffer.writeUIntLE(value, 0, bytes) : buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const word = big ? 8 : 4;
  const start = [Buffer.from(little ? 'II' : 'MM'), number(big ? 43 : 42, 2)];
  if (big) start.push(number(8, 2), number(0, 2));
  const pixelsAt = big ? 16 : 8;
  const parts = [...start, number(pixelsAt + pixels.length, word), pixels];
  let at = pixelsAt + pixels.length;
  for (const [p, page] of pages.entries()) {
    const strip: Entry[] = [
      [273, 4, [pixelsAt]],
      [279, 4, [pixels.length]],
    ];
    const entries = [...page, ...strip].sort(([a], [b]) => a - b);
    let spill = at + (big ? 8 : 2) + entries.length * (big ? 20 : 12) + word;
    const spilled: Buffer[] = [];
    parts.push(number(entries.length, big ? 8 : 2));
    for (const [tag, type, values] of entries) {
      const data = Buffer.concat(values.map((value) => number(value, type === 3 ? 2 : 4)));
      parts.push(number(tag, 2), number(type, 2), number(values.length, word));
      if (data.length <= word) {
        parts.push(Buffer.concat([data, Buffer.alloc(word - data.length)]));
      } else {
        parts.push(number(spill, word));
        spilled.push(data);
        spill += data.length;
      }
    }
    parts.push(number(p + 1 < pages.length ? spill : lastNext, word), ...spilled);
    at = spill;
  }
  return Buffer.concat(parts);
}

function page(channels: number, bits: number, more: readonly Entry[] = []): Entry[] {
  return [
    [256, 3, [SIDE]],
    [257, 3, [SIDE]],
    [258, 3, Array(channels).fill(bits)],
    [259, 3, [1]],
    [277, 3, [channels]],
    [278, 3, [SIDE]],
    ...more,
  ];
}

const rgb: Entry = [262, 3, [2]];
const pixels = (channels: number, bytes = 1) => new Uint8Array(SIDE * SIDE * channels * bytes).fill(100);
const orders = [true, false].flatMap((little) => [true, false].map((big) => ({ little, big })));

describe('screening TIFF', () => {
  it.each(orders)(
    'cuts a chain of pages after the first (little-endian: $little, BigTIFF: $big)',
    async (order) => {
      const single = tiff({ ...order, pages: [page(3, 8, [rgb])], pixels: pixels(3) });
      const chain = tiff({ ...order, pages: Array(30).fill(page(3, 8, [rgb])), pixels: pixels(3) });
      const { bytes } = screenTiff(chain);
      expect(bytes.length).toBe(chain.length);
      expect(screenTiff(bytes).bytes).toBe(bytes);
      expect(screenTiff(single).bytes).toBe(single);
      expect((await readImage(chain, limits)).data[0]).toBe(100);
    },
  );

  it.each([8, 0xfffffff0, 900])('ignores an invalid next page at %d', async (lastNext) => {
    const bytes = tiff({ pages: [page(3, 8, [rgb])], pixels: pixels(3), lastNext });
    expect(await inspectImage({ bytes, limits })).toMatchObject({ width: SIDE, height: SIDE });
  });

  it('lets the decoder handle a first page that lies outside the file', async () => {
    const bytes = tiff({ pages: [page(3, 8, [rgb])], pixels: pixels(3) });
    bytes.writeUInt32LE(0xffffffff, 4);
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({ code: 'image_undecodable' });
  });

  it('skips a thumbnail that precedes its picture', async () => {
    const thumbnail = page(3, 8, [rgb, [254, 4, [1]]]).map(
      (entry): Entry => (entry[0] === 256 ? [256, 3, [8]] : entry),
    );
    const bytes = tiff({ pages: [thumbnail, page(3, 8, [rgb])], pixels: pixels(3) });
    expect(await readImage(bytes, limits)).toMatchObject({ width: SIDE, height: SIDE });
  });

  it.each<[string, Entry[]]>([
    ['a DNG version', [rgb, [50706, 4, [0x0104]]]],
    ['a color filter array', [[262, 3, [32803]]]],
    ['a thumbnail with sub-directories', [rgb, [254, 4, [1]], [330, 4, [8]]]],
  ])('detects camera raw by %s', async (_, entries) => {
    const bytes = tiff({ pages: [page(3, 8, entries)], pixels: pixels(3) });
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({
      code: 'unsupported_image_format',
      message: expect.stringContaining('Camera raw'),
    });
  });

  it('reads 32-bit floats as linear light', async () => {
    const half = new Uint8Array(new Float32Array(SIDE * SIDE * 3).fill(0.5).buffer);
    const bytes = tiff({ pages: [page(3, 32, [rgb, [339, 3, [3, 3, 3]]])], pixels: half });
    // The sRGB curve maps linear 0.5 to 0.735, which is 188 of 255.
    expect((await readImage(bytes, limits)).data[0]).toBe(188);
  });

  it('refuses gray floats, whose scale is undefined', async () => {
    const bytes = tiff({
      pages: [
        page(1, 32, [
          [262, 3, [1]],
          [339, 3, [3]],
        ]),
      ],
      pixels: pixels(1, 4),
    });
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({ code: 'image_undecodable' });
  });

  it.each([
    ['signed 8-bit', 8, 2],
    ['32-bit integer', 32, 1],
    ['signed 16-bit', 16, 2],
  ])('refuses %s samples with a helpful message', async (_, bits, format) => {
    const build = page(3, bits, [rgb, [339, 3, [format, format, format]]]);
    const bytes = tiff({ pages: [build], pixels: pixels(3, bits / 8) });
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({
      code: 'image_undecodable',
      message: expect.stringContaining('8 or 16 bits'),
    });
  });

  it('uses the first extra channel as alpha and drops further ones', async () => {
    const data = new Uint8Array(SIDE * SIDE * 5).map((_, i) => [200, 100, 50, 0, 77][i % 5]!);
    const bytes = tiff({ pages: [page(5, 8, [rgb, [338, 3, [2, 0]]])], pixels: data });
    const source = await readImage(bytes, limits);
    expect([...source.data.subarray(0, 3)]).toEqual([200, 100, 50]);
    expect(source.alpha?.every((value) => value === 0)).toBe(true);
  });

  it('accepts exactly those modes that can then be read', async () => {
    const accepted: string[] = [];
    for (const photometric of [0, 1, 2, 5, 6, 8]) {
      for (const channels of [1, 2, 3, 4, 5, 6]) {
        for (const [bits, format] of [
          [8, 1],
          [8, 2],
          [16, 1],
          [32, 1],
          [32, 3],
          [64, 3],
        ] as const) {
          const mode: Entry[] = [
            [262, 3, [photometric]],
            [339, 3, Array(channels).fill(format)],
          ];
          const bytes = tiff({ pages: [page(channels, bits, mode)], pixels: pixels(channels, bits / 8) });
          const facts = await inspectImage({ bytes, limits }).catch((error: unknown) => error);
          const read = await readImage(bytes, limits).catch((error: unknown) => error);
          if (facts instanceof PackshotError) {
            expect(read).toBeInstanceOf(PackshotError);
          } else {
            expect(read).toMatchObject({ width: SIDE, height: SIDE });
            accepted.push(`${photometric}/${channels}/${bits}/${format}`);
          }
        }
      }
    }
    // Gray, RGB and CMYK, each with and without extra channels, some of them with more than 8 bits per sample.
    expect(accepted).toEqual(
      expect.arrayContaining([
        '1/1/8/1',
        '1/3/8/1',
        '2/3/16/1',
        '2/5/8/1',
        '5/4/8/1',
        '5/5/16/1',
        '2/3/32/3',
      ]),
    );
  });
});
