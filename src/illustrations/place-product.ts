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
import type { Plate } from './scene-plates.ts';
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

/** Composites the product over a scene's plate, and says so if the plate is a draft. */
export async function placeInDrawn(
  imaging: Pick<Imaging, 'placeInScene'>,
  drawing: Drawing,
  scene: StagedScene,
  { bytes: picture, draftPx, timings }: Plate,
  signal: AbortSignal,
): Promise<DrawnPicture> {
  const on = { picture, scene, place: undefined, madeBy: 'compositeSynthetic' } as const;
  const target = draftPx === undefined ? drawing.target : { ...drawing.target, isQuick: true };
  const drawn = await placeOnPlate(imaging, { ...drawing, target }, on, signal);
  return {
    ...drawn,
    warnings: [...drawn.warnings, ...explainDraft(draftPx)],
    timings: [...timings, ...drawn.timings],
    draftPx,
  };
}

export function explainDraft(draftPx: number | undefined): DrawnPicture['warnings'] {
  if (draftPx === undefined) return [];
  const detail = `There was too little time: the scene was drawn with ${draftPx} px. A later call gets it in full, and is not charged within the hour.`;
  return [{ code: 'draft', detail }];
}

/** Composites the product over a plate that already holds its shadow and reflection. */
export function placeOnPlate(
  imaging: Pick<Imaging, 'placeInScene'>,
  { design, cutoutPng, target, urgency, onStart }: Drawing,
  { picture, scene, place, madeBy }: PlateToCover,
  signal: AbortSignal,
): Promise<DrawnPicture> {
  const { boundingBox } = design.subject;
  const { plan, rotateDeg, shrinkPx, matchesLight } = scene;
  const staged = { plan, rotateDeg, shrinkPx, matchesLight, place, madeBy };
  return imaging.placeInScene(
    { platePicture: picture, ...staged, cutoutPng, boundingBox, target },
    { signal, urgency, onStart, account: design.accountId },
  );
}

/** Composites the product over a backdrop, with a shadow that matches the backdrop's light. */
export function placeOnBackdrop(
  imaging: Pick<Imaging, 'groundOnBackdrop'>,
  { design, cutoutPng, target, urgency, onStart }: Drawing,
  { backdrop, mutations: { layout = {}, shadow = {}, edge = {} }, ratio, madeBy }: BackdropToCover,
  signal: AbortSignal,
): Promise<DrawnPicture> {
  const { boundingBox, touchesEdges } = design.subject;
  const product = { cutoutPng, boundingBox, touchesEdges, pose: design.product?.pose };
  return imaging.groundOnBackdrop(
    { ...product, backdrop: { bytes: backdrop }, ratio, target, layout, shadow, edge, madeBy },
    { signal, urgency, onStart, account: design.accountId },
  );
}
