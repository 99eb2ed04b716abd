/** One picture in the making, as plain data: the trees, and an array for everything that a pass leaves for a later one. */
import type { SetTrees } from './built-set.ts';
import type { Bvh } from './bvh.ts';
import type { Camera } from './camera.ts';
import { allocateGuide, type GeometryBuffer, type Guide, makeGeometryBuffer } from './geometry-buffer.ts';
import type { IndirectSamples } from './indirect-light.ts';
import type { PictureMemory } from './picture-memory.ts';
import type { ProxyShape, StudioProduct } from './product-proxy.ts';
import type { StudioScene } from './studio-scene.ts';

/** What a picture's light may cost. Its resolution matters more than its samples. */
export interface Effort {
  /** Full pixels per texel of the key's shadow, and its rays per texel. */
  readonly keyStep: number;
  readonly keySamples: number;
  /** The same of the light from all around. */
  readonly indirectStep: number;
  readonly samples: IndirectSamples;
}

/** Crosses to threads by structured clone: no functions, and all large arrays in shared memory. */
export interface PictureFrame {
  readonly scene: StudioScene;
  readonly camera: Camera;
  readonly effort: Effort;
  readonly trees: SetTrees;
  readonly stand: ProductStand | undefined;
  readonly buffer: GeometryBuffer;
  readonly key: CoarseGrid;
  /** The key's visibility, one number a texel: levels of the denoiser go to and fro between the two. */
  readonly visibility: Pair;
  readonly indirect: CoarseGrid;
  readonly diffuse: Pair;
  readonly glossy: Pair;
  /** Three numbers a pixel, before blur and tone. */
  readonly linear: Float32Array;
  /** 8-bit sRGB. */
  readonly picture: Uint8Array;
}

export interface ProductStand {
  readonly product: StudioProduct;
  readonly shape: ProxyShape;
}

interface CoarseGrid {
  readonly guide: Guide;
  /** As `markEvenRows` leaves them. */
  readonly cells: Uint8Array;
}

type Pair = readonly [Float32Array, Float32Array];

export function makeFrame(
  scene: StudioScene,
  camera: Camera,
  trees: SetTrees,
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
    trees: shareTrees(trees, memory),
    stand: undefined,
    buffer: makeGeometryBuffer(width, height, memory),
    key,
    visibility: pair('visibility', key, 1),
    indirect,
    diffuse: pair('diffuse', indirect, 3),
    glossy: pair('glossy', indirect, 3),
    linear: memory.float32('linear', width * height * 3),
    picture: memory.uint8('picture', width * height * 3),
  };
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

function shareTrees({ set, blockers }: SetTrees, memory: PictureMemory): SetTrees {
  const shared = shareBvh(set, memory, 'set');
  return { set: shared, blockers: blockers === set ? shared : shareBvh(blockers, memory, 'blockers') };
}

function shareBvh(bvh: Bvh, memory: PictureMemory, name: string): Bvh {
  return {
    ...bvh,
    tree: memory.place(`${name}-tree`, bvh.tree),
    normals: memory.place(`${name}-normals`, bvh.normals),
    materials: memory.place(`${name}-materials`, bvh.materials),
  };
}

/** The same set with a product in it: light and picture are computed anew, what the camera sees of the set stays. */
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
