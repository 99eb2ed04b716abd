import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { variants } from '../../packages/pixels/ratios.ts';
import { planSample, plansIn } from '../../packages/sets/src/testing/plans.ts';
import { makeFeatures } from '../../packages/sets/src/testing/silhouettes.ts';
import { frameProduct, makeCamera, rowOf, unprojectX, unprojectY } from '../../packages/studio/src/camera.ts';
import {
  measureFrame,
  type ScenePlan,
  type Staging,
  scenePlanSchema,
  stagings,
} from '../../packages/studio/src/scene-plan.ts';
import { measureStand, stageScene } from '../../packages/studio/src/stage-scene.ts';
import { cropScene } from './crop-scene.ts';
import { refitScene, turnOf } from './refit-scene.ts';

const plansFor = (staging: Staging, ratio: ScenePlan['ratio'], seed: number, prompt?: string): ScenePlan[] =>
  plansIn(
    planSample({
      kind: 'Home & Garden',
      staging,
      features: makeFeatures({ aspect: 0.8 }),
      prompt,
      ratio,
      preset: { lists: 4, perList: 6 },
      seed,
    }),
  );

/** Features of a product with a plain outline, such as a box. */
const compact = { areaOffset: 0, cropped: {}, solidity: 0.95, thinness: 0.3 };

/** Caches the plans for each staging and ratio, because planning takes much longer than the checks. */
const planned = new Map<number, ScenePlan[]>();
const look = fc
  .tuple(fc.nat(stagings.length - 1), fc.nat(variants.length - 1), fc.nat(23))
  .map(([s, v, index]) => {
    const seed = s * variants.length + v;
    const plans = planned.get(seed) ?? plansFor(stagings[s]!, variants[v]!, seed);
    planned.set(seed, plans);
    return plans[index % plans.length]!;
  });
const product = fc.record({
  features: fc.record({
    aspect: fc.double({ min: 0.1, max: 8, noNaN: true }),
    fill: fc.double({ min: 0.1, max: 1, noNaN: true }),
    areaOffset: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    solidity: fc.double({ min: 0.3, max: 1, noNaN: true }),
    thinness: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
    cropped: fc.constant({}),
    legsElevationDeg: fc.option(fc.double({ min: 4, max: 30, noNaN: true }), { nil: undefined }),
  }),
  staging: fc.constantFrom(...stagings),
  lies: fc.boolean(),
  lengthCm: fc.option(fc.double({ min: 0.5, max: 1000, noNaN: true }), { nil: undefined }),
});

const pixelsOf = (plan: ScenePlan, aspect: number) => {
  const [across = 1, down = 1] = plan.ratio.split(':').map(Number);
  const canvas = { width: 240 * across, height: 240 * down };
  const scene = stageScene(plan);
  return { canvas, camera: makeCamera(scene, canvas), box: frameProduct(scene, canvas, aspect) };
};
const planOf = (isWanted: (plan: ScenePlan) => boolean = () => true): ScenePlan =>
  plansFor('upright-squat', '1:1', 1).find((plan) => plan.place === undefined && isWanted(plan))!;
const placeOf = (): ScenePlan =>
  plansFor('upright-squat', '1:1', 1).find(({ place }) => place !== undefined)!;
const refit = (plan: ScenePlan, aspect: number, staging: Staging, fill = 0.8, lengthCm?: number) =>
  refitScene(plan, { features: { aspect, fill, ...compact }, staging, lengthCm });
const boxIn = (...[plan, aspect, ...product]: Parameters<typeof refit>) =>
  pixelsOf(refit(plan, aspect, ...product), aspect).box;

describe('refitScene', () => {
  it('keeps set, colors, light, camera, horizon, the stand’s height and the line on which products stand, in every look', () => {
    fc.assert(
      fc.property(look, product, (plan, other) => {
        const fitted = refitScene(plan, other);
        expect(scenePlanSchema.safeParse(fitted).error).toBeUndefined();
        fc.pre(turnOf(plan, other) !== 'stands' && plan.composition !== 'flatlay');
        for (const kept of ['seed', 'composition', 'ratio', 'surface', 'backdrop', 'place'] as const)
          expect(fitted[kept]).toEqual(plan[kept]);
        for (const kept of ['palette', 'key', 'env', 'gobo', 'dof', 'tone'] as const)
          expect(fitted[kept]).toEqual(plan[kept]);
        expect(measureStand(fitted)).toBe(measureStand(plan));
        expect(fitted.pedestal === null).toBe(plan.pedestal === null);
        const before = pixelsOf(plan, 0.8);
        const after = pixelsOf(fitted, other.features.aspect);
        for (const kept of ['eyeY', 'distance', 'shift', 'frameHeight'] as const)
          expect(after.camera[kept]).toBeCloseTo(before.camera[kept], 6);
        const stand = rowOf(after.camera, measureStand(fitted), 0);
        expect(Math.abs(stand - before.box.y - before.box.height)).toBeLessThanOrEqual(1);
        expect(fitted.backProps).toEqual(plan.backProps);
        expect(Math.abs(after.box.y + after.box.height - stand)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 120 },
    );
  });

  it('puts all products of a look on the same stand, between the same props if these leave room', () => {
    fc.assert(
      fc.property(look, product, product, (plan, one, other) => {
        fc.pre(turnOf(plan, one) === turnOf(plan, other));
        const [first, second] = [refitScene(plan, one), refitScene(plan, other)];
        expect(first.pedestal).toEqual(second.pedestal);
        const widest = {
          features: { aspect: 8, fill: 0.1, ...compact },
          staging: 'large',
          lengthCm: 900,
        } as const;
        if (refitScene(plan, widest).sideProps.length === plan.sideProps.length)
          expect(first.sideProps).toEqual(second.sideProps);
      }),
      { numRuns: 120 },
    );
  });

  it('shows the whole product with space around it, on a stand wider than the product', () => {
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

  it('hangs a product that hangs in front of a flat lay’s ground, at the frame’s edge, stands others in front of its wall, and lets the frame crop what the photo cropped', () => {
    const features = { aspect: 0.7, fill: 0.5, ...compact };
    const camera = {
      features: { ...features, cropped: { top: 0.1 } },
      staging: 'irregular',
      lengthCm: 14,
    } as const;
    const [lay] = plansFor('garment', '4:5', 1);
    const hung = refitScene(lay!, { ...camera, hangs: true });
    expect(hung).toMatchObject({
      composition: 'flatlay',
      subject: { hangs: true },
      camera: { flushWith: 'top' },
    });
    expect(pixelsOf(hung, features.aspect).box.y).toBe(0);
    const chair = {
      features: { ...features, cropped: { bottom: 0.1 } },
      staging: 'large',
      lengthCm: 85,
    } as const;
    const [room] = plansFor('large', '4:5', 1);
    const { box: cut, canvas } = pixelsOf(refitScene(room!, { ...chair, hangs: true }), features.aspect);
    expect(cut.y + cut.height).toBe(canvas.height);
    const mug = { features, staging: 'upright-squat', lengthCm: 11 } as const;
    const wall = plansFor('hung', '4:5', 1).find(({ place }) => place === undefined)!;
    const standing = refitScene(wall, mug);
    expect(standing.composition).toBe('sweep');
    expect(standing.subject.hangs).toBeUndefined();
    expect(standing.camera.flushWith).toBeUndefined();
  });

  it('stands furniture on the same line as other products, with its rear feet on the stand', () => {
    for (const composition of ['podium', 'block', 'steps'] as const) {
      const plan = [1, 2, 3, 4, 5, 6]
        .flatMap((seed) => plansFor('upright-squat', '1:1', seed, composition))
        .find((other) => other.composition === composition)!;
      const features = { aspect: 0.8, fill: 0.5, ...compact, legsElevationDeg: 8 };
      const chair = refitScene(plan, { features, staging: 'large', lengthCm: 90 });
      const top = chair.pedestal!.levels.at(-1)!;
      const { height, distance } = measureFrame(chair);
      const eye = Math.tan((chair.camera.elevDeg * Math.PI) / 180) * distance;
      const rise = Math.sin((8 * Math.PI) / 180) * chair.subject.width;
      const feet = (rise * distance) / (eye - rise);
      expect(feet).toBeGreaterThan(0.1);
      expect(top.depth / 2 - top.z).toBeGreaterThan(feet);
      expect(height).toBeCloseTo(measureFrame(plan).height, 9);
      const foot = ({ y, height }: { y: number; height: number }) => y + height;
      expect(foot(boxIn(plan, 0.8, 'large', 0.5))).toBe(foot(boxIn(plan, 0.8, 'irregular', 0.5)));
    }
  });

  it('moves props beside the product out of the product’s way, or drops them', () => {
    const props = plansFor('upright-tall', '1:1', 3, 'stones and spheres')
      .filter(({ composition }) => composition !== 'flatlay')
      .map((plan) =>
        refitScene(plan, {
          features: { aspect: 3, fill: 0.8, ...compact },
          staging: 'long-low',
          lengthCm: 100,
        }),
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
        // Props, and the center of the light's pattern, stay in place in the set.
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

  it('sizes products in the order of their real lengths, and shows a solid square smaller than a slender product', () => {
    const plan = planOf();
    const heights = [2.5, 11, 25, 90].map((lengthCm) => boxIn(plan, 1, 'irregular', 0.4, lengthCm).height);
    expect(heights).toEqual(heights.toSorted((one, other) => one - other));
    expect(heights[0]).toBeLessThan(0.55 * heights[3]!);
    // For products of unknown length, staging and outline determine the size.
    expect(boxIn(plan, 1, 'small-precious').height).toBeLessThan(0.7 * boxIn(plan, 1, 'large').height);
    expect(boxIn(plan, 1, 'irregular', 1).height).toBeLessThan(0.9 * boxIn(plan, 0.3, 'irregular', 1).height);
  });

  it('sizes a product alike in looks that were made for a ring, a mug and a chair', () => {
    const heights = (['small-precious', 'upright-squat', 'large'] as const).map((staging) => {
      const plan = plansFor(staging, '1:1', 1).find(
        ({ place, composition }) => place === undefined && composition !== 'flatlay',
      )!;
      return boxIn(plan, 0.8, 'irregular', 0.5, 25).height;
    });
    expect(Math.max(...heights) / Math.min(...heights)).toBeLessThan(1.12);
  });

  it('stands clothes on their hem, on the same line as other products, with nothing added to the set', () => {
    for (const plan of [planOf(({ pedestal }) => pedestal !== null), placeOf()]) {
      expect(turnOf(plan, { staging: 'garment' })).toBe('worn');
      const shirt = refit(plan, 0.9, 'garment', 0.7);
      expect(shirt.backProps).toEqual(plan.backProps);
      expect(shirt.subject.lies).toBeUndefined();
      const foot = ({ y, height }: { y: number; height: number }) => y + height;
      expect(foot(boxIn(plan, 0.9, 'garment', 0.7))).toBe(foot(boxIn(plan, 0.9, 'irregular', 0.7)));
    }
  });

  it('leaves a product lying if it was photographed so, and extends the stand under its rear corners', () => {
    const plan = planOf(({ pedestal }) => pedestal?.levels.at(-1)?.shape === 'cylinder');
    const cushion = {
      features: { aspect: 1.7, fill: 0.6, ...compact },
      staging: 'long-low',
      lengthCm: 48,
    } as const;
    expect(turnOf(plan, { ...cushion, lies: true })).toBeUndefined();
    const [lying, standing] = [true, false].map((lies) => refitScene(plan, { ...cushion, lies }));
    expect(lying!.subject.lies).toBe(true);
    expect(lying!.subject.width).toBeGreaterThan(0.79 * standing!.subject.width);
    expect(lying!.pedestal).toEqual(standing!.pedestal);
    const top = lying!.pedestal!.levels.at(-1)!;
    const { distance } = measureFrame(lying!);
    const eye = Math.tan((lying!.camera.elevDeg * Math.PI) / 180) * distance;
    const rise = 0.5 * lying!.subject.height;
    expect(top.depth / 2 - top.z).toBeGreaterThan(
      Math.min(1.2, (rise * distance) / Math.max(0.1, eye - rise)),
    );
  });

  it('also leaves clothes lying if they were photographed so, and marks no product in a flat lay as lying', () => {
    const folded = {
      features: { aspect: 1.2, fill: 0.9, ...compact },
      staging: 'garment',
      lies: true,
    } as const;
    expect(refitScene(planOf(), { ...folded, lengthCm: 30 }).subject.lies).toBe(true);
    const lay = plansFor('garment', '1:1', 1).find(({ composition }) => composition === 'flatlay')!;
    const towel = refitScene(lay, { ...folded, staging: 'long-low', lengthCm: 50 });
    expect(towel.composition).toBe('flatlay');
    expect(towel.subject.lies).toBeUndefined();
  });

  it('turns a flat lay into a sweep of the same material for a product that cannot lie', () => {
    const lay = plansFor('garment', '1:1', 1).find(({ composition }) => composition === 'flatlay')!;
    expect(turnOf(lay, { staging: 'garment' })).toBeUndefined();
    const stood = refit(lay, 0.9, 'upright-squat', 0.7);
    expect(stood).toMatchObject({ composition: 'sweep', backdrop: { kind: 'cyclorama' } });
    expect(stood.surface.colors).toEqual(lay.surface.colors);
  });
});
