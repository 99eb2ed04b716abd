import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readImage } from '../read-image.ts';
import { screenWebp } from './webp.ts';

const limits = { maxBytes: 1e6, maxPixels: 1e6, maxAvifPixels: 1e6, minSidePx: 16, maxSidePx: 4000 };
const plain = (background: string) => sharp({ create: { width: 20, height: 20, channels: 3, background } });

describe('screening WebP', () => {
  it('keeps only the first frame of an animation', async () => {
    const frames = await Promise.all(['red', 'blue', 'lime'].map((colour) => plain(colour).png().toBuffer()));
    const bytes = await sharp(frames, { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer();
    const kept = Buffer.from(screenWebp(bytes).bytes);
    const count = (file: Buffer) => file.toString('latin1').split('ANMF').length - 1;
    expect([count(bytes), count(kept)]).toEqual([3, 1]);
    expect(kept.readUInt32LE(4)).toBe(kept.length - 8);
    const source = await readImage(bytes, limits);
    expect(source).toMatchObject({ width: 20, height: 20 });
    expect([...source.data.subarray(0, 3)]).toEqual([255, 0, 0]);
  });

  it('returns the buffer of a still picture unchanged, with its profile and orientation', async () => {
    const bytes = await plain('red').withIccProfile('p3').withMetadata({ orientation: 6 }).webp().toBuffer();
    expect(screenWebp(bytes).bytes).toBe(bytes);
  });

  it('lets the decoder handle a file that is shorter than it declares', async () => {
    const bytes = (await plain('red').webp().toBuffer()).subarray(0, -4);
    expect(screenWebp(bytes).bytes).toBe(bytes);
    await expect(readImage(bytes, limits)).rejects.toMatchObject({ code: 'image_undecodable' });
  });
});
