import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSample, plansIn } from '../../packages/sets/src/testing/plans.ts';
import { makeFeatures } from '../../packages/sets/src/testing/silhouettes.ts';
import { frameProduct } from '../../packages/studio/src/camera.ts';
import type { ScenePlan } from '../../packages/studio/src/scene-plan.ts';
import { stageScene } from '../../packages/studio/src/stage-scene.ts';
import { aiStudio } from '../recipes/presets.ts';
import { canvasSize } from '../rendering/render-target.ts';
import { reframeScene } from './staged-scene.ts';

const green = { l: 0.55, c: 0.12, h: 145 };

/** For two products and several aspect ratios, one plan of each composition that occurs. */
const plans: ScenePlan[] = (['upright-tall', 'garment'] as const).flatMap((staging) =>
  (['1:1', '4:5', '16:9'] as const).flatMap((ratio) => {
    const planned = planSample({
      staging,
      features: makeFeatures({ mainColor: green, meanColor: green }),
      ratio,
      preset: { ...aiStudio, lists: 4, perList: 6 },
    });
    const byComposition = new Map(plansIn(planned).map((plan) => [plan.composition, plan]));
    return [...byComposition.values()];
  }),
);

/** The product's box, as fractions of the canvas. */
function frame(plan: ScenePlan) {
  const canvas = canvasSize(plan.ratio, 2000);
  const box = frameProduct(stageScene(plan), canvas, plan.subject.width / plan.subject.height);
  return {
    ...box,
    middleX: (box.x + box.width / 2) / canvas.width,
    middleY: (box.y + box.height / 2) / canvas.height,
    canvas,
  };
}

describe('reframeScene', () => {
  it('is tested with plans of standing products and of flat lays', () => {
    const compositions = new Set(plans.map(({ composition }) => composition));
    expect(compositions.size).toBeGreaterThan(6);
    expect(compositions).toContain('flatlay');
  });

  it('returns the same plan if the layout is empty', () => {
    for (const plan of plans) expect(reframeScene(plan, {})).toBe(plan);
  });

  it('centers the product at the requested position', () => {
    for (const plan of plans) {
      const placed = frame(reframeScene(plan, { scale: 0.4, x: 0.35, y: 0.55 }));
      expect(placed.middleX).toBeCloseTo(0.35, 2.5);
      expect(placed.middleY).toBeCloseTo(0.55, 2.5);
    }
  });

  it('keeps a product that the photo crops at the edge of the picture, unless a position is requested', () => {
    const straps = { profile: [0.1, 0.1, 0.5, 0.9, 0.9, 0.9, 0.9, 0.6], footWidth: 0.2 };
    for (const cropped of [{ top: 0.1 }, { bottom: 0.9 }, { left: 0.4 }, { right: 0.4 }]) {
      const planned = planSample({
        staging: 'irregular',
        features: makeFeatures({ ...straps, cropped }),
        ratio: '4:5',
      });
      for (const plan of plansIn(planned)) {
        const { x, y, width, height, canvas } = frame(reframeScene(plan, { scale: 0.4 }));
        const gaps = {
          left: x,
          top: y,
          right: canvas.width - x - width,
          bottom: canvas.height - y - height,
        };
        expect(gaps[Object.keys(cropped)[0] as keyof typeof gaps]).toBeLessThanOrEqual(2);
        expect(frame(reframeScene(plan, { scale: 0.4, x: 0.5 })).middleX).toBeCloseTo(0.5, 2.5);
      }
    }
  });

  it('keeps the product inside the picture for any layout', () => {
    const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
    const asked = fc.record({
      x: share,
      y: share,
      scale: fc.option(fc.double({ min: 0.1, max: 1, noNaN: true }), { nil: undefined }),
      margin: fc.option(fc.double({ min: 0, max: 0.4, noNaN: true }), { nil: undefined }),
      align: fc.option(fc.constantFrom('center' as const, 'baseline' as const), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...plans), asked, (plan, layout) => {
        const reframed = reframeScene(plan, layout);
        const { x, y, width, height, canvas } = frame(reframed);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(y).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(canvas.width);
        expect(y + height).toBeLessThanOrEqual(canvas.height);
      }),
      { numRuns: 200 },
    );
  });

  it('scales the product, and keeps the margin', () => {
    for (const plan of plans) {
      const small = frame(reframeScene(plan, { scale: 0.3 }));
      const large = frame(reframeScene(plan, { scale: 0.6 }));
      expect(large.height / small.height).toBeCloseTo(2, 1);
      const full = frame(reframeScene(plan, { scale: 1, margin: 0.2 }));
      const border = 0.2 * Math.min(full.canvas.width, full.canvas.height);
      const [right, bottom] = [
        full.canvas.width - full.x - full.width,
        full.canvas.height - full.y - full.height,
      ];
      expect(Math.min(full.x, full.y, right, bottom)).toBeGreaterThanOrEqual(border - 2);
    }
  });

  it('centers the product on request', () => {
    for (const plan of plans)
      expect(frame(reframeScene(plan, { align: 'center' })).middleY).toBeCloseTo(0.5, 2.5);
  });
});
