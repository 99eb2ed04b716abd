/**
 * Passes over darker copies of a photo on bright paper, if the passes over the photo itself were unsure.
 *
 * The white face of a product differs from white paper by only a few of 255 levels. A gamma curve spreads those levels,
 * so that the same network finds what it missed. Strong curves on ordinary pictures produce clean but wrong mattes. So
 * the curves are tried on bright paper only, and an earlier matte is kept unless a new one scores higher.
 */
import { luminanceOf, type Matte, type RgbImage } from 'packshot-pixels';
import { movePlace } from '../steps/doubtful-places.ts';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { measureContourContrast, measureSoftness } from '../steps/matte-evidence.ts';
import { fitInto, shrinkPhoto } from '../steps/shrink-photo.ts';
import { type Comparison, findContradictions } from './contradictions.ts';
import type { Passes } from './run-passes.ts';

/** A matte is accepted as it is if it is less soft than this. */
const SURE_SOFTNESS = 0.02;
/** A border is bright if the mean luma of its pixels, 0 to 255, is above this. Well-lit paper has 200 to 250. */
const BRIGHT_BORDER = 190;
/** Exponents of the gamma curves, for values from 0 to 1. Exponents above 1 spread the highlights. */
const GAMMAS = [2.5, 5] as const;
/** Maximum longer side of the copy whose exposure is changed, in pixels. Engines work at about 1024 px. */
const VIEW_SIDE_PX = 1536;
/** A matte of the whole photo, and its agreement with the pass that contradicts it most; 1 if there was no other. */
export interface View extends Comparison {
  readonly matte: Matte;
  /** Exponent of the gamma curve of the pass; 1 is the photo itself. */
  readonly gamma: number;
}

export const asSeen = (matte: Matte): View => ({ matte, gamma: 1, agreement: 1, disputed: [] });

/** Returns the best of `seen` and of passes over darker copies of the whole photo, which end when a matte is sure. */
export async function chooseExposure(
  source: RgbImage,
  seen: Matte,
  passes: Pick<Passes, 'run' | 'mayRun'>,
): Promise<View> {
  if (!needsExposure(source, seen) || !passes.mayRun('exposures', GAMMAS.length)) return asSeen(seen);
  const copy = await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
  const mattes = [seen];
  let best: Pick<View, 'matte' | 'gamma'> = { matte: seen, gamma: 1 };
  for (const gamma of GAMMAS) {
    if (measureSoftness(best.matte) <= SURE_SOFTNESS) break;
    const matte = await passes.run(`exposure ${gamma}`, curveExposure(copy, gamma));
    mattes.push(matte);
    const before = await enlargeMatte(best.matte, matte);
    if (scoreView(matte, source) > scoreView(before, source)) best = { matte, gamma };
  }
  const others = mattes.filter((matte) => matte !== best.matte);
  const comparisons = others.map(async (matte) =>
    findContradictions(best.matte, await enlargeMatte(matte, best.matte)),
  );
  const { agreement, disputed } = (await Promise.all(comparisons)).reduce((a, b) =>
    b.agreement < a.agreement ? b : a,
  );
  const all = { x: 0, y: 0, width: source.width, height: source.height };
  return { ...best, agreement, disputed: disputed.map((place) => movePlace(place, best.matte, all)) };
}

/** Whether a matte of the photo is unsure, and the photo's border is bright, as on white paper. */
export const needsExposure = (source: RgbImage, seen: Matte): boolean =>
  hasBrightBorder(source) && measureSoftness(seen) > SURE_SOFTNESS;

/**
 * Score of a pass. It is high if the matte is certain, and has color differences across its contour. The weights are
 * round numbers that improved the cutouts of each of three sets of photos; fitted weights improved only those of the set
 * that they were fitted to.
 */
function scoreView(matte: Matte, source: RgbImage): number {
  const softness = measureSoftness(matte);
  // An empty matte gets the lowest score.
  if (softness === 1) return Number.NEGATIVE_INFINITY;
  return -Math.log(softness + 0.003) + 10 * measureContourContrast(matte, source);
}

/** The photo itself; on bright paper, its gentlest darker copy. */
export const darkenPaper = (source: RgbImage): ((part: RgbImage) => RgbImage) =>
  hasBrightBorder(source) ? (part) => curveExposure(part, GAMMAS[0]) : (part) => part;

/** Applies a gamma curve to the photo. */
export function curveExposure(photo: RgbImage, gamma: number): RgbImage {
  if (gamma === 1) return photo;
  const curve = Uint8Array.from({ length: 256 }, (_, value) => Math.round((value / 255) ** gamma * 255));
  const data = new Uint8Array(photo.data.length);
  for (let i = 0; i < data.length; i++) data[i] = curve[photo.data[i]!]!;
  return { ...photo, data };
}

/** Whether the photo's border is bright, as in photos on well-lit paper. */
const hasBrightBorder = (photo: RgbImage): boolean => measureBorderLuma(photo) > BRIGHT_BORDER;

function measureBorderLuma({ width, height, data }: RgbImage): number {
  let sum = 0;
  let count = 0;
  const add = (i: number): void => {
    sum += luminanceOf(data, i * 3);
    count++;
  };
  for (let x = 0; x < width; x++) {
    add(x);
    add((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    add(y * width);
    add(y * width + width - 1);
  }
  return sum / count;
}
