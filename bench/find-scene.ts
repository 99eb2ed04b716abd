/** Finds a scene for benchmarks to render, among those that the planner suggests for a tall bottle. */
import { aiStudio } from '../src/recipes/presets.ts';
import { parsePrompt } from '../src/scenes/parse-prompt.ts';
import { planScenes } from '../src/scenes/plan-scenes.ts';
import { makeFeatures } from '../src/scenes/testing/silhouettes.ts';
import type { ScenePlan } from '../src/studio/scene-plan.ts';
import { stageScene } from '../src/studio/stage-scene.ts';
import type { StudioScene } from '../src/studio/studio-scene.ts';

/** Returns the first scene that fits, with the lowest seed from 1 to 60; throws if there is none. */
export function findScene(fits: (plan: ScenePlan) => boolean, prompt?: string): StudioScene {
  for (let seed = 1; seed <= 60; seed++) {
    const lists = planScenes({
      product: { kind: 'Health & Beauty', staging: 'upright-tall' },
      features: makeFeatures({}),
      words: prompt === undefined ? undefined : parsePrompt(prompt),
      ratio: '1:1',
      preset: { ...aiStudio, lists: 4, perList: 6 },
      seed,
    });
    const found = lists.flatMap(({ scenes }) => scenes).find(({ plan }) => fits(plan));
    if (found) return stageScene(found.plan);
  }
  throw new Error('The planner suggested no scene that fits.');
}
