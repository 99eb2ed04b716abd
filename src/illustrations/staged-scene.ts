/** A suggested scene with a caller's mutations applied: what is left to draw, or why it cannot be. */
import type { Mutations } from '../recipes/mutations.ts';
import { refuseMutation } from '../recipes/studio-recipe.ts';
import type { ScenePlan } from '../studio/scene-plan.ts';
import { reframeScene } from './reframe-scene.ts';

export interface StagedScene {
  readonly plan: ScenePlan;
  /** Degrees clockwise that the product is turned before it is placed. */
  readonly rotateDeg: number;
  /** Share of the product's shadow, bounced light and reflection that the picture shows, 0 to 1. */
  readonly shadowStrength: number;
  /** Taken off the outline, 0 to 4 px of a canvas of 2000 px on its longer side. */
  readonly shrinkPx: number;
  /** Whether its plate is that of the scene as suggested. */
  readonly asSuggested: boolean;
}

/** Throws `invalid_mutation` for what a scene cannot change. */
export function stageRequest(plan: ScenePlan, asked: Omit<Mutations, 'images'>): StagedScene {
  const { layout = {}, shadow = {}, background, edge } = asked;
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
    asSuggested: staged === plan && rotateDeg === 0 && shadowStrength === 1,
  };
}
