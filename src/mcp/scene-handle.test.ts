import { describe, expect, it } from 'vitest';
import { nameScene, readScene } from './scene-handle.ts';

const primaryIllustration = {
  uri: 'http://127.0.0.1:8080/v1/illustrations/ill_a.jpeg?e=1&s=x',
  previewUri: 'http://127.0.0.1:8080/v1/illustrations/ill_a-preview.webp?e=1&s=y',
  source: 'WEB',
} as const;
const recipe = { recipeId: 'Studio001', variant: '4:5', title: 'Marble podium' };

describe('the name of a scene', () => {
  it('holds what a render needs', () => {
    const { previewUri: _, ...illustration } = primaryIllustration;
    const { title: __, ...drawn } = recipe;
    const mutations = { images: { primaryIllustration } };
    expect(readScene(nameScene({ ...recipe, mutations }))).toEqual({
      ...drawn,
      mutations: { images: { primaryIllustration: illustration } },
    });
  });

  it.each(['Studio001|4:5', 'Studio001|4:5|not a URI', `Studio001|4:5|${primaryIllustration.uri}|solid`])(
    'refuses %s',
    (scene) => {
      expect(() => readScene(scene)).toThrow(/unchanged/);
    },
  );
});
