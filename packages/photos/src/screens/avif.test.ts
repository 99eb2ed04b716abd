import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { inspectImage, readImage } from '../read-image.ts';

const limits = { maxBytes: 1e6, maxPixels: 1e6, maxAvifPixels: 1e6, minSidePx: 16, maxSidePx: 4000 };
let still: Buffer;
beforeAll(async () => {
  const background = { r: 220, g: 120, b: 40 };
  still = await sharp({ create: { width: 32, height: 24, channels: 3, background } })
    .avif({ effort: 0, quality: 90 })
    .toBuffer();
});

const swap = (bytes: Buffer, from: string, to: string) =>
  Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');

/** Adds a color box (`colr`, `nclx`) with the given primaries, the transfer curve of sRGB, and the matrix of BT.601. */
function withColour(bytes: Buffer, primaries: number): Buffer {
  const box = Buffer.from([0, 0, 0, 19, ...Buffer.from('colrnclx'), 0, primaries, 0, 13, 0, 6, 0x80]);
  const sizeAt = (type: string) => bytes.indexOf(type, 0, 'latin1') - 4;
  const end = sizeAt('ipco') + bytes.readUInt32BE(sizeAt('ipco'));
  const grown = Buffer.concat([bytes.subarray(0, end), box, bytes.subarray(end)]);
  for (const type of ['meta', 'iprp', 'ipco']) {
    grown.writeUInt32BE(bytes.readUInt32BE(sizeAt(type)) + box.length, sizeAt(type));
  }
  // The offset of the only item, stored in `iloc`, points to the contents of `mdat`.
  const offset = Buffer.alloc(4);
  offset.writeUInt32BE(sizeAt('mdat') + 8);
  const offsetAt = bytes.indexOf(offset, sizeAt('iloc'));
  grown.writeUInt32BE(sizeAt('mdat') + 8 + box.length, offsetAt);
  return grown;
}

describe('screening AVIF', () => {
  it('reads the still image of a sequence', async () => {
    const sequence = Buffer.from(still);
    sequence.write('avis', 8, 'latin1');
    expect(await inspectImage({ bytes: sequence, limits })).toMatchObject({
      format: 'avif',
      width: 32,
      height: 24,
    });
  });

  it('reports a claimed size beyond all limits', async () => {
    const huge = Buffer.from(still);
    huge.writeUInt32BE(100_000_000, huge.indexOf('ispe', 0, 'latin1') + 8);
    await expect(inspectImage({ bytes: huge, limits })).rejects.toMatchObject({
      code: 'image_too_large',
      message: expect.stringContaining('100000000×24'),
    });
  });

  it('detects HEIC if the pixels are HEVC, whatever the brand says', async () => {
    await expect(inspectImage({ bytes: swap(still, 'av01', 'hvc1'), limits })).rejects.toMatchObject({
      code: 'unsupported_image_format',
      message: expect.stringContaining('HEIC'),
    });
  });

  it('converts Display P3 to sRGB if a code point declares it', async () => {
    const asSrgb = await readImage(withColour(still, 1), limits);
    const asP3 = await readImage(withColour(still, 12), limits);
    // The same sample values in P3 mean a redder color in sRGB.
    expect(asP3.data[0]!).toBeGreaterThan(asSrgb.data[0]! + 5);
    expect(asP3.data[1]!).toBeLessThan(asSrgb.data[1]!);
  });
});
