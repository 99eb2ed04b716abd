import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { variants } from '../recipes/catalogue.ts';
import { frameProduct, makeCamera, unprojectX, unprojectY } from '../studio/camera.ts';
import { type ScenePlan, type Staging, scenePlanSchema, stagings } from '../studio/scene-plan.ts';
import { stageScene } from '../studio/stage-scene.ts';
import { cropScene } from './crop-scene.ts';
import { planScenes } from './plan-scenes.ts';
import { refitScene, turnOf } from './refit-scene.ts';
import { makeFeatures } from './testing/silhouettes.ts';

const plansFor = (staging: Staging, ratio: ScenePlan['ratio'], seed: number): ScenePlan[] =>
  planScenes({
    product: { kind: 'Home & Garden', staging },
    features: makeFeatures({ aspect: 0.8 }),
    words: undefined,
    ratio,
    preset: { name: 'ALL', lists: 4, perList: 6 },
    seed,
  }).flatMap(({ scenes }) => scenes.map(({ plan }) => plan));

const look = fc
  .tuple(fc.constantFrom(...stagings), fc.constantFrom(...variants), fc.nat(500), fc.nat(23))
  .map(([staging, ratio, seed, index]) => {
    const plans = plansFor(staging, ratio, seed);
    return plans[index % plans.length]!;
  });
const product = fc.record({
  features: fc.record({
    aspect: fc.double({ min: 0.1, max: 8, noNaN: true }),
    fill: fc.double({ min: 0.1, max: 1, noNaN: true }),
    areaOffset: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
  }),
  staging: fc.constantFrom(...stagings),
});

const pixelsOf = (plan: ScenePlan, aspect: number) => {
  const [across = 1, down = 1] = plan.ratio.split(':').map(Number);
  const canvas = { width: 240 * across, height: 240 * down };
  const scene = stageScene(plan);
  return { canvas, camera: makeCamera(scene, canvas), box: frameProduct(scene, canvas, aspect) };
};
const planOf = (isWanted: (plan: ScenePlan) => boolean = () => true): ScenePlan =>
  plansFor('upright-squat', '1:1', 1).find((plan) => plan.place === undefined && isWanted(plan))!;
const boxIn = (plan: ScenePlan, aspect: number, staging: Staging, fill = 0.8) =>
  pixelsOf(refitScene(plan, { features: { aspect, fill, areaOffset: 0 }, staging }), aspect).box;

describe('refitScene', () => {
  it('keeps set, colors, light, camera and baseline for every product in every look', () => {
    fc.assert(
      fc.property(look, product, (plan, other) => {
        const fitted = refitScene(plan, other);
        expect(scenePlanSchema.safeParse(fitted).error).toBeUndefined();
        fc.pre(turnOf(plan, other.staging) === undefined && plan.composition !== 'flatlay');
        fc.pre((fitted.pedestal === null) === (plan.pedestal === null));
        for (const kept of [
          'seed',
          'composition',
          'ratio',
          'surface',
          'backdrop',
          'place',
          'backProps',
        ] as const)
          expect(fitted[kept]).toEqual(plan[kept]);
        for (const kept of ['palette', 'key', 'env', 'gobo', 'dof', 'tone'] as const)
          expect(fitted[kept]).toEqual(plan[kept]);
        const before = pixelsOf(plan, 0.8);
        const after = pixelsOf(fitted, other.features.aspect);
        for (const kept of ['eyeY', 'distance', 'shift', 'frameHeight'] as const)
          expect(after.camera[kept]).toBeCloseTo(before.camera[kept], 6);
        expect(
          Math.abs(after.box.y + after.box.height - before.box.y - before.box.height),
        ).toBeLessThanOrEqual(1);
      }),
      { numRuns: 120 },
    );
  });

  it('shows the whole product with space around it, on a stand that is wider', () => {
    fc.assert(
      fc.property(look, product, (plan, other) => {
        const fitted = refitScene(plan, other);
        const { box, canvas } = pixelsOf(fitted, other.features.aspect);
        expect(box.width).toBeLessThanOrEqual(0.72 * canvas.width);
        expect(box.height).toBeLessThanOrEqual(0.86 * canvas.height);
        expect(box.y).toBeGreaterThanOrEqual(0.05 * canvas.height);
        const top = fitted.pedestal?.levels.at(-1);
        if (top) expect(top.width).toBeGreaterThan(1.1 * fitted.subject.width);
      }),
      { numRuns: 120 },
    );
  });

  it('stands furniture on the floor of a set with a podium, on the same baseline', () => {
    const plan = planOf(
      ({ composition, pedestal }) =>
        pedestal !== null && !['water', 'shelf', 'drape', 'dune'].includes(composition),
    );
    const features = { aspect: 0.8, fill: 0.5, areaOffset: 0 };
    expect(refitScene(plan, { features, staging: 'irregular' }).pedestal).toEqual(plan.pedestal);
    expect(refitScene(plan, { features, staging: 'large' }).pedestal).toBeNull();
    const foot = (staging: Staging) => {
      const box = boxIn(plan, 0.8, staging, 0.5);
      return box.y + box.height;
    };
    expect(foot('large')).toBe(foot('irregular'));
  });

  it('moves props beside the product out of its way, or drops them', () => {
    const props = plansFor('upright-tall', '1:1', 3)
      .filter(({ composition }) => composition !== 'flatlay')
      .map((plan) =>
        refitScene(plan, { features: { aspect: 3, fill: 0.8, areaOffset: 0 }, staging: 'long-low' }),
      )
      .flatMap(({ sideProps }) => sideProps.filter(({ z }) => z > -0.8));
    expect(props.length).toBeGreaterThan(3);
    expect(props.every(({ u }) => Math.abs(u) > 0.6)).toBe(true);
  });

  it('crops a look to another ratio: same camera, nothing new in view, and the product inside', () => {
    fc.assert(
      fc.property(look, fc.constantFrom(...variants), product, (plan, ratio, other) => {
        fc.pre(plan.composition !== 'flatlay');
        const cropped = cropScene(plan, ratio);
        expect(scenePlanSchema.shape.camera.safeParse(cropped.camera).error).toBeUndefined();
        const [before, after] = [pixelsOf(plan, 0.8).camera, pixelsOf(cropped, 0.8).camera];
        for (const kept of ['eyeY', 'distance'] as const) expect(after[kept]).toBeCloseTo(before[kept], 6);
        const edges = ({ shift, tanX, tanY }: typeof before) => [tanX, shift + tanY, tanY - shift];
        for (const [index, edge] of edges(after).entries())
          expect(edge).toBeLessThanOrEqual(edges(before)[index]! + 0.02);
        const fitted = refitScene(cropped, other);
        const { box, canvas } = pixelsOf(fitted, other.features.aspect);
        expect(box.width).toBeLessThanOrEqual(0.72 * canvas.width);
        expect(box.y).toBeGreaterThanOrEqual(0.05 * canvas.height);
        // A prop, and the middle of the light's pattern, stay where they are in the set.
        const [prop] = plan.backProps;
        const [moved] = cropped.backProps;
        if (prop && moved) {
          const at = (camera: typeof before, { u, z }: typeof prop) =>
            unprojectX(camera, ((u + 1) / 2) * camera.width, z);
          expect(at(after, moved)).toBeCloseTo(at(before, prop), 6);
        }
        if (plan.gobo.kind !== 'none' && cropped.gobo.kind !== 'none') {
          const at = (camera: typeof before, { v, z }: { v: number; z: number }) =>
            unprojectY(camera, (1 - v) * camera.height, z);
          expect(at(after, cropped.gobo.target)).toBeCloseTo(at(before, plan.gobo.target), 6);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('shows a ring smaller than a chair, and a full square smaller than its place', () => {
    const plan = planOf();
    expect(boxIn(plan, 1, 'small-precious').height).toBeLessThan(0.8 * boxIn(plan, 1, 'large').height);
    expect(boxIn(plan, 1, 'irregular', 1).height).toBeLessThan(0.9 * boxIn(plan, 0.3, 'irregular', 1).height);
  });

  it('hangs clothes in a set, with their hem on the baseline, and stands a mug up in a flat lay', () => {
    const set = planOf(({ pedestal }) => pedestal !== null && pedestal.levels[0]!.height > 0.14);
    const shirt = { aspect: 0.9, fill: 0.7, areaOffset: 0 };
    const hung = refitScene(set, { features: shirt, staging: 'garment' });
    expect(turnOf(set, 'garment')).toBe('hangs');
    expect(hung).toMatchObject({ composition: set.composition, pedestal: null, backProps: set.backProps });
    expect(stageScene(hung).baseY).toBeCloseTo(stageScene(set).baseY, 9);
    const { box, canvas, camera } = pixelsOf(hung, 0.9);
    expect((box.y + box.height) / canvas.height).toBeCloseTo(1 - set.camera.baseline, 2);
    expect(camera).toEqual(pixelsOf(set, 0.8).camera);
    const lay = plansFor('garment', '1:1', 1).find(({ composition }) => composition === 'flatlay')!;
    expect(turnOf(lay, 'garment')).toBeUndefined();
    const stood = refitScene(lay, {
      features: { aspect: 0.9, fill: 0.7, areaOffset: 0 },
      staging: 'upright-squat',
    });
    expect(stood).toMatchObject({ composition: 'sweep', backdrop: { kind: 'cyclorama' } });
    expect(stood.surface.colors).toEqual(lay.surface.colors);
  });
});
