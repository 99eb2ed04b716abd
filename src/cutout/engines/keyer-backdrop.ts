/** What the keyer takes for the backdrop: a smooth surface in OKLab, fitted to the border of the photo. */
import type { LabImage } from './keyer-oklab.ts';

/** Coefficients for 1, x, y, x², xy, y² with x and y from -1 to 1 across the photo. */
type Surface = Float64Array;

export interface Backdrop {
  /** One each for lightness, green-red and blue-yellow: a sheet of paper with its light falling off. */
  readonly surfaces: readonly [Surface, Surface, Surface];
  /** Typical distance of a backdrop pixel from the surfaces, in OKLab. */
  readonly noise: number;
}

const LINEAR_TERMS = 3;
const QUADRATIC_TERMS = 6;
const BORDER_SHARE = 0.02;
/** Enough to outvote noise, few enough that a fit costs a millisecond. */
const MAX_BORDER_SAMPLES = 4000;
const GRID_STEP_PX = 8;
const ROUNDS = 5;
/** Samples further off than this many typical distances are no backdrop: a product that touches the frame. */
const OUTLIER = 3;
/** Below the noise of a clean photo nothing is learnt from a distance. */
const LEAST_NOISE = 0.004;
/** Plain means: at least this share of the border on one surface, with no more noise than this around it. */
const PLAIN_SHARE = 0.7;
const PLAIN_NOISE = 0.02;

/** Null when the border of the photo is not plain. */
export function fitBackdrop(photo: LabImage): Backdrop | null {
  const border = listBorder(photo);
  let fit = fitRobustly(photo, border, { terms: LINEAR_TERMS, start: border });
  fit = fitRobustly(photo, border, { terms: QUADRATIC_TERMS, start: fit.kept });
  if (fit.kept.length < border.length * PLAIN_SHARE || fit.noise > PLAIN_NOISE) return null;
  // A surface that only saw the border may bulge in the middle: let what agrees in there hold it down.
  const everywhere = [...border, ...listGrid(photo)];
  const agreeing = everywhere.filter((index) => measureDistance(photo, fit.surfaces, index) < 4 * fit.noise + 0.01);
  const { surfaces, noise } = fitRobustly(photo, everywhere, { terms: QUADRATIC_TERMS, start: agreeing });
  return { surfaces, noise };
}

/** What the surfaces say at a pixel, written to `into`. */
export function readBackdrop(
  { surfaces }: Pick<Backdrop, 'surfaces'>,
  u: number,
  v: number,
  into: Float64Array,
): void {
  for (let c = 0; c < 3; c++) {
    const s = surfaces[c]!;
    into[c] = s[0]! + s[1]! * u + s[2]! * v + s[3]! * u * u + s[4]! * u * v + s[5]! * v * v;
  }
}

/** Position of a column or row on the surfaces' scale. */
export function toSurfaceScale(position: number, length: number): number {
  return (2 * position + 1) / length - 1;
}

interface Fit extends Backdrop {
  /** The samples that lie on the surfaces. */
  readonly kept: readonly number[];
}

/** Trimmed least squares: fit, drop what is far off, fit again. */
function fitRobustly(
  photo: LabImage,
  samples: readonly number[],
  { terms, start }: { readonly terms: number; readonly start: readonly number[] },
): Fit {
  let kept = start;
  let surfaces = fitSurfaces(photo, kept, terms);
  let noise = LEAST_NOISE;
  for (let round = 0; round < ROUNDS; round++) {
    const distances = samples.map((index) => measureDistance(photo, surfaces, index));
    noise = Math.max(LEAST_NOISE, findMedian(distances));
    kept = samples.filter((_, i) => distances[i]! <= OUTLIER * noise);
    surfaces = fitSurfaces(photo, kept, terms);
  }
  return { surfaces, noise, kept };
}

function measureDistance(photo: LabImage, surfaces: Backdrop['surfaces'], index: number): number {
  const x = index % photo.width;
  const y = (index - x) / photo.width;
  const at = new Float64Array(3);
  readBackdrop({ surfaces }, toSurfaceScale(x, photo.width), toSurfaceScale(y, photo.height), at);
  const [l, a, b] = photo.planes;
  return Math.hypot(l[index]! - at[0]!, a[index]! - at[1]!, b[index]! - at[2]!);
}

function findMedian(values: readonly number[]): number {
  return Float64Array.from(values).sort()[values.length >> 1] ?? 0;
}

function listBorder({ width, height }: LabImage): number[] {
  const depth = Math.max(2, Math.round(Math.min(width, height) * BORDER_SHARE));
  const total = width * height - Math.max(0, width - 2 * depth) * Math.max(0, height - 2 * depth);
  const step = Math.max(1, Math.floor(total / MAX_BORDER_SAMPLES));
  const list: number[] = [];
  let seen = 0;
  for (let y = 0; y < height; y++) {
    const isInside = y >= depth && y < height - depth;
    for (let x = 0; x < width; x++) {
      if (isInside && x === depth && width > 2 * depth) x = width - depth;
      if (seen++ % step === 0) list.push(y * width + x);
    }
  }
  return list;
}

function listGrid({ width, height }: LabImage): number[] {
  const list: number[] = [];
  for (let y = GRID_STEP_PX; y < height; y += GRID_STEP_PX) {
    for (let x = GRID_STEP_PX; x < width; x += GRID_STEP_PX) list.push(y * width + x);
  }
  return list;
}

/** Normal equations of the polynomial in x and y, all three planes at once. */
function fitSurfaces(photo: LabImage, samples: readonly number[], terms: number): Backdrop['surfaces'] {
  const matrix = Array.from({ length: terms }, () => new Float64Array(terms + 3));
  const basis = new Float64Array(QUADRATIC_TERMS);
  for (const index of samples) {
    const x = index % photo.width;
    const u = toSurfaceScale(x, photo.width);
    const v = toSurfaceScale((index - x) / photo.width, photo.height);
    basis.set([1, u, v, u * u, u * v, v * v]);
    for (let r = 0; r < terms; r++) {
      const row = matrix[r]!;
      for (let c = 0; c < terms; c++) row[c]! += basis[r]! * basis[c]!;
      for (let c = 0; c < 3; c++) row[terms + c]! += basis[r]! * photo.planes[c]![index]!;
    }
  }
  // A trace of ridge: a handful of samples on one line still has a solution.
  for (let r = 0; r < terms; r++) matrix[r]![r]! += 1e-6;
  eliminate(matrix);
  const surface = (c: number): Surface => {
    const coefficients = new Float64Array(QUADRATIC_TERMS);
    for (let r = 0; r < terms; r++) coefficients[r] = matrix[r]![terms + c]!;
    return coefficients;
  };
  return [surface(0), surface(1), surface(2)];
}

/** Gauss-Jordan with partial pivoting; the solutions end up in the columns after the square. */
function eliminate(matrix: Float64Array[]): void {
  const size = matrix.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let r = column + 1; r < size; r++) {
      if (Math.abs(matrix[r]![column]!) > Math.abs(matrix[pivot]![column]!)) pivot = r;
    }
    [matrix[column], matrix[pivot]] = [matrix[pivot]!, matrix[column]!];
    const top = matrix[column]!;
    const scale = 1 / top[column]!;
    for (let c = 0; c < top.length; c++) top[c]! *= scale;
    for (let r = 0; r < size; r++) {
      if (r === column) continue;
      const row = matrix[r]!;
      const factor = row[column]!;
      for (let c = 0; c < row.length; c++) row[c]! -= factor * top[c]!;
    }
  }
}
