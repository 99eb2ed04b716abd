/**
 * Step: if the engine was unsure of a photo, runs it again on copies of the photo with other exposures.
 *
 * The white face of a product differs from white paper by only a few of 255 levels, and so does a dark
 * product from a dark table. A gamma curve spreads those levels, so that the same network finds what it
 * missed. Strong curves on ordinary pictures produce clean but wrong mattes. So the curves that are tried depend
 * on the brightness of the photo's border, and the first pass is kept unless another one scores clearly higher.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { compareLooks } from './compare-looks.ts';
import { movePlace, type Place } from './doubtful-places.ts';
import { measureAgreement, measureContourContrast, measureSoftness } from './matte-evidence.ts';

/** The first pass is accepted if its matte is less soft than this. */
const SURE_SOFTNESS = 0.02;
/** A border is bright if the mean luma of its pixels, 0 to 255, is above this. Well-lit paper has 200 to 250. */
const BRIGHT_BORDER = 190;
/**
 * Exponents of the gamma curves, for values from 0 to 1. Exponents above 1 spread the highlights; those below 1 spread
 * the shadows.
 */
export const BRIGHT_GAMMAS: readonly [number, number] = [2.5, 5];
const OTHER_GAMMAS: readonly number[] = [0.5];
/**
 * Margins by which another pass must score higher (see `scoreView`) than the first one, to replace it. On bright paper,
 * the first pass is wrong as often as right. Elsewhere, it is right far more often than a pass over a brightened photo.
 */
const BETTER_ON_BRIGHT = 0;
const BETTER_ELSEWHERE = 0.6;

export interface ChosenView {
  readonly matte: Matte;
  /** Exponent of the gamma curve of the pass that was chosen; 1 is the photo itself. */
  readonly gamma: number;
  /**
   * Agreement with the pass that contradicts the chosen pass most, 0 to 1 (see `compareLooks`); 1 if there
   * was only one pass.
   */
  readonly agreement: number;
  /** Where these two passes contradict each other, in source pixels, largest first. */
  readonly disputed: readonly Place[];
}

type Look = (gamma: number) => Promise<Matte>;

/** Whether the matte is so sharp that no other exposure is tried. */
export const isSharp = (matte: Matte): boolean => measureSoftness(matte) <= SURE_SOFTNESS;

/**
 * `first` is the engine's matte of the unmodified photo. `look` runs the engine again through one of the `gammas`, and
 * returns a matte of the same size as `first`. By default, `gammas` are all exponents that suit the photo's light.
 */
export async function chooseExposure(
  source: RgbImage,
  first: Matte,
  look: Look,
  gammas: readonly number[] = hasBrightBorder(source) ? BRIGHT_GAMMAS : OTHER_GAMMAS,
): Promise<ChosenView> {
  if (isSharp(first)) {
    return { matte: first, gamma: 1, agreement: 1, disputed: [] };
  }
  const isBright = hasBrightBorder(source);
  const views = [{ gamma: 1, matte: first }];
  for (const gamma of gammas) {
    views.push({ gamma, matte: await look(gamma) });
  }
  const scored = views.map((view) => {
    const others = views.filter((other) => other !== view);
    const agreement =
      others.reduce((sum, other) => sum + measureAgreement(view.matte, other.matte), 0) / others.length;
    return { ...view, score: scoreView(view.matte, source, agreement) };
  });
  const base = scored[0]!;
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  const isBetter = best.score > base.score + (isBright ? BETTER_ON_BRIGHT : BETTER_ELSEWHERE);
  const { gamma, matte } = isBetter ? best : base;
  const comparisons = views
    .filter((view) => view.gamma !== gamma)
    .map((view) => compareLooks(matte, view.matte));
  const all = { x: 0, y: 0, width: source.width, height: source.height };
  const { agreement, disputed } = comparisons.reduce((a, b) => (b.agreement < a.agreement ? b : a));
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
export const measureGain = (source: RgbImage, first: Matte, other: Matte): number =>
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
    // Rec. 709 luma.
    sum += 0.2126 * data[i * 3]! + 0.7152 * data[i * 3 + 1]! + 0.0722 * data[i * 3 + 2]!;
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
