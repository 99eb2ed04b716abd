/** Finds a scene for benchmarks to render, among those that the planner suggests for a tall bottle. */

import { planSample, plansIn } from '../packages/sets/src/testing/plans.ts';
import type { ScenePlan } from '../packages/studio/src/scene-plan.ts';
import { stageScene } from '../packages/studio/src/stage-scene.ts';
import type { StudioScene } from '../packages/studio/src/studio-scene.ts';
import { aiStudio } from '../src/recipes/presets.ts';

/** Returns the first scene that fits, with the lowest seed from 1 to 60; throws if there is none. */
export function findScene(fits: (plan: ScenePlan) => boolean, prompt?: string): StudioScene {
  const preset = { ...aiStudio, lists: 4, perList: 6 };
  for (let seed = 1; seed <= 60; seed++) {
    const found = plansIn(planSample({ prompt, preset, seed })).find(fits);
    if (found) return stageScene(found);
  }
  throw new Error('The planner suggested no scene that fits.');
}
