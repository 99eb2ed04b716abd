import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PackshotError } from '../../errors/index.ts';
import '../known-loaders.ts';
import { type ImageFacts, type ImageLimits, inspectImage, readImage } from './read-image.ts';
import { readImagePart } from './read-image-part.ts';
import { exifBlock } from './testing/exif-block.ts';
import { makeUltraHdr } from './testing/ultra-hdr.ts';

const limits: ImageLimits = {
  maxBytes: 1_000_000,
  maxPixels: 1_000_000,
  maxAvifPixels: 100_000,
  minSidePx: 16,
  maxSidePx: 4_000,
};

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 40 } } });

const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  });

describe('reading an upload', () => {
  it.each(['jpeg', 'png', 'webp', 'avif', 'tiff', 'gif'] as const)(
    'recognizes and reads %s from its bytes alone',
    async (format) => {
      const bytes = await plain(120, 80).toFormat(format).toBuffer();
      const facts = await inspectImage({ bytes, limits });
      expect(facts).toMatchObject({ format, width: 120, height: 80, bytes: bytes.length });
      expect(facts.sha256).toMatch(/^[0-9a-f]{64}$/);
      const source = await readImage(bytes, limits);
      expect(source.data.length).toBe(120 * 80 * 3);
      expect(source.data[0]).toBeGreaterThan(180);
    },
  );

  it('applies the EXIF orientation to size and pixels', async () => {
    const bytes = await plain(60, 40).withExif({}).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await inspectImage({ bytes, limits })).toMatchObject({ width: 40, height: 60 });
    expect(await readImage(bytes, limits)).toMatchObject({ width: 40, height: 60 });
  });

  it('converts CMYK, grayscale and 16 bit to 8-bit sRGB', async () => {
    const cmyk = await plain(64, 64).toColourspace('cmyk').jpeg().toBuffer();
    expect((await inspectImage({ bytes: cmyk, limits })).colorSpace).toBe('cmyk');
    expect((await readImage(cmyk, limits)).data.length).toBe(64 * 64 * 3);
    const grey = await plain(64, 64).greyscale().png().toBuffer();
    expect((await readImage(grey, limits)).data.length).toBe(64 * 64 * 3);
    const deep = await plain(64, 64).toColourspace('rgb16').png().toBuffer();
    const source = await readImage(deep, limits);
    expect([...source.data.slice(0, 3)]).toEqual([200, 40, 40]);
  });

  describe('of a camera that declares Adobe RGB only by EXIF', () => {
    const UNCALIBRATED = 65_535;
    const stored = { r: 171, g: 35, b: 44 };
    const red = (icc?: string) => {
      const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: stored } });
      return (icc ? picture.withIccProfile(icc) : picture).jpeg({ quality: 100, chromaSubsampling: '4:4:4' });
    };
    async function take(index: string, { colorSpace = UNCALIBRATED, little = true, icc = '' } = {}) {
      const directories = [
        [[0x8769, 26]],
        [
          [0xa001, little ? colorSpace : colorSpace * 65_536],
          [0xa005, 56],
        ],
        [[1, Buffer.from(`${index}\0`)]],
      ] as const;
      const exif = exifBlock(directories, little);
      const head = Buffer.from([0xff, 0xe1, 0, exif.length + 8, ...Buffer.from('Exif\0\0')]);
      const jpeg = await red(icc).toBuffer();
      return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
    }
    const middle = ({ data }: { readonly data: Uint8Array }) => [...data.subarray(3 * 1500, 3 * 1501)];

    it('converts the colors, in either byte order and in a part of the photo, too', async () => {
      for (const little of [true, false]) {
        const bytes = await take('R03', { little });
        const pixel = middle(await readImage(bytes, limits));
        for (const [c, value] of [200, 30, 40].entries()) expect(Math.abs(pixel[c]! - value)).toBeLessThan(3);
        const region = { x: 8, y: 8, width: 32, height: 32 };
        const part = await readImagePart(bytes, limits, { region, width: 32, height: 32 });
        expect(Math.abs((await readImage(part, limits)).data[0]! - 200)).toBeLessThan(3);
      }
    });

    it('leaves the colors of R98, of sRGB and of a photo with a profile to the decoder', async () => {
      const plainPixel = middle(await readImage(await red().toBuffer(), limits));
      const p3 = middle(await readImage(await red('p3').toBuffer(), limits));
      expect(middle(await readImage(await take('R98'), limits))).toEqual(plainPixel);
      expect(middle(await readImage(await take('R03', { colorSpace: 1 }), limits))).toEqual(plainPixel);
      expect(middle(await readImage(await take('R03', { icc: 'p3' }), limits))).toEqual(p3);
      expect(p3).not.toEqual(plainPixel);
    });
  });

  it('reads an Ultra HDR photo as its base picture, without the gain map', async () => {
    const base = await noise(64, 48).jpeg().toBuffer();
    const bytes = makeUltraHdr(base, await plain(32, 24).jpeg().toBuffer());
    expect((await readImage(bytes, limits)).data).toEqual((await readImage(base, limits)).data);
    expect((await sharp(bytes).metadata()).gainMap).toBeUndefined();
  });

  it('keeps real transparency and drops a fully opaque alpha channel', async () => {
    const clear = {
      create: { width: 64, height: 64, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    };
    const box = await plain(20, 20).png().toBuffer();
    const cutout = await sharp(clear)
      .composite([{ input: box, left: 20, top: 20 }])
      .png()
      .toBuffer();
    const source = await readImage(cutout, limits, 'keep');
    expect(source.alpha?.[0]).toBe(0);
    expect(source.alpha?.[64 * 30 + 30]).toBe(255);
    const opaque = await plain(64, 64).ensureAlpha(1).png().toBuffer();
    expect((await readImage(opaque, limits)).alpha).toBeNull();
  });

  it('refuses a picture over the pixel limit before decoding it, and reports its size', async () => {
    const bytes = await plain(1200, 1000).png().toBuffer();
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({
      code: 'image_too_large',
      message: expect.stringContaining('1200×1000'),
    });
  });

  it('applies a separate pixel limit to AVIF', async () => {
    const bytes = await plain(400, 400).avif({ effort: 0 }).toBuffer();
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({ code: 'image_too_large' });
  });

  it('refuses a picture with a side below the minimum', async () => {
    const bytes = await plain(200, 15).png().toBuffer();
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({ code: 'image_too_small' });
  });

  it.each(['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif'] as const)(
    'refuses a truncated %s',
    async (format) => {
      const bytes = await noise(200, 200).toFormat(format).toBuffer();
      const half = bytes.subarray(0, Math.floor(bytes.length * 0.6));
      await expect(inspectImage({ bytes: half, limits })).rejects.toMatchObject({
        code: 'image_undecodable',
      });
    },
  );

  it.each(['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif'] as const)(
    'agrees with inspectImage on every damaged %s: both refuse it, or both accept it with the same size',
    async (format) => {
      const whole = await noise(80, 60).toFormat(format, { effort: 1 }).toBuffer();
      await fc.assert(
        fc.asyncProperty(damages(whole.length), async (damage) => {
          const bytes = Uint8Array.from(whole);
          for (const [at, value] of damage.overwrite) bytes[at] = value;
          await expectSameVerdict(bytes.subarray(0, damage.length));
        }),
        // A fixed seed makes findings reproducible.
        { numRuns: 40, seed: 20 },
      );
    },
  );
});

/** Changes that damage a file: some bytes, most of them in the header; one file in four is also truncated. */
function damages(length: number) {
  const position = fc.oneof(fc.nat(Math.min(length, 200) - 1), fc.nat(length - 1));
  return fc.record({
    overwrite: fc.array(fc.tuple(position, fc.nat(255)), { minLength: 1, maxLength: 4 }),
    length: fc.oneof({ weight: 3, arbitrary: fc.constant(length) }, { weight: 1, arbitrary: fc.nat(length) }),
  });
}

async function expectSameVerdict(bytes: Uint8Array): Promise<void> {
  const read = await readImage(bytes, limits).catch((error: unknown) => error);
  const facts = await inspectImage({ bytes, limits }).catch((error: unknown) => error);
  if (facts instanceof PackshotError) {
    expect(read).toBeInstanceOf(PackshotError);
    return;
  }
  const { width, height } = facts as ImageFacts;
  expect(read).toMatchObject({ width, height });
}
