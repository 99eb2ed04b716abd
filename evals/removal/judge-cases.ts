/** All looks at a photo whose exact matte is known, as the judge of cutouts is fitted on them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { askOpinions } from '../../src/cutout/judge/ask-opinions.ts';
import { GRID_PX, type Opinions } from '../../src/cutout/judge/opinions.ts';
import type { RemovalEngine, Resolution } from '../../src/cutout/removal-engine.ts';
import { type ImageLimits, readImage } from '../../src/designs/read-image.ts';
import type { Matte, RgbImage } from '../../src/pixels.ts';

export interface Item {
  readonly id: string;
  readonly product?: string;
  readonly image: string;
  readonly alpha?: string;
}

export interface Case {
  readonly name: string;
  /** Cases of one product are never on both sides of the cross-validation. */
  readonly product: string;
  readonly photo: RgbImage;
  readonly opinions: Opinions;
  /** Of the grid's size. */
  readonly truth: Matte;
}

const limits: ImageLimits = {
  maxBytes: 100_000_000,
  maxPixels: 50_000_000,
  maxAvifPixels: 25_000_000,
  minSidePx: 16,
  maxSidePx: 20_000,
};

export async function makeCase(folder: string, item: Item, engine: RemovalEngine): Promise<Case> {
  const photo = await readImage(await readFile(path.join(folder, item.image)), limits);
  const { signal } = new AbortController();
  const look = (part: RgbImage, resolution: Resolution = 'full') =>
    engine.predictMatte(part, { signal, resolution });
  const truth = await sharp(await readFile(path.join(folder, item.alpha!)))
    .toColourspace('b-w')
    .extractChannel(0)
    .resize({ width: GRID_PX, height: GRID_PX, fit: 'fill' })
    .raw({ depth: 'uchar' })
    .toBuffer();
  const full = await look(photo);
  const coarse = await look(photo, 'coarse');
  return {
    name: item.id,
    product: item.product ?? item.id,
    photo,
    opinions: await askOpinions(photo, { full, coarse }, look),
    truth: { width: GRID_PX, height: GRID_PX, data: new Uint8Array(truth) },
  };
}
