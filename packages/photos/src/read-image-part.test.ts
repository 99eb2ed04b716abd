import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type ImageLimits, readImage } from './read-image.ts';
import { measureImage, readImagePart } from './read-image-part.ts';

const limits: ImageLimits = {
  maxBytes: 1e9,
  maxPixels: 50e6,
  maxAvifPixels: 25e6,
  minSidePx: 16,
  maxSidePx: 16_383,
};

/** A picture with a red left half and a blue right half. */
async function halves(orientation: number): Promise<Buffer> {
  const data = Buffer.alloc(200 * 100 * 3);
  for (let i = 0; i < 200 * 100; i++) data[3 * i + (i % 200 < 100 ? 0 : 2)] = 200;
  return sharp(data, { raw: { width: 200, height: 100, channels: 3 } })
    .withMetadata({ orientation })
    .png()
    .toBuffer();
}

describe('a part of a photo', () => {
  it('uses the size and the coordinates of the upright photo', async () => {
    const bytes = await halves(6);
    expect(await measureImage(bytes, limits)).toEqual({ width: 100, height: 200 });
    const region = { x: 10, y: 120, width: 80, height: 60 };
    const part = await readImage(
      await readImagePart(bytes, limits, { region, width: 40, height: 30 }),
      limits,
    );
    expect([part.width, part.height]).toEqual([40, 30]);
    // A quarter turn to the right moves the left half to the top.
    const colors = [...part.data.subarray(0, 3), ...part.data.subarray(-3)];
    expect(colors).toEqual([0, 0, 200, 0, 0, 200]);
    const top = { x: 0, y: 0, width: 100, height: 90 };
    const other = await readImage(
      await readImagePart(bytes, limits, { region: top, width: 100, height: 90 }),
      limits,
    );
    expect([...other.data.subarray(0, 3)]).toEqual([200, 0, 0]);
  });

  it('is compressed: a small file of a large picture stays small', async () => {
    const size = { width: 3_000, height: 2_000 };
    const bytes = await sharp({ create: { ...size, channels: 3, background: '#a0c0e0' } })
      .png()
      .toBuffer();
    const region = { x: 1, y: 1, width: 2_999, height: 1_999 };
    const part = await readImagePart(bytes, limits, { region, width: 2_999, height: 1_999 });
    expect(part.byteLength).toBeLessThan(size.width * size.height * 0.05);
  });

  it("keeps the photo's own transparency", async () => {
    const region = { x: 0, y: 0, width: 200, height: 100 };
    const clear = await sharp(await halves(1))
      .ensureAlpha(0)
      .png()
      .toBuffer();
    const part = await readImage(
      await readImagePart(clear, limits, { region, width: 100, height: 50 }),
      limits,
    );
    expect(part.alpha?.every((value) => value === 0)).toBe(true);
  });

  it('scales a GIF whose first frame does not cover the canvas, including the transparency around that frame', async () => {
    const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .gif()
      .toBuffer();
    // The frame covers a quarter of a canvas that is twice as wide and high.
    bytes.writeUInt16LE(80, 6);
    bytes.writeUInt16LE(40, 8);
    const region = { x: 0, y: 0, width: 80, height: 40 };
    const part = await readImage(
      await readImagePart(bytes, limits, { region, width: 40, height: 20 }),
      limits,
      'keep',
    );
    expect([part.width, part.height]).toEqual([40, 20]);
    expect([part.alpha?.[2 * 40 + 2], part.alpha?.[2 * 40 + 37]]).toEqual([255, 0]);
  });

  it('is refused with the same error as the whole photo if the file is broken', async () => {
    const bytes = await halves(1);
    const region = { x: 0, y: 0, width: 200, height: 100 };
    await expect(
      readImagePart(bytes.subarray(0, bytes.length - 60), limits, { region, width: 100, height: 50 }),
    ).rejects.toMatchObject({ code: 'image_undecodable' });
  });
});
