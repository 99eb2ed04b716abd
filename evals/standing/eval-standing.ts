/**
 * `npm run eval:standing`: of seeded poses of solids, how many would float, that is, are stood on a ground that misses a
 * visible contact by more than 1.5 % of the height; how many are stood; how many get paper, or a flat lay; and how many
 * are stood with an overhang that seems to touch the ground. Rules are tuned on the even poses; the odd ones decide.
 */
import { findStance, type StanceKind } from '../../packages/sets/src/product/stance.ts';
import { measureProduct } from '../../packages/sets/src/product-features.ts';
import { drawPose, solidNames } from './draw-poses.ts';
import { maxGap, measureGap, measureGlued, seeGround } from './measure-gap.ts';

const posesPerKind = 40;
/** An overhang seems to touch the ground if it is this far above it, in heights, along this share of the width. */
const glued = { height: 0.05, share: 0.1 } as const;

interface Judged {
  readonly solid: string;
  readonly number: number;
  readonly elevationDeg: number;
  readonly kind: StanceKind | undefined;
  readonly isMissed: boolean;
  readonly isGlued: boolean;
}

const judged = solidNames.flatMap((solid) =>
  Array.from({ length: posesPerKind }, (_, number): Judged => {
    const pose = drawPose(solid, number);
    const features = measureProduct(pose.image);
    const seen = seeGround(pose);
    return {
      solid,
      number,
      elevationDeg: pose.elevationDeg,
      kind: features && findStance(features).kind,
      isMissed: measureGap(pose, seen) > maxGap,
      isGlued: measureGlued(pose, seen, glued.height) > glued.share,
    };
  }),
);

function report(name: string, poses: readonly Judged[]): void {
  const percent = (of: readonly Judged[], is: (pose: Judged) => boolean): string =>
    of.length === 0 ? 'none' : `${((100 * of.filter(is).length) / of.length).toFixed(1)} %`;
  const seen = (from: number, to: number) => poses.filter(({ elevationDeg: e }) => e >= from && e < to);
  const isStood = ({ kind }: Judged): boolean => kind === 'stands';
  const floats = (pose: Judged): boolean => isStood(pose) && pose.isMissed;
  const stood = [seen(0, 20), seen(20, 35), seen(35, 91)].map((some) => percent(some, isStood));
  console.log(
    `${name.padEnd(12)} float: ${percent(poses, floats)}, below 20 degrees ${percent(seen(0, 20), floats)}; ` +
      `stood below 20 degrees: ${stood[0]}, 20 to 35: ${stood[1]}, above: ${stood[2]}; ` +
      `paper: ${percent(poses, ({ kind }) => kind === 'unclear')}, flat lay: ${percent(poses, ({ kind }) => kind === 'lies')}; ` +
      `overhang that seems to touch: ${percent(poses, (pose) => isStood(pose) && pose.isGlued)}`,
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
