import { describe, expect, it } from 'vitest';
import { aiStudio } from '../../recipes/presets.ts';
import { planScenes } from '../plan-scenes.ts';
import { type Gobo, measureFrame, type ScenePlan } from '../scene-plan.ts';
import { makeFeatures } from '../testing/silhouettes.ts';
import { measureFootLight } from './foot-light.ts';

const plans = Array.from({ length: 12 }, (_, seed) =>
  planScenes({
    product: { kind: 'Home & Garden', staging: 'upright-squat' },
    features: makeFeatures({ aspect: 0.9 }),
    words: undefined,
    ratio: '1:1',
    preset: { ...aiStudio, lists: 4 },
    seed,
  }).flatMap(({ scenes }) => scenes.map(({ plan }) => plan)),
).flat();

const groundOf = (plan: ScenePlan) => ({
  frame: measureFrame(plan),
  camera: plan.camera,
  subject: plan.subject,
  baseY: (plan.pedestal?.levels ?? []).reduce((sum, { height }) => sum + height, plan.pedestal?.y ?? 0),
});

describe('measureFootLight', () => {
  const plan = plans[0]!;
  const ground = groundOf(plan);
  const slit = (u: number): Gobo => ({
    kind: 'slit',
    // Level with the foot and at its depth, so that u is the distance from it.
    target: { u, v: plan.camera.baseline, z: 0 },
    distance: 2,
    scale: 1,
    leak: 0.1,
    tiltDeg: 0,
    width: 0.8,
    softness: 0.05,
  });

  it('is full in the middle of a beam and none outside it', () => {
    const key = { ...plan.key, az: 0, el: 30 };
    const narrow = { ...ground, subject: { width: 0.3, height: 1 } };
    expect(measureFootLight(slit(0), key, narrow)).toBe(1);
    expect(measureFootLight(slit(0.9), key, narrow)).toBe(0);
  });

  it('is enough in every planned set: at least half of the foot', () => {
    const patterned = plans.filter(({ gobo }) => ['window', 'slit', 'blinds'].includes(gobo.kind));
    expect(patterned.length).toBeGreaterThan(20);
    for (const set of patterned)
      expect(measureFootLight(set.gobo, set.key, groundOf(set))).toBeGreaterThanOrEqual(0.5);
  });
});
