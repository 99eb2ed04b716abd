/** Composites a design's product in a child process, over a plate (a scene without its product) or a backdrop. */
import type { Mutations } from '../recipes/mutations.ts';
import type { StudioRequest } from '../recipes/studio-recipe.ts';
import type { DrawnPicture } from '../rendering/draw-picture.ts';
import type { DigitalSourceType } from '../rendering/encode.ts';
import type { Drawing } from '../rendering/render-design.ts';
import type { Tasks } from '../tasks.ts';
import type { placeInScene } from './draw-scene.ts';
import type { groundOnBackdrop } from './ground-on-backdrop.ts';
import type { Place } from './painting/painting.ts';
import type { StagedScene } from './staged-scene.ts';

export type Imaging = Tasks<{ placeInScene: typeof placeInScene; groundOnBackdrop: typeof groundOnBackdrop }>;

/** A picture of the whole frame that already has the product's shadow, bounced light and reflection. */
interface PlateToCover {
  readonly picture: Uint8Array;
  readonly scene: StagedScene;
  /** Position of the product in the picture; default: as planned. */
  readonly place: Place | undefined;
  readonly madeBy: DigitalSourceType;
}

interface BackdropToCover {
  readonly backdrop: Uint8Array;
  readonly mutations: BackdropMutations;
  readonly ratio: StudioRequest['variant'];
  readonly madeBy: DigitalSourceType;
}

/** The mutations that apply to a caller's own backdrop. */
type BackdropMutations = Pick<Mutations, 'layout' | 'shadow' | 'edge'>;

/** Composites the product over a plate that already holds its shadow and reflection. */
export function placeOnPlate(
  imaging: Pick<Imaging, 'placeInScene'>,
  { design, productPng: cutoutPng, target, urgency }: Drawing,
  { picture, scene, place, madeBy }: PlateToCover,
  signal: AbortSignal,
): Promise<DrawnPicture> {
  const { boundingBox } = design.subject;
  const { plan, rotateDeg, shrinkPx, matchesLight } = scene;
  const staged = { plan, rotateDeg, shrinkPx, matchesLight, place, madeBy };
  return imaging.placeInScene(
    { platePicture: picture, ...staged, cutoutPng, boundingBox, target },
    { signal, urgency, account: design.accountId, lastStep: true },
  );
}

/** Composites the product over a backdrop, with a shadow that matches the backdrop's light. */
export function placeOnBackdrop(
  imaging: Pick<Imaging, 'groundOnBackdrop'>,
  { design, productPng: cutoutPng, target, urgency }: Drawing,
  { backdrop, mutations: { layout = {}, shadow = {}, edge = {} }, ratio, madeBy }: BackdropToCover,
  signal: AbortSignal,
): Promise<DrawnPicture> {
  const { boundingBox, touchesEdges } = design.subject;
  const product = { cutoutPng, boundingBox, touchesEdges, pose: design.product?.pose };
  return imaging.groundOnBackdrop(
    { ...product, backdrop: { bytes: backdrop }, ratio, target, layout, shadow, edge, madeBy },
    { signal, urgency, account: design.accountId },
  );
}
