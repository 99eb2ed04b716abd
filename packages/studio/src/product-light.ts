/**
 * Computes the set's light on the product's front: the key light that passes the gobo and the set's objects, and the
 * soft light, including light reflected by the ground. The front's shape is estimated in the same way as for the
 * product's shadow.
 */
import { blurGaussian, type Rgb } from 'packshot-pixels';
import { type BuiltSet, buildTree, openSet } from './built-set.ts';
import { type Camera, makeCamera, unprojectX, unprojectY } from './camera.ts';
import { type Spot, spotOf } from './geometry-buffer.ts';
import { makeSilhouette, type Silhouette } from './ground/silhouette.ts';
import { findStandingLine } from './ground/standing-line.ts';
import { type IndirectSamples, measureDiffuse } from './indirect-light.ts';
import { inflate } from './inflate-silhouette.ts';
import { sampleKey } from './key-light.ts';
import { hashInteger, hashUnit } from './noise.ts';
import { openPlace } from './places/place-light.ts';
import { balanceLight, openPlaceLight } from './places/place-sky.ts';
import type { StudioProduct } from './product-proxy.ts';
import { firstOf, gradientOffset, secondOf } from './random-sequence.ts';
import type { StudioScene } from './studio-scene.ts';

/** A grid over the product's box; rows run downward. */
export interface ProductLight {
  readonly columns: number;
  readonly rows: number;
  /** Linear radiance of a white surface in each cell, three numbers per cell. */
  readonly light: Float32Array;
  /** Mean over the cells that the product covers. */
  readonly mean: Rgb;
}

const KEY_SAMPLES = 16;
const SOFT_SAMPLES: IndirectSamples = { diffuse: 16, glossy: 0, bounces: 2 };
/** Distance, in cells, between the points at which the soft light is traced. */
const SOFT_STEP = 4;
/** Widths of the blurs that remove sampling noise: in cells for the key light, in traced points for the soft light. */
const KEY_BLUR = 0.9;
const SOFT_BLUR = 1.2;
/**
 * Width of the blur of the product's estimated relief, in cells, and weight of the relief's slope. The weight is low,
 * because the photo already contains the product's own shading.
 */
const RELIEF_BLUR = 3;
const RELIEF_SHARE = 0.5;
/**
 * Minimum cosine toward the key light. The relief is only an estimate, and must not make the light's pattern
 * vanish.
 */
const MIN_FACING = 0.2;
/** Minimum height of the sampled points above the ground, and how far they are moved forward, in world units. */
const CLEARANCE = 0.01;

interface Grid {
  readonly width: number;
  readonly height: number;
}

export async function measureProductLight(
  set: StudioScene,
  canvas: Grid,
  product: StudioProduct,
): Promise<ProductLight> {
  const place = set.place && (await openPlace(set.place.name));
  const lit = place && balanceLight(place, set.key);
  const scene = lit ? { ...set, key: lit.key } : set;
  const camera = makeCamera(scene, canvas);
  const built = openSet(scene, camera, buildTree(scene, camera));
  const front = makeFront(scene, camera, product);
  return traceFront(
    lit && set.place ? { ...built, ...openPlaceLight({ light: lit.light, setting: set.place }) } : built,
    front,
  );
}

/** Points and unit normals of the front, three numbers per cell. */
interface Front {
  readonly silhouette: Silhouette;
  readonly points: Float32Array;
  readonly normals: Float32Array;
}

function makeFront(scene: StudioScene, camera: Camera, { image, x, y, lies }: StudioProduct): Front {
  const silhouette = makeSilhouette(image);
  const { columns, rows } = silhouette;
  const line = findStandingLine(silhouette, image.width / image.height, lies);
  const flat = scene.view === 'flat-lay';
  const cell = unprojectX(camera, image.width / columns, 0) - unprojectX(camera, 0, 0);
  const relief = inflate(silhouette, line, flat, cell, scene.productDepth);
  const size = { width: columns, height: rows };
  smooth(relief, size, RELIEF_BLUR);
  const deepest = relief.reduce((most, half) => Math.max(most, half), 0);
  const points = new Float32Array(columns * rows * 3);
  const normals = new Float32Array(columns * rows * 3);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      // The foremost part of a standing product is at z = 0, the plane in which the camera frames it; in a flat lay,
      // the product extends from z = 0 toward the camera.
      const z = flat ? 2 * relief[at]! : relief[at]! - deepest;
      points[at * 3] = unprojectX(camera, x + ((column + 0.5) * image.width) / columns, z);
      const high = unprojectY(camera, y + ((row + 0.5) * image.height) / rows, z);
      points[at * 3 + 1] = flat ? high : Math.max(scene.baseY + CLEARANCE, high);
      points[at * 3 + 2] = z + CLEARANCE;
      const right = relief[at + (column < columns - 1 ? 1 : 0)]! - relief[at - (column > 0 ? 1 : 0)]!;
      const down = relief[at + (row < rows - 1 ? columns : 0)]! - relief[at - (row > 0 ? columns : 0)]!;
      const nx = (-RELIEF_SHARE * right) / (2 * cell);
      const ny = (RELIEF_SHARE * down) / (2 * cell);
      const scale = 1 / Math.hypot(nx, ny, 1);
      normals.set([nx * scale, ny * scale, scale], at * 3);
    }
  }
  return { silhouette, points, normals };
}

function traceFront(built: BuiltSet, { silhouette, points, normals }: Front): ProductLight {
  const { columns, rows, coverage } = silhouette;
  const { key } = built;
  const visible = new Float32Array(columns * rows);
  for (let at = 0; at < visible.length; at++) visible[at] = seeKey(built, points, at, columns);
  smooth(visible, { width: columns, height: rows }, KEY_BLUR);
  const soft = traceSoft(built, { silhouette, points, normals });
  const light = new Float32Array(columns * rows * 3);
  const sum = [0, 0, 0];
  let total = 0;
  for (let at = 0; at < visible.length; at++) {
    const [nx, ny, nz] = [normals[at * 3]!, normals[at * 3 + 1]!, normals[at * 3 + 2]!];
    const cosine = nx * key.direction[0] + ny * key.direction[1] + nz * key.direction[2];
    const fading = key.fading(points[at * 3]!, points[at * 3 + 1]!, points[at * 3 + 2]!);
    const lit = visible[at]! * Math.max(MIN_FACING, cosine) * fading;
    total += coverage[at]!;
    for (let c = 0; c < 3; c++) {
      const value = key.radiance[c]! * lit + soft(at, c);
      light[at * 3 + c] = value;
      sum[c] = sum[c]! + coverage[at]! * value;
    }
  }
  const mean = sum.map((value) => value / Math.max(1e-6, total));
  return { columns, rows, light, mean: [mean[0]!, mean[1]!, mean[2]!] };
}

/**
 * Fraction of the key light that reaches a point. Ignores the shadow of the product on itself, which the photo already
 * shows.
 */
function seeKey(built: BuiltSet, points: Float32Array, at: number, columns: number): number {
  const offset1 = gradientOffset(at % columns, Math.floor(at / columns));
  const offset2 = hashUnit(at * 2 + 1 + built.seed * 7919);
  let sum = 0;
  for (let sample = 0; sample < KEY_SAMPLES; sample++) {
    const [r1, r2] = [firstOf(sample, offset1), secondOf(sample, offset2)];
    sum += sampleKey(built, points[at * 3]!, points[at * 3 + 1]!, points[at * 3 + 2]!, r1, r2);
  }
  return sum / KEY_SAMPLES;
}

/**
 * Traces the soft light at every `SOFT_STEP`th cell, and returns a function that interpolates channel `c` at cell `at`.
 */
function traceSoft(
  built: BuiltSet,
  { silhouette, points, normals }: Front,
): (at: number, c: number) => number {
  const { columns, rows } = silhouette;
  const size = { width: Math.ceil(columns / SOFT_STEP) + 1, height: Math.ceil(rows / SOFT_STEP) + 1 };
  const channels = [0, 1, 2].map(() => new Float32Array(size.width * size.height));
  const out = new Float64Array(3);
  const spot: Spot = { x: 0, y: 0, z: 0, nx: 0, ny: 0, nz: 1 };
  for (let point = 0; point < size.width * size.height; point++) {
    const column = point % size.width;
    const row = Math.floor(point / size.width);
    const cell = Math.min(rows - 1, row * SOFT_STEP) * columns + Math.min(columns - 1, column * SOFT_STEP);
    spotOf({ position: points, normal: normals }, cell, spot);
    const offset = gradientOffset(column, row);
    const seed = hashInteger(point * 31 + built.seed * 104729);
    measureDiffuse(built, spot, SOFT_SAMPLES, offset, seed, out);
    for (let c = 0; c < 3; c++) channels[c]![point] = out[c]!;
  }
  for (const channel of channels) smooth(channel, size, SOFT_BLUR);
  return (at, c) => {
    const u = (at % columns) / SOFT_STEP;
    const v = Math.floor(at / columns) / SOFT_STEP;
    const first = Math.floor(v) * size.width + Math.floor(u);
    const across = u - Math.floor(u);
    const channel = channels[c]!;
    const upper = channel[first]! + (channel[first + 1]! - channel[first]!) * across;
    const lower =
      channel[first + size.width]! +
      (channel[first + size.width + 1]! - channel[first + size.width]!) * across;
    return upper + (lower - upper) * (v - Math.floor(v));
  };
}

/** Blurs in place. Near the border, only values inside are averaged. */
function smooth(data: Float32Array, size: Grid, sigma: number): void {
  const weight = new Float32Array(data.length).fill(1);
  blurGaussian(data, size, { sigmaX: sigma, sigmaY: sigma });
  blurGaussian(weight, size, { sigmaX: sigma, sigmaY: sigma });
  for (let i = 0; i < data.length; i++) data[i] = data[i]! / weight[i]!;
}
