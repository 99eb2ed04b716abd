/** Path tracing: the radiance that arrives at a point of the set from one direction. */

import { smoothstep } from 'packshot-pixels';
import type { BuiltSet } from './built-set.ts';
import { interpolateNormal } from './geometry-buffer.ts';
import { RAY_OFFSET, sampleKey } from './key-light.ts';
import { hashUnit } from './noise.ts';
import { aimRay, findClosest, type Hit, makeRay, type Ray } from './trace-ray.ts';

/** The indirect light on surfaces seen in reflections, as a fraction of the sky's radiance along their normal. */
const REFLECTED_AMBIENT = 0.62;

const hit: Hit = { t: 0, triangle: -1, u: 0, v: 0 };
const normal = new Float64Array(3);
const albedo = new Float64Array(3);
const throughput = new Float64Array(3);
const path = makeRay();
/** The result of `scatter` and `orient`. */
export const direction = new Float64Array(3);

/**
 * Finds the nearest surface of the set or the product, and writes it to `hit` and `normal`. Returns 0 for the sky, 1
 * for the set, 2 for the product.
 */
function findSurface({ set, proxy }: BuiltSet, ray: Ray): 0 | 1 | 2 {
  hit.t = Number.POSITIVE_INFINITY;
  const inSet = findClosest(set, ray, hit);
  if (proxy !== undefined && findClosest(proxy.bvh, ray, hit)) {
    interpolateNormal(proxy.bvh, hit, ray, normal);
    return 2;
  }
  if (inSet) {
    interpolateNormal(set, hit, ray, normal);
    return 1;
  }
  return 0;
}

/**
 * Adds the radiance that arrives at the origin of `start` from its direction to `out`. Path tracing (Kajiya 1986) with
 * next-event estimation of the key light at each surface; materials have their mean color, and the sky's
 * ambient light is added at the end of the path.
 */
export function traceArriving(
  built: BuiltSet,
  start: Ray,
  bounces: number,
  seed: number,
  out: Float64Array,
): void {
  const { key } = built;
  let { x, y, z, dx, dy, dz } = start;
  throughput.fill(1);
  for (let bounce = 0; ; bounce++) {
    const surface = findSurface(built, aimRay(path, x, y, z, dx, dy, dz));
    if (surface === 0) {
      // A place's direct light is sampled separately (see `measureDiffuse`).
      if (built.environment === undefined || bounce > 0) built.sky.addBroad(dx, dy, dz, throughput, out);
      return;
    }
    const color =
      surface === 2
        ? built.proxy!.bounceAlbedo
        : built.materials[built.set.materials[hit.triangle]!]!.meanAlbedo;
    const nx = normal[0]!;
    const ny = normal[1]!;
    const nz = normal[2]!;
    x += dx * hit.t + nx * RAY_OFFSET;
    y += dy * hit.t + ny * RAY_OFFSET;
    z += dz * hit.t + nz * RAY_OFFSET;
    const r1 = hashUnit(seed + bounce * 3);
    const r2 = hashUnit(seed + bounce * 3 + 1);
    const facing = nx * key.direction[0] + ny * key.direction[1] + nz * key.direction[2];
    const lit = facing > 0 ? facing * key.fading(x, y, z) * sampleKey(built, x, y, z, r1, r2) : 0;
    const last = bounce >= bounces - 1;
    for (let c = 0; c < 3; c++) {
      throughput[c] = throughput[c]! * color[c]!;
      const ambient = last ? built.sky.ambient[c]! : 0;
      out[c] = out[c]! + throughput[c]! * (key.radiance[c]! * lit + ambient);
    }
    if (last) {
      return;
    }
    scatter(nx, ny, nz, r2, hashUnit(seed + bounce * 3 + 2));
    dx = direction[0]!;
    dy = direction[1]!;
    dz = direction[2]!;
  }
}

/** Sets `direction` to a cosine-distributed sample around the normal; basis of Duff et al. 2017. */
export function scatter(nx: number, ny: number, nz: number, r1: number, r2: number): void {
  const radius = Math.sqrt(r1);
  const phi = 2 * Math.PI * r2;
  orient(nx, ny, nz, radius * Math.cos(phi), radius * Math.sin(phi), Math.sqrt(Math.max(0, 1 - r1)));
}

/**
 * Sets `direction` to a*t + b*s + c*n, where t and s are arbitrary unit vectors perpendicular to n and to
 * each other.
 */
export function orient(nx: number, ny: number, nz: number, a: number, b: number, c: number): void {
  const sign = nz >= 0 ? 1 : -1;
  const p = -1 / (sign + nz);
  const q = nx * ny * p;
  direction[0] = a * (1 + sign * nx * nx * p) + b * q + c * nx;
  direction[1] = a * sign * q + b * (sign + ny * ny * p) + c * ny;
  direction[2] = -a * sign * nx - b * ny + c * nz;
}

/**
 * Adds the radiance that arrives along a mirror ray to `out`. Reflected surfaces show their texture, and the product
 * its photo's colors.
 */
export function traceReflected(built: BuiltSet, ray: Ray, r1: number, r2: number, out: Float64Array): void {
  const surface = findSurface(built, ray);
  const { dx, dy, dz } = ray;
  if (surface === 0) {
    throughput.fill(1);
    built.sky.add(dx, dy, dz, throughput, out);
    return;
  }
  const nx = normal[0]!;
  const ny = normal[1]!;
  const nz = normal[2]!;
  const px = ray.x + dx * hit.t;
  const py = ray.y + dy * hit.t;
  const pz = ray.z + dz * hit.t;
  if (surface === 2) {
    // The photo already contains the light on the product.
    built.proxy!.colorAt(px, py, pz, albedo);
    const lit = litShare(built, px, py, pz, ray);
    for (let c = 0; c < 3; c++) {
      out[c] = out[c]! + lit * albedo[c]!;
    }
    return;
  }
  built.materials[built.set.materials[hit.triangle]!]!.paint(px, py, pz, 0.01, albedo);
  const { key } = built;
  const facing = nx * key.direction[0] + ny * key.direction[1] + nz * key.direction[2];
  const lit =
    facing > 0
      ? facing *
        key.fading(px, py, pz) *
        sampleKey(built, px + nx * RAY_OFFSET, py + ny * RAY_OFFSET, pz + nz * RAY_OFFSET, r1, r2)
      : 0;
  throughput.fill(0);
  for (let c = 0; c < 3; c++) {
    throughput[c] = REFLECTED_AMBIENT * albedo[c]!;
    out[c] = out[c]! + albedo[c]! * key.radiance[c]! * lit;
  }
  built.sky.addBroad(nx, ny, nz, throughput, out);
}

/** Light on the underside of a product, relative to the light on its front in the photo. */
const UNDERSIDE_LIGHT = 0.12;

/**
 * Light at the point where the ray has hit the product, as a fraction of the light in the photo: 1, except on the
 * underside, which the photo does not show and which is in shade. Computed from the flat triangle's normal, because
 * interpolated normals lean toward the front even well inside the underside.
 */
function litShare({ camera, proxy }: BuiltSet, x: number, y: number, z: number, { dx, dy, dz }: Ray): number {
  const { faces } = proxy!.bvh;
  const at = hit.triangle * 3;
  const [fx, fy, fz] = [faces[at]!, faces[at + 1]!, faces[at + 2]!];
  // The normal must point to the side that the ray has hit.
  const toward = fx * dx + fy * dy + fz * dz > 0 ? -1 : 1;
  const length = toward * (Math.sqrt(fx * fx + fy * fy + fz * fz) || 1);
  const down = -fy / length;
  if (down <= 0) return 1;
  const [ex, ey, ez] = [-x, camera.eyeY - y, camera.distance - z];
  const facing = (ex * fx + ey * fy + ez * fz) / (length * Math.sqrt(ex * ex + ey * ey + ez * ez));
  return 1 - (1 - UNDERSIDE_LIGHT) * down * smoothstep(0.1, -0.1, facing);
}
