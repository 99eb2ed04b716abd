/** Setups that suit a product's staging, but not its shape or its kind. */
import type { Material } from '../../studio/scene-plan.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { ProductKind } from '../product-kind.ts';
import { compositionParts } from './compositions.ts';
import { isAiry, isBushy } from './fill-frame.ts';
import { isFlush } from './flush.ts';
import type { Setup } from './setups.ts';

export type Outline = Pick<
  ProductFeatures,
  'aspect' | 'cropped' | 'fill' | 'solidity' | 'thinness' | 'roundness' | 'viewElevationDeg'
>;

const stones: ReadonlySet<Material> = new Set(['marble', 'travertine', 'stone']);

const hasStand = ({ composition }: Pick<Setup, 'composition'>): boolean =>
  compositionParts[composition].stands[0] !== 'none';

/**
 * Whether viewers would notice the set before the product. Boards fill a table or a floor with lines whose direction
 * must agree with the product's perspective, and so do the veins of a floor. Pits in a stone floor look like dirt.
 * Growth rings on a podium, and leaf shadows without leaves, look rendered. The chips of terrazzo are colorful.
 */
export function isConspicuous({ composition, floor, pedestal, gobo }: Setup): boolean {
  const isRoom = composition === 'room';
  const isWooden = (floor === 'wood' && !isRoom) || (pedestal === 'wood' && hasStand({ composition }));
  const isStone = isRoom && stones.has(floor);
  return isWooden || isStone || floor === 'terrazzo' || gobo === 'foliage';
}

/**
 * Products such as orchids and lamps look lost on a stand, which is wider than their box. On marble, their thin shadows
 * look like veins.
 */
const isLost = (setup: Setup, features: Outline): boolean =>
  isAiry(features) && (hasStand(setup) || setup.floor === 'marble');

/**
 * Whether a stand does not suit a wide or a bushy product. The ellipse of the stand's top reveals the camera's
 * elevation. If the photo of a wide product does not reveal the elevation from which it was taken, the two elevations
 * rarely match, and the product seems to tip. A wide product also hides its own shadow on the stand. A ball is no
 * problem, because it looks the same from everywhere. The shadow of a bushy product needs more ground than a stand has.
 */
const isUnstable = (setup: Setup, features: Outline): boolean => {
  const { aspect, roundness, viewElevationDeg } = features;
  const isUnknown = aspect >= wideFrom && roundness < 0.5 && viewElevationDeg === undefined;
  return hasStand(setup) && (isUnknown || isBushy(features));
};
const wideFrom = 0.85;

/** Whether the setup has a stand or a ground on which a product of this shape looks wrong. */
export const isMisfit = (setup: Setup, features: Outline): boolean =>
  isLost(setup, features) || isUnstable(setup, features) || (hasStand(setup) && isFlush(features));

/** On seamless paper, the shade below furniture looks like a stain; on boards, it is part of a room. */
export const isAfloat = (
  { composition }: Setup,
  { kind, staging }: Pick<ProductKind, 'kind' | 'staging'>,
): boolean => composition === 'sweep' && kind === 'Furniture' && staging === 'large';

/** Materials that no wall is made of. */
const groundsOnly: ReadonlySet<Material> = new Set(['satin', 'sand', 'stone', 'terrazzo', 'water']);

/** Whether a hung product would have a ground behind it that no wall is made of. */
export const isNoWall = ({ floor }: Setup, { staging }: Pick<ProductKind, 'staging'>): boolean =>
  staging === 'hung' && groundsOnly.has(floor);
