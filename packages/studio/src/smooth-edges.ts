/** Pass: anti-aliasing of the set's outlines by 5 samples per edge pixel, or 13 where these differ visibly. */
import type { BuiltSet } from './built-set.ts';
import { type GeometryBuffer, look, makeSight, NORMAL_UNIT, NOTHING } from './geometry-buffer.ts';
import type { Lighting } from './look-up-light.ts';
import { shadeSight } from './shade.ts';
import { HALF_WHITE } from './tone.ts';

/**
 * Offsets of four samples from the pixel's center, which is the fifth sample. No two samples share a row or column,
 * which smooths nearly vertical and horizontal edges. The samples reach into neighboring pixels, as does the filter
 * that scales the product; otherwise, outlines of the set would be harder than those of the product.
 */
const SAMPLES = [
  [0.3, 0.6],
  [-0.6, 0.3],
  [-0.3, -0.6],
  [0.6, -0.3],
] as const;
/**
 * Further samples where the first ones differ: five are too few for a thin dark line, such as the shaded side of a
 * bevel, which would look jagged. The pattern is that of eightfold multisampling in Direct3D, enlarged as above.
 */
const MORE_SAMPLES = [
  [0.1, -0.3],
  [-0.1, 0.3],
  [0.5, 0.1],
  [-0.3, -0.5],
  [-0.5, 0.5],
  [-0.7, -0.1],
  [0.3, 0.7],
  [0.7, -0.7],
] as const;
/**
 * More samples are taken if the lowest and highest channel values of the first ones differ by more than this, on the
 * scale of `toShown`.
 */
const VISIBLE = 0.1;
/** Minimum difference in depth (as a fraction) or in normals for an edge between two neighbors. */
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
  let [covered, darkest, brightest] = [0, 1, 0];
  const add = (color: ArrayLike<number>, at: number): void => {
    covered++;
    for (let c = 0; c < 3; c++) {
      const shown = toShown(color[at + c]!);
      sum[c] = sum[c]! + shown;
      darkest = Math.min(darkest, shown);
      brightest = Math.max(brightest, shown);
    }
  };
  const sample = (column: number, row: number, [dx, dy]: readonly [number, number]): void => {
    look(built, column + 0.5 + dx, row + 0.5 + dy, sight);
    // A place's backdrop is added later, during focusing, so only samples of the set are averaged.
    if (sight.material === NOTHING && built.environment !== undefined) return;
    shadeSight(built, lighting, sight, out);
    add(out, 0);
  };
  for (let row = fromRow; row < toRow; row++) {
    for (let column = 0; column < buffer.width; column++) {
      const own = built.materials[buffer.material[row * buffer.width + column]!];
      if (!isEdge(buffer, column, row)) continue;
      const at = (row * buffer.width + column) * 3;
      [covered, darkest, brightest] = [0, 1, 0];
      sum.fill(0);
      if (own !== undefined || built.environment === undefined) add(picture, at);
      for (const offset of SAMPLES) sample(column, row, offset);
      if (brightest - darkest > VISIBLE) {
        for (const offset of MORE_SAMPLES) sample(column, row, offset);
      }
      for (let c = 0; c < 3; c++) picture[at + c] = toLinear(sum[c]! / Math.max(1, covered));
    }
  }
}

/**
 * Maps linear light to the tone-mapped scale in which samples are averaged (Karis 2014, "High-quality temporal
 * supersampling", also tone maps before averaging). In linear light, the mean is nearly white even if only a quarter of
 * the pixel is white, so the outline of a bright object in front of a dark one would look jagged.
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
  return dx * dx + dy * dy + dz * dz > (NORMAL_DISTANCE * NORMAL_UNIT) ** 2;
}
