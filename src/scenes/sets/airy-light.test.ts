import { describe, expect, it } from 'vitest';
import { variants } from '../../recipes/catalogue.ts';
import { aiStudio } from '../../recipes/presets.ts';
import { measureFrame, type ScenePlan } from '../../studio/scene-plan.ts';
import { parsePrompt } from '../parse-prompt.ts';
import { azimuthOf } from '../places/aim-key.ts';
import { places } from '../places/place-facts.ts';
import { planScenes, type SceneRequest } from '../plan-scenes.ts';
import { makeFeatures } from '../testing/silhouettes.ts';

const plant: SceneRequest = {
  product: { kind: 'Home & Garden', staging: 'upright-tall', lengthCm: 60 },
  features: makeFeatures({ aspect: 0.6, fill: 0.22 }),
  words: undefined,
  ratio: '4:5',
  preset: aiStudio,
  seed: 1,
};

function planAll(changes: Partial<SceneRequest>): ScenePlan[] {
  return planScenes({ ...plant, ...changes }).flatMap(({ scenes }) => scenes.map(({ plan }) => plan));
}

/** How far a shadow that falls `depth` behind the product reaches beyond the frame's edge; both in scene units. */
function overshoot({ ratio, subject, camera, key }: ScenePlan, depth: number): number {
  const { height, aspect, distance } = measureFrame({ ratio, subject, camera });
  const shift = Math.abs(subject.shift ?? 0) + depth * Math.tan((Math.abs(key.az) * Math.PI) / 180);
  return subject.width / 2 + shift - ((height * aspect) / 2) * (1 + depth / distance);
}

const outdoors: Partial<SceneRequest> = { preset: { name: 'OWN', styles: ['outdoor'] } };

/** How far behind the product its shadow falls, in scene units. */
function shadowDepth({ place, backProps, backdrop, subject, key }: ScenePlan): number {
  if (place === undefined) return -backdrop.z;
  const [wall] = backProps;
  return wall ? -wall.z : subject.height / Math.tan((key.el * Math.PI) / 180);
}

describe('the shadow of a plant', () => {
  it('falls on a near wall in sets and rooms, or outdoors on the table, and stays within the frame', () => {
    for (const ratio of variants)
      for (const changes of [{ ratio }, { ...outdoors, ratio }])
        for (const plan of planAll(changes)) {
          const depth = shadowDepth(plan);
          expect(plan.key.angularRadius).toBeLessThan(2.5);
          if (changes.preset === undefined) expect(depth).toBeLessThan(0.8);
          else expect(plan.place?.name && places[plan.place.name].hasWall).toBeUndefined();
          expect(overshoot(plan, depth)).toBeLessThan(0.03);
        }
  });

  it('falls on a sweep whose curve lies entirely behind the product', () => {
    for (const { backdrop } of planAll({})) expect(backdrop.sweepRadius).toBeLessThan(0.7 * -backdrop.z);
  });

  it('needs a sun outdoors: places without one are shown only on request', () => {
    for (let seed = 0; seed < 10; seed++)
      for (const { place } of planAll({ ...outdoors, seed }))
        expect(['city', 'forest', 'venice']).not.toContain(place?.name);
    const asked = planAll({ words: parsePrompt('in a forest') });
    expect(asked.map(({ place }) => place?.name)).toContain('forest');
  });

  it('falls away from the camera, so the sun of the place must not shine toward the camera', () => {
    for (let seed = 0; seed < 10; seed++)
      for (const { place } of planAll({ ...outdoors, seed })) {
        const { light } = place === undefined ? {} : places[place.name];
        if (place && light) expect(Math.abs(azimuthOf(light, place.headingDeg))).toBeLessThanOrEqual(90);
      }
  });

  it('falls on the ground if the plant is bushy, from a larger lamp than at a wall', () => {
    const features = makeFeatures({ aspect: 0.6, fill: 0.6, solidity: 0.75, thinness: 0.07 });
    const plans = planAll({ features, preset: { ...aiStudio, lists: 1 } });
    for (const { backdrop } of plans) expect(backdrop.z).toBeLessThan(-1.5);
    for (const { gobo, key } of plans)
      if (gobo.kind === 'none') {
        expect(Math.abs(key.az)).toBeLessThanOrEqual(46);
        expect(key.angularRadius).toBeGreaterThanOrEqual(3);
      }
  });

  it('brings no wall close behind solid products, jewelry, or products on stands', () => {
    const [ring, podium] = [{ ...plant.product, staging: 'small-precious' as const }, 'on a marble podium'];
    const others: Partial<SceneRequest>[] = [
      { features: makeFeatures({ aspect: 0.6, fill: 0.7 }) },
      { product: ring },
      { words: parsePrompt(podium), preset: { ...aiStudio, lists: 1 } },
    ];
    for (const changes of others)
      for (const { place, backdrop, composition } of planAll(changes))
        if (place === undefined && composition !== 'shelf') expect(backdrop.z).toBeLessThan(-1.5);
  });
});
