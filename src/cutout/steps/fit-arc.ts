/** Fits a smooth arc to a stretch of an outline, robustly: dents and bumps do not count. */
import type { Outline } from './list-outlines.ts';

/** Every `STRIDE`-th point is used. */
const STRIDE = 2;
/**
 * Rounds of reweighting. During the first two, twice the `TOLERANCE` is used, because the first arcs may still lie far
 * from the outline.
 */
const ROUNDS = 5;
const COARSE_ROUNDS = 2;
/**
 * Distance from the arc beyond which a point has no weight (Beaton, Tukey 1974). Its unit is a spacing: the distance
 * between two neighboring points of the outline.
 */
const TOLERANCE = 1.5;
/**
 * Weight of the middle quarter of the points in the first round. These points count less, because they are the part of
 * the outline in doubt.
 */
const DOUBTED = 0.1;
/** On either side of the middle, at least this share of the points must be less than `NEAR` spacings from the arc. */
const LEAST_SHARE = 0.75;
const NEAR = 0.75;
/**
 * Least distance between the ends, as a share of the length along the outline. Around a corner, the ends are closer
 * together, and no arc is fitted.
 */
const LEAST_SPAN = 0.7;

/**
 * A parabola in its own coordinates: their origin is a point of the outline, and the second axis points out of the
 * subject.
 */
export interface Arc {
  /** Distance from point `i` of the outline to the arc, in pixels; negative where the arc is inside the outline. */
  readonly measureDepth: (i: number) => number;
  /** Unit vector that points out of the subject. */
  readonly nx: number;
  readonly ny: number;
}

/**
 * Returns a function that fits an arc to the points up to `half` places before and after a point. It returns `null` if
 * these points follow no arc. The outline's points are `spacing` pixels apart.
 */
export function createArcFit({ x, y }: Outline, half: number, spacing: number): (i: number) => Arc | null {
  const n = x.length;
  const m = Math.floor(half / STRIDE);
  const along = new Float64Array(2 * m + 1);
  const away = new Float64Array(2 * m + 1);
  const weights = new Float64Array(2 * m + 1);
  return (i) => {
    const [nx, ny, span] = findNormal({ x, y }, i, half);
    if (span < LEAST_SPAN * 2 * half * spacing) return null;
    const place = (j: number): readonly [number, number] => {
      const dx = (x[j]! - x[i]!) / spacing;
      const dy = (y[j]! - y[i]!) / spacing;
      return [(dy * nx - dx * ny) / half, dx * nx + dy * ny];
    };
    for (let k = -m; k <= m; k++) {
      [along[k + m], away[k + m]] = place((i + k * STRIDE + n) % n);
      weights[k + m] = 4 * Math.abs(k) > m ? 1 : DOUBTED;
    }
    const parabola = fitParabola(along, away, weights);
    if (parabola === null) return null;
    const isNear = (k: number) => Math.abs(measureGap(parabola, along[k]!, away[k]!)) < NEAR;
    let before = 0;
    let after = 0;
    for (let k = 0; k < m; k++) {
      if (isNear(k)) before++;
      if (isNear(2 * m - k)) after++;
    }
    if (Math.min(before, after) < LEAST_SHARE * m) return null;
    return { measureDepth: (j) => -measureGap(parabola, ...place(j)) * spacing, nx, ny };
  };
}

/** Returns the outward normal of the line between the two ends, and the length of that line. */
function findNormal({ x, y }: Outline, i: number, half: number): readonly [number, number, number] {
  const n = x.length;
  const third = Math.floor(half / 3);
  let dx = 0;
  let dy = 0;
  for (let k = half - third + 1; k <= half; k++) {
    const j = (i + k) % n;
    const h = (i - k + n) % n;
    dx += (x[j]! - x[h]!) / third;
    dy += (y[j]! - y[h]!) / third;
  }
  const length = Math.hypot(dx, dy);
  // Averaging over the outer thirds shortens the line by a sixth. The factor 1.2 restores its length.
  return [dy / length, -dx / length, 1.2 * length];
}

type Parabola = readonly [number, number, number];

const measureGap = ([a, b, c]: Parabola, u: number, v: number): number => v - a - (b + c * u) * u;

/** Iteratively reweighted least squares; `null` if the points do not determine a parabola. Changes `weights`. */
function fitParabola(us: Float64Array, vs: Float64Array, weights: Float64Array): Parabola | null {
  let arc: Parabola | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    arc = solve(us, vs, weights);
    if (arc === null) return null;
    const tolerance = TOLERANCE * (round < COARSE_ROUNDS ? 2 : 1);
    for (let k = 0; k < us.length; k++) {
      const gap = measureGap(arc, us[k]!, vs[k]!) / tolerance;
      weights[k] = Math.abs(gap) >= 1 ? 0 : (1 - gap * gap) ** 2;
    }
  }
  return arc;
}

function solve(us: Float64Array, vs: Float64Array, weights: Float64Array): Parabola | null {
  let [s0, s1, s2, s3, s4, t0, t1, t2] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < us.length; k++) {
    const w = weights[k]!;
    const wu = w * us[k]!;
    const wuu = wu * us[k]!;
    s0 += w;
    s1 += wu;
    s2 += wuu;
    s3 += wuu * us[k]!;
    s4 += wuu * us[k]! * us[k]!;
    t0 += w * vs[k]!;
    t1 += wu * vs[k]!;
    t2 += wuu * vs[k]!;
  }
  const [c00, c01, c02] = [s2 * s4 - s3 * s3, s2 * s3 - s1 * s4, s1 * s3 - s2 * s2];
  const determinant = s0 * c00 + s1 * c01 + s2 * c02;
  if (Math.abs(determinant) < 1e-9) return null;
  const [c11, c12, c22] = [s0 * s4 - s2 * s2, s1 * s2 - s0 * s3, s0 * s2 - s1 * s1];
  return [
    (c00 * t0 + c01 * t1 + c02 * t2) / determinant,
    (c01 * t0 + c11 * t1 + c12 * t2) / determinant,
    (c02 * t0 + c12 * t1 + c22 * t2) / determinant,
  ];
}
