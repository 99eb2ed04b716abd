/**
 * Shading of glass objects: one ray that is refracted into the glass and out again, and one that is reflected by the
 * front.
 */

import type { BuiltSet } from './built-set.ts';
import { interpolateNormal, type Sight } from './geometry-buffer.ts';
import { RAY_OFFSET } from './key-light.ts';
import { traceReflected } from './trace-path.ts';
import { findClosest, type Hit } from './trace-ray.ts';

/** Refractive index of crown glass. */
const INDEX = 1.5;
/** Length of the path through glass, in world units, after which light has the glass's full color. */
const TINT_DEPTH = 0.5;

const hit: Hit = { t: 0, triangle: -1, u: 0, v: 0 };
const exitNormal = new Float64Array(3);
const bent = new Float64Array(3);
const seen = new Float64Array(3);
const mirrored = new Float64Array(3);

/**
 * Refracts a direction by Snell's law and writes it to `bent`; returns false on total internal reflection. `ratio` is
 * the refractive index of the medium that the ray leaves, divided by that of the medium it enters.
 */
function refract(
  dx: number,
  dy: number,
  dz: number,
  nx: number,
  ny: number,
  nz: number,
  ratio: number,
): boolean {
  const cos = -(dx * nx + dy * ny + dz * nz);
  const rest = 1 - ratio * ratio * (1 - cos * cos);
  if (rest < 0) {
    return false;
  }
  const along = ratio * cos - Math.sqrt(rest);
  bent[0] = ratio * dx + along * nx;
  bent[1] = ratio * dy + along * ny;
  bent[2] = ratio * dz + along * nz;
  return true;
}

/** Adds to `out` the radiance that a point on a glass object sends toward the eye. */
export function shadeGlass(built: BuiltSet, sight: Sight, tint: Float64Array, out: Float64Array): void {
  const { x, y, z, nx, ny, nz, dx, dy, dz } = sight;
  const facing = dx * nx + dy * ny + dz * nz;
  const fresnel = 0.04 + 0.96 * (1 + facing) ** 5;
  mirrored.fill(0);
  const [ux, uy, uz] = [x + nx * RAY_OFFSET, y + ny * RAY_OFFSET, z + nz * RAY_OFFSET];
  traceReflected(
    built,
    ux,
    uy,
    uz,
    dx - 2 * facing * nx,
    dy - 2 * facing * ny,
    dz - 2 * facing * nz,
    0.5,
    0,
    mirrored,
  );
  refract(dx, dy, dz, nx, ny, nz, 1 / INDEX);
  let [bx, by, bz] = [bent[0]!, bent[1]!, bent[2]!];
  let [px, py, pz] = [x - nx * RAY_OFFSET, y - ny * RAY_OFFSET, z - nz * RAY_OFFSET];
  hit.t = Number.POSITIVE_INFINITY;
  let depth = TINT_DEPTH;
  if (findClosest(built.set, px, py, pz, bx, by, bz, hit)) {
    depth = hit.t;
    interpolateNormal(built.set, hit, bx, by, bz, exitNormal);
    [px, py, pz] = [px + bx * hit.t, py + by * hit.t, pz + bz * hit.t];
    if (refract(bx, by, bz, exitNormal[0]!, exitNormal[1]!, exitNormal[2]!, INDEX)) {
      [bx, by, bz] = [bent[0]!, bent[1]!, bent[2]!];
    }
    // Continue just behind the back surface, even after total internal reflection.
    px -= exitNormal[0]! * RAY_OFFSET;
    py -= exitNormal[1]! * RAY_OFFSET;
    pz -= exitNormal[2]! * RAY_OFFSET;
  }
  seen.fill(0);
  traceReflected(built, px, py, pz, bx, by, bz, 0.5, 0, seen);
  for (let c = 0; c < 3; c++) {
    const passed = tint[c]! ** Math.min(2, depth / TINT_DEPTH);
    out[c] = out[c]! + (1 - fresnel) * passed * seen[c]! + fresnel * mirrored[c]!;
  }
}
