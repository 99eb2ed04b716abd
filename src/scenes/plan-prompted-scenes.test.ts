import { describe, expect, it } from 'vitest';
import { aiStudio } from '../recipes/presets.ts';
import { type Finish, type ScenePlan, stagings } from '../studio/scene-plan.ts';
import { hueDistance, oklchFromHex } from './oklch.ts';
import { parsePrompt } from './parse-prompt.ts';
import { planScenes, type SceneRequest } from './plan-scenes.ts';
import { promptCases } from './prompt/prompt-cases.ts';
import { makeFeatures } from './testing/silhouettes.ts';

const green = { l: 0.55, c: 0.12, h: 145 };
const spoken = (prompt: string, changes: Partial<SceneRequest> = {}) =>
  planScenes({
    product: { kind: 'Health & Beauty', staging: 'upright-tall' },
    features: makeFeatures({ mainColor: green, meanColor: green }),
    words: parsePrompt(prompt),
    ratio: '1:1',
    preset: aiStudio,
    seed: 1,
    ...changes,
  })[0]!;

const finishesOf = ({ surface, backdrop, pedestal, backProps, sideProps }: ScenePlan): Finish[] => [
  surface,
  backdrop,
  ...(pedestal?.levels ?? []),
  ...backProps,
  ...sideProps,
];

/** Below a chroma of 0.02, eight bits cannot represent a hue. */
function expectHue(hex: string | undefined, hue: number | undefined): void {
  const color = oklchFromHex(hex!);
  if (hue !== undefined && color.c > 0.02) expect(hueDistance(color.h, hue)).toBeLessThan(15);
}

describe('a prompt', () => {
  it.each(promptCases.map((known) => [known.prompt, known] as const))('is followed: %s', (text, known) => {
    const scenes = [1, 2].flatMap((seed) => spoken(text, { seed }).scenes);
    expect(scenes.length).toBe(8);
    for (const { plan } of scenes) {
      if (known.material) expect(finishesOf(plan).map(({ material }) => material)).toContain(known.material);
      expectHue(plan.palette[0], known.wallHue);
      expectHue(plan.palette[2], known.pedestalHue);
      expectHue(plan.palette[3], known.accentHue);
      if (known.composition) expect(plan.composition).toBe(known.composition);
      if (known.gobo) expect(plan.gobo.kind).toBe(known.gobo);
      if (known.isDark) expect(oklchFromHex(plan.palette[0]).l).toBeLessThan(0.5);
      const shapes = [...plan.backProps, ...plan.sideProps].map(({ shape }) => shape);
      if (known.shape) expect(shapes).toContain(known.shape);
      for (const shape of known.absent ?? []) expect(shapes).not.toContain(shape);
      const [red, , blue] = plan.key.color;
      if (known.light) expect(known.light === 'warm' ? red - blue : blue - red).toBeGreaterThan(0.02);
    }
  });

  it('fills its list for every staging, including garments and furniture', () => {
    for (const staging of stagings) {
      for (const text of ['white marble podium', 'sage wall, palm shadow', 'dark and moody', 'red']) {
        const { title, scenes } = spoken(text, { product: { kind: 'Unknown', staging } });
        expect(title).toBe('From your words');
        expect(scenes.length, `${text} for ${staging}`).toBe(4);
      }
    }
  });

  it('puts a requested arch behind furniture, too', () => {
    const { scenes } = spoken('pink arch', { product: { kind: 'Furniture', staging: 'large' } });
    for (const { plan } of scenes.filter(({ plan: { composition } }) => composition === 'room')) {
      expect(plan.backProps.map(({ shape }) => shape)).toContain('arch');
    }
  });

  it('makes a gold podium of metal, and paints a yellow one', () => {
    const stuffOf = (prompt: string) =>
      new Set(spoken(prompt).scenes.map(({ plan }) => plan.pedestal?.levels.at(-1)?.material));
    expect(stuffOf('gold podium')).toEqual(new Set(['metal']));
    expect(stuffOf('yellow podium')).not.toContain('metal');
  });

  it('excludes unwanted plants and shadows', () => {
    for (const { plan } of spoken('wooden table without plants, no shadows').scenes) {
      expect(plan.gobo.kind).toBe('none');
      expect(
        [...plan.backProps, ...plan.sideProps].some(({ shape }) => shape === 'branch' || shape === 'palm'),
      ).toBe(false);
    }
  });

  it('never applies a color to a part other than the named part', () => {
    for (const { plan } of spoken('yellow podium in front of a blue background').scenes) {
      expect(hueDistance(oklchFromHex(plan.palette[2]).h, 95)).toBeLessThan(15);
      expect(hueDistance(oklchFromHex(plan.palette[0]).h, 255)).toBeLessThan(15);
    }
  });
});
