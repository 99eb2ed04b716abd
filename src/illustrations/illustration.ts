/**
 * Illustrations: what a product stands in, or before.
 *
 * - A scene was planned for one design. Its pixels can always be made again from the plan.
 * - A plain one is the backdrop of a plain recipe, suggested for one design.
 * - A backdrop is a picture of the caller's own; it belongs to the account and serves every design of it.
 */
import type { ImageFacts } from '../designs/read-image.ts';
import type { Mutations } from '../recipes/mutations.ts';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import type { ScenePlan } from '../studio/scene-plan.ts';
import type { BriefParts } from './painting/write-brief.ts';

interface DesignIllustration {
  readonly id: string;
  readonly designId: string;
  readonly accountId: string;
}

export interface SceneIllustration extends DesignIllustration {
  readonly kind: 'scene';
  readonly plan: ScenePlan;
  /** Undefined for scenes of a time before engines. */
  readonly brief: BriefParts | undefined;
}

export interface PlainIllustration extends DesignIllustration {
  readonly kind: 'plain';
  readonly plan: PicturePlan;
  /** What the suggestion changed about its recipe, such as a brand color. */
  readonly mutations: Mutations;
}

export interface Backdrop {
  readonly kind: 'backdrop';
  readonly id: string;
  /** Of no design: part of what its URI's signature covers all the same. */
  readonly designId: '';
  readonly accountId: string;
  readonly image: ImageFacts;
  readonly createdAt: Date;
  /** Null where backdrops are kept until they are deleted. */
  readonly expiresAt: Date | null;
}

export type Illustration = SceneIllustration | PlainIllustration | Backdrop;

export const backdropBlobs = {
  all: 'backdrops',
  of: (id: string) => `backdrops/${id}`,
  /** The upload as it came. */
  source: (id: string) => `backdrops/${id}/source`,
  /** A picture of it for looking at. */
  shown: (id: string, name: string) => `backdrops/${id}/shown-${name}`,
} as const;

const drawnFile =
  /^(designs\/[^/]+\/illustrations\/[^/]+\/(clean|grounded|plain|painted)-(preview|generated)-r\d+(-[0-9A-Za-z]+)?|backdrops\/[^/]+\/shown-[^/]+)$/;

/** Of a blob: whether it is drawn again, with the same pixels and for nothing but time, when it is missing. */
export const isDrawnAgain = (key: string): boolean => drawnFile.test(key);

/** Of a blob's name below its design: whether it is a plate with the shadow of another cutout than the current one. */
export function isOfOtherOutline(name: string, cutoutName: string | null): boolean {
  const found = /^illustrations\/[^/]+\/grounded-[a-z]+-r\d+(?:-([0-9A-Za-z]+))?$/.exec(name);
  return found !== null && (found[1] ?? null) !== cutoutName;
}
