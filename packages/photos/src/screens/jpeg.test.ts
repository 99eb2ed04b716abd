import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { inspectImage, readImage } from '../read-image.ts';
import { screenJpeg } from './jpeg.ts';

const limits = { maxBytes: 1e6, maxPixels: 1e6, maxAvifPixels: 1e6, minSidePx: 16, maxSidePx: 4000 };

/**
 * Reproducible noise (a linear congruential generator, Knuth 1997), so that every block contains detail that can be
 * lost.
 */
const noise = new Uint8Array(120 * 200 * 3);
for (let i = 0, state = 1; i < noise.length; i++) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  noise[i] = 64 + (state >>> 25);
}

const photo = (options: { progressive?: boolean } = {}) =>
  sharp(noise, { raw: { width: 120, height: 200, channels: 3 } })
    .jpeg(options)
    .toBuffer();

/** Inserts segments after the start mark. */
const insert = (jpeg: Buffer, ...segments: Uint8Array[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

const scan = Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x55);
const emptySegment = Uint8Array.of(0xff, 0xe1, 0, 2);

describe('screening JPEG', () => {
  it('refuses more scans than any encoder writes', async () => {
    const jpeg = await photo({ progressive: true });
    const bomb = (scans: number) =>
      Buffer.concat([jpeg.subarray(0, -2), ...Array<Uint8Array>(scans).fill(scan), jpeg.subarray(-2)]);
    expect(() => screenJpeg(bomb(100))).toThrow(expect.objectContaining({ code: 'image_undecodable' }));
    expect(screenJpeg(bomb(80)).claimed).toEqual({ width: 120, height: 200 });
  });

  it('refuses a file with too many segments', async () => {
    const bytes = insert(await photo(), ...Array<Uint8Array>(5000).fill(emptySegment));
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({ code: 'image_undecodable' });
  });

  it('does not count the scans of a thumbnail inside a segment, or of a video after the end mark', async () => {
    const scans = Buffer.concat(Array<Uint8Array>(200).fill(scan));
    const thumbnail = Buffer.concat([Uint8Array.of(0xff, 0xe5, 0, 0), scans]);
    thumbnail.writeUInt16BE(2 + scans.length, 2);
    const jpeg = await photo();
    const bytes = Buffer.concat([insert(jpeg, thumbnail), jpeg, scans]);
    expect(await inspectImage({ bytes, limits })).toMatchObject({ width: 120, height: 200 });
  });

  it('reports a claimed size of 65,535 px, which the decoder would report as damage', async () => {
    const bytes = await photo();
    const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
    bytes.writeUInt32BE(0xffffffff, frame + 5);
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({
      code: 'image_too_large',
      message: expect.stringContaining('65535×65535'),
    });
  });

  it('reads a JPEG that lacks only its end mark', async () => {
    const bytes = (await photo()).subarray(0, -2);
    expect(await inspectImage({ bytes, limits })).toMatchObject({
      width: 120,
      height: 200,
      bytes: bytes.length,
    });
    expect((await readImage(bytes, limits)).data).toHaveLength(120 * 200 * 3);
  });

  it.each(['4:2:0', '4:4:4'])(
    'refuses a JPEG (%s) that lacks its end mark and some of its last blocks',
    async (sampling) => {
      const jpeg = await sharp(await photo())
        .jpeg({ chromaSubsampling: sampling })
        .toBuffer();
      // If fewer bytes are missing, they may be only a part of the last block, and the photo is not damaged.
      for (const missing of [60, 120]) {
        await expect(inspectImage({ bytes: jpeg.subarray(0, -missing), limits })).rejects.toMatchObject({
          code: 'image_undecodable',
        });
      }
    },
  );

  it.each([0.2, 0.6, 0.9])('refuses a JPEG cut to %d of its bytes', async (share) => {
    const sequential = await photo();
    const progressive = await photo({ progressive: true });
    for (const bytes of [sequential, progressive]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share));
      await expect(inspectImage({ bytes: cut, limits })).rejects.toMatchObject({ code: 'image_undecodable' });
    }
  });
});
