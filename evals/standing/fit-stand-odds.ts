/**
 * Fits the trees that tell whether a product would float, to other seeded poses than those of `npm run eval:standing`:
 * `node evals/standing/fit-stand-odds.ts` writes packages/sets/src/data/stand-odds.json.
 */
import { writeFileSync } from 'node:fs';
import { describeShape } from '../../packages/sets/src/product/stand-odds.ts';
import { drawPose, solidNames } from './draw-poses.ts';
import { growTrees } from './grow-trees.ts';
import { maxGap, measureGap, seeGround } from './measure-gap.ts';

const firstNumber = 2000;
const posesPerKind = 225;
/** Of three poses, one is as most shops photograph. */
const isFrontal = (number: number, solid: string): boolean => number % 3 === 0 && solid !== 'flat';
const treeCount = 200;
/** From higher cameras, a product on a stand or a table seems to slide, also where its ground is found. */
const highestDeg = 25;

const examples = solidNames.flatMap((solid) =>
  Array.from({ length: posesPerKind }, (_, i) => {
    const pose = drawPose(solid, firstNumber + i, isFrontal(i, solid));
    const seen = seeGround(pose);
    return {
      shape: describeShape(seen.silhouette, seen.line, seen.aspect),
      isBad: measureGap(pose, seen) > maxGap || pose.elevationDeg > highestDeg,
    };
  }),
);
writeFileSync(
  new URL('../../packages/sets/src/data/stand-odds.json', import.meta.url),
  `${JSON.stringify(growTrees(examples, treeCount))}\n`,
);
