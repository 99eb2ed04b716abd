/**
 * Pass: traces, for each texel, the indirect light from other surfaces and the sky, and the reflections in glossy
 * surfaces.
 */

import type { BuiltSet } from './built-set.ts';
import { type Guide, NOTHING, type Spot, spotOf } from './geometry-buffer.ts';
import { RAY_OFFSET } from './key-light.ts';
import type { Material } from './materials/material.ts';
import type { Vec3 } from './meshes/mesh.ts';
import { hashInteger, hashUnit } from './noise.ts';
import type { EnvironmentLight } from './places/place-sky.ts';
import { firstOf, gradientOffset, secondOf } from './random-sequence.ts';
import { direction, orient, scatter, traceArriving, traceReflected } from './trace-path.ts';
import { aimRay, isBlocked, makeRay } from './trace-ray.ts';

export interface IndirectLight {
  /** Irradiance divided by pi, without the product, three numbers per texel. */
  readonly diffuse: Float32Array;
  /**
   * Fraction of `diffuse` that remains when the product is in the set, three numbers per texel; not written without a
   * product.
   */
  readonly kept: Float32Array;
  /** Reflected radiance, three numbers per texel; not written for materials that `showsGloss` excludes. */
  readonly glossy: Float32Array;
}

export interface IndirectSamples {
  readonly diffuse: number;
  readonly glossy: number;
  readonly bounces: number;
}

/** Above this roughness, reflections look the same as diffuse light. */
export const GLOSSY_LIMIT = 0.45;
/**
 * Surfaces below this roughness are polished. Their narrow reflections must not be blurred by the denoiser, so they get
 * `POLISH_RAYS` times as many rays. With fewer rays, reflections of distant objects break up into patches.
 */
const POLISHED = 0.22;
const POLISH_RAYS = 4;
const light = new Float64Array(3);
const openLight = new Float64Array(3);
const arriving = new Float64Array(3);
const radiance = new Float64Array(3);
const ray = makeRay();

/**
 * Writes the irradiance divided by pi at a point to `out` (three numbers). If the set has a product, it also writes the
 * value without the product to `open`, from the same rays. The point must already be offset from its surface.
 */
export function measureDiffuse(
  built: BuiltSet,
  spot: Readonly<Spot>,
  { diffuse, bounces }: IndirectSamples,
  offset1: number,
  seed: number,
  out: Float64Array,
  open = unused,
): void {
  const { proxy, bare } = built;
  const { nx, ny, nz } = spot;
  const offset2 = hashUnit(seed);
  light.fill(0);
  openLight.fill(0);
  for (let sample = 0; sample < diffuse; sample++) {
    scatter(nx, ny, nz, firstOf(sample, offset1), secondOf(sample, offset2));
    aimRay(ray, spot.x, spot.y, spot.z, direction[0]!, direction[1]!, direction[2]!);
    const path = hashInteger(seed + sample * 977);
    arriving.fill(0);
    traceArriving(built, ray, bounces, path, arriving);
    addTo(light, arriving);
    if (open !== unused && proxy !== undefined && bare !== undefined) {
      if (isBlocked(proxy.bvh, ray)) {
        arriving.fill(0);
        traceArriving(bare, ray, bounces, path, arriving);
      }
      addTo(openLight, arriving);
    }
  }
  for (let c = 0; c < 3; c++) {
    out[c] = light[c]! / diffuse;
    open[c] = openLight[c]! / diffuse;
  }
  if (built.environment !== undefined) {
    const rays = ENVIRONMENT_RAYS * diffuse;
    addEnvironment(built, built.environment, spot, rays, offset1, out, open);
  }
}

const unused = new Float64Array(3);

function addTo(sum: Float64Array, values: Float64Array): void {
  for (let c = 0; c < 3; c++) sum[c] = sum[c]! + values[c]!;
}

/** Environment rays per diffuse ray; more make the place's soft shadows smoother and less noisy. */
const ENVIRONMENT_RAYS = 7;

/** Adds the irradiance (divided by pi) that arrives directly from the place, sampled in proportion to brightness. */
function addEnvironment(
  { set, proxy }: BuiltSet,
  environment: EnvironmentLight,
  { x, y, z, nx, ny, nz }: Readonly<Spot>,
  samples: number,
  offset: number,
  out: Float64Array,
  open: Float64Array,
): void {
  for (let sample = 0; sample < samples; sample++) {
    environment.draw(firstOf(sample, offset), direction, radiance);
    const { dx, dy, dz } = aimRay(ray, x, y, z, direction[0]!, direction[1]!, direction[2]!);
    const facing = dx * nx + dy * ny + dz * nz;
    if (facing <= 0 || isBlocked(set, ray)) continue;
    const share = facing / (Math.PI * samples);
    for (let c = 0; c < 3; c++) open[c] = open[c]! + share * radiance[c]!;
    if (proxy !== undefined && isBlocked(proxy.bvh, ray)) continue;
    for (let c = 0; c < 3; c++) out[c] = out[c]! + share * radiance[c]!;
  }
}

/**
 * Averages rays around the unit vector `mirror` toward what a surface mirrors. The rays' angle t to
 * the mirror direction follows the GGX distribution: tan t = a sqrt(r / (1 - r)), with a = roughness squared and r
 * random. Rays that point below the surface add no light.
 */
export function measureGlossy(
  built: BuiltSet,
  { x, y, z, nx, ny, nz }: Readonly<Spot>,
  [mx, my, mz]: Vec3,
  roughness: number,
  samples: number,
  offset1: number,
  seed: number,
  out: Float64Array,
): void {
  const offset2 = hashUnit(seed + 5);
  const a = roughness * roughness;
  light.fill(0);
  for (let sample = 0; sample < samples; sample++) {
    // Leaves out the outermost 5 % of the distribution, whose rays would be far off.
    const r = 0.95 * firstOf(sample, offset1);
    const tan = a * Math.sqrt(r / (1 - r));
    const cos = 1 / Math.sqrt(1 + tan * tan);
    const phi = 2 * Math.PI * secondOf(sample, offset2);
    orient(mx, my, mz, tan * cos * Math.cos(phi), tan * cos * Math.sin(phi), cos);
    if (direction[0]! * nx + direction[1]! * ny + direction[2]! * nz <= 0) continue;
    const h = hashInteger(seed + sample * 131);
    aimRay(ray, x, y, z, direction[0]!, direction[1]!, direction[2]!);
    traceReflected(built, ray, (h & 65535) / 65536, (h >>> 16) / 65536, light);
  }
  for (let c = 0; c < 3; c++) {
    out[c] = light[c]! / samples;
  }
}

/** Whether a surface shows diffuse indirect light. A metal does only if it is too rough for reflections. */
export function showsDiffuse({ kind, roughness }: Material): boolean {
  return kind !== 'metal' || roughness >= GLOSSY_LIMIT;
}

/** Whether a surface has reflections that can be sampled on the coarse grid; water needs full resolution. */
export function showsGloss({ kind, roughness }: Material): boolean {
  return roughness < GLOSSY_LIMIT && kind !== 'water';
}

/** Whether a surface's reflections are nearly sharp. */
export function isPolished({ roughness }: Material): boolean {
  return roughness < POLISHED;
}

const result = new Float64Array(3);
const without = new Float64Array(3);
const spot: Spot = { x: 0, y: 0, z: 0, nx: 0, ny: 0, nz: 1 };
/**
 * Below this level (1 is a white surface), light is too dark to measure what fraction of it remains with the product.
 */
const DARK = 1e-3;

/** Traces rows of `into`. Texels whose material does not show a kind of light keep their old values. */
export function traceIndirect(
  built: BuiltSet,
  guide: Guide,
  samples: IndirectSamples,
  into: IndirectLight,
  fromRow: number,
  toRow: number,
): void {
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < guide.width; column++) {
      const texel = row * guide.width + column;
      const number = guide.material[texel]!;
      if (number === NOTHING) {
        continue;
      }
      const material = built.materials[number]!;
      spotOf(guide, texel, spot, RAY_OFFSET);
      const offset = gradientOffset(column, row);
      const seed = hashInteger(texel * 31 + built.seed * 104729);
      if (showsDiffuse(material)) {
        measureDiffuse(built, spot, samples, offset, seed, result, without);
        if (built.proxy === undefined) {
          into.diffuse.set(result, texel * 3);
        } else {
          into.diffuse.set(without, texel * 3);
          for (let c = 0; c < 3; c++) {
            into.kept[texel * 3 + c] = (result[c]! + DARK) / (without[c]! + DARK);
          }
        }
      }
      if (showsGloss(material)) {
        const rays = (isPolished(material) ? POLISH_RAYS : 1) * samples.glossy;
        const mirror = mirrorEye(built, guide, texel);
        measureGlossy(built, spot, mirror, material.roughness, rays, offset, seed, result);
        into.glossy.set(result, texel * 3);
      }
    }
  }
}

/** The direction in which the eye's ray to a texel is mirrored. */
function mirrorEye({ camera }: BuiltSet, { position, normal, depth }: Guide, texel: number): Vec3 {
  const at = texel * 3;
  const [nx, ny, nz] = [normal[at]!, normal[at + 1]!, normal[at + 2]!];
  const ex = position[at]! / depth[texel]!;
  const ey = (position[at + 1]! - camera.eyeY) / depth[texel]!;
  const scale = 1 / Math.sqrt(ex * ex + ey * ey + 1);
  const facing = 2 * (ex * nx + ey * ny - nz) * scale;
  return [ex * scale - facing * nx, ey * scale - facing * ny, -scale - facing * nz];
}
