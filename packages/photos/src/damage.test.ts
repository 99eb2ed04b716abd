import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { type ImageLimits, inspectImage, readImage } from './read-image.ts';

const limits: ImageLimits = {
  maxBytes: 3_000_000,
  maxPixels: 1_000_000,
  maxAvifPixels: 1_000_000,
  minSidePx: 16,
  maxSidePx: 4_000,
};

/**
 * Photo sizes in pixels. The check must read every row of the file. Shrinking the first two sizes with the kernel
 * `nearest`, for example, would leave their last 3 and 4 rows unread.
 */
const sizes = [
  [420, 301],
  [301, 419],
  [90, 65],
] as const;

const noise = ([width, height]: readonly [number, number]) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  });

const encodings: Record<string, (image: Sharp) => Sharp> = {
  jpeg: (image) => image.jpeg(),
  'progressive jpeg': (image) => image.jpeg({ progressive: true }),
  png: (image) => image.png(),
  'png with a palette': (image) => image.png({ palette: true }),
  'interlaced png': (image) => image.png({ progressive: true }),
  webp: (image) => image.webp(),
  'lossless webp': (image) => image.webp({ lossless: true }),
  gif: (image) => image.gif({ effort: 1 }),
  avif: (image) => image.avif({ effort: 0 }),
  'tiff with deflate': (image) => image.tiff({ compression: 'deflate' }),
  'tiff with lzw': (image) => image.tiff({ compression: 'lzw' }),
  'tiff in tiles': (image) =>
    image.tiff({ compression: 'deflate', tile: true, tileWidth: 64, tileHeight: 64 }),
};

/** PNG chunks that affect the pixels. */
const picture = ['IHDR', 'PLTE', 'IDAT'];

/** `ok`, or the code of the error. */
const verdictOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );

function flip(file: Buffer, at: number): Buffer {
  const damaged = Buffer.from(file);
  damaged[at]! ^= 1;
  return damaged;
}

describe('a file with one flipped bit', () => {
  it.each(Object.keys(encodings))('can always be decoded if it passed the check: %s', async (name) => {
    for (const size of sizes) {
      const file = await encodings[name]!(noise(size)).toBuffer();
      for (const share of [0.5, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9999, 1]) {
        const damaged = flip(file, Math.floor(share * (file.length - 1)));
        if ((await verdictOf(inspectImage({ bytes: damaged, limits }))) !== 'ok') continue;
        expect(await verdictOf(readImage(damaged, limits)), `${size} at ${share}`).toBe('ok');
      }
    }
  });

  it.each(['png', 'png with a palette', 'interlaced png'])(
    'is refused if the bit is in a picture chunk or in its checksum: %s',
    async (name) => {
      // Large enough for several IDAT chunks.
      const file = await encodings[name]!(noise([210, 151])).toBuffer();
      const missed: string[] = [];
      for (const { type, from, to } of chunksOf(file)) {
        const places = { checksum: to - 1, ...(to - from > 12 && { data: to - 6 }) };
        if (!picture.includes(type)) continue;
        for (const [place, at] of Object.entries(places)) {
          const verdict = await verdictOf(inspectImage({ bytes: flip(file, at), limits }));
          if (verdict !== 'image_undecodable') missed.push(`${place} of ${type}: ${verdict}`);
        }
      }
      expect(missed).toEqual([]);
    },
  );
});

function* chunksOf(file: Buffer) {
  for (let from = 8; from < file.length; ) {
    const to = from + 12 + file.readUInt32BE(from);
    yield { type: file.toString('latin1', from + 4, from + 8), from, to };
    from = to;
  }
}
