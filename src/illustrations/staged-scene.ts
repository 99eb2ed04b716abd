/** Applies a caller's mutations to a suggested scene, or rejects them. */
import { type Mutations, refuseMutation } from '../recipes/mutations.ts';
import type { ScenePlan } from '../studio/scene-plan.ts';
import { reframeScene } from './reframe-scene.ts';

export interface StagedScene {
  readonly plan: ScenePlan;
  /** Clockwise rotation of the product before it is placed, in degrees. */
  readonly rotateDeg: number;
  /** Strength of the product's shadow, bounced light and reflection, 0 to 1. */
  readonly shadowStrength: number;
  /** Inward erosion of the product's outline, 0 to 4 px on a canvas with a longer side of 2000 px. */
  readonly shrinkPx: number;
  /** Whether the product's pixels are graded to the set's light. */
  readonly matchesLight: boolean;
  /** Whether the plate is the same as that of the unmodified suggestion. */
  readonly asSuggested: boolean;
}

/** Throws `invalid_mutation` for mutations that do not apply to a scene. */
export function stageRequest(plan: ScenePlan, asked: Omit<Mutations, 'images'>): StagedScene {
  const { layout = {}, shadow = {}, background, edge, match } = asked;
  if (background?.color !== undefined) {
    throw refuseMutation(
      'background',
      'A scene has no single backdrop color to change. Name the color in the prompt of POST /v1/design/suggest, or use a Solid or Surface recipe.',
    );
  }
  const staged = reframeScene(plan, layout);
  const shadowStrength = shadow.kind === 'none' ? 0 : (shadow.strength ?? 1);
  const rotateDeg = layout.rotate ?? 0;
  return {
    plan: staged,
    rotateDeg,
    shadowStrength,
    shrinkPx: edge?.shrinkPx ?? 0,
    matchesLight: match === 'light',
    asSuggested: staged === plan && rotateDeg === 0 && shadowStrength === 1,
  };
}
