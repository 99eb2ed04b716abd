/**
 * Step: rounds off a product whose outline is an ellipse but for small errors, such as a ball, a plate or a coin.
 *
 * On a ball, errors of one or two pixels are seen at once, and more so where a scene enlarges the product. The closer
 * an outline is to an ellipse, the more probable it is that its deviations are errors of the matte and not the
 * product's shape. Shapes that are visibly not round stay as they are.
 */
import type { Matte } from '../../pixels.ts';
import { listOutlines, type Outline } from './list-outlines.ts';

/** Distance between the outline's points, and smallest radius that is rounded off, in pixels before enlargement. */
const SPACING_PX = 1;
const LEAST_RADIUS_PX = 30;
/**
 * Greatest distance of the outline from the ellipse, as shares of the mean radius: the root mean square and the
 * maximum. A basketball 300 px wide in front of its own black shadow has .0038 and .013.
 */
const MOST_RMS = 0.0045;
const MOST_DISTANCE = 0.02;
/** Width over which alpha falls from 255 to 0 across the new outline, in pixels before enlargement. */
const SOFT_PX = 1.6;

/** `scale`, at least 1, is the factor by which the matte was enlarged. Returns the same matte if nothing is round. */
export function roundOff(matte: Matte, scale: number): Matte {
  const fewest = Math.round((2 * Math.PI * LEAST_RADIUS_PX) / SPACING_PX);
  let rounded: Matte | null = null;
  for (const outline of listOutlines(matte, SPACING_PX * scale, fewest)) {
    if (isHole(outline)) continue;
    const ellipse = fitEllipse(outline);
    if (ellipse === null || !isRound(outline, ellipse)) continue;
    rounded ??= { ...matte, data: matte.data.slice() };
    draw(rounded, ellipse, SOFT_PX * scale);
  }
  return rounded ?? matte;
}

/** The subject lies to the right of an outline's direction, so the outline of a hole runs the other way around. */
function isHole({ x, y }: Outline): boolean {
  let area = 0;
  for (let i = 0, j = x.length - 1; i < x.length; j = i++) area += x[j]! * y[i]! - x[i]! * y[j]!;
  return area < 0;
}

interface Ellipse {
  readonly x: number;
  readonly y: number;
  /** Mean radius, in pixels. */
  readonly radius: number;
  /** Signed distance of a point from the ellipse, in pixels, to first order (Sampson 1982); negative inside. */
  readonly measureDistance: (x: number, y: number) => number;
}

/**
 * Fits a conic by least squares of its algebraic distance (Bookstein 1979), in coordinates in which the outline has
 * about unit size. `null` if the conic is no ellipse.
 */
function fitEllipse({ x, y }: Outline): Ellipse | null {
  const n = x.length;
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / n;
  const [cx, cy] = [mean(x), mean(y)];
  const radius = x.reduce((sum, value, i) => sum + Math.hypot(value - cx, y[i]! - cy), 0) / n;
  const rows = Array.from({ length: 5 }, () => new Float64Array(6));
  for (let k = 0; k < n; k++) {
    const [u, v] = [(x[k]! - cx) / radius, (y[k]! - cy) / radius];
    const terms = [u * u, u * v, v * v, u, v, 1];
    for (const [i, row] of rows.entries()) {
      for (let j = 0; j < 6; j++) row[j]! += terms[i]! * terms[j]!;
    }
  }
  const solved = solve(rows);
  if (solved === null) return null;
  const [a, b, c, d, e] = solved as [number, number, number, number, number];
  if (4 * a * c <= b * b || a <= 0) return null;
  return {
    x: cx,
    y: cy,
    radius,
    measureDistance: (px, py) => {
      const [u, v] = [(px - cx) / radius, (py - cy) / radius];
      const value = a * u * u + b * u * v + c * v * v + d * u + e * v - 1;
      return (radius * value) / Math.hypot(2 * a * u + b * v + d, b * u + 2 * c * v + e);
    },
  };
}

/** Solves linear equations, one per row with its right side last, by Gauss-Jordan elimination. Changes `rows`. */
function solve(rows: Float64Array[]): number[] | null {
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows.reduce(
      (best, row, r) => (r > i && Math.abs(row[i]!) > Math.abs(rows[best]![i]!) ? r : best),
      i,
    );
    [rows[i], rows[pivot]] = [rows[pivot]!, rows[i]!];
    const own = rows[i]!;
    if (Math.abs(own[i]!) < 1e-9) return null;
    for (const row of rows) {
      if (row === own) continue;
      const factor = row[i]! / own[i]!;
      for (let j = i; j < row.length; j++) row[j]! -= factor * own[j]!;
    }
  }
  return rows.map((row, i) => row.at(-1)! / row[i]!);
}

function isRound({ x, y }: Outline, { radius, measureDistance }: Ellipse): boolean {
  let squares = 0;
  for (let i = 0; i < x.length; i++) {
    const distance = measureDistance(x[i]!, y[i]!) / radius;
    if (Math.abs(distance) > MOST_DISTANCE) return false;
    squares += distance * distance;
  }
  return Math.sqrt(squares / x.length) <= MOST_RMS;
}

/** Draws the ellipse's edge. What is further inside or outside stays as it is. */
function draw(matte: Matte, { x, y, radius, measureDistance }: Ellipse, softness: number): void {
  const { width, height, data } = matte;
  const band = MOST_DISTANCE * radius + softness;
  // `x`, `y` and `radius` are means over the outline's points. Twice the radius reaches beyond all but very flat
  // ellipses.
  const reach = 2 * radius + band;
  const toX = Math.min(width - 1, Math.ceil(x + reach));
  const toY = Math.min(height - 1, Math.ceil(y + reach));
  for (let row = Math.max(0, Math.floor(y - reach)); row <= toY; row++) {
    for (let column = Math.max(0, Math.floor(x - reach)); column <= toX; column++) {
      const distance = measureDistance(column, row);
      if (Math.abs(distance) > band) continue;
      data[row * width + column] = Math.round(255 * Math.min(1, Math.max(0, 0.5 - distance / softness)));
    }
  }
}
