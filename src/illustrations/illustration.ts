/**
 * Illustrations: backdrops and scenes for products.
 *
 * - A scene was planned for one design. Its pixels can always be rendered again from its plan.
 * - A plain illustration is the backdrop of a plain recipe, suggested for one design.
 * - A backdrop is a caller's own picture; it belongs to the account and works with all its designs.
 * - The picture of a look (a saved scene or recipe) belongs to the account, too.
 */
import type { ImageFacts } from 'packshot-photos';
import type { ScenePlan } from 'packshot-studio';
import type { Mutations } from '../recipes/mutations.ts';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import type { IllustrationOwner } from './illustration-uri.ts';
import type { BriefParts } from './painting/write-brief.ts';

export interface SceneIllustration extends IllustrationOwner {
  readonly kind: 'scene';
  readonly plan: ScenePlan;
  /** Undefined for scenes stored before there were illustration engines. */
  readonly brief: BriefParts | undefined;
}

export interface PlainIllustration extends IllustrationOwner {
  readonly kind: 'plain';
  readonly plan: PicturePlan;
  /** The suggestion's changes to the recipe, such as a brand color. */
  readonly mutations: Mutations;
}

export type DesignIllustration = SceneIllustration | PlainIllustration;

interface OfAccount extends IllustrationOwner {
  /** Empty, because the illustration belongs to no design. The URI's signature covers the empty ID, too. */
  readonly designId: '';
}

export interface Backdrop extends OfAccount {
  readonly kind: 'backdrop';
  readonly image: ImageFacts;
  readonly createdAt: Date;
  /** Null if backdrops are kept until they are deleted. */
  readonly expiresAt: Date | null;
}

/** The picture of a look (a saved scene or recipe): its set or backdrop without a product. */
export interface LookPicture extends OfAccount {
  readonly kind: 'look';
  readonly plan: ScenePlan | PicturePlan;
}

export type Illustration = DesignIllustration | Backdrop | LookPicture;

export const backdropBlobs = {
  all: 'backdrops',
  of: (id: string) => `backdrops/${id}`,
  source: (id: string) => `backdrops/${id}/source`,
  /** A rendered view of the backdrop. */
  shown: (id: string, name: string) => `backdrops/${id}/shown-${name}`,
} as const;

const drawnFile =
  /^(designs\/[^/]+\/pictures\/[^/]+|designs\/[^/]+\/illustrations\/[^/]+\/(clean|grounded|plain|painted)-(preview|generated)-r\d+(-[0-9A-Za-z]+)?|backdrops\/[^/]+\/shown-[^/]+)$/;

/** Whether a missing blob with this key can be drawn again with the same pixels, so that only time is lost. */
export const isDrawnAgain = (key: string): boolean => drawnFile.test(key);

/** Whether a blob is a plate drawn for a cutout other than `cutoutName`. `name`: the key after the design's prefix. */
export function isOfOtherOutline(name: string, cutoutName: string | null): boolean {
  const found = /^illustrations\/[^/]+\/grounded-[a-z]+-r\d+(?:-([0-9A-Za-z]+))?$/.exec(name);
  return found !== null && (found[1] ?? null) !== cutoutName;
}
