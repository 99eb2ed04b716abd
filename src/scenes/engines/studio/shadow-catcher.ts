/** CONDUCTOR: the product's natural shadow alone, for plain colours and for backdrops that we did not make. */
import type { RgbImage } from '../../../pixels.ts';
import { decodeSrgb, encodeSrgb255 } from '../../../srgb.ts';
import { type BuiltSet, buildSet } from './built-set.ts';
import { makeCamera } from './camera.ts';
import { measureContact } from './contact-line.ts';
import { type DenoiseSettings, denoiseAll } from './denoise.ts';
import {
  type Guide,
  makeGeometryBuffer,
  makeGuide,
  makeSight,
  recall,
  traceGeometry,
} from './geometry-buffer.ts';
import { type IndirectSamples, traceIndirect } from './indirect-light.ts';
import { traceKey } from './key-light.ts';
import { makePicks, markEvenCells, pickTexels } from './light-lookup.ts';
import { hashInteger } from './noise.ts';
import { makeProxy, type StudioProduct } from './product-proxy.ts';
import type { StudioScene } from './studio-scene.ts';

export interface ShadowRequest {
  /** Pixels of the canvas that the product lies on. */
  readonly width: number;
  readonly height: number;
  readonly product: StudioProduct;
  /** Where the light of the backdrop comes from, degrees, negative is left; -35 looks right on plain colours. */
  readonly azimuthDeg: number;
  /** Degrees that the camera looks down, 4 to 30; from the photo where it is known, else 11. */
  readonly elevationDeg: number;
  readonly signal: AbortSignal;
}

/** Share of linear light that each pixel of the canvas keeps, 0 to 1; 1 is no shadow. */
export interface ShadowPicture {
  readonly width: number;
  readonly height: number;
  readonly kept: Float32Array;
}

/** Scenes, 4.5: a high, broad light; many samples, for there is no texture to hide noise. */
const KEY = { elevationDeg: 62, radiusDeg: 9, color: [1, 1, 1], intensity: 1.1 } as const;
const KEY_SAMPLES = 24;
const SAMPLES: IndirectSamples = { diffuse: 24, glossy: 0, bounces: 2 };
const KEY_STEP = 3;
const INDIRECT_STEP = 5;
/** What is this near to full light is full light: a shadow must end before the frame does. */
const UNSHADED = 0.985;
const TAN = 0.21;

const floorDenoise: DenoiseSettings = {
  channels: 3,
  levels: 4,
  normalPower: 8,
  range: { relative: 0.9, floor: 0.03 },
};
const keyDenoise: DenoiseSettings = { channels: 1, levels: 3, normalPower: 4, range: [0.6, 0.4, 0.3] };

export async function renderShadow(request: ShadowRequest): Promise<ShadowPicture> {
  const { width, height, product, signal } = request;
  const scene = makeFloorScene(request);
  const camera = makeCamera(scene, { width, height });
  const empty = buildSet(scene, camera);
  const built: BuiltSet = { ...empty, proxy: makeProxy(scene, camera, product) };
  const buffer = makeGeometryBuffer(width, height);
  await inBatches(height, signal, (from, to) => traceGeometry(built, buffer, from, to));
  const keyGuide = makeGuide(built, buffer, KEY_STEP);
  const visibility = new Float32Array(keyGuide.width * keyGuide.height);
  await inBatches(keyGuide.height, signal, (from, to) =>
    traceKey(built, keyGuide, KEY_SAMPLES, visibility, from, to),
  );
  const guide = makeGuide(built, buffer, INDIRECT_STEP);
  const shaded = await traceFloor(built, guide, signal);
  const open = meanOf(await traceFloor(empty, guide, signal));
  const lit = {
    visibility: denoiseAll(keyGuide, keyDenoise, visibility),
    indirect: denoiseAll(guide, floorDenoise, shaded),
  };
  const kept = new Float32Array(width * height).fill(1);
  const facing = built.key.direction[1] * built.key.radiance[1];
  const cells = markEvenCells(guide);
  const keyCells = markEvenCells(keyGuide);
  const sight = makeSight();
  const picks = makePicks();
  await inBatches(height, signal, (from, to) => {
    for (let pixel = from * width; pixel < to * width; pixel++) {
      if (buffer.material[pixel] !== 0) {
        continue;
      }
      recall(built, buffer, pixel % width, Math.floor(pixel / width), sight);
      let light = facing;
      if (pickTexels(keyGuide, keyCells, sight, picks)) {
        light = 0;
        for (let i = 0; i < picks.count; i++) {
          light += picks.weights[i]! * facing * lit.visibility[picks.texels[i]!]!;
        }
      }
      let around = open;
      if (pickTexels(guide, cells, sight, picks)) {
        around = 0;
        for (let i = 0; i < picks.count; i++) {
          around += picks.weights[i]! * lit.indirect[picks.texels[i]! * 3 + 1]!;
        }
      }
      kept[pixel] = Math.min(1, (light + around) / (facing + open) / UNSHADED);
    }
  });
  measureContact(request, product, (pixel, keep) => {
    kept[pixel] = kept[pixel]! * decodeSrgb(keep);
  });
  return { width, height, kept };
}

/** An endless white floor, seen so that the product's box lies where the caller put it. */
function makeFloorScene({ width, height, product, azimuthDeg, elevationDeg }: ShadowRequest): StudioScene {
  const { image, y } = product;
  const subject = { width: image.width / image.height, height: 1 };
  return {
    seed: 1,
    view: 'standing',
    subject,
    baseY: 0,
    camera: {
      tan: TAN,
      elevationDeg,
      fillHeight: image.height / height,
      fillWidth: image.width / width,
      baseline: 1 - (y + image.height) / height,
    },
    backdrop: undefined,
    materials: { floor: { kind: 'matte', color: '#f2f2f2' } },
    objects: [{ shape: { kind: 'floor', size: 12 }, material: 'floor', at: [0, 0, -3] }],
    key: { ...KEY, azimuthDeg },
    environment: { bottom: [0.5, 0.5, 0.5], top: [0.62, 0.62, 0.62], front: [0.1, 0.1, 0.1] },
    gobo: undefined,
    depthOfField: 0,
    tone: { exposure: 1, grain: 0, vignette: 0 },
    productDepth: 0.4,
  };
}

async function traceFloor(built: BuiltSet, guide: Guide, signal: AbortSignal): Promise<Float32Array> {
  const diffuse = new Float32Array(guide.width * guide.height * 3);
  const into = { diffuse, glossy: new Float32Array(0) };
  await inBatches(guide.height, signal, (from, to) => traceIndirect(built, guide, SAMPLES, into, from, to));
  return diffuse;
}

/** Green channel of the texels that see the floor. */
function meanOf(values: Float32Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 1; i < values.length; i += 3) {
    sum += values[i]!;
    count += values[i]! > 0 ? 1 : 0;
  }
  return count === 0 ? 1 : sum / count;
}

async function inBatches(
  rows: number,
  signal: AbortSignal,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < rows; from += 32) {
    signal.throwIfAborted();
    work(from, Math.min(rows, from + 32));
    await new Promise(setImmediate);
  }
}

/** Multiplies the backdrop by the shadow in linear light, in place, with half a level of dither against banding. */
export function applyShadow(backdrop: RgbImage, { kept }: ShadowPicture): void {
  for (let pixel = 0; pixel < kept.length; pixel++) {
    const keep = kept[pixel]!;
    if (keep >= 0.999) {
      continue;
    }
    const dither = hashInteger(pixel) / 4294967296 - 0.5;
    for (let c = 0; c < 3; c++) {
      const at = pixel * 3 + c;
      const light = decodeSrgb(backdrop.data[at]! / 255) * keep;
      backdrop.data[at] = Math.max(0, Math.min(255, Math.round(encodeSrgb255(light) + dither)));
    }
  }
}
