/** All looks at a photo whose exact matte is known, as the judge of cutouts is fitted on them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { GRID_PX, gatherOpinions, type Opinions } from '../../src/cutout/judge/opinions.ts';
import type { RemovalEngine } from '../../src/cutout/removal-engine.ts';
import { chooseGammas, curveExposure } from '../../src/cutout/steps/exposure-views.ts';
import { lookFromAfar } from '../../src/cutout/steps/far-look.ts';
import { findMatteBounds } from '../../src/cutout/steps/matte-bounds.ts';
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

/** Whole, and cropped so that the product fills the photo or is cut by its edge. */
export const variants = ['whole', 'closer', 'cut'] as const;
type Variant = (typeof variants)[number];

const SIDE_PX = 1536;

export async function makeCase(
  folder: string,
  item: Item,
  { variant, engine }: { readonly variant: Variant; readonly engine: RemovalEngine },
): Promise<Case> {
  const alpha = await readAlpha(path.join(folder, item.alpha!));
  const { data, info } = await sharp(await readFile(path.join(folder, item.image)))
    .rotate()
    .toColourspace('srgb')
    .removeAlpha()
    .extract(chooseCrop(alpha, variant))
    .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const photo: RgbImage = { width: info.width, height: info.height, data };
  const truth = await sharp(alpha.data, { raw: { width: alpha.width, height: alpha.height, channels: 1 } })
    .extract(chooseCrop(alpha, variant))
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const crop = chooseCrop(alpha, variant);
  const small = await sharp(truth, { raw: { width: crop.width, height: crop.height, channels: 1 } })
    .resize({ width: GRID_PX, height: GRID_PX, fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return {
    name: `${item.id}/${variant}`,
    product: item.product ?? item.id,
    photo,
    opinions: await gatherOpinions(photo, await askAll(photo, engine)),
    truth: { width: GRID_PX, height: GRID_PX, data: new Uint8Array(small) },
  };
}

async function askAll(photo: RgbImage, engine: RemovalEngine) {
  const signal = new AbortController().signal;
  const full = await engine.predictMatte(photo, { signal });
  const coarse = await engine.predictMatte(photo, { signal, resolution: 'coarse' });
  const far = await lookFromAfar(photo, (wide) =>
    engine.predictMatte(wide, { signal, resolution: 'medium' }),
  );
  const looks = [
    { kind: 'full', matte: full },
    { kind: 'coarse', matte: coarse },
    { kind: 'far', matte: far },
  ] as { kind: 'full' | 'coarse' | 'far' | 'exposure'; matte: Matte }[];
  for (const gamma of chooseGammas(photo)) {
    const matte = await engine.predictMatte(curveExposure(photo, gamma), { signal, resolution: 'coarse' });
    looks.push({ kind: 'exposure', matte });
  }
  return looks;
}

function chooseCrop(alpha: Matte, variant: Variant) {
  const whole = { left: 0, top: 0, width: alpha.width, height: alpha.height };
  const box = variant === 'whole' ? null : findMatteBounds(alpha, 128);
  if (box === null) return whole;
  const margin = variant === 'closer' ? 0.04 : 0.1;
  const inset = variant === 'cut' ? 0.12 : -margin;
  const left = Math.max(0, Math.round(box.x + inset * box.width));
  const top = Math.max(0, Math.round(box.y - margin * box.height));
  return {
    left,
    top,
    width: Math.min(alpha.width, Math.round(box.x + box.width * (1 + margin))) - left,
    height: Math.min(alpha.height, Math.round(box.y + box.height * (1 + margin))) - top,
  };
}

async function readAlpha(file: string): Promise<Matte> {
  const { data, info } = await sharp(file)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}
