import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PackshotError } from '../errors.ts';
import { type ImageFacts, type ImageLimits, inspectImage, readImage } from './read-image.ts';

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

  it('keeps real transparency and drops a fully opaque alpha channel', async () => {
    const clear = {
      create: { width: 64, height: 64, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    };
    const box = await plain(20, 20).png().toBuffer();
    const cutout = await sharp(clear)
      .composite([{ input: box, left: 20, top: 20 }])
      .png()
      .toBuffer();
    const source = await readImage(cutout, limits);
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
