import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { variants } from '../recipes/catalogue.ts';
import { aiStudio, type Preset, sceneStyles } from '../recipes/presets.ts';
import { colorDistance, hueDistance, oklchFromHex } from './oklch.ts';
import { parsePrompt } from './parse-prompt.ts';
import { planScenes, type SceneRequest } from './plan-scenes.ts';
import { productKinds } from './product/kind-words.ts';
import type { ProductFeatures } from './product-features.ts';
import { type Material, measureFrame, type ScenePlan, scenePlanSchema, stagings } from './scene-plan.ts';
import { compositionParts } from './sets/compositions.ts';
import { looksByStyle } from './sets/looks.ts';
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
const spoken = (prompt: string, changes: Partial<SceneRequest> = {}) =>
  planScenes(request({ words: parsePrompt(prompt), ...changes }))[0]!;
const full: Preset = { name: 'FULL', lists: 4, perList: 6 };

describe('planScenes', () => {
  it('fills two lists of four, and as many as the preset says', () => {
    expect(planScenes(request()).map(({ scenes }) => scenes.length)).toEqual([4, 4]);
    expect(planScenes(request({ preset: full })).map(({ scenes }) => scenes.length)).toEqual([6, 6, 6, 6]);
  });

  it('puts the words first, and leaves their list out where a prompt names only the product', () => {
    expect(spoken('white marble').title).toBe('From your words');
    expect(planScenes(request({ words: parsePrompt('my perfume') }))[0]!.id).toBe('picked');
  });

  it('plans the same for the same request and otherwise for another seed', () => {
    const plans = JSON.stringify(planScenes(request({ preset: full })));
    expect(JSON.stringify(planScenes(request({ preset: full })))).toBe(plans);
    expect(JSON.stringify(planScenes(request({ preset: full, seed: 2 })))).not.toBe(plans);
  });

  it('shows no two plans alike in a list', () => {
    for (const staging of [
      'upright-tall',
      'long-low',
      'garment',
      'large',
      'small-precious',
      'panel',
    ] as const) {
      for (let seed = 0; seed < 12; seed++) {
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

  it('keeps the key on the side that lights the product, and the camera where it was', () => {
    for (const [lightFrom, sign] of [
      ['left', -1],
      ['right', 1],
    ] as const) {
      const features = makeFeatures({ lightFrom, viewElevationDeg: 19 });
      for (const { plan } of planScenes(request({ features })).flatMap(({ scenes }) => scenes)) {
        expect(Math.sign(plan.key.az)).toBe(sign);
        expect(Math.abs(plan.camera.elevDeg - 19)).toBeLessThanOrEqual(
          plan.composition === 'shelf' ? 3 : 0.001,
        );
      }
    }
  });

  it('lays garments down and keeps furniture off podiums', () => {
    const of = (staging: 'garment' | 'large') =>
      planScenes(request({ product: { kind: 'Unknown', staging }, preset: full })).flatMap(({ scenes }) =>
        scenes.map(({ plan }) => plan),
      );
    expect(new Set(of('garment').map(({ composition }) => composition))).toEqual(new Set(['flatlay']));
    expect(of('large').every(({ pedestal }) => pedestal === null)).toBe(true);
  });

  it('holds a preset to its styles and its brand colours', () => {
    const preset: Preset = {
      name: 'BRAND',
      styles: ['color', 'pastel'],
      palette: ['#3355AA', '#EECCBB'],
      lists: 4,
    };
    const lists = planScenes(request({ preset }));
    expect(lists.map(({ id }) => id).sort()).toEqual(['color', 'pastel']);
    for (const { plan } of lists.flatMap(({ scenes }) => scenes)) {
      const wall = oklchFromHex(plan.palette[0]);
      const nearest = Math.min(...preset.palette!.map((hex) => colorDistance(oklchFromHex(hex), wall)));
      expect(nearest).toBeLessThan(0.09);
    }
    expect(planScenes(request({ preset: { name: 'NONE', styles: [] } }))).toEqual([]);
  });

  it('has looks for every staging in every style', () => {
    for (const style of sceneStyles) {
      for (const staging of stagings) {
        const suited = looksByStyle[style].filter(({ composition }) =>
          compositionParts[composition].stagings.includes(staging),
        );
        expect(suited.length, `${style} for ${staging}`).toBeGreaterThan(0);
      }
    }
  });
});

/** Criterion: a list's plans differ in colour, or else in composition. */
function expectDifferent(one: ScenePlan, other: ScenePlan): void {
  const colors = one.palette.map((hex, index) =>
    colorDistance(oklchFromHex(hex), oklchFromHex(other.palette[index]!)),
  );
  const sameColors = Math.max(...colors) < 0.05;
  expect(sameColors && one.composition === other.composition).toBe(false);
}

const asked: readonly (readonly [
  prompt: string,
  material: Material | undefined,
  wallHue: number | undefined,
])[] = [
  ['white marble with window light', 'marble', undefined],
  ['on a marble podium, sage green wall', 'marble', 135],
  ['navy background with gold accents', 'metal', 260],
  ['turquoise water with palm leaves', 'water', 195],
  ['warm sandy desert', 'sand', undefined],
  ['mint terrazzo', 'terrazzo', undefined],
  ['dark walnut table', 'wood', undefined],
  ['oak shelf, light blue wall', 'wood', 255],
  ['lilac silk drapes', 'satin', 300],
  ['beige linen flat lay', 'linen', 80],
  ['concrete blocks', 'concrete', undefined],
  ['terracotta plaster wall', 'plaster', 42],
  ['travertine steps and a peach wall', 'travertine', 60],
  ['slate rocks, moody', 'stone', undefined],
  ['yellow podium on a blue background', undefined, 255],
  ['pink arch, cream backdrop', undefined, 90],
  ['emerald velvet', 'satin', 165],
  ['red backdrop', undefined, 27],
  ['glossy black pedestal, purple background', 'lacquer', 300],
  ['coral wall, wooden floor', 'wood', 30],
  ['lavender', undefined, 295],
  ['weißer Marmor, grüner Hintergrund', 'marble', 145],
  ['table en bois, mur jaune', 'wood', 95],
  ['podio de hormigón, fondo naranja', 'concrete', 60],
];

describe('a prompt', () => {
  it.each(asked)('is followed: %s', (prompt, material, hue) => {
    for (const { plan } of spoken(prompt).scenes) {
      const used = [
        plan.surface,
        plan.backdrop,
        ...(plan.pedestal?.levels ?? []),
        ...plan.backProps,
        ...plan.sideProps,
      ];
      if (material) expect(used.map((finish) => finish.material)).toContain(material);
      const wall = oklchFromHex(plan.palette[0]);
      // Under a chroma of 0.02 eight bits do not hold a hue.
      if (hue !== undefined && wall.c > 0.02) expect(hueDistance(wall.h, hue)).toBeLessThan(15);
    }
  });

  it('gets no plants and no shadows where it wants none', () => {
    for (const { plan } of spoken('wooden table without plants, no shadows').scenes) {
      expect(plan.gobo.kind).toBe('none');
      expect(
        [...plan.backProps, ...plan.sideProps].some(({ shape }) => shape === 'branch' || shape === 'palm'),
      ).toBe(false);
    }
  });

  it('cannot name a colour that the plan then gives to another part', () => {
    for (const { plan } of spoken('yellow podium in front of a blue background').scenes) {
      expect(hueDistance(oklchFromHex(plan.palette[2]).h, 95)).toBeLessThan(15);
      expect(hueDistance(oklchFromHex(plan.palette[0]).h, 255)).toBeLessThan(15);
    }
  });
});

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
    viewElevationDeg: fc.option(fc.double({ min: 4, max: 25, noNaN: true }), { nil: undefined }),
  })
  .map((changes) => makeFeatures(changes));
const prompt = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(...asked.map(([text]) => text)),
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
  it('gives valid plans that keep the product clear and inside the frame', () => {
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
      { numRuns: 100 },
    );
  });
});

function expectComposed(plan: ScenePlan): void {
  const { height, subjectU, aspect, distance } = measureFrame(plan);
  expect(subjectU).toBeLessThanOrEqual(0.67);
  const top = plan.camera.baseline + plan.subject.height / height;
  expect(top).toBeLessThan(0.93);
  const standsOn = plan.pedestal?.levels.at(-1);
  if (standsOn) {
    expect(standsOn.width).toBeGreaterThan(plan.subject.width);
    expect(standsOn.z + standsOn.depth / 2).toBeGreaterThan(0);
    expect(standsOn.z - standsOn.depth / 2).toBeLessThan(0);
  }
  for (const { shape, u, z, width } of plan.composition === 'flatlay' ? [] : plan.sideProps) {
    if (z <= -0.3 || shape === 'branch' || shape === 'palm') continue;
    const half = (width * distance) / (aspect * (distance - z));
    expect(Math.abs(u) - half).toBeGreaterThan(subjectU);
  }
}
