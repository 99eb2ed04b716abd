import sharp from 'sharp';
import { expect, it } from 'vitest';
import { canvasSize, renderTarget } from '../rendering/render-target.ts';
import { composePlace } from '../scenes/places/compose-place.ts';
import { grounds } from '../scenes/places/place-facts.ts';
import { makeFeatures } from '../scenes/testing/silhouettes.ts';
import { drawPlate } from './draw-scene.ts';

const inPlace = composePlace({
  place: 'park',
  aim: { headingDeg: -100 },
  paint: { color: '#E9E4DA', trim: '#F1EEE8' },
  side: 'left',
  ground: grounds.wood.finish,
  staging: 'upright-tall',
  ratio: '1:1',
  features: makeFeatures(),
  lengthCm: 28,
  seed: 1,
});

it.each([
  ['a captured place with a traced ground', inPlace, 'compositeSynthetic'],
  ['a fully traced set', { ...inPlace, place: undefined }, 'algorithmicMedia'],
] as const)('declares the digital source type of %s', async (_what, plan, type) => {
  const target = { ...renderTarget('preview', 'jpeg'), longEdgePx: 64 };
  const { bytes } = await drawPlate({
    plan,
    target,
    threads: 1,
    detail: 'draft',
    signal: new AbortController().signal,
  });
  const { xmp } = await sharp(bytes).metadata();
  expect(xmp?.toString()).toContain(`digitalsourcetype/${type}"`);
});

it('draws a draft at the size of a finished picture', async () => {
  const target = renderTarget('preview', 'webp');
  const input = { plan: inPlace, target, threads: 1, signal: new AbortController().signal };
  const { bytes } = await drawPlate({ ...input, detail: 'draft' });
  const { width, height } = await sharp(bytes).metadata();
  expect({ width, height }).toEqual(canvasSize(inPlace.ratio, target.longEdgePx));
});
