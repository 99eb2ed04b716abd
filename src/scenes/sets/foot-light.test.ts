import { describe, expect, it } from 'vitest';
import type { ScenePlan } from '../../studio/scene-plan.ts';
import { planScenes } from '../plan-scenes.ts';
import { makeFeatures } from '../testing/silhouettes.ts';
import { lightFoot, measureFootLight } from './foot-light.ts';

const plans = Array.from({ length: 8 }, (_, seed) =>
  planScenes({
    product: { kind: 'Home & Garden', staging: 'upright-squat' },
    features: makeFeatures({ aspect: 0.9 }),
    words: undefined,
    ratio: '1:1',
    preset: { name: 'LEAFY', styles: ['nature', 'stone'], perList: 6 },
    seed,
  }).flatMap(({ scenes }) => scenes.map(({ plan }) => plan)),
).flat();

describe('the light on the foot', () => {
  const first = plans[0]!;
  const plan: ScenePlan = {
    ...first,
    subject: { width: 0.3, height: 1 },
    key: { ...first.key, az: 0, el: 30 },
  };
  const slit = (u: number): ScenePlan => ({
    ...plan,
    gobo: {
      kind: 'slit',
      // The target has the height and depth of the foot, so that u is the beam's distance from the foot.
      target: { u, v: plan.camera.baseline, z: 0 },
      distance: 2,
      scale: 1,
      leak: 0.1,
      tiltDeg: 0,
      width: 0.8,
      softness: 0.05,
    },
  });

  it('is 1 in the middle of a beam and 0 outside it', () => {
    expect(measureFootLight(slit(0))).toBeCloseTo(1, 5);
    expect(measureFootLight(slit(0.9))).toBeCloseTo(0, 5);
  });

  it('is restored by moving a beam that misses the foot', () => {
    expect(measureFootLight(lightFoot(slit(0.7), false))).toBeGreaterThan(0.5);
  });

  it('comes from the same gobo, moved so that it lights both foot and body, if a position can be found', () => {
    // The window is aimed so low that the upper edge of its only pane crosses the product.
    const window: ScenePlan['gobo'] = {
      kind: 'window',
      target: { u: 0, v: plan.camera.baseline - 0.2, z: 0 },
      distance: 2,
      scale: 1.8,
      leak: 0.1,
      tiltDeg: 0,
      columns: 1,
      rows: 1,
      paneWidth: 0.8,
      paneHeight: 0.8,
      bar: 0.02,
    };
    const crossed = { ...plan, gobo: window };
    const moved = lightFoot(crossed, false);
    expect(measureFootLight(crossed)).toBeGreaterThan(0.9);
    expect(moved.gobo).toMatchObject({ kind: 'window' });
    expect((moved.gobo as typeof window).target.v).toBeGreaterThan(window.target.v);
    expect(measureFootLight(moved)).toBeGreaterThan(0.5);
  });

  it('is at least 0.5 in every planned set, including sets with leaf shadows', () => {
    const kinds = new Set(plans.map(({ gobo }) => gobo.kind));
    expect(kinds).toContain('foliage');
    expect(kinds).toContain('window');
    for (const set of plans) expect(measureFootLight(set)).toBeGreaterThanOrEqual(0.5);
  });
});
