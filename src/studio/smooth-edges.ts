/** Pass: anti-aliasing of the set's outlines by four samples per edge pixel. */
import type { BuiltSet } from './built-set.ts';
import { type GeometryBuffer, look, makeSight, NOTHING } from './geometry-buffer.ts';
import { type Lighting, shadeSight } from './shade.ts';

/** A rotated grid: no two samples share a row or column, which smooths nearly vertical and horizontal edges. */
const SAMPLES = [
  [0.375, 0.125],
  [0.875, 0.375],
  [0.625, 0.875],
  [0.125, 0.625],
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
      sum.fill(0);
      let covered = 0;
      for (const [dx, dy] of SAMPLES) {
        look(built, column + dx, row + dy, sight);
        // The place's backdrop is added during focusing, so it is not part of the set's edge color.
        if (sight.material === NOTHING && built.environment !== undefined) continue;
        covered++;
        shadeSight(built, lighting, sight, out);
        for (let c = 0; c < 3; c++) {
          // Clamp highlights, which would otherwise turn the whole edge white.
          sum[c] = sum[c]! + Math.min(1.5, out[c]!) / SAMPLES.length;
        }
      }
      if (covered < SAMPLES.length) {
        for (let c = 0; c < 3; c++) sum[c] = (sum[c]! * SAMPLES.length) / Math.max(1, covered);
      }
      picture.set(sum, (row * buffer.width + column) * 3);
    }
  }
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
