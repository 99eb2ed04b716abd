import { describe, expect, it } from 'vitest';
import { planSample, plansIn } from '../../sets/src/testing/plans.ts';
import { makeFeatures } from '../../sets/src/testing/silhouettes.ts';
import { buildSet } from './built-set.ts';
import { columnOf, frameProduct, makeCamera, rowOf } from './camera.ts';
import type { ScenePlan } from './scene-plan.ts';
import { stageScene } from './stage-scene.ts';

function planMany(ratio: ScenePlan['ratio'], changes: Parameters<typeof makeFeatures>[0] = {}): ScenePlan[] {
  return plansIn(
    planSample({
      features: makeFeatures(changes),
      ratio,
      preset: { lists: 4, perList: 6 },
      seed: 11,
    }),
  );
}

describe('staging a plan', () => {
  it('stages every prop of every plan in every ratio', () => {
    for (const ratio of ['1:1', '9:16', '16:9'] as const) {
      for (const plan of planMany(ratio)) {
        const scene = stageScene(plan);
        expect(scene.objects.length).toBeGreaterThanOrEqual(plan.backProps.length + plan.sideProps.length);
        for (const { material } of scene.objects) {
          expect(Object.keys(scene.materials)).toContain(material);
        }
      }
    }
  });

  it('places a prop at its frame coordinates and depth', () => {
    const plan = planMany('4:5').find(
      ({ backProps, composition }) => backProps.length > 0 && composition !== 'flatlay',
    )!;
    const prop = plan.backProps[0]!;
    const scene = stageScene(plan);
    const camera = makeCamera(scene, { width: 800, height: 1000 });
    const object = scene.objects.find(({ at }) => Math.abs(at[2] - prop.z) < 1e-9)!;
    expect(columnOf(camera, object.at[0], prop.z)).toBeCloseTo(((prop.u + 1) / 2) * 800, 6);
  });

  it('puts the product on its pedestal, with its foot at the planned baseline', () => {
    const plan = planMany('1:1').find(({ pedestal }) => pedestal !== null)!;
    const scene = stageScene(plan);
    const top = plan.pedestal!.levels.reduce((y, { height }) => y + height, plan.pedestal!.y);
    expect(scene.baseY).toBeCloseTo(top, 9);
    const camera = makeCamera(scene, { width: 1000, height: 1000 });
    expect(1 - rowOf(camera, scene.baseY, 0) / 1000).toBeCloseTo(plan.camera.baseline, 6);
  });

  it('centers the product’s centroid instead of its box', () => {
    for (const areaOffset of [-0.05, 0, 0.06]) {
      for (const plan of planMany('1:1', { areaOffset })) {
        const box = frameProduct(stageScene(plan), { width: 1000, height: 1000 }, 0.6);
        expect(Math.abs(box.x + (0.5 + areaOffset) * box.width - 500)).toBeLessThan(2);
      }
    }
    // A plan stored by an earlier version, without a shift of the product's box.
    const [plan] = planMany('1:1');
    const { width, height } = plan!.subject;
    const box = frameProduct(
      stageScene({ ...plan!, subject: { width, height } }),
      { width: 1000, height: 1000 },
      0.6,
    );
    expect(box.x + box.width / 2).toBeCloseTo(500, -1);
  });

  it('offsets stone and wood textures differently for each set, but equally within a set', () => {
    const plans = planMany('1:1').filter(({ surface }) => surface.material !== 'water');
    const cuts = plans.map((plan) => stageScene(plan).materials.surface!.cutFrom!);
    expect(new Set(cuts.map(([x]) => x)).size).toBe(new Set(plans.map(({ seed }) => seed)).size);
    expect(stageScene(plans[0]!).materials).toEqual(stageScene(plans[0]!).materials);
    for (const { materials } of plans.map(stageScene)) {
      // The offset is a whole number of boards, so board joints keep their position relative to the camera.
      expect(materials.surface!.cutFrom![2] / materials.surface!.plankWidth!).toBeCloseTo(
        Math.round(materials.surface!.cutFrom![2] / materials.surface!.plankWidth!),
        6,
      );
    }
  });

  it('builds triangles for a plan', () => {
    const scene = stageScene(planMany('1:1')[0]!);
    const built = buildSet(scene, makeCamera(scene, { width: 100, height: 100 }));
    expect(built.set.triangleCount).toBeGreaterThan(100);
    expect(built.set.tree.every(Number.isFinite)).toBe(true);
  });
});
