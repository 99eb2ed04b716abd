import { describe, expect, it } from 'vitest';
import { inspectImage, readImage } from '../read-image.ts';
import { screenGif } from './gif.ts';

const limits = { maxBytes: 1e6, maxPixels: 1e6, maxAvifPixels: 1e6, minSidePx: 16, maxSidePx: 4000 };

const u16 = (...values: number[]) => values.flatMap((value) => [value & 255, value >> 8]);
/** The palette is red and green. All pixels have index 0, each written as a separate code between clear codes. */
const header = (width: number, height: number) =>
  Buffer.from([...Buffer.from('GIF89a'), ...u16(width, height), 0x80, 0, 0, 255, 0, 0, 0, 255, 0]);
function frame(x: number, y: number, width: number, height: number): Buffer {
  // Three-bit LZW codes (minimum size 2): clear is 4, end is 5. Clears between the pixels keep the codes at three bits.
  const codes = [...Array(width * height)].flatMap(() => [4, 0]).concat(5);
  const data: number[] = Array(Math.ceil((codes.length * 3) / 8)).fill(0);
  for (const [i, code] of codes.entries()) {
    for (let b = 0; b < 3; b++) data[(i * 3 + b) >> 3]! |= ((code >> b) & 1) << ((i * 3 + b) & 7);
  }
  const blocks: number[] = [];
  for (let p = 0; p < data.length; p += 255) {
    blocks.push(Math.min(255, data.length - p), ...data.slice(p, p + 255));
  }
  return Buffer.from([0x2c, ...u16(x, y, width, height), 0, 2, ...blocks, 0]);
}
const end = Buffer.from([0x3b]);

describe('screening GIF', () => {
  it('applies the limits to the canvas, not the frame', async () => {
    const bytes = Buffer.concat([header(65535, 65535), frame(0, 0, 20, 20), end]);
    await expect(inspectImage({ bytes, limits })).rejects.toMatchObject({
      code: 'image_too_large',
      message: expect.stringContaining('65535×65535'),
    });
  });

  it('leaves pixels outside the first frame transparent', async () => {
    const bytes = Buffer.concat([header(40, 30), frame(10, 5, 20, 20), end]);
    expect(await inspectImage({ bytes, limits })).toMatchObject({ width: 40, height: 30, hasAlpha: true });
    const { alpha, data } = await readImage(bytes, limits, 'keep');
    const at = (x: number, y: number) => y * 40 + x;
    expect([at(0, 0), at(9, 5), at(30, 24), at(10, 25)].map((p) => alpha?.[p])).toEqual([0, 0, 0, 0]);
    expect([at(10, 5), at(29, 24)].map((p) => alpha?.[p])).toEqual([255, 255]);
    expect([...data.subarray(at(10, 5) * 3, at(10, 5) * 3 + 3)]).toEqual([255, 0, 0]);
  });

  it('finds no transparency if the frame covers the canvas', async () => {
    const bytes = Buffer.concat([header(20, 20), frame(0, 0, 20, 20), end]);
    expect((await inspectImage({ bytes, limits })).hasAlpha).toBe(false);
    expect(screenGif(bytes).bytes).toBe(bytes);
  });

  it('passes only the first frame to the decoder', async () => {
    const first = Buffer.concat([header(20, 20), frame(0, 0, 20, 20)]);
    const bytes = Buffer.concat([first, ...Array<Buffer>(50).fill(frame(0, 0, 1, 1)), end]);
    expect(Buffer.from(screenGif(bytes).bytes)).toEqual(Buffer.concat([first, end]));
    expect((await readImage(bytes, limits)).alpha).toBeNull();
  });
});
