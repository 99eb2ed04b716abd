/**
 * Pass: shades the full picture in linear light, from the geometry buffer, the coarse light grids, and materials at
 * full resolution.
 */
import type { BuiltSet } from './built-set.ts';
import { type GeometryBuffer, makeSight, NOTHING, recall, type Sight } from './geometry-buffer.ts';
import { GLOSSY_LIMIT } from './indirect-light.ts';
import { RAY_OFFSET } from './key-light.ts';
import { diffuse, glossy, type Lighting, lookUpIndirect, lookUpKey } from './look-up-light.ts';
import type { Material } from './materials/material.ts';
import { traceReflected } from './trace-path.ts';
import { aimRay, makeRay } from './trace-ray.ts';

/**
 * Step of the finite difference that measures the relief's slope, in pixels, and the maximum slope. With steeper
 * slopes, normals would face away from the eye.
 */
const RELIEF_STEP = 1.6;
const MAX_SLOPE = 0.9;
/** Increase of roughness per degree of the light's angular radius: a larger light makes wider highlights. */
const RADIUS_TO_ROUGHNESS = 0.0087;
const MAX_HIGHLIGHT = 2.5;
/**
 * Multiplied by the roughness, this is the minimum cosine between a surface's normal and the view direction in the
 * reflection term. Without it, folds of cloth have bright lines along their edges, one pixel wide.
 */
const RIM_FACING = 0.5;

/**
 * Tint of light that has passed through a leaf or petal, relative to reflected light: yellower and brighter.
 */
const TRANSMITTED = [1.35, 1.45, 0.6] as const;

const albedo = new Float64Array(3);
const normal = new Float64Array(3);
const ray = makeRay();

/** Writes the radiance of the visible point toward the eye to `out` (three numbers). */
export function shadeSight(built: BuiltSet, lighting: Lighting, sight: Sight, out: Float64Array): void {
  out.fill(0);
  if (sight.material === NOTHING) {
    // In a place, the blurred backdrop is added later (see `place-focus`).
    if (built.environment !== undefined) return;
    albedo.fill(1);
    built.sky.add(sight.dx, sight.dy, sight.dz, albedo, out);
    return;
  }
  const material = built.materials[sight.material]!;
  const footprint = (2 * built.camera.tanY * sight.depth) / built.camera.height;
  const slant = Math.max(0.12, -(sight.nx * sight.dx + sight.ny * sight.dy + sight.nz * sight.dz));
  const finest = measureFinest(material, sight, footprint, slant);
  if (material.kind === 'water') {
    paintBed(material, sight, finest);
  } else {
    material.paint(sight.x, sight.y, sight.z, finest, albedo);
  }
  bendNormal(material, sight, finest);
  const visibility =
    built.key.fading(sight.x, sight.y, sight.z) * lookUpKey(built, lighting, sight, material);
  lookUpIndirect(built, lighting, sight, material);
  if (material.kind === 'water') {
    reflectWater(built, sight);
  }
  combine(
    built,
    material,
    sight,
    { visibility, shine: material.gloss?.(sight.x, sight.y, sight.z, finest) ?? 1 },
    out,
  );
  const kept = material.kind === 'water' ? 1 : built.contact(sight.x, sight.y, sight.z, sight.ny);
  if (kept < 1) for (let c = 0; c < 3; c++) out[c] = out[c]! * kept;
}

/**
 * Size of the pixel on the surface, in the direction in which the texture is finest. On a slanted surface, a pixel
 * covers more along the view direction. For a texture without grain, and on a surface that is not level, the result is
 * a weighted mean of both directions, mostly of the longer one.
 */
function measureFinest({ across }: Material, sight: Sight, footprint: number, slant: number): number {
  const flat = sight.dx * sight.dx + sight.dz * sight.dz;
  if (across === undefined || sight.ny < LEVEL || flat === 0) {
    return footprint / slant ** 0.7;
  }
  const along = (across[0] * sight.dx + across[1] * sight.dz) ** 2 / flat;
  return footprint * Math.sqrt(1 - along + along / (slant * slant));
}
/** A surface counts as level if the vertical component of its normal is at least this. */
const LEVEL = 0.8;

/** Depth of the water, in world units, and the ratio of the refractive indices of air and water. */
const WATER_DEPTH = 0.3;
const AIR_TO_WATER = 1 / 1.33;

/** Computes the color of the water's bed where the view ray, refracted by the waves (Snell's law), meets it. */
function paintBed(material: Material, sight: Sight, finest: number): void {
  bendNormal(material, sight, finest);
  const { dx, dy, dz } = sight;
  const cos = Math.max(0.02, -(dx * normal[0]! + dy * normal[1]! + dz * normal[2]!));
  const along = AIR_TO_WATER * cos - Math.sqrt(1 - AIR_TO_WATER ** 2 * (1 - cos * cos));
  const down = Math.max(0.4, -(AIR_TO_WATER * dy + along * normal[1]!));
  const path = WATER_DEPTH / down;
  material.paint(
    sight.x + path * (AIR_TO_WATER * dx + along * normal[0]!),
    -path,
    sight.z + path * (AIR_TO_WATER * dz + along * normal[2]!),
    finest,
    albedo,
  );
}

/** Writes the shading normal to `normal`. */
function bendNormal({ relief, bump }: Material, sight: Sight, finest: number): void {
  normal[0] = sight.nx;
  normal[1] = sight.ny;
  normal[2] = sight.nz;
  if (relief === undefined || bump === 0) {
    return;
  }
  const { x, y, z, nx, ny, nz } = sight;
  const step = RELIEF_STEP * finest;
  // Any two unit vectors perpendicular to the normal and to each other (Duff et al. 2017).
  const sign = nz >= 0 ? 1 : -1;
  const p = -1 / (sign + nz);
  const q = nx * ny * p;
  const [tx, ty, tz] = [1 + sign * nx * nx * p, sign * q, -sign * nx];
  const [bx, by, bz] = [q, sign + ny * ny * p, -ny];
  const here = relief(x, y, z, finest);
  const factor = bump / step;
  let du = (relief(x + tx * step, y + ty * step, z + tz * step, finest) - here) * factor;
  let dv = (relief(x + bx * step, y + by * step, z + bz * step, finest) - here) * factor;
  const slope = Math.sqrt(du * du + dv * dv);
  if (slope > MAX_SLOPE) {
    du *= MAX_SLOPE / slope;
    dv *= MAX_SLOPE / slope;
  }
  const [mx, my, mz] = [nx - tx * du - bx * dv, ny - ty * du - by * dv, nz - tz * du - bz * dv];
  const scale = 1 / Math.sqrt(mx * mx + my * my + mz * mz);
  normal[0] = mx * scale;
  normal[1] = my * scale;
  normal[2] = mz * scale;
}

/** Traces one reflected ray per pixel with the shading normal, because ripples are too fine for the coarse grid. */
function reflectWater(built: BuiltSet, sight: Sight): void {
  const twice = 2 * (normal[0]! * sight.dx + normal[1]! * sight.dy + normal[2]! * sight.dz);
  glossy.fill(0);
  aimRay(
    ray,
    sight.x,
    sight.y + RAY_OFFSET,
    sight.z,
    sight.dx - twice * normal[0]!,
    Math.abs(sight.dy - twice * normal[1]!) + 1e-3,
    sight.dz - twice * normal[2]!,
  );
  traceReflected(built, ray, 0.5, 0, glossy);
}

/**
 * Combines diffuse and translucent key light, indirect light, reflections with Schlick's Fresnel
 * approximation, and a GGX highlight of the key light.
 */
function combine(
  built: BuiltSet,
  material: Material,
  sight: Sight,
  { visibility, shine }: { readonly visibility: number; readonly shine: number },
  out: Float64Array,
): void {
  const { direction, radiance, radiusDeg } = built.key;
  const [nx, ny, nz] = [normal[0]!, normal[1]!, normal[2]!];
  const nol = nx * direction[0] + ny * direction[1] + nz * direction[2];
  const nov = Math.max(0.02, -(nx * sight.dx + ny * sight.dy + nz * sight.dz));
  const rough = material.roughness;
  const rise = (1 - Math.max(nov, RIM_FACING * rough)) ** 5 * (1 - 0.9 * rough);
  const metal = material.kind === 'metal';
  const direct = visibility * Math.max(0, nol);
  const through = visibility * material.translucency * Math.max(0, -nol);
  const highlight =
    nol > 0 && visibility > 0 && (metal || rough < 0.75)
      ? visibility *
        highlightOf(built, sight, nol, nov, Math.min(1, rough * rough + RADIUS_TO_ROUGHNESS * radiusDeg))
      : 0;
  for (let c = 0; c < 3; c++) {
    const color = albedo[c]!;
    const f0 = metal ? color : material.f0;
    const fresnel = shine * (f0 + (1 - f0) * rise);
    const body = metal
      ? 0
      : color * (radiance[c]! * (direct + TRANSMITTED[c]! * through) + diffuse[c]!) * (1 - fresnel);
    const mirrored = rough < GLOSSY_LIMIT ? fresnel * glossy[c]! : fresnel * diffuse[c]!;
    out[c] = body + mirrored + radiance[c]! * Math.min(MAX_HIGHLIGHT, highlight * fresnel);
  }
}

/**
 * Specular highlight by GGX with the height-correlated masking term (Walter et al. 2007), without the Fresnel factor,
 * and multiplied by pi, because the light is given as radiance of a white surface.
 */
function highlightOf({ key }: BuiltSet, sight: Sight, nol: number, nov: number, alpha: number): number {
  const [hx, hy, hz] = [
    key.direction[0] - sight.dx,
    key.direction[1] - sight.dy,
    key.direction[2] - sight.dz,
  ];
  const scale = 1 / Math.sqrt(hx * hx + hy * hy + hz * hz);
  const noh = (normal[0]! * hx + normal[1]! * hy + normal[2]! * hz) * scale;
  const a2 = alpha * alpha;
  const d = noh * noh * (a2 - 1) + 1;
  const masking = nol * Math.sqrt(nov * nov * (1 - a2) + a2) + nov * Math.sqrt(nol * nol * (1 - a2) + a2);
  return ((a2 / (d * d)) * nol) / (2 * masking);
}

/**
 * Shades rows of the linear picture, three numbers per pixel. In rows for which `isSoft` is true, the pixels of a block
 * of two by two that show the same material as its first pixel have that pixel's color; a later blur hides the blocks.
 */
export function shadeRows(
  built: BuiltSet,
  buffer: GeometryBuffer,
  lighting: Lighting,
  picture: Float32Array,
  fromRow: number,
  toRow: number,
  isSoft: (row: number) => boolean = () => false,
): void {
  const { width, material } = buffer;
  const sight = makeSight();
  const out = new Float64Array(3);
  for (let row = fromRow; row < toRow; row++) {
    const step = isSoft(row) && isSoft(row & ~1) ? 2 : 1;
    // An odd row's colors come from the row above, which another thread may draw.
    const source = step === 2 ? row & ~1 : row;
    for (let column = 0; column < width; column++) {
      const at = (row * width + column) * 3;
      const first = source * width + (column & ~(step - 1));
      const isShared = step === 2 && material[first] === material[row * width + column];
      if (isShared && source >= fromRow && first !== row * width + column) {
        picture.copyWithin(at, first * 3, first * 3 + 3);
        continue;
      }
      recall(built, buffer, isShared ? column & ~1 : column, isShared ? source : row, sight);
      shadeSight(built, lighting, sight, out);
      picture[at] = out[0]!;
      picture[at + 1] = out[1]!;
      picture[at + 2] = out[2]!;
    }
  }
}
