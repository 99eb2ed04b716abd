/**
 * Cost of `mutations.match: "light"`: `node bench/match-light.ts [preview | full]` draws scenes alternately with and
 * without this mutation in one process, and prints the ratio of CPU times. Sets are traced at the same sizes as in the
 * service, and pictures have the same sizes as there.
 */
import { frameProduct } from '../src/studio/camera.ts';
import { pasteProduct } from '../src/studio/compose-product.ts';
import { gradeProduct } from '../src/studio/grade-product.ts';
import { measureProductLight } from '../src/studio/product-light.ts';
import { renderStudio } from '../src/studio/render-studio.ts';
import type { ScenePlan } from '../src/studio/scene-plan.ts';
import type { StudioScene } from '../src/studio/studio-scene.ts';
import { drawBottle } from './draw-bottle.ts';
import { findScene } from './find-scene.ts';
import { median } from './median.ts';

const sets: readonly (readonly [name: string, fits: (plan: ScenePlan) => boolean])[] = [
  ['podium', ({ composition, place }) => composition === 'podium' && place === undefined],
  ['place', ({ place }) => place !== undefined],
];
const sizes = [
  { name: 'preview', tracedPx: 512, shownPx: 640, quality: 'preview', rounds: 3 },
  { name: 'full', tracedPx: 1600, shownPx: 2000, quality: 'full', rounds: 2 },
] as const;
type Size = (typeof sizes)[number];

const bottleIn = (scene: StudioScene, side: number) =>
  drawBottle(frameProduct(scene, { width: side, height: side }, 0.4));

/** CPU seconds of one picture: tracing the set with the product's shadow, and compositing the product. */
async function draw(scene: StudioScene, size: Size, matches: boolean): Promise<number> {
  const before = process.cpuUsage();
  const { tracedPx, shownPx, quality } = size;
  const signal = new AbortController().signal;
  const traced = { width: tracedPx, height: tracedPx };
  await renderStudio(scene, { ...traced, quality, product: bottleIn(scene, tracedPx), signal });
  const canvas = { width: shownPx, height: shownPx };
  const own = bottleIn(scene, shownPx);
  const product = matches
    ? { ...own, image: gradeProduct(own.image, await measureProductLight(scene, canvas, own), scene.tone) }
    : own;
  pasteProduct({ ...canvas, data: new Uint8Array(shownPx * shownPx * 3) }, product);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const [asked] = process.argv.slice(2);
for (const size of sizes.filter(({ name }) => asked === undefined || name === asked)) {
  for (const [name, fits] of sets) {
    const scene = findScene(fits);
    await draw(scene, size, true);
    const ratios: number[] = [];
    for (let round = 0; round < size.rounds; round++) {
      const plain = await draw(scene, size, false);
      ratios.push((await draw(scene, size, true)) / plain);
    }
    console.log(
      `${size.name}, ${name}: ${median(ratios).toFixed(2)} times the CPU time without light matching`,
    );
  }
}
