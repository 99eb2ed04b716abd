import { describe, expect, it } from 'vitest';
import { variants } from '../../recipes/catalogue.ts';
import { aiStudio } from '../../recipes/presets.ts';
import { frameProduct } from '../../studio/camera.ts';
import { type ScenePlan, scenePlanSchema } from '../../studio/scene-plan.ts';
import { stageScene } from '../../studio/stage-scene.ts';
import { parsePrompt } from '../parse-prompt.ts';
import { planScenes, planSpokenScenes } from '../plan-scenes.ts';
import type { ProductFeatures } from '../product-features.ts';
import { makeFeatures } from '../testing/silhouettes.ts';

const product = { kind: 'Home & Garden', staging: 'upright-squat' } as const;

function plansFor(changes: Partial<ProductFeatures>): ScenePlan[] {
  const features = makeFeatures({ aspect: 0.8, ...changes });
  return variants.flatMap((ratio) =>
    planScenes({ product, features, words: undefined, ratio, preset: aiStudio, seed: 3 }).flatMap(
      ({ scenes }) => scenes.map(({ plan }) => plan),
    ),
  );
}

/**
 * Distances between the product and the edges of the picture, in pixels, for a picture of 600 px. The cutout is slightly
 * wider than planned, as its faint rims may make it.
 */
function marginsOf(plan: ScenePlan) {
  const [across = 1, down = 1] = plan.ratio.split(':').map(Number);
  const canvas = { width: Math.round(600 * Math.min(1, across / down)), height: 600 };
  if (across > down) Object.assign(canvas, { width: 600, height: Math.round((600 * down) / across) });
  const { x, y, width, height } = frameProduct(
    stageScene(plan),
    canvas,
    (1.03 * plan.subject.width) / plan.subject.height,
  );
  return { left: x, top: y, right: canvas.width - x - width, bottom: canvas.height - y - height };
}

describe('a product that the photo crops', () => {
  it.each(['left', 'right'] as const)('touches the %s edge of the frame, and stands on no stand', (edge) => {
    for (const plan of plansFor({ cropped: { [edge]: 0.3 } })) {
      expect(scenePlanSchema.safeParse(plan).error?.issues).toBeUndefined();
      const { [edge]: near, top, bottom } = marginsOf(plan);
      expect(near).toBeLessThanOrEqual(1);
      expect(Math.min(top, bottom)).toBeGreaterThan(20);
      if (plan.place === undefined) expect(plan.pedestal).toBeNull();
    }
  });

  it('touches the upper edge of the frame above its ground', () => {
    for (const plan of plansFor({ aspect: 0.5, cropped: { top: 0.6 } })) {
      expect(plan.subject.hangs).toBeUndefined();
      // A slender product would have to be taller than it can be to reach from the ground to the top of a tall frame.
      if (plan.ratio !== '9:16') expect(marginsOf(plan).top).toBeLessThanOrEqual(1);
      expect(marginsOf(plan).bottom).toBeGreaterThan(40);
    }
  });

  it('touches both sides of a frame that is narrow enough', () => {
    for (const plan of plansFor({ aspect: 2.5, cropped: { left: 0.5, right: 0.5 } })) {
      const { left, right } = marginsOf(plan);
      expect(Math.max(left, right)).toBeLessThanOrEqual(1);
    }
  });

  it.each(['top', 'bottom'] as const)(
    'hangs at the %s edge in front of a wall or a place, without ground',
    (edge) => {
      const straps = {
        cropped: { top: 0.1 },
        profile: [0.1, 0.1, 0.5, 0.9, 0.9, 0.9, 0.9, 0.6],
        footWidth: 0.2,
      };
      const plans = plansFor(edge === 'top' ? straps : { cropped: { bottom: 0.9 } });
      expect(plans.some(({ place }) => place !== undefined)).toBe(true);
      for (const plan of plans) {
        expect(plan).toMatchObject({
          composition: 'flatlay',
          staging: 'hung',
          pedestal: null,
          subject: { hangs: true },
        });
        expect(marginsOf(plan)[edge]).toBeLessThanOrEqual(1);
      }
    },
  );

  it('hangs in front of what a prompt asks for, and in no flat lay', () => {
    const ask = (prompt: string) =>
      planSpokenScenes({
        product,
        features: makeFeatures({ cropped: { bottom: 0.9 } }),
        words: parsePrompt(prompt),
        ratio: '1:1',
        preset: aiStudio,
        seed: 1,
      });
    for (const { surface } of ask('wooden boards')) expect(surface.material).toBe('wood');
    for (const { place, pedestal } of ask('in a sunny park')) {
      expect(place).toBeDefined();
      expect(pedestal).toBeNull();
    }
  });
});
