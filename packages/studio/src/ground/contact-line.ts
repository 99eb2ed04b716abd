/** Step: draws the dark contact line where the subject touches the ground. Traced light is too coarse to show it. */
import { blurGaussian, type CanvasSize, type RgbaImage, type RgbImage } from 'packshot-pixels';
import { type Ball, measureBall, SHADE_REACH, shadeBall } from './ball-shade.ts';
import { findEdge, gapAt } from './column-edges.ts';
import { dimPixel } from './dim-picture.ts';
import { makeSilhouette, type PlacedSubject } from './silhouette.ts';
import { findStandingLine } from './standing-line.ts';
import { findUnderside } from './underside.ts';

/**
 * Two falloffs: the contact line, and the ambient occlusion around it. `sigma` is a fraction of the subject's size (the
 * geometric mean of its sides), `depth` the fraction of light removed. Measured on rendered scenes: 0.1 to 0.5 of the
 * light remains 1 px below a foot, 0.3 to 0.7 at 3 px.
 */
const FALLOFFS = [
  { sigma: 0.005, depth: 0.7 },
  { sigma: 0.03, depth: 0.57 },
] as const;
/**
 * A third, wider falloff, for light from all around. The product blocks this light around its feet, up to a distance of
 * about a tenth of the product's size.
 */
const ROOM_FALLOFF = { sigma: 0.09, depth: 0.5 } as const;
/** Height divided by width of a circle on the ground as the usual camera sees it; the default of `foreshortening`. */
const USUAL_FORESHORTENING = 0.55;
/**
 * The widths of the falloffs are proportional to the subject's size, or to this sum if it is smaller: `share` times the
 * size, plus `spans` times the distance between the outermost feet. A tall plant shades little more ground than its pot
 * alone.
 */
const SIZE = { share: 1 / 3, spans: 2 } as const;
/** Falloffs are negligible beyond this many widths. */
const REACH = 3;
/**
 * `FIRM` and `HIGHEST` are heights of the outline above the ground, as fractions of the subject's height. Up to `FIRM`
 * there is full contact. Above it, each falloff fades out over a height of `LOOSE` times its own width. So where the
 * outline is farther above the ground, only the wider and fainter falloffs remain. Nothing higher than `HIGHEST`
 * darkens the ground in this step.
 */
const FIRM = 0.013;
const LOOSE = 3;
const HIGHEST = 0.12;
/**
 * Blurring weakens the shadow of a narrow leg. In photos, that shadow is as dark as the shadow of a broad foot. So the
 * shadow of a leg narrower than two falloff widths is strengthened: the narrower the leg, the closer the factor is to
 * 1 + `NARROW_GAIN`.
 */
const NARROW_GAIN = 4;
/**
 * The rounded lower edge of most products hides the true contact. So that its shade is still visible, the footprint
 * extends this many foreshortened falloff widths below the outline. With much less, the shade along the front edge of a
 * box is fainter than at its corners.
 */
const OVERHANG = 0.9;
/**
 * The overhang of a broad base, such as that of a box, is larger than that of a leg, because the base blocks more
 * light. It grows from `OVERHANG` to this value while the base's width grows through the range `BROAD`, in falloff
 * widths.
 */
const BROAD_OVERHANG = 1.4;
const BROAD = { from: 3, to: 9 } as const;
/** Maximum height of the drawn footprint, in foreshortened falloff widths, without a broad base's further overhang. */
const STRIP = 3;

export interface ContactLight {
  /** Height divided by width of a circle on the ground as the camera sees it, 0 to 1; default 0.55. */
  readonly foreshortening?: number;
  /** Whether the product also hides light that comes from all around, which darkens a wider area; default false. */
  readonly fromAllAround?: boolean;
}

/** Darkens `plate` in place. `strength` is 0 to 1: a number for the whole plate, or a function of the pixel's index. */
export function darkenContact(
  plate: RgbImage,
  subject: PlacedSubject,
  strength: number | ((pixel: number) => number) = 1,
  light: ContactLight = {},
): void {
  const apply = (pixel: number, kept: number): void => {
    const share = 1 - (typeof strength === 'number' ? strength : strength(pixel)) * (1 - kept);
    dimPixel(plate, pixel, share);
  };
  measureContact(plate, subject, apply, light);
}

/** Calls `apply` for each pixel near a foot, with the fraction of linear light, 0 to 1, that remains. */
export function measureContact(
  canvas: CanvasSize,
  { image, x, y, lies }: PlacedSubject,
  apply: (pixel: number, kept: number) => void,
  { foreshortening = USUAL_FORESHORTENING, fromAllAround = false }: ContactLight = {},
): void {
  const feet = findFeet(image, lies);
  if (feet === undefined) {
    return;
  }
  const whole = Math.sqrt(image.width * image.height);
  const size = Math.min(whole, SIZE.share * whole + SIZE.spans * feet.span);
  const falloffs = fromAllAround ? [...FALLOFFS, ROOM_FALLOFF] : FALLOFFS;
  const { ball } = feet;
  const reach = fromAllAround && ball.roundness > 0 ? ball.radius : 0;
  const margin = Math.ceil(Math.max(REACH * falloffs.at(-1)!.sigma * size, SHADE_REACH * reach)) + 1;
  const top = Math.floor(feet.highest) - margin;
  const band: CanvasSize = {
    width: image.width + 2 * margin,
    height: Math.ceil(feet.lowest) + margin - top,
  };
  const kept = new Float32Array(band.width * band.height).fill(1);
  for (const { sigma, depth } of falloffs) {
    const width = Math.max(0.7, sigma * size);
    const high = Math.max(0.7, foreshortening * width);
    const firmness = feet.gap.map((gap) => holdFirm(gap / image.height, sigma));
    const dark = drawFeet(feet, firmness, band, { left: margin, top, width, high });
    blurGaussian(dark, band, { sigmaX: width, sigmaY: high });
    for (let i = 0; i < dark.length; i++) {
      kept[i] = kept[i]! * (1 - depth * saturate(dark[i]!));
    }
  }
  if (reach > 0) shadeBall(kept, band, { ball, left: margin, top, foreshortening });
  for (let row = 0; row < band.height; row++) {
    const canvasY = y + top + row;
    for (let column = 0; column < band.width; column++) {
      const canvasX = x - margin + column;
      const share = kept[row * band.width + column]!;
      if (
        share < 0.998 &&
        canvasX >= 0 &&
        canvasX < canvas.width &&
        canvasY >= 0 &&
        canvasY < canvas.height
      ) {
        apply(canvasY * canvas.width + canvasX, share);
      }
    }
  }
}

/** Arrays have one value per pixel column of the subject's box. Rows are counted in pixels from the top of the box. */
interface Feet {
  /** The row just below the subject's lowest pixel; 0 where a column is empty. */
  readonly contour: Float32Array;
  /** Number of contiguous rows above the contour that belong to the subject. */
  readonly stretch: Float32Array;
  /** Height of the contour above the ground, in rows; infinite where a column is empty. */
  readonly gap: Float32Array;
  readonly highest: number;
  readonly lowest: number;
  /** Distance between the outermost feet, in columns. */
  readonly span: number;
  readonly ball: Ball;
}

/** Returns undefined if nothing touches the ground. */
function findFeet(image: RgbaImage, lies: boolean | undefined): Feet | undefined {
  const { width, height } = image;
  const silhouette = makeSilhouette(image);
  const line = findStandingLine(silhouette, width / height, lies);
  const contour = new Float32Array(width);
  const stretch = new Float32Array(width);
  const gaps = new Float32Array(width).fill(Number.POSITIVE_INFINITY);
  const underside = lies ? { roundness: 0, radius: 0 } : findUnderside(silhouette, width / height);
  const level = line.contour.reduce((low, row) => Math.max(low, row), 0);
  const near = (gap: number): boolean => gap < HIGHEST * height;
  let highest = height;
  let lowest = 0;
  for (let x = 0; x < width; x++) {
    const row = findEdge(image, x, height - 1, true);
    if (row < 0) {
      continue;
    }
    contour[x] = row + 1;
    // A ball's lower outline rises toward the sides because the ball leaves the ground, so the rise counts as a gap.
    const curl = underside.roundness * (level / silhouette.rows - contour[x]! / height);
    const gap = gapAt(line, ((x + 0.5) * silhouette.columns) / width - 0.5) / silhouette.rows;
    stretch[x] = row - findEdge(image, x, row, false);
    gaps[x] = height * Math.max(0, gap, curl);
    if (near(gaps[x]!)) {
      highest = Math.min(highest, contour[x]!);
      lowest = Math.max(lowest, contour[x]!);
    }
  }
  if (lowest === 0) return undefined;
  const span = gaps.findLastIndex(near) - gaps.findIndex(near) + 1;
  const ball = measureBall(underside, contour, width / silhouette.columns);
  return { contour, stretch, gap: gaps, highest, lowest, span, ball };
}

/** Fraction, 0 to 1, of a falloff of width `sigma` that remains below an outline at the height `gap`. */
function holdFirm(gap: number, sigma: number): number {
  const loose = Math.min(HIGHEST - FIRM, LOOSE * sigma);
  const t = Math.max(0, Math.min(1, 1 - (gap - FIRM) / loose));
  return t * t * (3 - 2 * t);
}

/**
 * Draws the front of the footprint: a strip along the contour that extends below the contour by the overhang. The strip
 * is as high as the subject in that column, but at most `STRIP` foreshortened falloff widths; the further overhang of a
 * broad base is added to this height.
 */
function drawFeet(
  { contour, stretch }: Feet,
  firmness: Float32Array,
  band: CanvasSize,
  {
    left,
    top,
    width,
    high,
  }: { readonly left: number; readonly top: number; readonly width: number; readonly high: number },
): Float32Array {
  const footprint = new Float32Array(band.width * band.height);
  const breadths = measureRuns(firmness);
  for (const [x, firm] of firmness.entries()) {
    if (firm === 0) {
      continue;
    }
    const dark = firm * (1 + NARROW_GAIN * Math.max(0, 1 - breadths[x]! / (2 * width)));
    const overhang = overhangOf(breadths[x]! / width) * high;
    const to = contour[x]! - top + overhang;
    const from = to - Math.max(1, Math.min(STRIP * high, stretch[x]!) + overhang - OVERHANG * high);
    for (let row = Math.max(0, Math.floor(from)); row < Math.min(band.height, to); row++) {
      footprint[row * band.width + left + x] = dark * (Math.min(row + 1, to) - Math.max(row, from));
    }
  }
  return footprint;
}

/**
 * Fraction of a falloff's full effect, 0 to 1, for a blurred coverage. On the outline, the coverage is above 0.5 and
 * the effect is nearly full; outside the outline, both fade. The exponential makes the effect level off as it
 * approaches its maximum of 1. If it were only clipped there, the shade of a broad base would be a band with an edge.
 */
function saturate(coverage: number): number {
  return Math.min(1, SATURATION.most * (1 - Math.exp(-SATURATION.slope * coverage)));
}
const SATURATION = { most: 1.12, slope: 2.2 } as const;

/** The footprint's overhang, in falloff widths, for a base of `breadth` falloff widths. */
function overhangOf(breadth: number): number {
  const t = Math.min(1, Math.max(0, (breadth - BROAD.from) / (BROAD.to - BROAD.from)));
  return OVERHANG + (BROAD_OVERHANG - OVERHANG) * t;
}

/** Returns, for each value above 0, the length of the run of nonzero values that contains it. */
function measureRuns(values: Float32Array): Float32Array {
  const runs = new Float32Array(values.length);
  for (let from = 0; from < values.length; from++) {
    let to = from;
    while (to < values.length && values[to]! > 0) to++;
    if (to > from) {
      runs.fill(to - from, from, to);
      from = to;
    }
  }
  return runs;
}
