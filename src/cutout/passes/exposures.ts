/**
 * Passes over darker copies of a photo on bright paper, if the passes over the photo itself were unsure.
 *
 * The white face of a product differs from white paper by only a few of 255 levels. A gamma curve spreads those levels,
 * so that the same network finds what it missed. Strong curves on ordinary pictures produce clean but wrong mattes. So
 * the curves are tried on bright paper only, and an earlier matte is kept unless another one scores higher.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { luminanceOf } from '../../srgb.ts';
import type { Resolution } from '../removal-engine.ts';
import { movePlace } from '../steps/doubtful-places.ts';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { measureAgreement, measureContourContrast, measureSoftness } from '../steps/matte-evidence.ts';
import { fitInto, shrinkPhoto } from '../steps/shrink-photo.ts';
import { type Comparison, findContradictions } from './contradictions.ts';
import type { Passes } from './run-passes.ts';

/** A matte is accepted as it is if it is less soft than this. */
const SURE_SOFTNESS = 0.02;
/** A border is bright if the mean luma of its pixels, 0 to 255, is above this. Well-lit paper has 200 to 250. */
const BRIGHT_BORDER = 190;
/** Exponents of the gamma curves, for values from 0 to 1. Exponents above 1 spread the highlights. */
export const GENTLE_GAMMA = 2.5;
const STRONG_GAMMA = 5;
/** Maximum longer side of the copy whose exposure is changed, in pixels. Engines work at about 1024 px. */
const VIEW_SIDE_PX = 1536;
/**
 * The gentler exposure is clearly better than the matte of the earlier passes if its gain (see `measureGain`) is at
 * least this. In all measured photos where the stronger exposure was even better, the gentler one gained less than 0.2.
 */
const CLEAR_GAIN = 0.5;
/** Foliage and wires have softer mattes than this. For such subjects, a coarse pass does not predict a full one. */
const FINE_SOFTNESS = 0.1;

/** A matte of the whole photo, and its agreement with the pass that contradicts it most; 1 if there was no other. */
export interface View extends Comparison {
  readonly matte: Matte;
  /** Exponent of the gamma curve of the pass; 1 is the photo itself. */
  readonly gamma: number;
}

export const asSeen = (matte: Matte): View => ({ matte, gamma: 1, agreement: 1, disputed: [] });

/**
 * Returns the best of `seen` and of passes over darker copies of the whole photo. `isAgreed` says whether earlier passes
 * agree (`false` if there was only one). If they do, only the gentler exposure is tried. If not, the stronger one
 * follows unless the gentler one is clearly better; if the engine has coarse passes, a coarse one must be promising.
 */
export async function chooseExposure(
  source: RgbImage,
  { matte: seen, isAgreed }: { readonly matte: Matte; readonly isAgreed: boolean },
  passes: Pick<Passes, 'run' | 'mayRun' | 'hasCoarse'>,
): Promise<View> {
  if (!hasBrightBorder(source) || measureSoftness(seen) <= SURE_SOFTNESS) return asSeen(seen);
  if (!passes.mayRun('exposures', isAgreed ? 1 : 2)) return asSeen(seen);
  const copy = await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
  const show = (gamma: number, resolution?: Resolution): Promise<Matte> =>
    passes.run(`exposure ${gamma}`, curveExposure(copy, gamma), resolution);
  const gentle = { gamma: GENTLE_GAMMA, matte: await show(GENTLE_GAMMA) };
  const first = { gamma: 1, matte: await enlargeMatte(seen, gentle.matte) };
  const choose = (...others: readonly Exposed[]): View => {
    const chosen = chooseView(source, [first, ...others]);
    return chosen.gamma === 1 ? { ...chosen, matte: seen } : chosen;
  };
  if (isAgreed || measureGain(source, first.matte, gentle.matte) >= CLEAR_GAIN) return choose(gentle);
  if (passes.hasCoarse && measureSoftness(seen) < FINE_SOFTNESS) {
    const glimpse = await show(STRONG_GAMMA, 'coarse');
    if (measureGain(source, await enlargeMatte(seen, glimpse), glimpse) <= 0) return choose(gentle);
  }
  return choose(gentle, { gamma: STRONG_GAMMA, matte: await show(STRONG_GAMMA) });
}

type Exposed = Pick<View, 'matte' | 'gamma'>;

/** All mattes have the same size. */
function chooseView(source: RgbImage, views: readonly Exposed[]): View {
  const scored = views.map((view) => {
    const others = views.filter((other) => other !== view);
    const agreement =
      others.reduce((sum, other) => sum + measureAgreement(view.matte, other.matte), 0) / others.length;
    return { ...view, score: scoreView(view.matte, source, agreement) };
  });
  const { gamma, matte } = scored.reduce((a, b) => (b.score > a.score ? b : a));
  const { agreement, disputed } = views
    .filter((view) => view.gamma !== gamma)
    .map((view) => findContradictions(matte, view.matte))
    .reduce((a, b) => (b.agreement < a.agreement ? b : a));
  const all = { x: 0, y: 0, width: source.width, height: source.height };
  return { matte, gamma, agreement, disputed: disputed.map((place) => movePlace(place, matte, all)) };
}

/**
 * Score of a pass. It is high if the matte is certain, has color differences across its contour, and agrees
 * with other passes. The weights are round numbers that improved the cutouts of each of three sets of photos. Fitted
 * weights improved only those of the set that they were fitted to.
 */
function scoreView(matte: Matte, source: RgbImage, agreement: number): number {
  const softness = measureSoftness(matte);
  // An empty matte gets the lowest score. Otherwise, two curves that hide everything would agree with each other.
  if (softness === 1) return Number.NEGATIVE_INFINITY;
  return -Math.log(softness + 0.003) + 10 * measureContourContrast(matte, source) + 3 * agreement;
}

/** How much higher `other` scores than `first`, which has the same size. The agreement between passes is left out. */
const measureGain = (source: RgbImage, first: Matte, other: Matte): number =>
  scoreView(other, source, 0) - scoreView(first, source, 0);

/** Applies a gamma curve to the photo. */
export function curveExposure(photo: RgbImage, gamma: number): RgbImage {
  if (gamma === 1) return photo;
  const curve = Uint8Array.from({ length: 256 }, (_, value) => Math.round((value / 255) ** gamma * 255));
  const data = new Uint8Array(photo.data.length);
  for (let i = 0; i < data.length; i++) data[i] = curve[photo.data[i]!]!;
  return { ...photo, data };
}

/** Whether the photo's border is bright, as in photos on well-lit paper. */
export const hasBrightBorder = (photo: RgbImage): boolean => measureBorderLuma(photo) > BRIGHT_BORDER;

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
