/** CONDUCTOR: a scene, and perhaps a product in it, to a picture; the passes in order, in batches of rows. */
import type { RgbImage } from '../../../pixels.ts';
import { StepClock, type StepTiming } from '../../../step-clock.ts';
import { type BuiltSet, buildSet } from './built-set.ts';
import { makeCamera } from './camera.ts';
import { darkenContact } from './contact-line.ts';
import { type DenoiseSettings, denoiseLevel } from './denoise.ts';
import { blurDepth } from './depth-of-field.ts';
import {
  type GeometryBuffer,
  type Guide,
  makeGeometryBuffer,
  makeGuide,
  traceGeometry,
} from './geometry-buffer.ts';
import { type IndirectSamples, traceIndirect } from './indirect-light.ts';
import { traceKey } from './key-light.ts';
import { markEvenCells } from './light-lookup.ts';
import { makeProxy, type StudioProduct } from './product-proxy.ts';
import { type Lighting, shadeRows } from './shade.ts';
import { smoothEdges } from './smooth-edges.ts';
import type { StudioScene } from './studio-scene.ts';
import { toneRows } from './tone.ts';

export interface StudioRequest {
  /** Pixels, 64 to 4096 a side. */
  readonly width: number;
  readonly height: number;
  readonly quality: 'preview' | 'full';
  /** At the size and place that `frameProduct` gave for this scene and canvas. */
  readonly product?: StudioProduct;
  /** With a product: whether the empty set is wanted as well, at about twice the light's cost. */
  readonly withPlate?: boolean;
  readonly signal: AbortSignal;
  /** 0 to 1, rising. */
  readonly onProgress?: (share: number) => void;
}

export interface StudioPicture {
  /** The empty set. Without `withPlate` only when there is no product. */
  readonly plate?: RgbImage;
  /** The set with the product's shadow, bounced light and reflection, but without its pixels. */
  readonly grounded?: RgbImage;
  readonly timings: readonly StepTiming[];
}

interface Effort {
  readonly keySamples: number;
  readonly indirectStep: number;
  readonly samples: IndirectSamples;
}

/** Scenes, 3.4: resolution of the light matters more than samples. */
const efforts: Readonly<Record<StudioRequest['quality'], Effort>> = {
  preview: { keySamples: 12, indirectStep: 4, samples: { diffuse: 8, glossy: 4, bounces: 2 } },
  full: { keySamples: 14, indirectStep: 5, samples: { diffuse: 12, glossy: 6, bounces: 3 } },
};
/** Small pictures get the key's shadow at each pixel. */
const FULL_KEY_BELOW_PX = 400;
const ROWS_A_BATCH = 32;

const diffuseDenoise: DenoiseSettings = {
  channels: 3,
  levels: 5,
  normalPower: 8,
  range: { relative: 0.7, floor: 0.03 },
};
const glossyDenoise: DenoiseSettings = { ...diffuseDenoise, levels: 4 };
const keyDenoise: DenoiseSettings = { channels: 1, levels: 2, normalPower: 4, range: [0.5, 0.25] };

export async function renderStudio(scene: StudioScene, request: StudioRequest): Promise<StudioPicture> {
  const { width, height, product, withPlate = false, signal } = request;
  const clock = new StepClock(signal);
  const camera = makeCamera(scene, { width, height });
  const empty = await clock.run('built-set', () => buildSet(scene, camera));
  const buffer = makeGeometryBuffer(width, height);
  const rows = new RowRunner(request, product !== undefined && withPlate ? 2 : 1);
  await clock.run('geometry-buffer', () =>
    rows.run(height, 0.12, (from, to) => traceGeometry(empty, buffer, from, to)),
  );
  let plate: RgbImage | undefined;
  let grounded: RgbImage | undefined;
  if (product === undefined || withPlate) {
    plate = await drawSet(scene, empty, buffer, request, clock, rows);
  }
  if (product !== undefined) {
    const proxy = await clock.run('product-proxy', () => makeProxy(scene, camera, product));
    grounded = await drawSet(scene, { ...empty, proxy }, buffer, request, clock, rows);
    const ground = grounded;
    if (scene.view === 'standing') {
      await clock.run('contact-line', () => darkenContact(ground, product));
    }
  }
  return {
    ...(plate === undefined ? {} : { plate }),
    ...(grounded === undefined ? {} : { grounded }),
    timings: clock.timings,
  };
}

/** Runs a pass over batches of rows and lets the process breathe, abort and report between them. */
class RowRunner {
  readonly #request: StudioRequest;
  readonly #pictures: number;
  #done = 0;

  constructor(request: StudioRequest, pictures: number) {
    this.#request = request;
    this.#pictures = pictures;
  }

  /** `share` is the pass's part of one picture's work. */
  async run(rowCount: number, share: number, work: (from: number, to: number) => void): Promise<void> {
    for (let from = 0; from < rowCount; from += ROWS_A_BATCH) {
      this.#request.signal.throwIfAborted();
      const to = Math.min(rowCount, from + ROWS_A_BATCH);
      work(from, to);
      this.#done += (share * (to - from)) / rowCount / this.#pictures;
      this.#request.onProgress?.(Math.min(1, this.#done));
      await new Promise(setImmediate);
    }
  }
}

async function drawSet(
  scene: StudioScene,
  built: BuiltSet,
  buffer: GeometryBuffer,
  request: StudioRequest,
  clock: StepClock,
  rows: RowRunner,
): Promise<RgbImage> {
  const { width, height } = buffer;
  const lighting = await light(built, buffer, request, clock, rows);
  const sharp = new Float32Array(width * height * 3);
  await clock.run('shade', () =>
    rows.run(height, 0.35, (from, to) => shadeRows(built, buffer, lighting, sharp, from, to)),
  );
  await clock.run('smooth-edges', () =>
    rows.run(height, 0.05, (from, to) => smoothEdges(built, buffer, lighting, sharp, from, to)),
  );
  let linear: Float32Array = sharp;
  if (scene.depthOfField > 0 && scene.view === 'standing') {
    linear = new Float32Array(sharp.length);
    await clock.run('depth-of-field', () =>
      rows.run(height, 0.05, (from, to) =>
        blurDepth(built.camera, scene.depthOfField, buffer, sharp, linear, from, to),
      ),
    );
  }
  const data = new Uint8Array(width * height * 3);
  const tone = { width, height, seed: scene.seed, ...scene.tone };
  await clock.run('tone', () => rows.run(height, 0.05, (from, to) => toneRows(tone, linear, data, from, to)));
  return { width, height, data };
}

async function light(
  built: BuiltSet,
  buffer: GeometryBuffer,
  { quality, width, height }: StudioRequest,
  clock: StepClock,
  rows: RowRunner,
): Promise<Lighting> {
  const effort = efforts[quality];
  const keyGuide = makeGuide(built, buffer, Math.max(width, height) <= FULL_KEY_BELOW_PX ? 1 : 2);
  const indirectGuide = makeGuide(built, buffer, effort.indirectStep);
  const visibility = new Float32Array(keyGuide.width * keyGuide.height);
  await clock.run('key-light', () =>
    rows.run(keyGuide.height, 0.12, (from, to) =>
      traceKey(built, keyGuide, effort.keySamples, visibility, from, to),
    ),
  );
  const texels = indirectGuide.width * indirectGuide.height;
  const indirect = { diffuse: new Float32Array(texels * 3), glossy: new Float32Array(texels * 3) };
  await clock.run('indirect-light', () =>
    rows.run(indirectGuide.height, 0.2, (from, to) =>
      traceIndirect(built, indirectGuide, effort.samples, indirect, from, to),
    ),
  );
  return clock.run('denoise', async () => ({
    keyGuide,
    keyCells: markEvenCells(keyGuide),
    visibility: await denoise(keyGuide, keyDenoise, visibility, rows),
    indirectGuide,
    indirectCells: markEvenCells(indirectGuide),
    indirect: {
      diffuse: await denoise(indirectGuide, diffuseDenoise, indirect.diffuse, rows),
      glossy: await denoise(indirectGuide, glossyDenoise, indirect.glossy, rows),
    },
  }));
}

async function denoise(
  guide: Guide,
  settings: DenoiseSettings,
  values: Float32Array,
  rows: RowRunner,
): Promise<Float32Array> {
  let from: Float32Array = values;
  let to: Float32Array = new Float32Array(values.length);
  for (let level = 0; level < settings.levels; level++) {
    await rows.run(guide.height, 0.06 / (3 * settings.levels), (first, end) =>
      denoiseLevel(guide, settings, level, from, to, first, end),
    );
    [from, to] = [to, from];
  }
  return from;
}
