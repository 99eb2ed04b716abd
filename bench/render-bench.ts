/** Compares rendering with a bare sharp pipeline for the same composite and encode, in one run. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { cleanEdges } from '../packages/cutout/src/steps/clean-edges.ts';
import { encodeCutout } from '../packages/cutout/src/steps/encode-cutout.ts';
import { findSubjectFacts } from '../packages/cutout/src/steps/subject-facts.ts';
import type { Box, CanvasSize } from '../packages/pixels/src/pixels.ts';
import { resolveRecipe } from '../src/recipes/resolve-recipe.ts';
import { drawPicture } from '../src/rendering/draw-picture.ts';
import { jpegOptions, webpOptions } from '../src/rendering/encode.ts';
import { makeLayout } from '../src/rendering/layout.ts';
import { canvasSize, type RenderTarget, renderTarget } from '../src/rendering/render-target.ts';
import { median } from './median.ts';

export interface RenderBenchRow {
  readonly name: string;
  readonly oursMs: number;
  readonly bareMs: number;
  /** `oursMs` divided by `bareMs`. Each is the median of its rounds; the two pipelines are measured alternately. */
  readonly ratio: number;
}

const ROUNDS = 9;
/** Number of rounds that are not measured, in which the JIT and libvips' caches warm up. */
const WARM_UP = 3;

const cases = [
  { recipeId: 'Solid1_1_0035', target: renderTarget('preview', 'webp') },
  { recipeId: 'Solid1_1_0035', target: renderTarget('generated', 'jpeg') },
  { recipeId: 'Solid1_1_0042', target: renderTarget('preview', 'webp') },
  { recipeId: 'Solid1_1_0042', target: renderTarget('generated', 'jpeg') },
  { recipeId: 'Gradient001', target: renderTarget('preview', 'webp') },
  { recipeId: 'Gradient001', target: renderTarget('generated', 'jpeg') },
  { recipeId: 'Surface002', target: renderTarget('preview', 'webp') },
  { recipeId: 'Surface002', target: renderTarget('generated', 'jpeg') },
] as const;

export async function benchRendering(): Promise<RenderBenchRow[]> {
  const { cutoutPng, boundingBox } = await makeTestCutout();
  const rows: RenderBenchRow[] = [];
  for (const { recipeId, target } of cases) {
    const plan = resolveRecipe({ recipeId, variant: '1:1' });
    const canvas = canvasSize(plan.variant, target.longEdgePx);
    const { box } = makeLayout({ boundingBox, touchesEdges: [], layout: plan.layout, canvas });
    const signal = new AbortController().signal;
    const ready = await drawReadyBackdrop({ cutoutPng, boundingBox, plan, target, signal });
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS + WARM_UP; round++) {
      const oursMs = await measure(() =>
        drawPicture({ cutoutPng, boundingBox, touchesEdges: [], plan, target, signal }),
      );
      const bareMs = await measure(() => drawBare(cutoutPng, boundingBox, { box, canvas, target, ready }));
      if (round >= WARM_UP) {
        ours.push(oursMs);
        bare.push(bareMs);
      }
    }
    const [oursMs, bareMs] = [median(ours), median(bare)];
    rows.push({
      name: `${recipeId} ${target.name}.${target.format}`,
      oursMs,
      bareMs,
      ratio: oursMs / bareMs,
    });
  }
  return rows;
}

/**
 * The bare pipeline composites the product onto a picture that our own renderer has already finished (backdrop, shadow
 * and product), so that both pipelines encode almost the same pixels.
 */
async function drawReadyBackdrop(
  request: Omit<Parameters<typeof drawPicture>[0], 'touchesEdges'>,
): Promise<Buffer> {
  const png = { ...request.target, format: 'png' } as const;
  const { bytes } = await drawPicture({ ...request, touchesEdges: [], target: png });
  return sharp(bytes).removeAlpha().raw().toBuffer();
}

interface BareRequest {
  readonly box: Box;
  readonly canvas: CanvasSize;
  readonly target: RenderTarget;
  readonly ready: Buffer;
}

async function drawBare(
  cutoutPng: Buffer,
  source: Box,
  { box, canvas, target, ready }: BareRequest,
): Promise<Buffer> {
  const product = await sharp(cutoutPng)
    .extract({ left: source.x, top: source.y, width: source.width, height: source.height })
    .resize({ width: box.width, height: box.height, fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer();
  const picture = sharp(ready, { raw: { ...canvas, channels: 3 } }).composite([
    { input: product, raw: { width: box.width, height: box.height, channels: 4 }, left: box.x, top: box.y },
  ]);
  const encoded =
    target.format === 'jpeg' ? picture.jpeg(jpegOptions(target)) : picture.webp(webpOptions(target));
  return encoded.toBuffer();
}

/** A sample photo cut out by its exact matte, so that the model's errors do not affect the measurement. */
async function makeTestCutout(): Promise<{ cutoutPng: Buffer; boundingBox: Box }> {
  const read = (path: string) => readFile(new URL(path, import.meta.url));
  const photo = await sharp(await read('../samples/chair-white.jpg'))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const alpha = await sharp(await read('../test/golden/expected/chair-white.alpha.png'))
    .extractChannel(0)
    .raw()
    .toBuffer();
  const { width, height } = photo.info;
  const matte = { width, height, data: new Uint8Array(alpha) };
  const { boundingBox } = findSubjectFacts(matte);
  const cutout = cleanEdges({ width, height, data: new Uint8Array(photo.data) }, matte, boundingBox);
  const { cutoutPng } = await encodeCutout(cutout, matte);
  return { cutoutPng, boundingBox };
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
