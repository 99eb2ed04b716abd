import sharp from 'sharp';
import { expect, it } from 'vitest';
import { makePlan } from '../../packages/sets/src/testing/plans.ts';
import { canvasSize, renderTarget } from '../rendering/render-target.ts';
import { drawPlate } from './draw-scene.ts';
import { makeScaffold } from './painting/finish-painting.ts';

const inPlace = makePlan('old-square-wood');

it.each([
  ['a real place (a captured panorama behind a ray-traced ground)', inPlace, 'compositeSynthetic'],
  ['a set that is ray-traced as a whole', { ...inPlace, place: undefined }, 'algorithmicMedia'],
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

it('draws a draft for an illustration engine at the requested size, with the product’s own pixels', async () => {
  const box = { create: { width: 60, height: 100, channels: 4 as const, background: '#c8141e' } };
  const { picturePng, maskPng, place } = await makeScaffold({
    cutoutPng: await sharp(box).png().toBuffer(),
    boundingBox: { x: 0, y: 0, width: 60, height: 100 },
    plan: inPlace,
    longEdgePx: 512,
    detail: 'draft',
    threads: 1,
    signal: new AbortController().signal,
  });
  for (const png of [picturePng, maskPng])
    expect(await sharp(png).metadata()).toMatchObject(canvasSize(inPlace.ratio, 512));
  const at = {
    left: Math.round(512 * (place.x + place.width / 2)),
    top: Math.round(512 * (place.y + place.height / 2)),
  };
  const [red = 0, green = 0] = await sharp(picturePng)
    .extract({ ...at, width: 1, height: 1 })
    .raw()
    .toBuffer();
  expect([red, green]).toEqual([0xc8, 0x14]);
});

it('traces fewer pixels for a caller whose time is up, and always the same ones for the same size', async () => {
  const input = { plan: inPlace, target: renderTarget('preview', 'webp'), threads: 1 };
  const draw = (budgetMs: number) => drawPlate({ ...input, budgetMs, signal: new AbortController().signal });
  const late = await draw(0);
  expect(late).toMatchObject({ tracedPx: 128, isDraft: true });
  expect((await draw(0)).bytes).toEqual(late.bytes);
  const { width, height } = await sharp(late.bytes).metadata();
  expect({ width, height }).toEqual(canvasSize(inPlace.ratio, input.target.longEdgePx));
});
