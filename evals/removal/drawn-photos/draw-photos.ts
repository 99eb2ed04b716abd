/**
 * `node evals/removal/drawn-photos/draw-photos.ts [--count 140] [--out data/drawn-photos]`: renders photos of
 * random products with the studio's tracer, with their exact mattes, as a folder for `npm run eval:removal`.
 * The same count always gives the same photos. Photos that already exist are skipped.
 */
import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { buildSet } from '../../../packages/studio/src/built-set.ts';
import { makeCamera } from '../../../packages/studio/src/camera.ts';
import { look, makeSight } from '../../../packages/studio/src/geometry-buffer.ts';
import { renderStudio } from '../../../packages/studio/src/render-studio.ts';
import type { StudioScene } from '../../../packages/studio/src/studio-scene.ts';
import { makeTrainingScene, PRODUCT_PREFIX } from './make-scene.ts';

const SIZES = [
  { width: 1152, height: 864 },
  { width: 1024, height: 1024 },
  { width: 864, height: 1152 },
] as const;
/** A pixel on the boundary between product and background gets `FINE` × `FINE` rays; all others get one. */
const FINE = 3;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '140' },
    out: { type: 'string', default: 'data/drawn-photos' },
  },
});
await mkdir(path.join(values.out, 'image'), { recursive: true });
await mkdir(path.join(values.out, 'alpha'), { recursive: true });
const items: object[] = [];
for (let number = 0; number < Number(values.count); number++) {
  const { scene, product, tags } = makeTrainingScene(number);
  const size = SIZES[number % SIZES.length]!;
  const id = `${product.kind}-${number}`;
  const image = `image/${id}.jpg`;
  const alpha = `alpha/${id}.png`;
  items.push({ id, group: 'drawn', product: id, tags, ...size, image, alpha });
  const target = path.join(values.out, image);
  if (await exists(target)) continue;
  const signal = new AbortController().signal;
  const { plate } = await renderStudio(scene, { ...size, quality: 'preview', threads: 2, signal });
  await sharp(drawMatte(scene, size), { raw: { ...size, channels: 1 } })
    .png()
    .toFile(path.join(values.out, alpha));
  await sharp(plate!.data, { raw: { ...size, channels: 3 } })
    .jpeg({ quality: 70 + (number % 4) * 8 })
    .toFile(target);
  console.error(id);
}
await writeFile(path.join(values.out, 'manifest.json'), `${JSON.stringify({ items }, null, 1)}\n`);
process.exit(0);

/** Alpha of each pixel, 0 to 255: the fraction of its rays that hit a material of the product. */
function drawMatte(scene: StudioScene, { width, height }: { width: number; height: number }): Uint8Array {
  const built = buildSet(scene, makeCamera(scene, { width, height }));
  const isProduct = Object.keys(scene.materials).map((name) => name.startsWith(PRODUCT_PREFIX));
  const sight = makeSight();
  const meets = (column: number, row: number): number => {
    look(built, column, row, sight);
    return isProduct[sight.material] ? 1 : 0;
  };
  const centers = Uint8Array.from({ length: width * height }, (_, i) =>
    meets((i % width) + 0.5, Math.floor(i / width) + 0.5),
  );
  return centers.map((center, i) => {
    const neighbors = [
      i - 1,
      i + 1,
      i - width,
      i + width,
      i - width - 1,
      i - width + 1,
      i + width - 1,
      i + width + 1,
    ];
    if (neighbors.every((n) => (centers[n] ?? center) === center)) return center * 255;
    let hits = 0;
    for (let n = 0; n < FINE * FINE; n++) {
      hits += meets(
        (i % width) + ((n % FINE) + 0.5) / FINE,
        Math.floor(i / width) + (Math.floor(n / FINE) + 0.5) / FINE,
      );
    }
    return Math.round((255 * hits) / FINE ** 2);
  });
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
