/**
 * Damages an exact matte like a model that mistakes a thing: a part of the product is lost, and a part of the backdrop
 * beside it is kept. Both end at edges of the photo where there are any.
 */

import { enlargeMatte } from '../../packages/cutout/src/steps/enlarge-matte.ts';
import { linkRegions } from '../../packages/cutout/src/steps/link-regions.ts';
import { fitInto, shrinkPhoto } from '../../packages/cutout/src/steps/shrink-photo.ts';
import { splitRegions } from '../../packages/cutout/src/steps/split-regions.ts';
import { CHAMFER_STEP, measureDistances } from '../../packages/pixels/src/chamfer-distance.ts';
import { toLab } from '../../packages/pixels/src/lab-photo.ts';
import type { Matte, RgbImage } from '../../packages/pixels/src/pixels.ts';
import { createRandom } from '../../packages/pixels/src/seeded-random.ts';

/** Longer side of the copy in which the parts are chosen, in pixels. */
const SIDE_PX = 256;
/** Area of a part, as a fraction of the photo. */
const LEAST = 0.005;
const MOST = 0.04;
/** A kept part of the backdrop begins within this distance of the product, as a fraction of the longer side. */
const BESIDE = 0.05;

export async function damageCutout(photo: RgbImage, truth: Matte, seed: number): Promise<Matte> {
  const random = createRandom(seed);
  const size = fitInto(photo, SIDE_PX);
  const lab = toLab(await shrinkPhoto(photo, size));
  const product = (await enlargeMatte(truth, size)).data.map((alpha) => (alpha >= 128 ? 1 : 0));
  const regions = splitRegions(lab, product);
  const { of, count } = regions;
  const areas = new Float64Array(count);
  const isProduct = new Uint8Array(count);
  const isBeside = new Uint8Array(count);
  const toProduct = measureDistances(size, product);
  for (let i = 0; i < of.length; i++) {
    areas[of[i]!]!++;
    isProduct[of[i]!] = product[i]!;
    if (toProduct[i]! <= BESIDE * SIDE_PX * CHAMFER_STEP) isBeside[of[i]!] = 1;
  }
  // Regions with a weak border between them, compared with its length, belong to one thing.
  const links = linkRegions(lab, regions, 1, new Uint8Array(of.length));
  const grow = (side: number): Uint8Array => {
    const starts = [...areas.keys()].filter((n) => isProduct[n] === side && isBeside[n] === 1);
    const taken = new Set([random.pick(starts)]);
    const goal = random.between(LEAST, MOST) * of.length;
    const sum = () => [...taken].reduce((all, n) => all + areas[n]!, 0);
    while (sum() < goal) {
      const pulls = new Map<number, number>();
      for (const { from, to, capacity } of links)
        for (const [a, b] of [
          [from, to],
          [to, from],
        ] as const)
          if (taken.has(a) && !taken.has(b) && isProduct[b] === side)
            pulls.set(b, (pulls.get(b) ?? 0) + capacity);
      if (pulls.size === 0) break;
      taken.add([...pulls].reduce((best, one) => (one[1] > best[1] ? one : best))[0]);
    }
    return Uint8Array.from(of, (n) => (taken.has(n) ? 255 : 0));
  };
  const data = truth.data.slice();
  for (const side of [1, 0]) {
    const part = await enlargeMatte({ ...size, data: grow(side) }, truth);
    for (let i = 0; i < data.length; i++)
      data[i] = side === 1 ? Math.min(data[i]!, 255 - part.data[i]!) : Math.max(data[i]!, part.data[i]!);
  }
  return { ...truth, data };
}
