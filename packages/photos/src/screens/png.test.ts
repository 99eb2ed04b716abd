import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readImage } from '../read-image.ts';
import { screenPng } from './png.ts';

const limits = { maxBytes: 1e6, maxPixels: 1e6, maxAvifPixels: 1e6, minSidePx: 16, maxSidePx: 4000 };
const orange = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: { r: 220, g: 120, b: 40 } } });

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
}

/** Inserts chunks after IHDR, where color chunks must be. */
const insert = (png: Buffer, ...chunks: Buffer[]) =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

const chunkTypes = (png: Uint8Array) => {
  const file = Buffer.from(png);
  const types = [];
  for (let p = 8; p < file.length; p += 12 + file.readUInt32BE(p)) {
    types.push(file.toString('latin1', p + 4, p + 8));
  }
  return types;
};

describe('screening PNG', () => {
  it('returns the same buffer if there is nothing to drop', async () => {
    const bytes = await orange().withIccProfile('p3', { attach: true }).png().toBuffer();
    expect(chunkTypes(bytes)).toContain('pHYs');
    expect(screenPng(bytes).bytes).toBe(bytes);
  });

  it('drops text, unknown and repeated chunks, and data after the end', async () => {
    const bomb = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(1e6))]);
    const bytes = insert(
      await orange().png().toBuffer(),
      chunk('zTXt', bomb),
      chunk('iTXt', bomb),
      chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
      chunk('tEXt', bomb),
      chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
      chunk('aaAa', bomb),
    );
    const kept = screenPng(Buffer.concat([bytes, Buffer.from('<html>')])).bytes;
    expect(chunkTypes(kept)).toEqual(['IHDR', 'gAMA', 'pHYs', 'IDAT', 'IEND']);
    expect((await readImage(bytes, limits)).data[0]).toBe(220);
  });

  it('drops a color profile that inflates too far, and keeps a valid one', async () => {
    const honest = await orange().withIccProfile('p3').png().toBuffer();
    expect(chunkTypes(screenPng(honest).bytes)).toContain('iCCP');
    const bomb = chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(5e6))]));
    const bytes = insert(await orange().png().toBuffer(), bomb);
    expect(chunkTypes(screenPng(bytes).bytes)).not.toContain('iCCP');
    expect((await readImage(bytes, limits)).data[0]).toBe(220);
  });

  it('keeps the orientation', async () => {
    const bytes = await orange().resize(20, 30).withMetadata({ orientation: 6 }).png().toBuffer();
    expect(await readImage(bytes, limits)).toMatchObject({ width: 30, height: 20 });
  });

  it('reads Display P3 declared by code point like Display P3 declared by a profile', async () => {
    const byProfile = await orange().withIccProfile('p3').png().toBuffer();
    const pixels = await sharp(byProfile, { ignoreIcc: true }).raw().toBuffer();
    const raw = { width: 20, height: 20, channels: 3 as const };
    const unmarked = await sharp(pixels, { raw }).png().toBuffer();
    const byCode = insert(unmarked, chunk('cICP', Buffer.from([12, 13, 0, 1])));
    const source = await readImage(byCode, limits);
    // The values are rounded to 8 bits twice: in the conversion to P3, and in the conversion back.
    for (const [c, value] of [220, 120, 40].entries()) {
      expect(Math.abs(source.data[c]! - value)).toBeLessThanOrEqual(2);
    }
    expect(source.data[2]).not.toBe(pixels[2]);
  });

  it('rejects a length beyond the end of the file', async () => {
    const bytes = await orange().png().toBuffer();
    bytes.writeUInt32BE(0xffffffff, 33);
    expect(screenPng(bytes).bytes).toHaveLength(bytes.length);
    await expect(readImage(bytes, limits)).rejects.toMatchObject({ code: 'image_undecodable' });
  });
});
