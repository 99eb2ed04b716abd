/** Sample products, cut out and classified as in the service, for the galleries and the evaluation of scenes. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cutSubject } from '../../packages/cutout/src/cut-subject.ts';
import { openRemovalEngine } from '../../packages/cutout/src/engines/registry.ts';
import type { CutoutMode } from '../../packages/cutout/src/passes/choose-passes.ts';
import { readImage } from '../../packages/photos/src/read-image.ts';
import type { ProductFeatures } from '../../packages/sets/src/product-features.ts';
import type { DrawPicture } from '../../src/rendering/draw-picture.ts';
import { lookAtCutout } from '../../src/understanding/look-at-cutout.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const samplesFolder = join(root, 'samples');

const limits = { maxBytes: 25e6, maxPixels: 50e6, maxAvifPixels: 25e6, minSidePx: 16, maxSidePx: 20_000 };

export interface SampleProduct extends Pick<DrawPicture, 'cutoutPng' | 'boundingBox' | 'touchesEdges'> {
  /** The photo's file name without its extension. */
  readonly name: string;
  readonly features: ProductFeatures;
}

export async function cutProducts(files: readonly string[], mode: CutoutMode): Promise<SampleProduct[]> {
  const engine = await openRemovalEngine({
    engine: 'isnet',
    threads: 2,
    cacheDir: join(root, 'data/models'),
  });
  try {
    const products: SampleProduct[] = [];
    for (const file of files) {
      const bytes = await readFile(file);
      const source = await readImage(bytes, limits);
      const signal = new AbortController().signal;
      const { cutoutPng, subject } = await cutSubject(source, engine, { signal, mode });
      const { boundingBox, touchesEdges } = subject;
      const { features } = await lookAtCutout({ cutoutPng, box: boundingBox, touchesEdges });
      if (!features) throw new Error(`The product in ${file} is too small to be placed in a scene`);
      const name = basename(file).replace(/\.\w+$/, '');
      products.push({ name, cutoutPng, boundingBox, touchesEdges, features });
    }
    return products;
  } finally {
    await engine.close();
  }
}
