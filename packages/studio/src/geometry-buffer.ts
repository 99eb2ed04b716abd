/**
 * Pass: finds the visible surface at each pixel of the full picture, and at each texel of the coarser grids for light.
 */

import type { BuiltSet } from './built-set.ts';
import type { Bvh } from './bvh.ts';
import type { PictureMemory } from './picture-memory.ts';
import { aimRay, findClosest, type Hit, makeRay, type Ray } from './trace-ray.ts';

/** Material number of pixels without a surface. */
export const NOTHING = 255;

export interface GeometryBuffer {
  readonly width: number;
  readonly height: number;
  /** Distance from the eye along -z, in world units; 0 where there is no surface. */
  readonly depth: Float32Array;
  /** Unit normals that face the camera, three numbers per pixel, multiplied by `NORMAL_UNIT` and rounded. */
  readonly normal: Int16Array;
  readonly material: Uint8Array;
}

/** Length of a unit vector in `GeometryBuffer.normal`. Rounding turns a normal by at most 0.002 degrees. */
export const NORMAL_UNIT = 32_767;

export function makeGeometryBuffer(width: number, height: number, memory: PictureMemory): GeometryBuffer {
  return {
    width,
    height,
    depth: memory.float32('depth', width * height),
    normal: memory.int16('normal', width * height * 3),
    material: memory.uint8('material', width * height),
  };
}

/** A point of a surface, and the unit normal there. */
export interface Spot {
  x: number;
  y: number;
  z: number;
  nx: number;
  ny: number;
  nz: number;
}

/** A visible surface point. The passes reuse one such object. */
export interface Sight extends Spot {
  depth: number;
  material: number;
  /** Canvas position in fractional pixels. */
  column: number;
  row: number;
  /** Unit vector (`dx`, `dy`, `dz`) from the eye to the point. */
  dx: number;
  dy: number;
  dz: number;
}

export function makeSight(): Sight {
  return {
    x: 0,
    y: 0,
    z: 0,
    nx: 0,
    ny: 0,
    nz: 1,
    depth: 0,
    material: NOTHING,
    column: 0,
    row: 0,
    dx: 0,
    dy: 0,
    dz: -1,
  };
}

const hit: Hit = { t: 0, triangle: -1, u: 0, v: 0 };
const ray = makeRay();

/** Writes the interpolated unit normal of the hit, facing the ray's origin. */
export function interpolateNormal(
  { normals, faces }: Pick<Bvh, 'normals' | 'faces'>,
  { triangle, u, v }: Hit,
  { dx, dy, dz }: Pick<Ray, 'dx' | 'dy' | 'dz'>,
  out: Float64Array,
): void {
  const at = triangle * 9;
  const w = 1 - u - v;
  const x = w * normals[at]! + u * normals[at + 3]! + v * normals[at + 6]!;
  const y = w * normals[at + 1]! + u * normals[at + 4]! + v * normals[at + 7]!;
  const z = w * normals[at + 2]! + u * normals[at + 5]! + v * normals[at + 8]!;
  const along = x * dx + y * dy + z * dz;
  const squared = dx * dx + dy * dy + dz * dz;
  // Only the flat triangle's normal shows which side was hit. On crests and rims, the normals at all three corners may
  // face away from the eye although it sees the triangle's front.
  const side = faces[triangle * 3]! * dx + faces[triangle * 3 + 1]! * dy + faces[triangle * 3 + 2]! * dz;
  // Flipping such a normal would make it point into the surface and cause a dark dot. Instead, it is bent until it is
  // perpendicular to the ray (Keller et al. 2017, "The Iray Light Transport Simulation").
  const excess = along * side < 0 ? along / squared : 0;
  const [rx, ry, rz] = [x - excess * dx, y - excess * dy, z - excess * dz];
  const length = Math.sqrt(rx * rx + ry * ry + rz * rz) || 1;
  const sign = side > 0 ? -1 / length : 1 / length;
  out[0] = rx * sign;
  out[1] = ry * sign;
  out[2] = rz * sign;
}

const normalOut = new Float64Array(3);

/** Fills `sight` with the surface at a canvas point; `sight.material` is `NOTHING` for the sky. */
export function look({ camera, set }: BuiltSet, column: number, row: number, sight: Sight): void {
  aim(sight, camera, column, row);
  const dx = ((2 * column) / camera.width - 1) * camera.tanX + camera.shiftX;
  const dy = (1 - (2 * row) / camera.height) * camera.tanY + camera.shift;
  hit.t = Number.POSITIVE_INFINITY;
  aimRay(ray, 0, camera.eyeY, camera.distance, dx, dy, -1);
  if (!findClosest(set, ray, hit)) {
    sight.material = NOTHING;
    sight.depth = 0;
    // Reset the reused object: its old content depends on the order of pixels, which varies between threads.
    sight.nx = 0;
    sight.ny = 0;
    sight.nz = 1;
    return;
  }
  interpolateNormal(set, hit, ray, normalOut);
  sight.material = set.materials[hit.triangle]!;
  sight.nx = normalOut[0]!;
  sight.ny = normalOut[1]!;
  sight.nz = normalOut[2]!;
  place(sight, camera, hit.t);
}

function aim(sight: Sight, camera: BuiltSet['camera'], column: number, row: number): void {
  sight.column = column;
  sight.row = row;
  const dx = ((2 * column) / camera.width - 1) * camera.tanX + camera.shiftX;
  const dy = (1 - (2 * row) / camera.height) * camera.tanY + camera.shift;
  const scale = 1 / Math.sqrt(dx * dx + dy * dy + 1);
  sight.dx = dx * scale;
  sight.dy = dy * scale;
  sight.dz = -scale;
}

function place(sight: Sight, camera: BuiltSet['camera'], depth: number): void {
  sight.depth = depth;
  sight.x = (sight.dx / -sight.dz) * depth;
  sight.y = camera.eyeY + (sight.dy / -sight.dz) * depth;
  sight.z = camera.distance - depth;
}

/** Fills rows `fromRow` to `toRow` of the buffer; pixels are sampled at their centers. */
export function traceGeometry(built: BuiltSet, buffer: GeometryBuffer, fromRow: number, toRow: number): void {
  const sight = makeSight();
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < buffer.width; column++) {
      look(built, column + 0.5, row + 0.5, sight);
      const pixel = row * buffer.width + column;
      buffer.material[pixel] = sight.material;
      buffer.depth[pixel] = sight.depth;
      buffer.normal[pixel * 3] = Math.round(sight.nx * NORMAL_UNIT);
      buffer.normal[pixel * 3 + 1] = Math.round(sight.ny * NORMAL_UNIT);
      buffer.normal[pixel * 3 + 2] = Math.round(sight.nz * NORMAL_UNIT);
    }
  }
}

/** Fills `sight` again for a previously traced pixel. */
export function recall(
  { camera }: BuiltSet,
  buffer: GeometryBuffer,
  column: number,
  row: number,
  sight: Sight,
): void {
  const pixel = row * buffer.width + column;
  aim(sight, camera, column + 0.5, row + 0.5);
  sight.material = buffer.material[pixel]!;
  sight.nx = buffer.normal[pixel * 3]! / NORMAL_UNIT;
  sight.ny = buffer.normal[pixel * 3 + 1]! / NORMAL_UNIT;
  sight.nz = buffer.normal[pixel * 3 + 2]! / NORMAL_UNIT;
  place(sight, camera, buffer.depth[pixel]!);
}

/** The geometry buffer subsampled by `step`, for the coarse passes and the denoiser. */
export interface Guide {
  readonly width: number;
  readonly height: number;
  /** Pixels of the full picture per texel, in each direction; texel (0, 0) is the pixel at (0, 0). */
  readonly step: number;
  readonly position: Float32Array;
  readonly normal: Float32Array;
  readonly depth: Float32Array;
  readonly material: Uint8Array;
}

/**
 * Allocates a guide for every `step`th pixel of a picture; `name` distinguishes its arrays in memory from those of
 * other guides.
 */
export function allocateGuide(
  picture: { readonly width: number; readonly height: number },
  step: number,
  memory: PictureMemory,
  name: string,
): Guide {
  const width = Math.ceil(picture.width / step) + (step > 1 ? 1 : 0);
  const height = Math.ceil(picture.height / step) + (step > 1 ? 1 : 0);
  return {
    width,
    height,
    step,
    position: memory.float32(`${name}-position`, width * height * 3),
    normal: memory.float32(`${name}-normal`, width * height * 3),
    depth: memory.float32(`${name}-depth`, width * height),
    material: memory.uint8(`${name}-material`, width * height),
  };
}

/** Fills rows `fromRow` to `toRow` of the guide. The whole buffer must have been traced before. */
export function fillGuide(
  built: BuiltSet,
  buffer: GeometryBuffer,
  { width, step, position, normal, depth, material }: Guide,
  fromRow: number,
  toRow: number,
): void {
  const sight = makeSight();
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < width; column++) {
      recall(built, buffer, pixelOf(column, step, buffer.width), pixelOf(row, step, buffer.height), sight);
      const texel = row * width + column;
      position[texel * 3] = sight.x;
      position[texel * 3 + 1] = sight.y;
      position[texel * 3 + 2] = sight.z;
      normal[texel * 3] = sight.nx;
      normal[texel * 3 + 1] = sight.ny;
      normal[texel * 3 + 2] = sight.nz;
      depth[texel] = sight.depth;
      material[texel] = sight.material;
    }
  }
}

/** Writes the surface point of a texel to `spot`, moved by `off` along its normal. */
export function spotOf(
  { position, normal }: Pick<Guide, 'position' | 'normal'>,
  texel: number,
  spot: Spot,
  off = 0,
): void {
  const at = texel * 3;
  spot.nx = normal[at]!;
  spot.ny = normal[at + 1]!;
  spot.nz = normal[at + 2]!;
  spot.x = position[at]! + spot.nx * off;
  spot.y = position[at + 1]! + spot.ny * off;
  spot.z = position[at + 2]! + spot.nz * off;
}

function pixelOf(texel: number, step: number, size: number): number {
  return Math.min(size - 1, texel * step);
}
