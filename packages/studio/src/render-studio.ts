/**
 * Renders a scene, optionally with a product, to a picture: runs all passes and steps in order, on one or several
 * threads.
 */
import { decodeSrgb, type RgbImage, StepClock, type StepTiming, smoothstep } from 'packshot-pixels';
import { shadeBelowBody } from './body-shade.ts';
import { buildTree } from './built-set.ts';
import { makeCamera } from './camera.ts';
import { darkenContact } from './ground/contact-line.ts';
import { listPasses, openFrame } from './passes.ts';
import {
  type Effort,
  makeFrame,
  type PictureFrame,
  setInPlace,
  setInRoom,
  standProduct,
} from './picture-frame.ts';
import type { PictureMemory } from './picture-memory.ts';
import type { Panorama } from './places/panorama.ts';
import { type BalancedLight, openPlace } from './places/place-light.ts';
import { balanceLight } from './places/place-sky.ts';
import { makeProxyShape, type StudioProduct } from './product-proxy.ts';
import { isGlossy, openRoom } from './room-light.ts';
import { claimCrew, type StudioCrew } from './studio-crew.ts';
import type { PlaceSetting, StudioScene } from './studio-scene.ts';

export interface StudioRequest {
  /** Size of the picture in pixels, 64 to 4096 per side. */
  readonly width: number;
  readonly height: number;
  /** `rough`: for want of time, without smooth outlines of the set, and with a coarser shadow of the product. */
  readonly quality: 'preview' | 'full' | 'rough';
  /** The product, at the size and position that `frameProduct` returned for this scene and canvas. */
  readonly product?: StudioProduct;
  /** With a product: whether to also render the empty set, which about doubles the time for light. */
  readonly withPlate?: boolean;
  /** Number of threads including the calling one; default 1. Does not affect the picture. */
  readonly threads?: number;
  readonly signal: AbortSignal;
}

export interface StudioPicture {
  /** The empty set; present if there is no product, or with `withPlate`. */
  readonly plate?: RgbImage;
  /** The set with the product's shadow, bounced light and reflection, but without the product's pixels. */
  readonly grounded?: RgbImage;
  readonly timings: readonly StepTiming[];
}

/** Maximum longer side, in pixels, at which the key light is traced at every pixel. */
const FULL_KEY_BELOW_PX = 400;

/**
 * Contact lines are the dark lines where the product touches the ground. This is the strength of a second, wider one,
 * for the soft light that does not reach under a foot. It is stronger in a place (lit by a panorama), where most of the
 * light is soft, than in a studio.
 */
const SOFT_LIGHT_CONTACT = { place: 0.85, studio: 0.75 } as const;

/**
 * White paper is also lit by light that it has reflected itself, so that its occluded parts are brighter (Jimenez et
 * al. 2016, "Practical Realtime Strategies for Accurate Indirect Occlusion"). With a contact line of full strength, the
 * shade around a pot on white paper would look like a halo. `most` is the fraction by which the second contact line is
 * weaker on ground whose green channel, in linear light, is at least `to`. Below `from`, it has its full strength,
 * because a weaker one would let dark products seem to float.
 */
const REFLECTED = { most: 0.5, from: 0.7, to: 0.9 } as const;

/** Cells along the product's longer side in a rough picture: as for a product's shadow without a set. */
const ROUGH_CELLS = 60;

const MIN_FORESHORTENING = 0.38;

const weakenOnWhite = (brightness: number): number =>
  1 - REFLECTED.most * smoothstep(REFLECTED.from, REFLECTED.to, brightness);

function effortFor({ width, height, quality }: StudioRequest): Effort {
  const keyStep = Math.max(width, height) <= FULL_KEY_BELOW_PX ? 1 : 2;
  const smoothsEdges = quality !== 'rough';
  const common = { keyStep, smoothsEdges };
  return quality === 'full'
    ? { ...common, keySamples: 14, indirectStep: 5, samples: { diffuse: 12, glossy: 6, bounces: 3 } }
    : { ...common, keySamples: 12, indirectStep: 4, samples: { diffuse: 8, glossy: 4, bounces: 2 } };
}

export async function renderStudio(set: StudioScene, request: StudioRequest): Promise<StudioPicture> {
  const { width, height, product, withPlate = false, threads = 1, quality, signal } = request;
  const clock = new StepClock(signal);
  const setting = set.place;
  const place = setting && (await clock.run('place-light', () => openPlace(setting.name)));
  const lit = place && balanceLight(place, set.key);
  const scene = lit ? { ...set, key: lit.key } : set;
  const room = setting === undefined && isGlossy(set) ? await clock.run('room-light', openRoom) : undefined;
  const camera = makeCamera(scene, { width, height });
  const tree = await clock.run('built-set', () => buildTree(scene, camera));
  const crew = claimCrew(threads);
  try {
    const bare = makeFrame(scene, camera, tree, effortFor(request), crew.memory);
    const empty = surround(bare, { setting, place: lit?.light, room }, crew.memory);
    const plate =
      product === undefined || withPlate ? await drawFrame(empty, { crew, clock, signal }) : undefined;
    if (product === undefined) {
      return { plate: plate!, timings: clock.timings };
    }
    const stage = quality === 'rough' ? { ...scene, longCells: ROUGH_CELLS } : scene;
    const shape = await clock.run('product-proxy', () => makeProxyShape(stage, camera, product));
    const stood = standProduct(empty, { product, shape }, crew.memory);
    // If the plate was drawn, the passes that depend only on the set are already done.
    const grounded = await drawFrame(stood, { crew, clock, signal, setIsDone: plate !== undefined });
    if (scene.view === 'standing') {
      await clock.run('contact-line', () => {
        // Height divided by width of a circle on the ground, as the camera sees it. It has a minimum: even from a low
        // camera a rounded foot does not look like a line.
        const seen = Math.max(MIN_FORESHORTENING, Math.sin((scene.camera.elevDeg * Math.PI) / 180));
        const strength = SOFT_LIGHT_CONTACT[place === undefined ? 'studio' : 'place'];
        const soft = (pixel: number): number =>
          strength * weakenOnWhite(decodeSrgb(grounded.data[pixel * 3 + 1]! / 255));
        shadeBelowBody(grounded, scene, camera, product);
        // Before the other contact line, which would change the brightness of the ground that `soft` reads.
        darkenContact(grounded, product, soft, { foreshortening: seen, fromAllAround: true });
        darkenContact(grounded, product, 1, { foreshortening: seen });
      });
    }
    return { ...(plate === undefined ? {} : { plate }), grounded, timings: clock.timings };
  } finally {
    crew.release();
  }
}

interface Surroundings {
  readonly setting: PlaceSetting | undefined;
  readonly place: BalancedLight | undefined;
  readonly room: Panorama | undefined;
}

function surround(
  frame: PictureFrame,
  { setting, place, room }: Surroundings,
  memory: PictureMemory,
): PictureFrame {
  if (setting !== undefined && place !== undefined) return setInPlace(frame, place, setting, memory);
  return room === undefined ? frame : setInRoom(frame, room, memory);
}

interface FrameWork {
  readonly crew: StudioCrew;
  readonly clock: StepClock;
  readonly signal: AbortSignal;
  /** Whether passes that depend only on camera and set have already been drawn. */
  readonly setIsDone?: boolean;
}

async function drawFrame(
  frame: PictureFrame,
  { crew, clock, signal, setIsDone = false }: FrameWork,
): Promise<RgbImage> {
  crew.show(frame);
  const passes = listPasses(openFrame(frame), frame);
  // Consecutive passes with the same step name, such as the denoiser's levels, share one timing.
  for (let number = 0; number < passes.length; ) {
    const { step } = passes[number]!;
    await clock.run(step, async () => {
      for (; passes[number]?.step === step; number++) {
        const pass = passes[number]!;
        if (pass.ofSet && setIsDone) continue;
        await crew.draw(number, pass, signal);
      }
    });
  }
  // A copy, because the next picture reuses the memory.
  return { width: frame.camera.width, height: frame.camera.height, data: frame.picture.slice() };
}
