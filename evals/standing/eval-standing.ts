/**
 * `npm run eval:standing`: of seeded poses of solids, how many would float, that is, are stood on a ground that misses a
 * visible contact by more than 1.5 % of the height, and how many are stood. Rules are tuned on the even poses; the odd
 * ones decide.
 */
import { findStance } from '../../packages/sets/src/product/stance.ts';
import { measureProduct } from '../../packages/sets/src/product-features.ts';
import { drawPose, solidNames } from './draw-poses.ts';
import { maxGap, measureGap } from './measure-gap.ts';

const posesPerKind = 40;

const judged = solidNames.flatMap((solid) =>
  Array.from({ length: posesPerKind }, (_, number) => {
    const pose = drawPose(solid, number);
    const features = measureProduct(pose.image);
    const isStood = features !== undefined && findStance(features).kind === 'stands';
    return { solid, number, elevationDeg: pose.elevationDeg, isStood, isMissed: measureGap(pose) > maxGap };
  }),
);

function report(name: string, poses: typeof judged): void {
  const percent = (of: typeof judged, is: (pose: (typeof judged)[number]) => boolean): string =>
    of.length === 0 ? 'none' : `${Math.round((100 * of.filter(is).length) / of.length)} %`;
  const seen = (from: number, to: number) => poses.filter(({ elevationDeg: e }) => e >= from && e < to);
  const stood = [seen(0, 20), seen(20, 35), seen(35, 91)].map((some) =>
    percent(some, ({ isStood }) => isStood),
  );
  const floats = (some: typeof judged): string =>
    percent(some, ({ isStood, isMissed }) => isStood && isMissed);
  console.log(
    `${name.padEnd(12)} float: ${floats(poses)}, below 20 degrees ${floats(seen(0, 20))}; stood below 20 degrees: ${stood[0]}, 20 to 35: ${stood[1]}, above: ${stood[2]}`,
  );
}

for (const [name, half] of [
  ['tuning', 0],
  ['judged', 1],
] as const)
  report(
    name,
    judged.filter(({ number }) => number % 2 === half),
  );
for (const solid of solidNames)
  report(
    `  ${solid}`,
    judged.filter((pose) => pose.solid === solid),
  );
