/** Worker thread of `eval:scenes`: renders scenes with and without the product, and measures them. */
import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import type { SampleProduct } from '../../scripts/docs/sample-products.ts';
import { encodePicture } from '../../src/rendering/encode.ts';
import { renderTarget } from '../../src/rendering/render-target.ts';
import type { Oklch } from '../../src/scenes/oklch.ts';
import type { ScenePlan } from '../../src/studio/scene-plan.ts';
import type { Findings } from './criteria.ts';
import type { Shot } from './picture.ts';
import {
  describeLikeness,
  findWallColor,
  type Likeness,
  measureClipping,
  measureClutter,
  measureGrain,
  measureWallSharpness,
} from './plate.ts';
import {
  measureClash,
  measureHalo,
  measurePlace,
  measureProductChange,
  measureSeparation,
} from './product.ts';
import { measureContact, measureHorizon, measureReflection, measureShadowSide } from './shadow.ts';
import { drawShot } from './shot.ts';

export interface WorkerSettings {
  readonly products: readonly SampleProduct[];
  readonly longEdgePx: number;
}

export interface SceneJob {
  readonly plan: ScenePlan;
  readonly product: string;
  /** File to save the empty set and the picture to, side by side; undefined to save nothing. */
  readonly keepAs: string | undefined;
}

export interface MeasuredScene {
  readonly findings: Findings;
  readonly likeness: Likeness;
  readonly wallColor: Oklch | undefined;
}

const { products, longEdgePx } = workerData as WorkerSettings;

parentPort?.on('message', async ({ plan, product: name, keepAs }: SceneJob) => {
  const product = products.find((sample) => sample.name === name)!;
  const shot = await drawShot(plan, { ...product, cutoutPng: Buffer.from(product.cutoutPng) }, longEdgePx);
  if (keepAs !== undefined) await keepPictures(shot, keepAs);
  const measured: MeasuredScene = {
    findings: await measureShot(shot),
    likeness: describeLikeness(shot.plate),
    wallColor: findWallColor(shot),
  };
  parentPort!.postMessage(measured);
});

async function measureShot(shot: Shot): Promise<Findings> {
  const place = measurePlace(shot);
  const contact = measureContact(shot);
  const grain = measureGrain(shot.plate);
  const clipping = measureClipping(shot.plate);
  const flat = shot.plan.composition === 'flatlay';
  return dropUnknown({
    productChange: measureProductChange(shot, shot.picture.data)?.max,
    productChangeJpeg: measureProductChange(shot, await throughJpeg(shot))?.mean,
    [flat ? 'flatSize' : 'size']: Math.max(place.width, place.height),
    width: place.width,
    border: place.border,
    freeAbove: shot.plan.ratio === '9:16' && !flat ? place.freeAbove : undefined,
    offCenter: Math.abs(place.offCenter),
    contact1: contact?.[0],
    contact3: contact?.[1],
    contactRise: contact && Math.max(...contact.slice(1).map((value, i) => contact[i]! - value)),
    shadowSide: measureShadowSide(shot),
    footLit: flat ? undefined : shot.footVisibility,
    horizon: measureHorizon(shot),
    halo: measureHalo(shot),
    separation: measureSeparation(shot),
    clash: measureClash(shot),
    clutter: measureClutter(shot.plate),
    noise: grain.sigma,
    banding: grain.equal,
    clippedWhite: clipping.white,
    clippedBlack: clipping.black,
    wallSharpness: measureWallSharpness(shot),
    reflection: measureReflection(shot),
  });
}

async function keepPictures({ width, height, plate, picture }: Shot, file: string): Promise<void> {
  const raw = { width, height, channels: 3 } as const;
  await sharp({ create: { width: 2 * width, height, channels: 3, background: '#ffffff' } })
    .composite([
      { input: Buffer.from(plate.data), raw, left: 0, top: 0 },
      { input: Buffer.from(picture.data), raw, left: width, top: 0 },
    ])
    .png({ compressionLevel: 6, palette: false })
    .toFile(file);
}

async function throughJpeg({ picture }: Shot): Promise<Uint8Array> {
  const jpeg = await encodePicture({ ...picture, channels: 3 }, renderTarget('generated', 'jpeg'));
  return sharp(jpeg).toColourspace('srgb').removeAlpha().raw({ depth: 'uchar' }).toBuffer();
}

function dropUnknown(found: { readonly [Name in keyof Findings]: number | undefined }): Findings {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
