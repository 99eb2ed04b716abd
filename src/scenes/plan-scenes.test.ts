import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { variants } from '../recipes/catalogue.ts';
import { aiStudio, type Preset, type SceneStyle, sceneStyles } from '../recipes/presets.ts';
import {
  type Finish,
  type Material,
  measureFrame,
  type ScenePlan,
  scenePlanSchema,
  stagings,
} from '../studio/scene-plan.ts';
import { colorDistance, type Oklch, oklchFromHex } from './oklch.ts';
import { parsePrompt } from './parse-prompt.ts';
import { settingOf } from './places/place-facts.ts';
import { planScenes, type SceneRequest } from './plan-scenes.ts';
import { productKinds } from './product/product-kinds.ts';
import type { ProductFeatures } from './product-features.ts';
import { promptCases } from './prompt/prompt-cases.ts';
import { compositionParts } from './sets/compositions.ts';
import { suitability } from './sets/setup-suits.ts';
import { setupsByStyle } from './sets/setups.ts';
import { makeFeatures } from './testing/silhouettes.ts';

const green = { l: 0.55, c: 0.12, h: 145 };
const request = (changes: Partial<SceneRequest> = {}): SceneRequest => ({
  product: { kind: 'Health & Beauty', staging: 'upright-tall' },
  features: makeFeatures({ mainColor: green, meanColor: green }),
  words: undefined,
  ratio: '1:1',
  preset: aiStudio,
  seed: 1,
  ...changes,
});
const full: Preset = { name: 'FULL', lists: 4, perList: 6 };

describe('planScenes', () => {
  it('fills three lists of four, or as many as the preset specifies', () => {
    expect(planScenes(request()).map(({ scenes }) => scenes.length)).toEqual([4, 4, 4]);
    expect(planScenes(request({ preset: full })).map(({ scenes }) => scenes.length)).toEqual([6, 6, 6, 6]);
  });

  it('puts the prompt’s list first, and omits it if the prompt names only the product', () => {
    const words = parsePrompt('white marble');
    expect(planScenes(request({ words }))[0]!.title).toBe('From your words');
    expect(planScenes(request({ words: parsePrompt('my perfume') }))[0]!.id).toBe('picked');
  });

  it('gives the same plans for the same seed, and different plans for another seed', () => {
    const plans = JSON.stringify(planScenes(request({ preset: full })));
    expect(JSON.stringify(planScenes(request({ preset: full })))).toBe(plans);
    expect(JSON.stringify(planScenes(request({ preset: full, seed: 2 })))).not.toBe(plans);
  });

  it('gives the scenes of a list different titles', () => {
    for (const staging of stagings) {
      for (const { scenes } of planScenes(
        request({ product: { kind: 'Unknown', staging }, preset: full, seed: 5 }),
      ))
        expect(new Set(scenes.map(({ title }) => title)).size).toBe(scenes.length);
    }
  });

  it('has no two similar plans in a list', () => {
    for (const staging of [
      'upright-tall',
      'long-low',
      'garment',
      'large',
      'small-precious',
      'panel',
      'hung',
    ] as const) {
      for (let seed = 0; seed < 4; seed++) {
        const product = { kind: 'Unknown', staging } as const;
        for (const { scenes } of planScenes(request({ product, seed, preset: { name: 'X', lists: 4 } }))) {
          expect(scenes.length).toBe(4);
          scenes.forEach(({ plan }, index) => {
            for (const { plan: other } of scenes.slice(index + 1)) expectDifferent(plan, other);
          });
        }
      }
    }
  });

  it('keeps the side of the key light and the camera elevation of the photo', () => {
    for (const [lightFrom, sign] of [
      ['left', -1],
      ['right', 1],
    ] as const) {
      const features = makeFeatures({ lightFrom, viewElevationDeg: 19 });
      for (const { plan } of planScenes(request({ features })).flatMap(({ scenes }) => scenes)) {
        // Light that is soft from all sides has no direction.
        if (plan.key.intensity > 0) expect(Math.sign(plan.key.az)).toBe(sign);
        expect(Math.abs(plan.camera.elevDeg - 19)).toBeLessThanOrEqual(
          plan.composition === 'shelf' ? 3 : 0.001,
        );
      }
    }
  });

  it('shows a product that lies at an angle in its photo from above, unless it is furniture', () => {
    const features = makeFeatures({ uprightness: 0.7, footWidth: 0.2 });
    const shown = (staging: 'irregular' | 'large') => {
      const product = { kind: 'Unknown', staging } as const;
      return planScenes(request({ product, features })).flatMap(({ scenes }) =>
        scenes.map(({ plan }) => plan),
      );
    };
    expect(new Set(shown('irregular').map(({ composition }) => composition))).toEqual(new Set(['flatlay']));
    expect(shown('large').some(({ composition }) => composition === 'flatlay')).toBe(false);
    for (const standing of [{ legs: 3 }, { viewElevationDeg: 15 }, { footWidth: 0.6 }, { solidity: 0.5 }]) {
      const product = { kind: 'Unknown', staging: 'irregular' } as const;
      const lists = planScenes(request({ product, features: { ...features, ...standing } }));
      expect(lists.flatMap(({ scenes }) => scenes).some(({ plan }) => plan.composition === 'flatlay')).toBe(
        false,
      );
    }
    const words = parsePrompt('on a marble podium');
    const [spoken] = planScenes(request({ words, features }));
    for (const { plan } of spoken!.scenes) expect(plan.composition).toBe('flatlay');
  });

  it('looks down on mugs and other squat products, whose photos are rarely taken from lower down', () => {
    const elevations = (aspect: number) =>
      planScenes(
        request({
          product: { kind: 'Unknown', staging: 'upright-squat' },
          features: makeFeatures({ aspect }),
        }),
      )
        .flatMap(({ scenes }) => scenes.map(({ plan }) => plan))
        .filter((plan) => isInStudio(plan) && plan.composition !== 'flatlay' && plan.composition !== 'shelf')
        .map(({ camera }) => camera.elevDeg);
    expect(Math.min(...elevations(1))).toBeGreaterThan(11);
    expect(Math.min(...elevations(0.6))).toBeLessThan(11);
  });

  it('lights sofas with a window beside them, chairs with windows in front, and smaller products with a smaller light from lower down', () => {
    const keysFor = (staging: 'large' | 'upright-tall', aspect = 0.8) =>
      planScenes(request({ product: { kind: 'Unknown', staging }, features: makeFeatures({ aspect }) }))
        .flatMap(({ scenes }) => scenes.map(({ plan }) => plan))
        .filter((plan) => isInStudio(plan) && plan.gobo.kind === 'none' && plan.composition !== 'flatlay')
        .map(({ key }) => key);
    const [chairs, sofas] = [keysFor('large'), keysFor('large', 2.6)];
    for (const keys of [chairs, sofas]) expect(keys.length).toBeGreaterThan(0);
    for (const { az } of sofas) expect(Math.abs(az)).toBeGreaterThan(60);
    for (const { az } of chairs) expect(Math.abs(az)).toBeLessThan(40);
    for (const { el, angularRadius } of [...chairs, ...sofas]) {
      expect(el).toBeGreaterThan(50);
      expect(angularRadius).toBeGreaterThan(8);
    }
    for (const { el, angularRadius } of keysFor('upright-tall')) {
      expect(el).toBeLessThan(50);
      expect(angularRadius).toBeLessThan(6);
    }
  });

  it('derives the camera elevation for furniture from its rear feet, and keeps the line between floor and wall off the furniture’s upper part', () => {
    const plansSeenFrom = (legsElevationDeg: number | undefined) =>
      planScenes(
        request({
          product: { kind: 'Furniture', staging: 'large' },
          features: makeFeatures({ aspect: 0.9, legsElevationDeg }),
        }),
      )
        .flatMap(({ scenes }) => scenes.map(({ plan }) => plan))
        .filter(isInStudio);
    for (const { camera } of plansSeenFrom(undefined)) expect(camera.elevDeg).toBeLessThanOrEqual(8);
    for (const plan of plansSeenFrom(18)) {
      expect(plan.camera.elevDeg).toBe(18);
      expect(lineOf(plan)).toBeLessThan(0.6);
    }
    const steep = plansSeenFrom(27).filter(({ backdrop }) => backdrop.kind === 'wall');
    expect(steep).not.toEqual([]);
    for (const plan of steep) {
      expect(plan.camera.elevDeg).toBe(27);
      expect(lineOf(plan)).toBeGreaterThan(0.7);
    }
  });

  it('shows a chair from where its seat hides its rear legs', () => {
    const features = makeFeatures({ aspect: 0.8, clearance: 0.28 });
    const product = { kind: 'Furniture', staging: 'large' } as const;
    for (const { plan } of planScenes(request({ product, features })).flatMap(({ scenes }) => scenes)) {
      expect(plan.camera.elevDeg).toBeGreaterThan(18);
      expect(plan.camera.elevDeg).toBeLessThan(28);
    }
  });

  it('stands furniture on boards of several colors, never on seamless paper', () => {
    const product = { kind: 'Furniture', staging: 'large' } as const;
    const sets = [1, 2, 3].flatMap((seed) =>
      planScenes(request({ product, seed }))
        .flatMap(({ scenes }) => scenes.map(({ plan }) => plan))
        .filter(isInStudio),
    );
    for (const { composition } of sets) expect(composition).toBe('room');
    const wooden = sets.filter(({ surface }) => surface.material === 'wood');
    expect(wooden.length).toBeGreaterThan(sets.length / 2);
    expect(new Set(wooden.map(({ surface }) => surface.colors[0])).size).toBeGreaterThan(2);
    const [spoken] = planScenes(request({ product, words: parsePrompt('white wooden floor') }));
    for (const { plan } of spoken!.scenes)
      expect(oklchFromHex(plan.surface.colors[0]!).l).toBeGreaterThan(0.8);
  });

  it('shows a sofa from nearly its own height, even if its photo hides its rear legs, and fine plaster behind it', () => {
    const features = makeFeatures({ aspect: 2.6, clearance: 0.2 });
    const product = { kind: 'Furniture', staging: 'large' } as const;
    for (const { scenes } of planScenes(request({ product, features })))
      for (const { plan } of scenes) {
        expect(plan.camera.elevDeg).toBeLessThan(8.5);
        const { material, bump } = plan.backdrop;
        if (plan.place === undefined && material === 'plaster') expect(bump).toBeLessThan(0.2);
      }
  });

  it('hangs prints above a sofa in tall frames only, and shows no empty seamless paper there', () => {
    const features = makeFeatures({ aspect: 2.6 });
    const product = { kind: 'Furniture', staging: 'large' } as const;
    const plansIn = (ratio: '9:16' | '16:9') =>
      planScenes(request({ product, features, ratio })).flatMap(({ scenes }) =>
        scenes.map(({ plan }) => plan),
      );
    for (const { composition, backProps } of plansIn('9:16')) {
      expect(composition).not.toBe('sweep');
      expect(backProps.length).toBeGreaterThan(3);
    }
    for (const { backProps } of plansIn('16:9')) expect(backProps.length).toBeLessThan(3);
  });

  it('shows a wall whose color the prompt requests behind a product seen from above', () => {
    const features = makeFeatures({ aspect: 0.4, viewElevationDeg: 24 });
    const tables = (prompt: string) =>
      planScenes(request({ features, words: parsePrompt(prompt), product: bottle, ratio: '16:9' }))[0]!
        .scenes.map(({ plan }) => plan)
        .filter(({ backdrop }) => backdrop.kind === 'wall');
    const isShown = (plan: ScenePlan) =>
      lineOf(plan) + plan.camera.baseline * measureFrame(plan).height < 0.98 * measureFrame(plan).height;
    expect(tables('marble table').some((plan) => !isShown(plan))).toBe(true);
    const asked = tables('marble table in front of a sage wall');
    expect(asked).not.toEqual([]);
    for (const plan of asked) expect(isShown(plan)).toBe(true);
  });

  it('lays garments flat and keeps furniture off podiums', () => {
    const of = (staging: 'garment' | 'large') =>
      planScenes(request({ product: { kind: 'Unknown', staging }, preset: full })).flatMap(({ scenes }) =>
        scenes.map(({ plan }) => plan),
      );
    expect(new Set(of('garment').map(({ composition }) => composition))).toEqual(new Set(['flatlay']));
    for (const { pedestal } of of('large').filter(isInStudio)) {
      // Furniture stands on nothing higher than a rug.
      const height = (pedestal?.levels ?? []).reduce((sum, level) => sum + level.height, 0);
      expect(height).toBeLessThan(0.02);
    }
  });

  it('places nothing beside the product by default', () => {
    for (const staging of stagings) {
      const product = { kind: 'Unknown', staging } as const;
      for (let seed = 1; seed <= 6; seed++) {
        for (const { plan } of planScenes(request({ product, seed, preset: full })).flatMap(
          ({ scenes }) => scenes,
        )) {
          expect(plan.sideProps).toEqual([]);
        }
      }
    }
  });

  it('picks only sets that suit the product, and no podium for a long product', () => {
    for (const staging of stagings) {
      const product = { kind: 'Unknown', staging } as const;
      for (let seed = 1; seed <= 6; seed++) {
        const picked = planScenes(request({ product, seed })).find(({ id }) => id === 'picked')!;
        for (const { plan } of picked.scenes) {
          const { well } = suitability[plan.composition];
          // Products that no set suits well get any set that can show them.
          if (Object.values(suitability).some((other) => other.well.includes(staging))) {
            expect(well, plan.composition).toContain(staging);
          }
          if (staging === 'long-low') expect(plan.composition).not.toBe('podium');
        }
      }
    }
  });

  it('picks no tablecloth and no curtain for tools, sports gear and electronics', () => {
    for (const kind of ['Sporting Goods', 'Hardware', 'Electronics'] as const) {
      for (let seed = 0; seed < 50; seed++) {
        const lists = planScenes(request({ product: { kind, staging: 'irregular' }, seed }));
        for (const { plan } of lists.find(({ id }) => id === 'picked')!.scenes) {
          expect(['linen', 'satin']).not.toContain(plan.surface.material);
          expect(plan.composition).not.toBe('curtain');
        }
      }
    }
  });

  it('picks no block, no boards except in rooms, and no marble floor under furniture, unless asked', () => {
    for (const staging of stagings.filter((name) => name !== 'garment')) {
      for (const kind of productKinds) {
        for (let seed = 0; seed < 2; seed++) {
          const lists = planScenes(request({ product: { kind, staging }, seed }));
          for (const { plan } of lists.find(({ id }) => id === 'picked')!.scenes) {
            const place = `${kind} ${staging} ${plan.composition}`;
            expect(plan.pedestal?.levels.some(({ shape }) => shape === 'box') ?? false, place).toBe(false);
            expect(plan.composition !== 'room' && plan.surface.material === 'wood', place).toBe(false);
            expect(plan.composition === 'room' && plan.surface.material === 'marble', place).toBe(false);
          }
        }
      }
    }
    const [asked] = planScenes(request({ words: parsePrompt('on a wooden block') }));
    for (const { plan } of asked!.scenes) {
      expect(plan.pedestal!.levels.map(({ shape, material }) => [shape, material])).toEqual([
        ['box', 'wood'],
      ]);
    }
  });

  it('picks no leaf shadow and no strong or dark wall for home goods, unless the prompt asks for a dark mood', () => {
    for (const staging of stagings) {
      for (let seed = 1; seed <= 12; seed++) {
        const product = { kind: 'Home & Garden', staging } as const;
        const picked = planScenes(request({ product, seed })).find(({ id }) => id === 'picked')!;
        for (const { plan } of picked.scenes) {
          expect(plan.gobo.kind).not.toBe('foliage');
          expect(oklchFromHex(plan.palette[0]).l).toBeGreaterThan(0.5);
          expect(oklchFromHex(plan.palette[0]).c).toBeLessThan(0.055);
        }
      }
    }
    const dark = planScenes(request({ words: parsePrompt('moody') })).flatMap(({ scenes }) => scenes);
    expect(dark.some(({ plan }) => oklchFromHex(plan.palette[0]).l < 0.5)).toBe(true);
  });

  it('uses no stand for airy products, which would look lost on it, in the picked and the studio list', () => {
    const product = { kind: 'Home & Garden', staging: 'upright-tall' } as const;
    const stands = (fill: number, list: 'picked' | 'studio'): number =>
      Array.from({ length: 12 }, (_, seed) =>
        planScenes(request({ seed, product, features: makeFeatures({ fill }) })),
      )
        .flat()
        .flatMap(({ id, scenes }) => (id === list ? scenes : []))
        .filter(({ plan }) => plan.pedestal !== null).length;
    for (const list of ['picked', 'studio'] as const) {
      expect(stands(0.25, list)).toBe(0);
      expect(stands(0.8, list)).toBeGreaterThan(0);
    }
  });

  it('shows no stand for a bushy product, nor for a wide one whose photo does not reveal the height of the camera', () => {
    const product = { kind: 'Home & Garden', staging: 'upright-squat' } as const;
    const stands = (features: Parameters<typeof makeFeatures>[0]): number =>
      Array.from({ length: 12 }, (_, seed) =>
        planScenes(request({ seed, product, features: makeFeatures(features) })),
      )
        .flat()
        .flatMap(({ id, scenes }) => (id === 'picked' ? scenes : []))
        .filter(({ plan }) => plan.pedestal !== null).length;
    const wide = { aspect: 1.1, viewElevationDeg: undefined };
    expect(stands({ aspect: 0.6, solidity: 0.75, thinness: 0.07 })).toBe(0);
    expect(stands(wide)).toBe(0);
    expect(stands({ ...wide, viewElevationDeg: 18 })).toBeGreaterThan(0);
    expect(stands({ ...wide, roundness: 1 })).toBeGreaterThan(0);
  });

  it('picks no dark sets for a dark product', () => {
    const black = { l: 0.2, c: 0.01, h: 0 };
    const features = makeFeatures({ mainColor: black, meanColor: black });
    const product = { kind: 'Electronics', staging: 'irregular' } as const;
    const picked = planScenes(request({ product, features })).find(({ id }) => id === 'picked')!;
    for (const { plan } of picked.scenes) expect(oklchFromHex(plan.palette[0]).l).toBeGreaterThan(0.5);
  });

  describe('for a brand', () => {
    const palette = ['#3355AA', '#FFFFFF', '#eeccbb'];
    const brands = palette.map((hex) => hex.toUpperCase());

    it('paints walls in each of its exact colors in turn, and accents in another of its colors', () => {
      for (const staging of ['upright-tall', 'large', 'garment'] as const) {
        const product = { kind: 'Unknown', staging } as const;
        const lists = planScenes(request({ product, preset: { name: 'BRAND', palette } }));
        for (const [index, { scenes }] of lists.entries()) {
          const walls = scenes.map(({ plan }) => plan.backdrop.colors[0]);
          // There are so few sets for furniture that later lists may lack some of the brand's colors.
          if (index === 0 || staging !== 'large') expect(new Set(walls)).toEqual(new Set(brands));
          for (const { plan } of scenes) {
            expect(plan.palette[0]).toBe(plan.backdrop.colors[0]);
            // Dark and elegant sets use gold instead.
            if (plan.palette[3] !== '#D8A94A') expect(brands).toContain(plan.palette[3]);
            expect(plan.palette[3]).not.toBe(plan.palette[0]);
          }
        }
      }
    });

    it('respects styles and counts, and uses no title that contradicts its colors', () => {
      const preset: Preset = {
        name: 'BRAND',
        styles: ['color', 'pastel'],
        palette: ['#3355AA'],
        lists: 4,
        perList: 3,
      };
      const lists = planScenes(request({ preset }));
      expect(lists.map(({ id }) => id).sort()).toEqual(['color', 'pastel']);
      expect(lists.map(({ scenes }) => scenes.length)).toEqual([3, 3]);
      expect(lists.find(({ id }) => id === 'color')!.title).toBe('Bold color');
      expect(lists.find(({ id }) => id === 'pastel')!.title).toBe('In your colors');
      expect(planScenes(request({ preset: { name: 'NONE', styles: [] } }))).toEqual([]);
    });
  });

  it('uses no list title that a scene of the list contradicts', () => {
    for (const staging of ['upright-tall', 'long-low', 'garment', 'large', 'small-precious'] as const) {
      for (const style of sceneStyles) {
        for (const { id, scenes } of planScenes(
          request({ product: { kind: 'Unknown', staging }, preset: { name: 'X', styles: [style] } }),
        )) {
          expect(id).toBe(style);
          for (const { plan, title } of scenes)
            expect(bearsTitle(style, plan), `${style}: ${title}`).toBe(true);
        }
      }
    }
  });

  it('plans only outdoor places if the preset allows nothing else, whatever the prompt asks for', () => {
    const preset = { name: 'X', styles: ['outdoor' as const] };
    for (const words of [undefined, parsePrompt('on marble, in a workshop')]) {
      const lists = planScenes(request({ preset, words }));
      expect(lists.map(({ id }) => id)).toEqual(['places']);
      for (const { plan } of lists[0]!.scenes) expect(settingOf(plan.place!.name)).toBe('outdoor');
    }
  });

  it('gives every scene of a list a unique title', () => {
    for (let seed = 0; seed < 8; seed++) {
      for (const { scenes } of planScenes(request({ preset: full, seed }))) {
        expect(new Set(scenes.map(({ title }) => title)).size).toBe(scenes.length);
      }
    }
  });

  it('covers every staging in every style', () => {
    for (const style of sceneStyles) {
      for (const staging of stagings) {
        const suited = setupsByStyle[style].filter(({ composition }) =>
          compositionParts[composition].stagings.includes(staging),
        );
        expect(suited.length, `${style} for ${staging}`).toBeGreaterThan(0);
      }
    }
  });
});

/** Expects two plans to differ in color, in composition, in place or in the paint of a room's wall. */
function expectDifferent(one: ScenePlan, other: ScenePlan): void {
  const colors = one.palette.map((hex, index) =>
    colorDistance(oklchFromHex(hex), oklchFromHex(other.palette[index]!)),
  );
  const sameColors = Math.max(...colors) < 0.05;
  const paintOf = ({ place, backProps }: ScenePlan) => place && backProps[0]?.colors[0];
  const samePlace = one.place?.name === other.place?.name && paintOf(one) === paintOf(other);
  expect(sameColors && samePlace && one.composition === other.composition).toBe(false);
}

const isInStudio = ({ place }: ScenePlan): boolean => place === undefined;

const finishesOf = ({ surface, backdrop, pedestal, backProps, sideProps }: ScenePlan): Finish[] => [
  surface,
  backdrop,
  ...(pedestal?.levels ?? []),
  ...backProps,
  ...sideProps,
];

const bears: Record<SceneStyle, (plan: ScenePlan, wall: Oklch) => boolean> = {
  stone: (plan) => shows(plan, ['marble', 'travertine', 'terrazzo', 'stone']),
  wood: (plan) => shows(plan, ['wood']),
  fabric: (plan) => shows(plan, ['linen', 'satin']),
  nature: (plan) =>
    shows(plan, ['sand', 'water', 'leaf', 'stone']) || ['palm', 'foliage'].includes(plan.gobo.kind),
  color: (_, { l, c }) => c > 0.05 && l > 0.4,
  pastel: (_, { l, c }) => l > 0.65 && c > 0.01 && c < 0.08,
  dark: (_, { l }) => l < 0.5,
  studio: (plan) => !shows(plan, ['sand', 'water']),
};
const shows = (plan: ScenePlan, materials: readonly Material[]): boolean =>
  finishesOf(plan).some(({ material }) => materials.includes(material));
const bearsTitle = (style: SceneStyle, plan: ScenePlan): boolean =>
  bears[style](plan, oklchFromHex(plan.palette[0]));

const share = fc.double({ min: 0, max: 1, noNaN: true });
const color = fc.record({
  l: share,
  c: fc.double({ min: 0, max: 0.3, noNaN: true }),
  h: fc.double({ min: 0, max: 359.9, noNaN: true }),
});
const features: fc.Arbitrary<ProductFeatures> = fc
  .record({
    aspect: fc.double({ min: 0.01, max: 60, noNaN: true }),
    mainColor: color,
    meanColor: color,
    lightFrom: fc.constantFrom('left', 'right', 'unclear'),
    viewElevationDeg: fc.option(fc.double({ min: 4, max: 30, noNaN: true }), { nil: undefined }),
  })
  .map((changes) => makeFeatures(changes));
const prompt = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(...promptCases.map(({ prompt: text }) => text)),
  fc
    .array(
      fc.constantFrom(
        ...'no dark blue marble podium table with in of water gold arch plants flat lay glass curtain shelf column sand'.split(
          ' ',
        ),
      ),
      { maxLength: 8 },
    )
    .map((words) => words.join(' ')),
);

describe('any request', () => {
  it('gives valid plans with the product unobstructed and inside the frame', () => {
    fc.assert(
      fc.property(
        features,
        prompt,
        fc.constantFrom(...variants),
        fc.constantFrom(...stagings),
        fc.constantFrom(...productKinds),
        fc.nat(),
        (product, text, ratio, staging, kind, seed) => {
          const lists = planScenes(
            request({ features: product, words: parsePrompt(text), ratio, seed, product: { kind, staging } }),
          );
          for (const { plan } of lists.flatMap(({ scenes }) => scenes)) {
            const checked = scenePlanSchema.safeParse(plan);
            expect(checked.error?.issues ?? []).toEqual([]);
            expectComposed(plan);
          }
        },
      ),
      { numRuns: 30 },
    );
  }, 30_000);

  it('gives well-composed scenes for five silhouettes and any seed: inside the margins, the product’s foot on the pedestal, no two scenes similar', () => {
    const silhouettes = [
      ['upright-tall', 0.38],
      ['upright-squat', 0.95],
      ['long-low', 1.7],
      ['irregular', 0.9],
      ['large', 0.9],
    ] as const;
    for (const [staging, aspect] of silhouettes) {
      for (let seed = 0; seed < 40; seed++) {
        const [list] = planScenes(
          request({
            product: { kind: 'Unknown', staging },
            features: makeFeatures({ aspect }),
            ratio: variants[seed % variants.length]!,
            preset: { name: 'X', lists: 1 },
            seed,
          }),
        );
        const plans = list!.scenes.map(({ plan }) => plan);
        expect(plans.length).toBe(4);
        plans.forEach((plan, index) => {
          expectComposed(plan);
          for (const other of plans.slice(index + 1)) expectDifferent(plan, other);
        });
      }
    }
  }, 30_000);
});

const plants: ReadonlySet<string> = new Set(['branch', 'olive', 'palm', 'monstera', 'pampas']);

function expectComposed(plan: ScenePlan): void {
  const { height, subjectU, aspect, distance } = measureFrame(plan);
  const isShared = plan.pedestal !== null || plan.sideProps.length > 0;
  const isTallRoom = plan.staging === 'large' && plan.ratio === '9:16';
  const most = isShared && plan.place === undefined ? 0.671 : isTallRoom ? 0.901 : 0.801;
  expect(subjectU).toBeLessThanOrEqual(most);
  expect(subjectU * (1 + (2 * Math.abs(plan.subject.shift ?? 0)) / plan.subject.width)).toBeLessThan(0.9);
  const top = plan.camera.baseline + plan.subject.height / height;
  expect(top).toBeLessThan(0.93);
  const standsOn = plan.pedestal?.levels.at(-1);
  if (standsOn) {
    expect(standsOn.width).toBeGreaterThan(plan.subject.width);
    expect(standsOn.z + standsOn.depth / 2).toBeGreaterThan(0);
    expect(standsOn.z - standsOn.depth / 2).toBeLessThan(0);
  }
  for (const { shape, u, z, width } of plan.composition === 'flatlay' ? [] : plan.sideProps) {
    if (z <= -0.3 || plants.has(shape)) continue;
    const half = (width * distance) / (aspect * (distance - z));
    expect(Math.abs(u) - half).toBeGreaterThan(subjectU);
  }
}

const bottle = { kind: 'Unknown', staging: 'upright-tall' } as const;

/** Height of the line between floor and wall above the product's foot, in scene units at the product's depth. */
function lineOf(plan: ScenePlan): number {
  const { distance } = measureFrame(plan);
  const baseY = (plan.pedestal?.levels ?? []).reduce(
    (sum, { height }) => sum + height,
    plan.pedestal?.y ?? 0,
  );
  const eye = Math.tan((plan.camera.elevDeg * Math.PI) / 180) * distance + baseY;
  return (eye * -plan.backdrop.z) / (distance - plan.backdrop.z) - baseY;
}
