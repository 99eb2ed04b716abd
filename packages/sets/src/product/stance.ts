/** Decides how a product can be shown, judging by how it was photographed. */
import type { ProductPose } from '../product-facts.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { GroundFit } from './ground-fit.ts';

/**
 * `stands`: on the ground that `contacts` show. `lies`: on the ground, photographed from above. `hangs`: from straps or a
 * cord. `worn`: by a person. `cropped`: the photo's lower edge crops it, if
 * only a leg: then it touches the picture's edge, too. `unclear`: no ground
 * fits.
 */
export type StanceKind = 'stands' | 'lies' | 'hangs' | 'worn' | 'cropped' | 'unclear';

export interface Stance extends Pick<GroundFit, 'contacts'> {
  readonly kind: StanceKind;
  /** Of the camera in the photo; undefined if the photo does not reveal it. */
  readonly cameraElevationDeg: number | undefined;
}

/** What is known about the product besides its cutout. */
export interface StanceFacts {
  /** Whether such products cannot stand, as a pen. */
  readonly fallsOver?: boolean | undefined;
}

export function findStance(features: ProductFeatures, facts: StanceFacts = {}): Stance {
  const { contacts } = features.ground;
  const cameraElevationDeg = features.viewElevationDeg ?? features.legsElevationDeg;
  return { kind: findKind(features, facts, cameraElevationDeg), cameraElevationDeg, contacts };
}

/** Undefined for a product that stands. Where no ground fits, there is only a soft shadow, as below a lying product. */
export function poseOf({ kind }: Pick<Stance, 'kind'>): ProductPose | undefined {
  if (kind === 'stands') return undefined;
  return kind === 'lies' || kind === 'unclear' ? 'lying' : 'hung';
}

/** A product that cannot stand was photographed from above if its width divided by its height is below this. */
const onEndBelow = 0.6;
/** From a higher camera, the photo shows the product from above. */
const highestDeg = 35;
/** Minimum angle of a rectangle that was photographed from straight above; a smaller one is the camera's tilt. */
const minTurnDeg = 6;
/** Log odds at which, of the tuning poses of `npm run eval:standing`, 2 % float, and 66 % of those from the front are stood. */
const mostOdds = -0.6;
/** If the base of a product that would float takes up more of its height in the picture, it was seen from above. */
const maxRise = 0.45;
/** A solid thing that would fall over if it were tilted by less than this, and would float, lies. */
const minTipDeg = 14;

function findKind(f: ProductFeatures, { fallsOver = false }: StanceFacts, elevationDeg = 0): StanceKind {
  if (f.cropped.bottom !== undefined) return 'cropped';
  if (hangs(f)) return 'hangs';
  if (isWorn(f)) return 'worn';
  const isOnEnd = fallsOver && f.aspect < onEndBelow;
  if (isOnEnd || isScattered(f) || f.turnDeg >= minTurnDeg || elevationDeg > highestDeg) return 'lies';
  const { tipDeg, floatOdds, contacts, seenFromAbove } = f.ground;
  if (floatOdds < mostOdds) return 'stands';
  const isFromAbove =
    (seenFromAbove && f.viewElevationDeg === undefined) ||
    Math.max(0, ...contacts.map(({ y }) => y)) > maxRise ||
    (tipDeg < minTipDeg && f.solidity > 0.9);
  return isFromAbove ? 'lies' : 'unclear';
}

/**
 * Whether the photo shows several things from above: if they stood on one ground, their feet would not be so far apart.
 * The parts of a thin product, such as the blossoms of an orchid, only seem to be separate.
 */
const isScattered = ({ scatter, thinness }: ProductFeatures): boolean => scatter > 0.5 && thinness < 0.3;

/**
 * Maximum width of straps, chains or a cord, as fractions of the product's width: at the photo's upper edge, and on
 * average in the upper eighth of the product.
 */
const straps = { atEdge: 0.25, nearEdge: 0.4 } as const;
/** Straps keep their width. A leaf or a handle, which the photo crops too, gets wider below the edge by more than this. */
const widening = { factor: 1.3, share: 0.02 } as const;
/** Something symmetrical on a cord, such as a lamp, may end in a base as wide as a foot. */
const cord = { nearEdge: 0.1, symmetry: 0.85 } as const;

/** Whether only straps or a cord reach the photo's upper edge, and the product has nothing to stand on. */
function hangs(f: ProductFeatures): boolean {
  const { top, bottom } = f.cropped;
  const nearEdge = f.profile[0]!;
  if (top === undefined || bottom !== undefined) return false;
  if (top > straps.atEdge || nearEdge > straps.nearEdge) return false;
  if (nearEdge > widening.factor * top + widening.share) return false;
  const isOnCord = nearEdge < cord.nearEdge && f.symmetry > cord.symmetry;
  const hasFoot = f.viewElevationDeg !== undefined || f.legsElevationDeg !== undefined || f.footWidth >= 0.5;
  return isOnCord || !hasFoot;
}

/**
 * Bare skin covers between these fractions of a person in clothes whose head the photo crops.
 * Wood and leather have the color of skin, too, but photos show such products whole.
 */
export const leastSkin = 0.02;
export const mostSkin = 0.7;
const bodyCropped = 0.2;

const isWorn = ({ skin, cropped: { top = 0 } }: ProductFeatures): boolean =>
  skin >= leastSkin && skin <= mostSkin && top >= bodyCropped;
