import { describe, expect, it } from 'vitest';
import { findStance } from '../../packages/sets/src/product/stance.ts';
import { measureProduct } from '../../packages/sets/src/product-features.ts';
import { drawPose, solidNames } from './draw-poses.ts';
import { maxGap, measureGap } from './measure-gap.ts';

/** Other numbers than those by which rules are tuned and judged. */
const posesOf = (solid: string, count: number) =>
  Array.from({ length: count }, (_, number) => drawPose(solid, 1000 + number));
const seenFromFront = ({ elevationDeg }: { readonly elevationDeg: number }): boolean => elevationDeg < 20;
const share = <T>(all: readonly T[], is: (one: T) => boolean): number => all.filter(is).length / all.length;

describe('seeded solids that stand on a level ground', () => {
  it('have the studio’s ground at every visible contact in most photos from the front', () => {
    const poses = solidNames.flatMap((solid) => posesOf(solid, 20)).filter(seenFromFront);
    expect(share(poses, (pose) => measureGap(pose) <= maxGap)).toBeGreaterThan(0.8);
  });

  it('have it at the rear legs, too, in half of the photos of chairs and tables', () => {
    const poses = ['chair', 'table'].flatMap((solid) => posesOf(solid, 60)).filter(seenFromFront);
    expect(share(poses, (pose) => measureGap(pose) <= maxGap)).toBeGreaterThan(0.5);
  });

  it('are stood in most photos from the front, in few from above, and hardly ever where they would float', () => {
    const poses = solidNames.flatMap((solid) => posesOf(solid, 4));
    const stood = poses.filter(({ image }) => findStance(measureProduct(image)!).kind === 'stands');
    const isStood = (pose: (typeof poses)[number]): boolean => stood.includes(pose);
    expect(share(poses.filter(seenFromFront), isStood)).toBeGreaterThan(0.6);
    expect(share(poses, (pose) => isStood(pose) && pose.elevationDeg > 35)).toBeLessThan(0.05);
    expect(share(poses, (pose) => isStood(pose) && measureGap(pose) > maxGap)).toBeLessThan(0.05);
  });
});
