import { describe, expect, it } from 'vitest';
import type { Oklch } from '../../src/scenes/oklch.ts';
import type { Composition, Material, ScenePlan } from '../../src/studio/scene-plan.ts';
import { scorePrompt } from './prompts.ts';

interface Wish {
  readonly ground?: Material;
  readonly stand?: Material;
  readonly composition?: Composition;
}

const planOf = ({ ground = 'matte', stand = 'matte', composition = 'podium' }: Wish = {}) =>
  ({
    composition,
    staging: 'upright-tall',
    surface: { material: ground },
    backdrop: { material: 'plaster' },
    pedestal: { levels: [{ material: stand }] },
    backProps: [{ shape: 'arch', material: 'matte' }],
    sideProps: [],
    gobo: { kind: 'palm' },
    key: { color: [1, 0.9, 0.7] },
    palette: ['#5C7FBF', '#5C7FBF', '#E3C13B', '#FFFFFF'],
  }) as unknown as ScenePlan;
const blue: Oklch = { l: 0.6, c: 0.13, h: 255 };

describe('the score of a prompt', () => {
  it('finds the material on the ground or in the stand', () => {
    const asked = { prompt: 'marble', material: 'marble' } as const;
    expect(scorePrompt(asked, planOf({ ground: 'marble' }), blue)).toEqual({ promptMaterial: 1 });
    expect(scorePrompt(asked, planOf({ stand: 'marble' }), blue)).toEqual({ promptMaterial: 1 });
    expect(scorePrompt(asked, planOf(), blue)).toEqual({ promptMaterial: 0 });
  });

  it('compares the visible wall with the requested color', () => {
    const asked = { prompt: 'dark blue wall', wallHue: 255, isDark: true };
    expect(scorePrompt(asked, planOf(), { ...blue, h: 275 })).toEqual({ promptHue: 20, promptDark: 0.6 });
    expect(scorePrompt(asked, planOf(), { ...blue, c: 0.01 })).not.toHaveProperty('promptHue');
  });

  it('compares the stand’s paint with its requested color', () => {
    expect(scorePrompt({ prompt: 'yellow stand', pedestalHue: 95 }, planOf(), blue).promptPaint).toBeLessThan(
      15,
    );
    expect(scorePrompt({ prompt: 'red stand', pedestalHue: 27 }, planOf(), blue).promptPaint).toBeGreaterThan(
      15,
    );
  });

  it('counts composition, light and props', () => {
    const parts = (asked: object) => scorePrompt({ prompt: '', ...asked }, planOf(), blue).promptParts;
    expect(parts({ composition: 'podium', gobo: 'palm', shape: 'arch', light: 'warm' })).toBe(1);
    expect(parts({ gobo: 'window', shape: 'arch' })).toBe(0.5);
    expect(parts({ absent: ['arch', 'palm'] })).toBe(0.5);
    expect(parts({ composition: 'steps' })).toBe(0);
  });

  it('ignores compositions that do not suit the product', () => {
    const asked = { prompt: 'flat lay', composition: 'flatlay' } as const;
    expect(scorePrompt(asked, planOf(), blue)).toEqual({});
  });
});
