/** Runs the real engine on a golden photo and compares the result with its exact matte. */
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { cutSubject } from '../../packages/cutout/src/cut-subject.ts';
import type { RemovalEngine } from '../../packages/cutout/src/removal-engine.ts';
import { readImage } from '../../packages/photos/src/read-image.ts';
import type { Matte, RgbaImage } from '../../packages/pixels/src/pixels.ts';
import { type Comparison, compareCutout } from './compare.ts';

const root = new URL('../../', import.meta.url);
const actualFolder = new URL('actual/', import.meta.url);

/** Caches the model's optimized graph between runs; not in version control. */
export const cacheDir = fileURLToPath(new URL('data/golden-cache/', root));

export interface Measured {
  readonly comparison: Comparison;
  readonly cutout: RgbaImage;
  readonly expected: Matte;
}

export async function measureCase(id: string, engine: RemovalEngine): Promise<Measured> {
  const bytes = await readFile(new URL(`samples/${id}.jpg`, root));
  const source = await readImage(bytes, {
    maxBytes: 25_000_000,
    maxPixels: 50_000_000,
    maxAvifPixels: 25_000_000,
    minSidePx: 16,
    maxSidePx: 20_000,
  });
  const { cutoutPng } = await cutSubject(source, engine, { signal: new AbortController().signal });
  const { width, height } = source;
  const cutout: RgbaImage = { width, height, data: await sharp(cutoutPng).ensureAlpha().raw().toBuffer() };
  const expected: Matte = {
    width,
    height,
    data: await sharp(fileURLToPath(new URL(`test/golden/expected/${id}.alpha.png`, root)))
      .toColourspace('b-w')
      .extractChannel(0)
      .raw()
      .toBuffer(),
  };
  return { comparison: compareCutout(cutout, expected, source), cutout, expected };
}

/** Writes the cutout on magenta, and a map of its differences from the exact matte; returns the folder. */
export async function writeFailure(id: string, { cutout, expected }: Measured): Promise<string> {
  await mkdir(actualFolder, { recursive: true });
  const { width, height } = cutout;
  const difference = expected.data.map((alpha, i) => Math.abs(alpha - cutout.data[i * 4 + 3]!));
  await sharp(cutout.data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ff00ff' })
    .png()
    .toFile(fileURLToPath(new URL(`${id}.actual.png`, actualFolder)));
  await sharp(difference, { raw: { width, height, channels: 1 } })
    .png()
    .toFile(fileURLToPath(new URL(`${id}.difference.png`, actualFolder)));
  return fileURLToPath(actualFolder);
}
