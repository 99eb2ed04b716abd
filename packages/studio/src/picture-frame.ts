/** All data of one picture during rendering: scene, camera, ray-tracing trees, and arrays for the passes' results. */
import type { Bvh } from './bvh.ts';
import type { Camera } from './camera.ts';
import { allocateGuide, type GeometryBuffer, type Guide, makeGeometryBuffer } from './geometry-buffer.ts';
import type { IndirectSamples } from './indirect-light.ts';
import type { PictureMemory } from './picture-memory.ts';
import type { Panorama } from './places/panorama.ts';
import { makePlaceView, type PlaceView } from './places/place-backdrop.ts';
import type { BalancedLight } from './places/place-light.ts';
import type { ProxyShape, StudioProduct } from './product-proxy.ts';
import type { PlaceSetting, StudioScene } from './studio-scene.ts';

/** Resolution and samples of a picture's light. Resolution matters more for the picture's quality. */
export interface Effort {
  /** Pixels of the full picture per texel of the key light's visibility (in each direction), and rays per texel. */
  readonly keyStep: number;
  readonly keySamples: number;
  /** Pixels per texel of indirect light, and its rays per texel. */
  readonly indirectStep: number;
  readonly samples: IndirectSamples;
  readonly smoothsEdges: boolean;
}

/** Sent to threads by structured clone, so it contains no functions, and all its large arrays are in shared memory. */
export interface PictureFrame {
  readonly scene: StudioScene;
  readonly camera: Camera;
  readonly effort: Effort;
  readonly set: Bvh;
  readonly stand: ProductStand | undefined;
  readonly place: PlaceView | undefined;
  /** Surroundings that glossy surfaces in a studio reflect in addition to the set. */
  readonly room: Panorama | undefined;
  readonly buffer: GeometryBuffer;
  readonly key: CoarseGrid;
  /**
   * Visibility of the key light, one number per texel. The denoiser's levels write alternately to the two arrays of a
   * pair.
   */
  readonly visibility: Pair;
  readonly indirect: CoarseGrid;
  readonly diffuse: Pair;
  /** With a product: the fractions of the empty set's diffuse light that the product leaves, three per texel. */
  readonly kept: Pair;
  readonly glossy: Pair;
  /** The picture in linear light, three numbers per pixel, before blur and tone mapping. */
  readonly linear: Float32Array;
  /** The finished picture in 8-bit sRGB. */
  readonly picture: Uint8Array;
}

export interface ProductStand {
  readonly product: StudioProduct;
  readonly shape: ProxyShape;
}

interface CoarseGrid {
  readonly guide: Guide;
  /**
   * For each texel, whether the cell between it and its right, lower and lower right neighbors is one smooth surface,
   * in the encoding of `markEvenRows`.
   */
  readonly cells: Uint8Array;
}

type Pair = readonly [Float32Array, Float32Array];

export function makeFrame(
  scene: StudioScene,
  camera: Camera,
  set: Bvh,
  effort: Effort,
  memory: PictureMemory,
): PictureFrame {
  const { width, height } = camera;
  const key = makeGrid(camera, effort.keyStep, memory, 'key');
  const indirect = makeGrid(camera, effort.indirectStep, memory, 'indirect');
  const pair = (name: string, { guide }: CoarseGrid, channels: number): Pair => {
    const length = guide.width * guide.height * channels;
    return [memory.float32(name, length), memory.float32(`${name}-2`, length)];
  };
  return {
    scene,
    camera,
    effort,
    set: shareBvh(set, memory, 'set'),
    stand: undefined,
    place: undefined,
    room: undefined,
    buffer: makeGeometryBuffer(width, height, memory),
    key,
    visibility: pair('visibility', key, 1),
    indirect,
    diffuse: pair('diffuse', indirect, 3),
    kept: pair('kept', indirect, 3),
    glossy: pair('glossy', indirect, 3),
    linear: memory.float32('linear', width * height * 3),
    picture: memory.uint8('picture', width * height * 3),
  };
}

/** Returns the frame with a place around the set. All threads share the place's light and view. */
export function setInPlace(
  frame: PictureFrame,
  { table, soft, mirrored, broad, ...rest }: BalancedLight,
  setting: PlaceSetting,
  memory: PictureMemory,
): PictureFrame {
  const share = (name: string, panorama: Panorama): Panorama => ({
    ...panorama,
    data: memory.place(name, panorama.data),
  });
  const light: BalancedLight = {
    ...rest,
    soft: share('place-soft', soft),
    mirrored: share('place-mirrored', mirrored),
    broad: share('place-broad', broad),
    table: { keep: memory.place('place-keep', table.keep), other: memory.place('place-other', table.other) },
  };
  return { ...frame, place: makePlaceView(frame.scene, frame.camera, light, setting, memory) };
}

/** Returns the frame with a room for reflections around the set. */
export function setInRoom(frame: PictureFrame, room: Panorama, memory: PictureMemory): PictureFrame {
  return { ...frame, room: { ...room, data: memory.place('room', room.data) } };
}

function makeGrid(
  canvas: { readonly width: number; readonly height: number },
  step: number,
  memory: PictureMemory,
  name: string,
): CoarseGrid {
  const guide = allocateGuide(canvas, step, memory, name);
  return { guide, cells: memory.uint8(`${name}-cells`, guide.width * guide.height) };
}

function shareBvh(bvh: Bvh, memory: PictureMemory, name: string): Bvh {
  return {
    ...bvh,
    tree: memory.place(`${name}-tree`, bvh.tree),
    normals: memory.place(`${name}-normals`, bvh.normals),
    faces: memory.place(`${name}-faces`, bvh.faces),
    materials: memory.place(`${name}-materials`, bvh.materials),
  };
}

/**
 * Returns the frame with a product in the set. It shares the arrays of `frame`: the results of passes that depend only
 * on the set remain valid, but light and picture must be computed again.
 */
export function standProduct(
  frame: PictureFrame,
  { product, shape }: ProductStand,
  memory: PictureMemory,
): PictureFrame {
  const { image } = product;
  return {
    ...frame,
    stand: {
      product: { ...product, image: { ...image, data: memory.place('product', image.data) } },
      shape: { ...shape, bvh: shareBvh(shape.bvh, memory, 'proxy') },
    },
  };
}
