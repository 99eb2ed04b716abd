import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { parseHexColor, type Rgb } from '../../../packages/pixels/src/srgb.ts';
import { encodeFlatJpeg, type FlatPicture } from './encode-flat-jpeg.ts';

const SIZE = { width: 203, height: 157 };

/** Soft rims, spikes and a hole, dark and saturated, on a flat color: the worst cases for ringing in JPEG. */
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

/** Draws 1764 blocks, each crossed by a different edge. */
function drawEdges(color: Rgb) {
  const side = 336;
  const data = new Uint8Array(side * side * 3);
  const flat = new Uint8Array(side * side);
  const next = makeRandom();
  for (let block = 0; block < (side / 8) ** 2; block++) {
    const [angle, offset, width] = [2 * Math.PI * next(), 7 * next() - 3.5, 1 + 3 * next()];
    const own = [255 * next(), 255 * next(), 255 * next()];
    for (let k = 0; k < 64; k++) {
      const [x, y] = [k & 7, k >> 3];
      const distance = (x - 3.5) * Math.cos(angle) + (y - 3.5) * Math.sin(angle) + offset;
      const alpha = Math.min(1, Math.max(0, distance / width));
      const i = (8 * Math.floor(block / (side / 8)) + y) * side + 8 * (block % (side / 8)) + x;
      flat[i] = alpha === 0 ? 1 : 0;
      for (let c = 0; c < 3; c++) data[3 * i + c] = Math.round(own[c]! * alpha + color[c]! * (1 - alpha));
    }
  }
  return { picture: { width: side, height: side, data }, flat, color };
}

/** Deterministic random numbers, 0 to 1 (Park and Miller's generator). */
function makeRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** A picture without flat pixels, with blocks that use all coefficients. */
function drawNoise(width: number, height: number): FlatPicture {
  const next = makeRandom();
  const data = new Uint8Array(width * height * 3).map(() => 256 * next());
  const flat = new Uint8Array(width * height);
  return { picture: { width, height, data }, flat, color: [255, 255, 255], quality: 100 };
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

/** The largest error of a flat pixel: `away` in fully flat blocks, `near` in 8×8 blocks with part of the subject. */
function measureErrors(decoded: Buffer, { flat, color }: ReturnType<typeof drawShapes>) {
  const blockOf = (i: number) => `${(i % SIZE.width) >> 3} ${Math.floor(i / SIZE.width) >> 3}`;
  const mixed = new Set<string>();
  for (let i = 0; i < flat.length; i++) if (flat[i] === 0) mixed.add(blockOf(i));
  const worst = { near: 0, away: 0 };
  for (let i = 0; i < flat.length; i++) {
    if (flat[i] === 0) continue;
    const place = mixed.has(blockOf(i)) ? 'near' : 'away';
    for (let c = 0; c < 3; c++) {
      worst[place] = Math.max(worst[place], Math.abs(decoded[3 * i + c]! - color[c]!));
    }
  }
  return worst;
}

describe('encodeFlatJpeg', () => {
  it.each([75, 90, 94])(
    'leaves every pixel around the subject at 255 on white at quality %d',
    async (quality) => {
      const shapes = drawShapes([255, 255, 255]);
      const decoded = await decode(encodeFlatJpeg({ ...shapes, quality }));
      // With a standard encoder, 5 % of these pixels are wrong, by up to 20 levels.
      expect(countMisses(decoded, shapes)).toBe(0);
    },
  );

  it('leaves every pixel around the subject at 0 on black', async () => {
    const shapes = drawShapes([0, 0, 0]);
    expect(countMisses(await decode(encodeFlatJpeg({ ...shapes, quality: 94 })), shapes)).toBe(0);
  });

  it('keeps flat pixels exact in blocks crossed by an edge of any angle, softness and color', async () => {
    const edges = drawEdges([0, 0, 0]);
    expect(countMisses(await decode(encodeFlatJpeg({ ...edges, quality: 94 })), edges)).toBe(0);
  });

  it.each(['#00B140', '#F4D9D2', '#2453C7', '#00FF1E'])(
    'keeps %s exact away from the subject, and within 6 levels in the blocks that contain the rim',
    async (hex) => {
      const shapes = drawShapes(parseHexColor(hex));
      const decoded = await decode(encodeFlatJpeg({ ...shapes, quality: 94 }));
      const { near, away } = measureErrors(decoded, shapes);
      expect(away).toBe(0);
      expect(near).toBeLessThanOrEqual(6);
    },
  );

  it.each(['#FF0000', '#0000FF', '#FA0003', '#00FFFF'])(
    'keeps %s, which no YCbCr value gives exactly or at which one chroma plane clips, within 1 level',
    async (hex) => {
      const shapes = drawShapes(parseHexColor(hex));
      const decoded = await decode(encodeFlatJpeg({ ...shapes, quality: 90 }));
      expect(measureErrors(decoded, shapes).away).toBeLessThanOrEqual(1);
    },
  );

  it('loses at most 2 dB against a standard encoder, even on this spiky subject', async () => {
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
    // Blocks with only a few subject pixels lose some of their color. On photos, both encoders have the same error.
    expect(ours).toBeLessThanOrEqual(theirs * 10 ** 0.2);
  });

  it('is deterministic to the byte', () => {
    const shapes = drawShapes([255, 255, 255]);
    const [a, b] = [0, 1].map(() => encodeFlatJpeg({ ...shapes, quality: 90 }));
    expect(a!.equals(b!)).toBe(true);
  });

  it('keeps no state from the previous picture, even if that picture made the encoder’s memory grow', () => {
    const shapes = drawShapes([255, 255, 255]);
    const alone = encodeFlatJpeg({ ...shapes, quality: 90 });
    encodeFlatJpeg({ ...drawShapes([0, 0, 0]), quality: 50 });
    expect(encodeFlatJpeg({ ...shapes, quality: 90 }).equals(alone)).toBe(true);
    // The tokens of noise of this size take 70 MB.
    encodeFlatJpeg(drawNoise(2400, 2400));
    expect(encodeFlatJpeg({ ...shapes, quality: 90 }).equals(alone)).toBe(true);
  });

  it.each([
    [1, 1, 100],
    [7, 9, 100],
    [64, 40, 100],
    [257, 129, 30],
    [64, 64, 1],
  ])(
    'encodes %d by %d pixels of noise about as well as a standard encoder at quality %d, in at most twice the bytes',
    async (width, height, quality) => {
      const noise = { ...drawNoise(width, height), quality };
      const { data } = noise.picture;
      const error = (decoded: Buffer): number =>
        decoded.reduce((sum, value, i) => sum + (value - data[i]!) ** 2, 0) / decoded.length;
      const ours = encodeFlatJpeg(noise);
      const theirs = await sharp(data, { raw: { width, height, channels: 3 } })
        .jpeg({ quality, chromaSubsampling: '4:4:4' })
        .toBuffer();
      expect(await sharp(ours).metadata()).toMatchObject({ format: 'jpeg', width, height, channels: 3 });
      expect(error(await decode(ours))).toBeLessThanOrEqual(error(await decode(theirs)) * 1.1 + 0.5);
      // The finer quantization steps cost a few bits per coefficient.
      expect(ours.length).toBeLessThanOrEqual(theirs.length * 2 + 100);
    },
  );
});
