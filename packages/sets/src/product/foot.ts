/**
 * Measures the subject's ground contact: its width, number of legs, and the camera elevation that it reveals.
 *
 * All elevations are those of the scenes' camera, which keeps vertical lines vertical: it draws a circle on the ground
 * as an ellipse whose height divided by its width is the tangent of the elevation. In a photo with a tilted camera,
 * this ratio is closer to the sine, so the photo's true elevation is up to 4 degrees higher than the elevation at which
 * the scenes' camera draws the same base.
 */
import { findBaseEdges, type Silhouette, type StandingLine } from 'packshot-studio';
import { eachPixel, type Mask, type MaskBox } from './mask.ts';

/**
 * Parts up to this height, as a fraction of the subject's height, count as touching the ground. It is not 0 because
 * cameras look down slightly.
 */
const contactBand = 0.05;
/** Height at which legs are counted, as a fraction of the subject's height. At this height, the feet are separate. */
const legHeight = 0.12;
/** Maximum width of a leg, as a fraction of the box's width; anything broader is a body. */
const maxLegWidth = 0.22;

export function measureFoot(mask: Mask, box: MaskBox): { footWidth: number; legs: number } {
  const { width, data: bits } = mask;
  const from = Math.floor(box.height * (1 - contactBand));
  let left = box.width;
  let right = -1;
  eachPixel(mask, box, (x, y) => {
    if (y < from) return;
    left = Math.min(left, x);
    right = Math.max(right, x);
  });
  const row = box.y + Math.min(box.height - 1, Math.floor(box.height * (1 - legHeight)));
  const runs: number[] = [];
  let run = 0;
  for (let x = 0; x <= box.width; x++) {
    if (x < box.width && bits[row * width + box.x + x]) run++;
    else if (run > 0) {
      runs.push(run / box.width);
      run = 0;
    }
  }
  const legs = runs.filter((share) => share > 0.008 && share < maxLegWidth).length;
  const isStanding = legs >= 2 && runs.every((share) => share < maxLegWidth);
  return { footWidth: Math.max(0, (right - left + 1) / box.width), legs: isStanding ? Math.min(9, legs) : 0 };
}

/** Maximum height of a round foot's ellipse, as a fraction of its width. */
const maxRoundness = 0.53;

/**
 * Derives the camera elevation in degrees, 4 to 28, from a round foot, which appears as the lower half of an
 * ellipse. Fits the middle of the lower outline by least squares; returns undefined if the outline is nearly flat or
 * not elliptic.
 */
export function measureViewElevation(mask: Mask, box: MaskBox): number | undefined {
  const outline = lowerOutline(mask, box);
  const lowest = Math.max(...outline);
  // The foot: columns around the middle whose outline is close to the lowest point.
  const reach = 0.14 * box.height;
  let left = outline.indexOf(lowest);
  let right = outline.lastIndexOf(lowest);
  while (left > 0 && lowest - outline[left - 1]! < reach) left--;
  while (right < outline.length - 1 && lowest - outline[right + 1]! < reach) right++;
  const half = (right - left + 1) / 2;
  const isCentered = Math.abs((left + right + 1) / 2 - box.width / 2) < 0.12 * box.width;
  if (half < 8 || half < 0.12 * box.height || !isCentered) return undefined;
  let weights = 0;
  let products = 0;
  const samples: (readonly [bend: number, rise: number])[] = [];
  for (let x = left; x <= right; x++) {
    const t = (x + 0.5 - left - half) / half;
    // Near its ends, the foot's outline already turns up into the product's sides.
    if (Math.abs(t) > 0.85) continue;
    const bend = 1 - Math.sqrt(1 - t * t);
    const rise = lowest - outline[x]!;
    weights += bend * bend;
    products += bend * rise;
    samples.push([bend, rise]);
  }
  const bulge = products / weights;
  const misfit = Math.sqrt(
    samples.reduce((sum, [bend, rise]) => sum + (rise - bulge * bend) ** 2, 0) / samples.length,
  );
  if (bulge < 1.5 || misfit > Math.max(0.8, 0.12 * bulge)) return undefined;
  // An outline rounder than `maxRoundness` is that of a rounded bottom, which reveals no elevation.
  return bulge > maxRoundness * half ? undefined : Math.max(4, toDegrees(bulge / half));
}

/**
 * Derives the camera elevation in degrees, 6 to 30, from the base of a box-shaped product with a corner toward the
 * camera. In perspective, the slopes of two perpendicular edges on the ground multiply to the square of the elevation's
 * tangent, however close the camera is.
 */
export function measureBaseElevation(
  { columns, rows }: Silhouette,
  { contour }: StandingLine,
  aspect: number,
): number | undefined {
  const edges = findBaseEdges(contour, rows, (rows * aspect) / columns);
  // `elevationDeg` is for parallel projection, in which the product of the slopes is the square of the sine.
  return edges && Math.min(30, toDegrees(Math.sin((edges.elevationDeg * Math.PI) / 180)));
}

/**
 * Minimum distance between two feet, as a fraction of the width, and minimum height of the rear feet above the front
 * feet, as a fraction of the height; smaller values are noise.
 */
const minFeetDistance = 0.25;
const minRise = 0.03;

/**
 * Derives the camera elevation in degrees from the feet. Products on legs or wheels are about as deep as wide,
 * so the rear feet appear higher than the front feet by the width times the elevation's tangent. In a
 * scene with a lower camera, the wall would start in front of the rear feet.
 */
export function measureLegsElevation(
  { columns, rows }: Silhouette,
  { contour, touches }: StandingLine,
  aspect: number,
): number | undefined {
  const feet = [...touches.keys()].filter((column) => touches[column] === 1);
  const [first = 0, last = 0] = [feet.at(0), feet.at(-1)];
  const spread = ((last - first + 1) / columns) * aspect;
  const isApart = feet.some((column, i) => i > 0 && column - feet[i - 1]! > minFeetDistance * columns);
  const heights = feet.map((column) => contour[column]!);
  const rise = (Math.max(...heights) - Math.min(...heights)) / rows;
  if (!isApart || rise < minRise) return undefined;
  return toDegrees(rise / spread);
}

const toDegrees = (tangent: number): number => (Math.atan(tangent) * 180) / Math.PI;

function lowerOutline({ width, data: bits }: Mask, box: MaskBox): number[] {
  return Array.from({ length: box.width }, (_, x) => {
    for (let y = box.y + box.height - 1; y >= box.y; y--)
      if (bits[y * width + box.x + x]) return y - box.y + 1;
    return 0;
  });
}
