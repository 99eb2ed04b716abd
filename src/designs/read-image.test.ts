import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type ImageLimits, inspectImage, readImage } from './read-image.ts';

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
    'reads %s whatever it is named',
    async (format) => {
      const bytes = await plain(120, 80).toFormat(format).toBuffer();
      const facts = await inspectImage(bytes, limits);
      expect(facts).toMatchObject({ format, width: 120, height: 80, bytes: bytes.length });
      expect(facts.sha256).toMatch(/^[0-9a-f]{64}$/);
      const source = await readImage(bytes, limits);
      expect(source.data.length).toBe(120 * 80 * 3);
      expect(source.data[0]).toBeGreaterThan(180);
    },
  );

  it('applies the EXIF turn to size and pixels', async () => {
    const bytes = await plain(60, 40).withExif({}).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await inspectImage(bytes, limits)).toMatchObject({ width: 40, height: 60 });
    expect(await readImage(bytes, limits)).toMatchObject({ width: 40, height: 60 });
  });

  it('brings CMYK, greyscale and 16 bit to 8-bit sRGB', async () => {
    const cmyk = await plain(64, 64).toColourspace('cmyk').jpeg().toBuffer();
    expect((await inspectImage(cmyk, limits)).colorSpace).toBe('cmyk');
    expect((await readImage(cmyk, limits)).data.length).toBe(64 * 64 * 3);
    const grey = await plain(64, 64).greyscale().png().toBuffer();
    expect((await readImage(grey, limits)).data.length).toBe(64 * 64 * 3);
    const deep = await plain(64, 64).toColourspace('rgb16').png().toBuffer();
    const source = await readImage(deep, limits);
    expect([...source.data.slice(0, 3)]).toEqual([200, 40, 40]);
  });

  it('keeps real transparency and forgets an alpha channel that hides nothing', async () => {
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

  it('refuses a picture over the pixel limit before decoding it', async () => {
    const bytes = await plain(1200, 1000).png().toBuffer();
    await expect(inspectImage(bytes, limits)).rejects.toMatchObject({ code: 'image_too_large' });
  });

  it('holds AVIF to its own pixel limit', async () => {
    const bytes = await plain(400, 400).avif({ effort: 0 }).toBuffer();
    await expect(inspectImage(bytes, limits)).rejects.toMatchObject({ code: 'image_too_large' });
  });

  it('refuses a picture with a side under the minimum', async () => {
    const bytes = await plain(200, 15).png().toBuffer();
    await expect(inspectImage(bytes, limits)).rejects.toMatchObject({ code: 'image_too_small' });
  });

  it.each(['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif'] as const)(
    'refuses a truncated %s',
    async (format) => {
      const bytes = await noise(200, 200).toFormat(format).toBuffer();
      const half = bytes.subarray(0, Math.floor(bytes.length * 0.6));
      await expect(inspectImage(half, limits)).rejects.toMatchObject({ code: 'image_undecodable' });
    },
  );

  it.each([
    ['SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['PDF', '%PDF-1.7 ...'],
    ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ])('names the format when it refuses %s', async (name, head) => {
    await expect(inspectImage(Buffer.from(head, 'latin1'), limits)).rejects.toMatchObject({
      code: 'unsupported_image_format',
      message: expect.stringContaining(name),
    });
  });

  it('refuses bytes that are no picture at all', async () => {
    await expect(inspectImage(Buffer.from('hello'), limits)).rejects.toMatchObject({
      code: 'unsupported_image_format',
    });
    await expect(inspectImage(Buffer.alloc(0), limits)).rejects.toMatchObject({
      code: 'unsupported_image_format',
    });
  });
});
