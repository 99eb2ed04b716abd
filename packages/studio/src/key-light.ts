/** Pass: measures how much of the key light reaches each texel past the set, the product and the gobo. */

import type { BuiltSet } from './built-set.ts';
import { type Guide, NOTHING, type Spot, spotOf } from './geometry-buffer.ts';
import { hashUnit } from './noise.ts';
import { firstOf, fourthOf, gradientOffset, secondOf, thirdOf } from './random-sequence.ts';
import { aimRay, isBlocked, makeRay } from './trace-ray.ts';

/**
 * Distance from the surface at which rays start, in world units (the product is 1 high), so that they do not hit the
 * surface itself.
 */
export const RAY_OFFSET = 6e-4;
/**
 * Extra ray offset near the terminator: there the interpolated normal faces the light, but the flat triangle does not.
 * Rays would hit neighboring triangles, which would cause dark dots. The offset lifts rays to about the smooth surface
 * (Hanika 2021, "Hacking the shadow terminator"); its maximum is the distance of the coarsest meshes from their smooth
 * surfaces.
 */
const GRAZING_OFFSET = 4e-3;
const GRAZING_BELOW = 0.35;

/**
 * Signed distance along the normal at which a ray starts. `facing` is the cosine between the normal and the direction
 * to the key light, or to the eye for rays of indirect light. The result is negative if `facing` is, so that the
 * ray starts on that side of the surface.
 */
export function offsetAlong(facing: number): number {
  const off = RAY_OFFSET + GRAZING_OFFSET * Math.max(0, 1 - Math.abs(facing) / GRAZING_BELOW);
  return facing > 0 ? off : -off;
}

/** If this many first samples are all lit or all dark, the rest are skipped. */
const EARLY_SAMPLES = 4;
/** Smallest sum of the first samples that counts as all lit. */
const EARLY_LIT = EARLY_SAMPLES - 0.01;

/** Whether samples may have been skipped for a texel with this visibility. */
export function mayBeEarly(visibility: number): boolean {
  return visibility === 0 || visibility > EARLY_LIT / EARLY_SAMPLES;
}

const toLight = makeRay();

/**
 * Samples one point of the light's disc, chosen by `r1` and `r2` (0 to 1). Returns the gobo's transmission if that
 * point is visible, otherwise 0.
 */
export function sampleKey(
  { key, set, proxy, transmission }: BuiltSet,
  x: number,
  y: number,
  z: number,
  r1: number,
  r2: number,
): number {
  // Uniform over the disc: cos t = 1 - r1 (1 - cos a), phi = 2 pi r2.
  const cos = 1 - r1 * key.spread;
  const sin = Math.sqrt(Math.max(0, 1 - cos * cos));
  const a = sin * Math.cos(2 * Math.PI * r2);
  const b = sin * Math.sin(2 * Math.PI * r2);
  const wx = key.direction[0] * cos + key.across[0] * a + key.upward[0] * b;
  const wy = key.direction[1] * cos + key.across[1] * a + key.upward[1] * b;
  const wz = key.direction[2] * cos + key.across[2] * a + key.upward[2] * b;
  const passed = transmission(x, y, z, wx, wy, wz);
  aimRay(toLight, x, y, z, wx, wy, wz);
  if (passed < 0.002 || isBlocked(set, toLight)) return 0;
  if (proxy !== undefined && isBlocked(proxy.bvh, toLight)) return 0;
  return passed;
}

/** Mean visibility over the light's disc, 0 to 1. The point must already be offset from its surface. */
export function measureKey(
  built: BuiltSet,
  { x, y, z }: Pick<Spot, 'x' | 'y' | 'z'>,
  samples: number,
  offset1: number,
  offset2: number,
): number {
  let sum = 0;
  for (let sample = 0; sample < samples; sample++) {
    sum += sampleKey(built, x, y, z, firstOf(sample, offset1), secondOf(sample, offset2));
    if (sample === EARLY_SAMPLES - 1 && (sum === 0 || sum > EARLY_LIT)) {
      return sum / EARLY_SAMPLES;
    }
  }
  return sum / samples;
}

/**
 * Traces rows of `visibility` (one number per texel) with `samples` rays each, jittered over the texel for
 * anti-aliasing.
 */
export function traceKey(
  built: BuiltSet,
  guide: Guide,
  samples: number,
  visibility: Float32Array,
  fromRow: number,
  toRow: number,
): void {
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < guide.width; column++) {
      visibility[row * guide.width + column] = traceTexel(built, guide, column, row, samples, EARLY_SAMPLES);
    }
  }
}

/** Visibility at one texel. If the first `early` samples agree, the others are skipped. */
export function traceTexel(
  built: BuiltSet,
  guide: Guide,
  column: number,
  row: number,
  samples: number,
  early: number,
): number {
  const { direction } = built.key;
  const texel = row * guide.width + column;
  const material = guide.material[texel]!;
  const facing =
    guide.normal[texel * 3]! * direction[0] +
    guide.normal[texel * 3 + 1]! * direction[1] +
    guide.normal[texel * 3 + 2]! * direction[2];
  const lit = material !== NOTHING && (facing > 0 || built.materials[material]!.translucency > 0);
  return lit ? measureTexel(built, guide, column, row, facing, samples, early) : 0;
}

/**
 * Maximum depth difference between a jittered point and its texel, as a fraction of the depth. Beyond it, the point
 * might not be on the surface, so the texel's own point is used.
 */
const MAX_SPREAD = 0.04;
/**
 * Jittered points are lifted off the tangent plane by this fraction of the difference between their depth and the
 * texel's; at folds, they would otherwise be inside the surface.
 */
const CURVED_LIFT = 0.06;
/** Width of the jitter, in texels. With 1, shadow edges show the grid as steps. */
const SPREAD = 1.7;

const spot: Spot = { x: 0, y: 0, z: 0, nx: 0, ny: 0, nz: 1 };

function measureTexel(
  built: BuiltSet,
  guide: Guide,
  column: number,
  row: number,
  facing: number,
  samples: number,
  early: number,
): number {
  const { camera } = built;
  const texel = row * guide.width + column;
  spotOf(guide, texel, spot);
  const { x: px, y: py, z: pz, nx, ny, nz } = spot;
  const depth = guide.depth[texel]!;
  const dx = px / depth;
  const dy = (py - camera.eyeY) / depth;
  const acrossX = (2 * camera.tanX * guide.step * SPREAD) / camera.width;
  const acrossY = (2 * camera.tanY * guide.step * SPREAD) / camera.height;
  const off = offsetAlong(facing);
  const offset1 = gradientOffset(column, row);
  const offset2 = hashUnit(texel * 2 + 1 + built.seed * 7919);
  const plane = nx * dx + ny * dy - nz;
  let sum = 0;
  for (let sample = 0; sample < samples; sample++) {
    const jx = (thirdOf(sample, offset2) - 0.5) * acrossX;
    const jy = (fourthOf(sample, offset1) - 0.5) * acrossY;
    // Intersection of the jittered view ray with the texel's tangent plane.
    let t = (depth * plane) / (plane + nx * jx + ny * jy);
    const near = t > depth * (1 - MAX_SPREAD) && t < depth * (1 + MAX_SPREAD);
    t = near ? t : depth;
    const x = near ? (dx + jx) * t : px;
    const y = near ? camera.eyeY + (dy + jy) * t : py;
    const z = near ? camera.distance - t : pz;
    const high = off + Math.sign(off) * CURVED_LIFT * (near ? Math.abs(t - depth) : 0);
    const [r1, r2] = [firstOf(sample, offset1), secondOf(sample, offset2)];
    sum += sampleKey(built, x + nx * high, y + ny * high, z + nz * high, r1, r2);
    if (sample === early - 1 && (sum === 0 || sum > EARLY_LIT)) {
      return sum / early;
    }
  }
  return sum / samples;
}
