import { expect, it } from 'vitest';
import { aiStudio } from '../recipes/presets.ts';
import { planScenes } from './plan-scenes.ts';
import { titleScenes } from './scene-titles.ts';
import { makeFeatures } from './testing/silhouettes.ts';

it('tells equal scenes apart by their accents where these are visible, and by a number where they are not', () => {
  const [list] = planScenes({
    product: { kind: 'Home & Garden', staging: 'upright-squat' },
    features: makeFeatures(),
    words: undefined,
    ratio: '1:1',
    preset: { ...aiStudio, styles: ['studio'], lists: 1 },
    seed: 1,
  });
  const sweep = list!.scenes.map(({ plan }) => plan).find(({ composition }) => composition === 'sweep')!;
  const bare = { ...sweep, gobo: { kind: 'none' as const } };
  const accent = { ...bare.surface, colors: [bare.palette[3]] };
  const { relief: _, amplitude: __, ...finish } = accent;
  const place = { u: 0.8, y: 0, z: 0, turnDeg: 0, leanDeg: 0, tipDeg: 0, bevel: 0.01, seed: 1 };
  const sphere = { ...finish, ...place, shape: 'sphere' as const, width: 0.1, height: 0.1, depth: 0.1 };
  const [first, second] = titleScenes([bare, bare]);
  expect(second).toBe(`${first} 2`);
  const decorated = { ...bare, sideProps: [sphere] };
  expect(titleScenes([decorated, decorated])[1]).toMatch(/accents$/);
});
