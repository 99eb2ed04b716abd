/** Pass: anti-aliasing of the set's outlines by five samples per edge pixel. */
import type { BuiltSet } from './built-set.ts';
import { type GeometryBuffer, look, makeSight, NOTHING } from './geometry-buffer.ts';
import { type Lighting, shadeSight } from './shade.ts';
import { HALF_WHITE } from './tone.ts';

/**
 * Offsets of four samples from the pixel's center, which is the fifth. No two share a row or column, which
 * smooths nearly vertical and horizontal edges. They reach into the next pixel, like the filter that scales
 * the product; otherwise, outlines of the set would be harder than the product's.
 */
const SAMPLES = [
  [0.3, 0.6],
  [-0.6, 0.3],
  [-0.3, -0.6],
  [0.6, -0.3],
] as const;
/** Thresholds of an edge between neighbors. */
const DEPTH_SHARE = 0.03;
const NORMAL_DISTANCE = 0.35;

export function smoothEdges(
  built: BuiltSet,
  buffer: GeometryBuffer,
  lighting: Lighting,
  picture: Float32Array,
  fromRow: number,
  toRow: number,
): void {
  const sight = makeSight();
  const out = new Float64Array(3);
  const sum = new Float64Array(3);
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < buffer.width; column++) {
      const own = built.materials[buffer.material[row * buffer.width + column]!];
      // Edges refracted in glass are not in the geometry buffer.
      if (own?.kind !== 'glass' && !isEdge(buffer, column, row)) {
        continue;
      }
      const at = (row * buffer.width + column) * 3;
      let covered = 0;
      sum.fill(0);
      // The place's backdrop is added during focusing, so it is not part of the set's edge color.
      if (own !== undefined || built.environment === undefined) {
        covered = 1;
        for (let c = 0; c < 3; c++) sum[c] = toShown(picture[at + c]!);
      }
      for (const [dx, dy] of SAMPLES) {
        look(built, column + 0.5 + dx, row + 0.5 + dy, sight);
        if (sight.material === NOTHING && built.environment !== undefined) continue;
        covered++;
        shadeSight(built, lighting, sight, out);
        for (let c = 0; c < 3; c++) sum[c] = sum[c]! + toShown(out[c]!);
      }
      for (let c = 0; c < 3; c++) picture[at + c] = toLinear(sum[c]! / Math.max(1, covered));
    }
  }
}

/**
 * Averages in a tone-mapped scale (Karis 2014, "High-quality temporal supersampling", also tone maps before
 * averaging). A mean of linear light is nearly white even if only a quarter of the pixel is, so the outline
 * of a bright object on a dark one would look jagged.
 */
function toShown(linear: number): number {
  return linear <= 0 ? 0 : Math.sqrt(linear / (linear + HALF_WHITE));
}

function toLinear(shown: number): number {
  return (HALF_WHITE * shown * shown) / (1 - shown * shown);
}

function isEdge(buffer: GeometryBuffer, column: number, row: number): boolean {
  const { width, height } = buffer;
  const at = row * width + column;
  return (
    (column > 0 && differs(buffer, at, at - 1)) ||
    (column < width - 1 && differs(buffer, at, at + 1)) ||
    (row > 0 && differs(buffer, at, at - width)) ||
    (row < height - 1 && differs(buffer, at, at + width))
  );
}

function differs({ material, depth, normal }: GeometryBuffer, a: number, b: number): boolean {
  if (material[a] !== material[b] || Math.abs(depth[a]! - depth[b]!) > DEPTH_SHARE * depth[a]!) {
    return true;
  }
  const dx = normal[a * 3]! - normal[b * 3]!;
  const dy = normal[a * 3 + 1]! - normal[b * 3 + 1]!;
  const dz = normal[a * 3 + 2]! - normal[b * 3 + 2]!;
  return dx * dx + dy * dy + dz * dz > NORMAL_DISTANCE * NORMAL_DISTANCE;
}
