/** Light at one pixel: taken from the texels of the coarse light grids on the same surface, or traced for this pixel. */
import type { BuiltSet } from './built-set.ts';
import type { Guide, Sight, Spot } from './geometry-buffer.ts';
import {
  type IndirectLight,
  type IndirectSamples,
  measureDiffuse,
  measureGlossy,
  showsDiffuse,
  showsGloss,
} from './indirect-light.ts';
import { measureKey, offsetAlong } from './key-light.ts';
import { makePicks, pickTexels } from './light-lookup.ts';
import type { Material } from './materials/material.ts';

/** The results of all light passes. */
export interface Lighting {
  readonly keyGuide: Guide;
  readonly keyCells: Uint8Array;
  readonly visibility: Float32Array;
  readonly indirectGuide: Guide;
  readonly indirectCells: Uint8Array;
  readonly indirect: Omit<IndirectLight, 'kept'>;
}

/** Rays for the few pixels (0 to 0.2 %) for which no light texel is on the same surface. */
const OWN_RAYS: IndirectSamples = { diffuse: 8, glossy: 8, bounces: 2 };
/**
 * All these pixels use the same random numbers. With different numbers, their noise would show as specks, which no pass
 * smooths, for example along the upper edge of a baseboard.
 */
const OWN_OFFSET = 0.5;
/**
 * Reflection rays for such pixels on metal, which shows only reflections. With 8 rays, rims would show dots where
 * single rays hit a light.
 */
const OWN_METAL_RAYS = 32;
const picks = makePicks();
export const diffuse = new Float64Array(3);
export const glossy = new Float64Array(3);

/** Fraction of the key light that reaches the point. */
export function lookUpKey(
  built: BuiltSet,
  { keyGuide, keyCells, visibility }: Lighting,
  sight: Sight,
  material: Material,
): number {
  const { direction } = built.key;
  const facing = sight.nx * direction[0] + sight.ny * direction[1] + sight.nz * direction[2];
  if (facing <= 0 && material.translucency === 0) {
    return 0;
  }
  if (pickTexels(keyGuide, keyCells, sight, picks)) {
    let sum = 0;
    for (let i = 0; i < picks.count; i++) {
      sum += picks.weights[i]! * visibility[picks.texels[i]!]!;
    }
    return sum;
  }
  return measureKey(built, lift(sight, facing), OWN_RAYS.diffuse, OWN_OFFSET, OWN_OFFSET);
}

/** Writes the indirect light at the point to `diffuse`, and the light that it mirrors to `glossy`. */
export function lookUpIndirect(
  built: BuiltSet,
  { indirectGuide, indirectCells, indirect }: Lighting,
  sight: Sight,
  material: Material,
): void {
  diffuse.fill(0);
  glossy.fill(0);
  const hasDiffuse = showsDiffuse(material);
  const hasGloss = showsGloss(material);
  const isPicked = pickTexels(indirectGuide, indirectCells, sight, picks);
  // `known`: the fraction of the point's light to take from texels. On metal, only texels with a similar normal count,
  // because the rim of a metal object reflects different surroundings than its face.
  const known = isPicked ? (material.kind === 'metal' ? keepAgreeing(indirectGuide, sight) : 1) : 0;
  if (known < 1) measureOwn(built, sight, material);
  if (known === 0) return;
  for (let c = 0; c < 3; c++) {
    diffuse[c] = diffuse[c]! * (1 - known);
    glossy[c] = glossy[c]! * (1 - known);
  }
  for (let i = 0; i < picks.count; i++) {
    const at = picks.texels[i]! * 3;
    const weight = known * picks.weights[i]!;
    for (let c = 0; c < 3; c++) {
      if (hasDiffuse) {
        diffuse[c] = diffuse[c]! + weight * indirect.diffuse[at + c]!;
      }
      if (hasGloss) {
        glossy[c] = glossy[c]! + weight * indirect.glossy[at + c]!;
      }
    }
  }
}

/**
 * Cosines of the angle between the normals of a texel and of the point: within 4 degrees, both reflect the same
 * surroundings; beyond 11 degrees, different ones.
 */
const SAME_FACE = 0.9976;
const OTHER_FACE = 0.982;
/** Minimum total weight of matching texels; below it, the point also traces its own rays. */
const ENOUGH = 0.25;

/**
 * Keeps the texels whose normals match the point's, and normalizes their weights. Returns the fraction, 0 to 1, of the
 * point's light to take from them. This fraction changes smoothly, because a jump would show as a row of steps on
 * polished metal.
 */
function keepAgreeing({ normal }: Guide, { nx, ny, nz }: Sight): number {
  let total = 0;
  for (let i = 0; i < picks.count; i++) {
    const at = picks.texels[i]! * 3;
    const agree = nx * normal[at]! + ny * normal[at + 1]! + nz * normal[at + 2]!;
    const t = Math.min(1, Math.max(0, (agree - OTHER_FACE) / (SAME_FACE - OTHER_FACE)));
    picks.weights[i] = picks.weights[i]! * t;
    total += picks.weights[i]!;
  }
  if (total < 1e-4) return 0;
  for (let i = 0; i < picks.count; i++) picks.weights[i] = picks.weights[i]! / total;
  return Math.min(1, total / ENOUGH);
}

/** Measures indirect light and reflections with rays that start at this point. */
function measureOwn(built: BuiltSet, sight: Sight, material: Material): void {
  const { dx, dy, dz, nx, ny, nz } = sight;
  const facing = nx * dx + ny * dy + nz * dz;
  const start = lift(sight, -facing);
  if (showsDiffuse(material)) measureDiffuse(built, start, OWN_RAYS, OWN_OFFSET, 0, diffuse);
  if (showsGloss(material)) {
    const twice = 2 * facing;
    const rays = material.kind === 'metal' ? OWN_METAL_RAYS : OWN_RAYS.glossy;
    const mirror = [dx - twice * nx, dy - twice * ny, dz - twice * nz] as const;
    measureGlossy(built, start, mirror, material.roughness, rays, OWN_OFFSET, 0, glossy);
  }
}

/** The point where rays from a surface start, for the cosine of an angle as in `offsetAlong`. */
function lift({ x, y, z, nx, ny, nz }: Sight, facing: number): Spot {
  const off = offsetAlong(facing);
  return { x: x + nx * off, y: y + ny * off, z: z + nz * off, nx, ny, nz };
}
