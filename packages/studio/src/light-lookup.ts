/**
 * Upsamples the coarse light grids to points of the full picture without mixing light across edges (Kopf et al. 2007,
 * "Joint bilateral upsampling").
 */
import { fallOff } from './denoise.ts';
import { type Guide, NOTHING, type Sight } from './geometry-buffer.ts';

/** The texels whose light is averaged for a point, with weights that sum to 1. */
export interface Picks {
  count: number;
  readonly texels: Int32Array;
  readonly weights: Float64Array;
}

export function makePicks(): Picks {
  return { count: 0, texels: new Int32Array(16), weights: new Float64Array(16) };
}

const EVEN_NORMAL = 0.985;
const EVEN_DEPTH = 0.08;
/**
 * Minimum total weight of a point's texels; below it, `pickTexels` returns false. Otherwise, barely matching texels
 * would cause visible steps on curved rims.
 */
const MIN_WEIGHT = 0.06;
/** Same as `PLANE_SHARE` in the denoiser. */
const PLANE_SHARE = 0.02;

/**
 * Marks smooth cells in rows `fromRow` to `toRow`; the whole guide must be filled. Writes 1 + material number if a
 * texel and its right, lower and lower right neighbors are on one smooth surface, otherwise 0.
 */
export function markEvenRows(guide: Guide, cells: Uint8Array, fromRow: number, toRow: number): void {
  const { width, height, material } = guide;
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < width; column++) {
      const a = row * width + column;
      const even =
        row < height - 1 &&
        column < width - 1 &&
        material[a] !== NOTHING &&
        isLevel(guide, a, a + 1) &&
        isLevel(guide, a, a + width) &&
        isLevel(guide, a, a + width + 1);
      cells[a] = even ? material[a]! + 1 : 0;
    }
  }
}

function isLevel({ normal, depth, material }: Guide, a: number, b: number): boolean {
  const agree =
    normal[a * 3]! * normal[b * 3]! +
    normal[a * 3 + 1]! * normal[b * 3 + 1]! +
    normal[a * 3 + 2]! * normal[b * 3 + 2]!;
  return (
    material[b] === material[a] &&
    agree > EVEN_NORMAL &&
    Math.abs(depth[b]! - depth[a]!) < EVEN_DEPTH * depth[a]!
  );
}

/**
 * Finds the texels that light a point. Returns false if no nearby texel is on the point's surface; rays must then be
 * traced for the point itself.
 */
export function pickTexels(guide: Guide, cells: Uint8Array, sight: Sight, picks: Picks): boolean {
  const { width, height, step } = guide;
  const x = (sight.column - 0.5) / step;
  const y = (sight.row - 0.5) / step;
  const column = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const row = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const first = row * width + column;
  if (cells[first] === sight.material + 1) {
    const fx = Math.min(1, Math.max(0, x - column));
    const fy = Math.min(1, Math.max(0, y - row));
    picks.count = 4;
    picks.texels[0] = first;
    picks.texels[1] = first + 1;
    picks.texels[2] = first + width;
    picks.texels[3] = first + width + 1;
    picks.weights[0] = (1 - fx) * (1 - fy);
    picks.weights[1] = fx * (1 - fy);
    picks.weights[2] = (1 - fx) * fy;
    picks.weights[3] = fx * fy;
    return true;
  }
  return pickAcrossEdges(guide, sight, picks, column, row, x, y);
}

function pickAcrossEdges(
  { width, height, position, normal, material }: Guide,
  sight: Sight,
  picks: Picks,
  column: number,
  row: number,
  x: number,
  y: number,
): boolean {
  const inversePlane = 1 / (PLANE_SHARE * sight.depth) ** 2;
  let total = 0;
  picks.count = 0;
  for (let ty = Math.max(0, row - 1); ty <= Math.min(height - 1, row + 2); ty++) {
    for (let tx = Math.max(0, column - 1); tx <= Math.min(width - 1, column + 2); tx++) {
      const texel = ty * width + tx;
      if (material[texel] !== sight.material) {
        continue;
      }
      const o = texel * 3;
      let agree = sight.nx * normal[o]! + sight.ny * normal[o + 1]! + sight.nz * normal[o + 2]!;
      if (agree <= 0.3) {
        continue;
      }
      agree *= agree;
      agree *= agree;
      agree *= agree;
      const off =
        sight.nx * (position[o]! - sight.x) +
        sight.ny * (position[o + 1]! - sight.y) +
        sight.nz * (position[o + 2]! - sight.z);
      const dx = tx - x;
      const dy = ty - y;
      const weight = agree * fallOff(off * off * inversePlane + (dx * dx + dy * dy) * 0.9);
      if (weight < 1e-4) {
        continue;
      }
      picks.texels[picks.count] = texel;
      picks.weights[picks.count++] = weight;
      total += weight;
    }
  }
  if (total < MIN_WEIGHT) {
    return false;
  }
  for (let i = 0; i < picks.count; i++) {
    picks.weights[i] = picks.weights[i]! / total;
  }
  return true;
}
