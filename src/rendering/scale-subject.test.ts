import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readSubject } from './read-subject.ts';
import { scaleSubject } from './scale-subject.ts';

const SIZE = 180;

async function grayDiscPng(): Promise<Buffer> {
  const data = Buffer.alloc(SIZE * SIZE * 4);
  for (let i = 0; i < SIZE * SIZE; i++) {
    const distance = Math.hypot((i % SIZE) - 89.5, Math.floor(i / SIZE) - 89.5);
    const alpha = Math.round(255 * Math.min(1, Math.max(0, 70 - distance + 0.5)));
    data.set(alpha > 0 ? [128, 128, 128, alpha] : [0, 0, 0, 0], 4 * i);
  }
  return sharp(data, { raw: { width: SIZE, height: SIZE, channels: 4 } })
    .png()
    .toBuffer();
}

const whole = { x: 0, y: 0, width: SIZE, height: SIZE };

it.each([71, 128, 300])('leaves no halo around a gray disc at %d px', async (side) => {
  const cutoutPng = await grayDiscPng();
  const subject = await readSubject({ cutoutPng, boundingBox: whole, longEdgePx: SIZE });
  const { data } = scaleSubject(subject, { width: side, height: side });
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3]!;
    // Colors are compared only from a quarter of full alpha up, and a difference of 6 allows for rounding errors.
    // With sharp, which clips overshoot, the difference was 19.
    if (alpha >= 64) {
      expect(Math.abs(data[i]! - 128)).toBeLessThanOrEqual(6);
    }
    const at = i / 4;
    const distance = Math.hypot((at % side) + 0.5 - side / 2, Math.floor(at / side) + 0.5 - side / 2);
    const rim = (70 / SIZE) * side;
    const reach = 1 + 2 * Math.max(1, side / SIZE);
    if (distance > rim + reach) {
      expect(alpha).toBe(0);
    }
    if (distance < rim - reach) {
      expect(alpha).toBe(255);
    }
  }
});

it('returns the same subject if the size does not change', async () => {
  const box = { x: 10, y: 20, width: 100, height: 90 };
  const png = await grayDiscPng();
  const expected = await sharp(png).extract({ left: 10, top: 20, width: 100, height: 90 }).raw().toBuffer();
  const subject = await readSubject({ cutoutPng: png, boundingBox: box, longEdgePx: SIZE });
  const { data } = scaleSubject(subject, box);
  expect(Buffer.compare(Buffer.from(data), expected)).toBe(0);
});
