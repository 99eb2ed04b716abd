/** Finds the open rim, or the flat lid, of a round product, and derives the camera elevation from its ellipse. */
import { oklabFromRgb, type RgbaImage } from 'packshot-pixels';

/** Fractions of the rim's span to try cutting off at either end, where a handle continues the outline. */
const trims = [0, 0.05, 0.1, 0.15, 0.2];
/** Minimum half width of a rim, in pixels and as a fraction of the product's width. */
const minHalf = { px: 12, share: 0.25 };
/**
 * Maximum distance of the outline from the ellipse, root mean square: in pixels, or as a fraction of the arc's height.
 */
const maxMisfit = { px: 0.6, share: 0.03 };
/** Limits of the arc's height divided by half its width. A flatter arc may be a curved edge; a higher one is a dome. */
const ratios = [0.09, 0.6] as const;
/** Maximum tilt of the photo: the difference in height between the rim's ends, divided by its width. */
const maxTilt = 0.1;
/**
 * Range in which the near edge is searched: distance of its lowest point below the ellipse's center, in multiples of
 * the arc's height. 1 is the ellipse itself; the inner edge of a thick lip is nearer to the center.
 */
const nearEdge = [0.5, 1.25] as const;
/**
 * Positions, in the same unit, with which the near edge is compared. If the inside and the outside of the product are
 * plain, none of these positions has an edge.
 */
const elsewhere = [-0.4, -0.2, 0, 0.2, 1.8, 2.1, 2.4, 2.7, 3];
/**
 * Along most of its length, a near edge must have a color step of at least `minStep` (in OKLab) and at least
 * `minStepRatio` times the second strongest step at the `elsewhere` positions. On a pattern, or between glossy
 * reflections, there is a step along the arc at almost any position, so `minStep` alone proves nothing.
 */
const minStep = 0.03;
const minStepRatio = 5;
/** Minimum bend of the near edge relative to the ellipse's; a straight stripe has none. */
const minBend = 0.35;
/** Usual distance of the camera, in multiples of the product's longer side. Scenes use about the same distance. */
const usualDistance = 4.5;

/**
 * Elevation of the camera as seen from the product's foot, in degrees, up to 30. `image`: the cutout, cropped to the
 * product.
 *
 * The upper outline is the far half of the rim's ellipse. The near half, an edge within the product on the same
 * ellipse, distinguishes a rim from a dome. The camera looks less steeply at the rim than at the foot, because the
 * foot is further below the camera. How much less depends on the distance, so the usual distance is assumed. Returns
 * undefined without a rim.
 */
export function measureRimElevation(image: RgbaImage): number | undefined {
  const outline = upperOutline(image);
  const arcs = findArcs(image, outline);
  if (arcs.length === 0) return undefined;
  const steps = measureSteps(image);
  const rims = arcs.flatMap((arc) => {
    const near = findNearEdge(arc, steps);
    return near ? [{ ...arc, ...near }] : [];
  });
  const best = rims.sort((one, other) => other.step - one.step)[0];
  if (!best) return undefined;
  const { bulge, half, position } = best;
  const height = bulge * (1 + Math.max(1, position));
  const rise = Math.max(0, image.height - 2 * bulge);
  // The ellipse's ratio is the tangent of the elevation as seen from the rim. Seen from the foot, the tangent is larger
  // by the rim's height above the foot, divided by the distance. (The camera keeps vertical lines vertical.)
  const tangent = height / (2 * half) + rise / (usualDistance * Math.max(image.width, image.height));
  return Math.min(30, (Math.atan(tangent) * 180) / Math.PI);
}

/** The far half of an ellipse: the row at column `x` is `top + bulge * (1 - sqrt(1 - t * t)) + tilt * t`. */
interface Arc {
  /** First column, and half the number of columns; `t` is -1 to 1 across them. */
  readonly left: number;
  readonly half: number;
  /** In rows. */
  readonly top: number;
  readonly bulge: number;
  readonly tilt: number;
}

function findArcs({ width, height }: RgbaImage, outline: Float32Array): Arc[] {
  const [left, right] = findSpan(outline, height);
  const span = right - left + 1;
  const arcs: Arc[] = [];
  for (const fromLeft of trims) {
    for (const fromRight of trims) {
      const from = left + Math.round(fromLeft * span);
      const half = (right - Math.round(fromRight * span) - from + 1) / 2;
      if (half < Math.max(minHalf.px, minHalf.share * width)) continue;
      const arc = fitArc(outline, from, half);
      if (arc) arcs.push(arc);
    }
  }
  return arcs;
}

/** Columns around the highest point, up to the product's steep sides. */
function findSpan(outline: Float32Array, height: number): [left: number, right: number] {
  const peak = Math.min(...outline);
  const first = outline.indexOf(peak);
  const last = outline.lastIndexOf(peak);
  const middle = (first + last) / 2;
  const jump = Math.max(4, 0.06 * height);
  const goesOn = (from: number, to: number): boolean =>
    outline[to] !== undefined &&
    outline[to] - outline[from]! < jump &&
    outline[to] - peak <= 0.75 * Math.max(8, Math.abs(to - middle));
  let left = first;
  let right = last;
  while (goesOn(left, left - 1)) left--;
  while (goesOn(right, right + 1)) right++;
  return [left, right];
}

/** Fits top, bulge and tilt by least squares. */
function fitArc(outline: Float32Array, left: number, half: number): Arc | undefined {
  const samples: [bend: number, t: number, row: number][] = [];
  for (let x = left; x < left + 2 * half; x++) {
    const t = (x + 0.5 - left - half) / half;
    // Near its ends, the arc turns into the product's sides.
    if (Math.abs(t) <= 0.9) samples.push([1 - Math.sqrt(1 - t * t), t, outline[x]!]);
  }
  const mean = meanOver(samples);
  // `t` is antisymmetric, so it correlates neither with the constant nor with the bend.
  const meanBend = mean(([bend]) => bend);
  const meanRow = mean(([, , row]) => row);
  const bulge =
    mean(([bend, , row]) => (bend - meanBend) * (row - meanRow)) / mean(([bend]) => (bend - meanBend) ** 2);
  const tilt = mean(([, t, row]) => t * row) / mean(([, t]) => t * t);
  const top = meanRow - bulge * meanBend;
  const misfit = Math.sqrt(mean(([bend, t, row]) => (top + bulge * bend + tilt * t - row) ** 2));
  const isArc = bulge >= ratios[0] * half && bulge <= ratios[1] * half && Math.abs(tilt) <= maxTilt * half;
  return isArc && misfit <= Math.max(maxMisfit.px, maxMisfit.share * bulge)
    ? { left, half, top, bulge, tilt }
    : undefined;
}

const meanOver =
  <T>(samples: readonly T[]) =>
  (of: (sample: T) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;

/** Position of the near edge and its step in color; undefined if no edge there stands out. */
function findNearEdge(arc: Arc, steps: Steps): { position: number; step: number } | undefined {
  let found = { position: 0, step: 0 };
  for (let position = nearEdge[0]; position <= nearEdge[1]; position += 0.05) {
    const step = stepAlong(arc, position, steps);
    if (step > found.step) found = { position, step };
  }
  const others = elsewhere.map((position) => stepAlong(arc, position, steps)).sort((a, b) => b - a);
  const standsOut = found.step >= minStep && found.step >= minStepRatio * others[1]!;
  return standsOut && bendAlong(arc, found.position, steps) >= minBend * found.position * arc.bulge
    ? found
    : undefined;
}

/**
 * The bend, in rows, of the strongest edge near the ellipse whose lower end is at `position`; 0 for a straight edge.
 */
function bendAlong(
  { left, half, top, bulge, tilt }: Arc,
  position: number,
  { width, height, values }: Steps,
): number {
  const window = 2 + 0.3 * bulge;
  const samples: [bend: number, row: number][] = [];
  for (let t = -0.8; t <= 0.8; t += 1 / half) {
    const column = Math.floor(left + half + t * half);
    const bend = Math.sqrt(1 - t * t);
    const expected = top + bulge + position * bulge * bend + tilt * t;
    let row = Math.max(0, Math.ceil(expected - window));
    for (let y = row + 1; y <= Math.min(height - 1, expected + window); y++)
      if (values[y * width + column]! > values[row * width + column]!) row = y;
    samples.push([bend, row - tilt * t]);
  }
  const mean = meanOver(samples);
  const meanBend = mean(([bend]) => bend);
  return mean(([bend, row]) => (bend - meanBend) * row) / mean(([bend]) => (bend - meanBend) ** 2);
}

/** The step that 70 % of the columns exceed, along the ellipse whose lower end is at `position`. */
function stepAlong(
  { left, half, top, bulge, tilt }: Arc,
  position: number,
  { width, height, values }: Steps,
): number {
  const found: number[] = [];
  for (let t = -0.7; t <= 0.7; t += 1 / half) {
    const column = Math.floor(left + half + t * half);
    const row = Math.round(top + bulge + position * bulge * Math.sqrt(1 - t * t) + tilt * t);
    const near = [row - 1, row, row + 1].filter((y) => y >= 0 && y < height);
    found.push(Math.max(0, ...near.map((y) => values[y * width + column]!)));
  }
  return found.sort((a, b) => a - b)[Math.floor(found.length * 0.3)]!;
}

/** The first covered row of each column; the height for an empty column. */
function upperOutline({ width, height, data }: RgbaImage): Float32Array {
  return Float32Array.from({ length: width }, (_, x) => {
    for (let y = 0; y < height; y++) if (data[(y * width + x) * 4 + 3]! >= 128) return y;
    return height;
  });
}

interface Steps {
  readonly width: number;
  readonly height: number;
  /** Vertical step in OKLab color at each pixel; 0 outside the product, and just below or above its outline. */
  readonly values: Float32Array;
}

function measureSteps({ width, height, data }: RgbaImage): Steps {
  const labs = Array.from({ length: width * height }, (_, i) =>
    oklabFromRgb(data[i * 4]!, data[i * 4 + 1]!, data[i * 4 + 2]!),
  );
  const values = new Float32Array(width * height);
  for (let y = 2; y < height - 2; y++) {
    for (let x = 0; x < width; x++) {
      const at = (rows: number): number => (y + rows) * width + x;
      if (data[at(-2) * 4 + 3]! < 250 || data[at(2) * 4 + 3]! < 250) continue;
      const channels = [0, 1, 2].map(
        (c) => (labs[at(1)]![c]! + labs[at(2)]![c]! - labs[at(-1)]![c]! - labs[at(-2)]![c]!) / 2,
      );
      values[at(0)] = Math.hypot(...channels);
    }
  }
  return { width, height, values };
}
