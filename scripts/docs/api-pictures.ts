/** The pictures of docs/api.md: one product, one mutation per picture, rendered by the service's renderers. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planSample } from '../../packages/sets/src/testing/plans.ts';
import { groundScene, placeInScene } from '../../src/illustrations/draw-scene.ts';
import { stageRequest } from '../../src/illustrations/staged-scene.ts';
import type { Mutations } from '../../src/recipes/mutations.ts';
import { resolveRecipe } from '../../src/recipes/resolve-recipe.ts';
import { drawPicture } from '../../src/rendering/draw-picture.ts';
import { renderTarget } from '../../src/rendering/render-target.ts';
import { cutProducts, type SampleProduct, samplesFolder } from './sample-products.ts';

const folder = fileURLToPath(new URL('../../docs/images/api/', import.meta.url));
const target = { ...renderTarget('preview', 'webp'), longEdgePx: 400 };
const signal = new AbortController().signal;

const plain: Record<string, Omit<Mutations, 'images'>> = {
  plain: {},
  margin: { layout: { margin: 0.02 } },
  scale: { layout: { scale: 0.6 } },
  place: { layout: { x: 0.3, y: 0.6, scale: 0.6 } },
  rotate: { layout: { rotate: -12 } },
  shadow: { shadow: { kind: 'contact' } },
  background: { background: { color: '#E6D5BE' } },
};
const scenes: Record<string, Omit<Mutations, 'images'>> = {
  scene: {},
  'scene-place': { layout: { x: 0.68, scale: 0.55 } },
  'scene-shadow': { shadow: { kind: 'none' } },
};

export async function drawApiPictures(product: SampleProduct): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, mutations] of Object.entries(plain)) {
    const plan = resolveRecipe({ recipeId: 'Solid1_1_0035', variant: '1:1', mutations });
    const { bytes } = await drawPicture({ ...product, plan, target, signal });
    await writeFile(join(folder, `${name}.webp`), bytes);
  }
  for (const [name, mutations] of Object.entries(scenes)) {
    await writeFile(join(folder, `${name}.webp`), await drawScene(product, mutations));
  }
}

async function drawScene(
  { features, ...product }: SampleProduct,
  mutations: Omit<Mutations, 'images'>,
): Promise<Buffer> {
  const { lists } = planSample({
    kind: 'Home & Garden',
    staging: 'upright-squat',
    features,
    prompt: 'travertine podium, palm shadow',
    seed: 7,
  });
  const { plan, rotateDeg, shadowStrength } = stageRequest(lists[0]!.scenes[0]!.plan, mutations);
  const staged = { ...product, plan, rotateDeg, signal };
  const plate = await groundScene({ ...staged, shadowStrength, size: 'preview', threads: 2 });
  const madeBy = 'compositeSynthetic';
  const { bytes } = await placeInScene({
    ...staged,
    platePicture: plate.bytes,
    place: undefined,
    madeBy,
    target,
  });
  return bytes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [product] = await cutProducts([join(samplesFolder, 'mug-clutter.jpg')], 'quality');
  await drawApiPictures(product!);
}
