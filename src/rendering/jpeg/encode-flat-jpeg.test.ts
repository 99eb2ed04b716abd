import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { parseHexColor, type Rgb } from '../srgb.ts';
import { encodeFlatJpeg } from './encode-flat-jpeg.ts';

const SIZE = { width: 203, height: 157 };

/** A dark and a colourful shape with soft rims, spikes and a hole on one colour: what makes JPEG ring. */
function drawShapes(color: Rgb) {
  const { width, height } = SIZE;
  const data = new Uint8Array(width * height * 3);
  const flat = new Uint8Array(width * height);
  for (let i = 0; i < flat.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    const angle = Math.atan2(y - 78, x - 70);
    const radius = 46 + 9 * Math.sin(11 * angle);
    const distance = Math.hypot(x - 70, y - 78);
    const star = Math.min(radius - distance, distance - 12) + 0.5;
    const stick = 2.2 - Math.abs(x - 0.3 * y - 120) + 0.5;
    const alpha = Math.min(1, Math.max(0, star, stick));
    flat[i] = alpha === 0 ? 1 : 0;
    const own = star > stick ? [200, 40 + (x % 60), 30] : [15, 18, 40];
    for (let c = 0; c < 3; c++) {
      data[3 * i + c] = Math.round(own[c]! * alpha + color[c]! * (1 - alpha));
    }
  }
  return { picture: { ...SIZE, data }, flat, color };
}

async function decode(jpeg: Buffer): Promise<Buffer> {
  return sharp(jpeg).toColourspace('srgb').raw().toBuffer();
}

function countMisses(decoded: Buffer, { flat, color }: ReturnType<typeof drawShapes>): number {
  let misses = 0;
  for (let i = 0; i < flat.length; i++) {
    if (flat[i] === 1 && color.some((value, c) => decoded[3 * i + c] !== value)) {
      misses++;
    }
  }
  return misses;
}

describe('encodeFlatJpeg', () => {
  it.each([75, 90, 94])(
    'leaves every pixel around the subject at 255 on white at quality %d',
    async (quality) => {
      const shapes = drawShapes([255, 255, 255]);
      const decoded = await decode(encodeFlatJpeg({ ...shapes, quality }));
      // A plain encoder misses 5 % here, by up to 20 levels.
      expect(countMisses(decoded, shapes)).toBe(0);
    },
  );

  it.each(['#00B140', '#000000', '#F4D9D2', '#2453C7'])('keeps %s exact around the subject', async (hex) => {
    const shapes = drawShapes(parseHexColor(hex));
    expect(countMisses(await decode(encodeFlatJpeg({ ...shapes, quality: 94 })), shapes)).toBe(0);
  });

  it('shows even this spiky subject within 2 dB of an ordinary encoder of the same quality', async () => {
    const shapes = drawShapes([255, 255, 255]);
    const { width, height, data } = shapes.picture;
    const error = (decoded: Buffer): number =>
      decoded.reduce((sum, value, i) => sum + (value - data[i]!) ** 2, 0) / decoded.length;
    const ours = error(await decode(encodeFlatJpeg({ ...shapes, quality: 90 })));
    const theirs = error(
      await decode(
        await sharp(data, { raw: { width, height, channels: 3 } })
          .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
          .toBuffer(),
      ),
    );
    // Blocks with a pixel or two of the subject give some of its colour away; on photos the two are equal.
    expect(ours).toBeLessThanOrEqual(theirs * 10 ** 0.2);
  });

  it('gives the same bytes each time', () => {
    const shapes = drawShapes([255, 255, 255]);
    const [a, b] = [0, 1].map(() => encodeFlatJpeg({ ...shapes, quality: 90 }));
    expect(a!.equals(b!)).toBe(true);
  });
});
