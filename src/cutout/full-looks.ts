/**
 * The later passes, mostly at full resolution: over the whole photo, over the subject's part of it, over the subject's
 * halves, over the photo in a wider frame and, if the first matte is soft, over copies of the whole photo with other
 * exposures. `look-at-photo.ts` decides which of them a photo gets.
 */
import type { Box, Matte, RgbImage } from '../pixels.ts';
import type { StepClock } from '../step-clock.ts';
import type { Resolution } from './removal-engine.ts';
import { addLostParts, mayLackParts, preparePartSearch } from './steps/add-lost-parts.ts';
import { enlargeMatte } from './steps/enlarge-matte.ts';
import {
  BRIGHT_GAMMAS,
  type ChosenView,
  chooseExposure,
  curveExposure,
  hasBrightBorder,
  isSharp,
  measureGain,
} from './steps/exposure-views.ts';
import { lookFromAfar } from './steps/far-look.ts';
import { isMesh, lookAtHalves } from './steps/half-looks.ts';
import { measureSoftness } from './steps/matte-evidence.ts';
import {
  type CloseLook,
  isConfirmed,
  MIN_AGREEMENT,
  type SecondLook,
  takeSecondLook,
} from './steps/second-look.ts';
import { fitInto, shrinkPhoto } from './steps/shrink-photo.ts';
import { type Looks, MEDIUM_SHARE, REDUCED_SHARE } from './take-looks.ts';

/** Maximum longer side of the copy whose exposure is changed, in pixels. Engines work at about 1024 px. */
const VIEW_SIDE_PX = 1536;
/** Maximum number of passes per stage. */
const MOST_LOOKS = { 'exposure-views': 2, 'second-look': 1, 'half-looks': 2 } as const;

/**
 * If earlier passes agree, the stronger exposure is tried only if their matte is softer than this. It may show parts
 * that the gentler exposure does not, such as a camera's white front on white.
 */
const VERY_SOFT = 0.04;
/**
 * The gentler exposure is clearly better than the matte of the earlier passes if its gain (see `measureGain`) is at
 * least this. In all measured photos where the stronger exposure was even better, the gentler one gained less than 0.2.
 */
const CLEAR_GAIN = 0.5;
/** Foliage and wires have softer mattes than this. For such subjects, a coarse pass does not predict a full one. */
const FINE_SOFTNESS = 0.1;
/**
 * Maximum softness of a coarse matte for which no other exposure is tried. In a coarse matte, the outline is about as
 * many pixels wide as in a full one, but the product has fewer pixels. So the outline's share of the product is larger,
 * and the limit is higher than for full passes (.02). Of nine photos whose first two passes disagree, only one was
 * better in another exposure, and its softness is .036. Three of the nine are below the limit.
 */
const COARSELY_SURE = 0.03;
/** Approximate cost of a coarse pass as a fraction of a full one. */
const COARSE_SHARE = 0.28;

/**
 * If the engine has coarse passes, a new closer pass is run only if it covers at most this share of the photo's area.
 * Then even a pass at medium resolution is at least as fine as a full pass over the whole photo. If the share is
 * larger, even a full pass shows little more than the pass over the whole photo did: in 79 photos, there was one such
 * pass, and its result was not used.
 */
const MEDIUM_AREA = 0.56;

interface Run {
  readonly looks: Looks;
  readonly clock: StepClock;
}

export function lookThroughExposures(
  source: RgbImage,
  first: Matte,
  { looks, clock }: Run,
): Promise<ChosenView> {
  const unchanged = { matte: first, gamma: 1, agreement: 1, disputed: [] };
  return clock.run('exposure-views', () =>
    looks.refine(
      'exposure-views',
      MOST_LOOKS['exposure-views'],
      (look) => chooseExposure(source, first, makeViews(source, look)),
      unchanged,
    ),
  );
}

/**
 * Runs passes over darker copies of the whole photo, for bright paper. The gentler exposure comes first. Whether the
 * stronger one follows depends on `isAgreed`, that is whether earlier passes agree (`false` if there was only one):
 *
 * - If they agree, it follows only if `matte` is very soft and the gentler exposure is not better than `matte`.
 * - Otherwise, it follows unless the gentler exposure is clearly better than `matte`. If the engine has coarse passes
 *   and the softness of `matte` is below `FINE_SOFTNESS`, a coarse pass through the stronger exposure is run first, and
 *   the full pass only if the coarse one is better than `matte`.
 */
export function lookThroughBrightExposures(
  source: RgbImage,
  { matte: seen, isAgreed }: { readonly matte: Matte; readonly isAgreed: boolean },
  { looks, clock, canTriage }: Run & { readonly canTriage: boolean },
): Promise<ChosenView> {
  const unchanged = { matte: seen, gamma: 1, agreement: 1, disputed: [] };
  const [gentle, strong] = BRIGHT_GAMMAS;
  const isGentle = isAgreed && measureSoftness(seen) <= VERY_SOFT;
  const work = async (look: Look): Promise<ChosenView> => {
    // `chooseExposure` would keep such a matte whatever the other exposures show.
    if (isSharp(seen)) return unchanged;
    const view = makeViews(source, look);
    const through = new Map([[gentle, await view(gentle)]]);
    const first = await enlargeMatte(seen, through.get(gentle)!);
    const choose = async (): Promise<ChosenView> => {
      const chosen = await chooseExposure(source, first, async (gamma) => through.get(gamma)!, [
        ...through.keys(),
      ]);
      return chosen.gamma === 1 ? { ...chosen, matte: seen } : chosen;
    };
    const gentler = await choose();
    const gain = measureGain(source, first, through.get(gentle)!);
    if (isGentle || (isAgreed ? gentler.gamma !== 1 : gain >= CLEAR_GAIN)) return gentler;
    if (canTriage && !isAgreed && measureSoftness(seen) < FINE_SOFTNESS) {
      const glimpse = await view(strong, 'coarse');
      if (measureGain(source, await enlargeMatte(seen, glimpse), glimpse) <= 0) return gentler;
    }
    through.set(strong, await view(strong));
    return choose();
  };
  const most = isGentle ? 1 : BRIGHT_GAMMAS.length;
  return clock.run('exposure-views', () => looks.refine('exposure-views', most, work, unchanged));
}

/**
 * For photos without a bright border: runs a coarse pass through each exposure, and a full pass through the exposure
 * that `chooseExposure` chooses. If `coarse` is sharp (see `COARSELY_SURE`), no other exposure is tried. `seen` is an
 * earlier full pass over the unmodified whole photo, to be reused; `null` if there was none. Returns `null` if there is
 * no time for the passes.
 */
export function lookCoarselyThroughExposures(
  source: RgbImage,
  coarse: Matte,
  { looks, clock }: Run,
  seen: Matte | null,
): Promise<ChosenView | null> {
  return clock.run('exposure-views', () =>
    looks.refine<ChosenView | null>(
      'whole-look',
      1 + MOST_LOOKS['exposure-views'] * COARSE_SHARE,
      async (look) => {
        const view = makeViews(source, look);
        const isSure = measureSoftness(coarse) <= COARSELY_SURE;
        const chosen = isSure
          ? { matte: coarse, gamma: 1, agreement: 1, disputed: [] }
          : await chooseExposure(source, coarse, (gamma) => view(gamma, 'coarse'));
        const matte = chosen.gamma === 1 && seen !== null ? seen : await view(chosen.gamma, 'full');
        return { ...chosen, matte };
      },
      null,
    ),
  );
}

/**
 * Runs a pass over the whole photo. `agreement` is that of the first two passes. If it is high enough that the new pass
 * will probably confirm the closer one, a medium pass is tried first, and a full pass runs only if the medium pass does
 * not confirm the closer one. A medium pass is enough, because a confirmed closer pass gets most of the weight in the
 * mix.
 */
export function lookAtWholePhoto(
  source: RgbImage,
  { agreement, ...close }: CloseLook & { readonly agreement: number },
  { looks, clock }: Run,
): Promise<Matte | null> {
  const isPromising = agreement >= MIN_AGREEMENT;
  const work = async (look: Look): Promise<Matte> => {
    const medium = isPromising ? await look(source, 'medium') : null;
    return medium !== null && (await isConfirmed(source, medium, close)) ? medium : look(source);
  };
  const most = isPromising ? 1 + MEDIUM_SHARE : 1;
  return clock.run('whole-look', () => looks.refine<Matte | null>('whole-look', most, work, null));
}

type Look = (photo: RgbImage, resolution?: Resolution) => Promise<Matte>;

function makeViews(source: RgbImage, look: Look) {
  let copy: RgbImage | null = null;
  return async (gamma: number, resolution: Resolution = 'full'): Promise<Matte> => {
    if (gamma === 1) return look(source, resolution);
    copy ??= await shrinkPhoto(source, fitInto(source, VIEW_SIDE_PX));
    return look(curveExposure(copy, gamma), resolution);
  };
}

/**
 * Runs a pass over the subject's part of the photo. `earlier` is such a pass over the unmodified photo. It is reused if
 * the new pass would cover nearly the same part in the same exposure.
 */
export function lookCloser(
  source: RgbImage,
  { matte, gamma }: ChosenView,
  { looks, clock, canTriage }: Run & { readonly canTriage: boolean },
  earlier: CloseLook | null,
): Promise<SecondLook> {
  const isFine = ({ width, height }: Box) => width * height <= MEDIUM_AREA * source.width * source.height;
  return clock.run('second-look', () =>
    looks.refine<SecondLook>(
      'second-look',
      MOST_LOOKS['second-look'],
      (look) =>
        takeSecondLook(
          source,
          matte,
          (part) => look(curveExposure(part, gamma), canTriage && gamma !== 1 ? 'medium' : 'full'),
          { earlier: gamma === 1 ? earlier : null, isWorthwhile: (crop) => !canTriage || isFine(crop) },
        ),
      { matte, agreement: null, disputed: [] },
    ),
  );
}

/**
 * Looks for parts that `matte` lacks. If `coarse` includes such parts, runs a pass over a smaller copy of the photo in
 * a wider frame (`far-look.ts`), and adds to `matte` the parts that this pass includes, too. Returns `matte` itself if
 * there are no such parts, or no time for the pass.
 */
export function lookFromFurtherAway(
  source: RgbImage,
  { matte, coarse }: { readonly matte: Matte; readonly coarse: Matte },
  { looks, clock }: Run,
): Promise<Matte> {
  return clock.run('far-look', () =>
    looks.refine(
      'far-look',
      REDUCED_SHARE,
      async (look) => {
        const search = await preparePartSearch(source, { matte, coarse });
        if (!mayLackParts(search)) return matte;
        return addLostParts(search, await lookFromAfar(source, (photo) => look(photo, 'reduced')));
      },
      matte,
    ),
  );
}

/**
 * Runs a pass over each half of the subject if it is a mesh; otherwise returns `matte` itself. On bright paper, these
 * passes use the gentler exposure, which captured the wires of a basket better than the unmodified photo did (IoU .918
 * against .902).
 */
export async function lookAtDetail(source: RgbImage, matte: Matte, { looks, clock }: Run): Promise<Matte> {
  return clock.run('half-looks', async () => {
    if (!(await isMesh(matte))) return matte;
    const gamma = hasBrightBorder(source) ? BRIGHT_GAMMAS[0]! : 1;
    return looks.refine(
      'half-looks',
      MOST_LOOKS['half-looks'],
      (look) => lookAtHalves(source, matte, (part) => look(curveExposure(part, gamma))),
      matte,
    );
  });
}
