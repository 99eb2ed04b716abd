/**
 * `npm run eval:standing`: of 200 seeded poses of simple solids, how many would float, that is, are stood on a ground that
 * misses a visible contact by more than 1.5 % of the height. The fit was tuned on the even poses; the odd ones decide.
 */
import { findStance, type StanceKind } from '../../src/scenes/product/stance.ts';
import { measureProduct } from '../../src/scenes/product-features.ts';
import { makeSilhouette } from '../../src/studio/ground/silhouette.ts';
import { findStandingLine } from '../../src/studio/ground/standing-line.ts';
import { drawPose, type Pose } from './draw-poses.ts';

const MAX_GAP = 0.015;
const POSES = 200;

interface Judged extends Pose {
  readonly number: number;
  readonly kind: StanceKind;
  /** Largest distance of the fitted ground from a visible contact, in product heights. */
  readonly gap: number;
}

function judge(number: number): Judged {
  const pose = drawPose(number);
  const { width, height } = pose.image;
  const silhouette = makeSilhouette(pose.image);
  const { ground } = findStandingLine(silhouette, width / height);
  const gaps = pose.contacts.map(([x, y]) => {
    const column = Math.min(silhouette.columns - 1, Math.floor((x * silhouette.columns) / width));
    const rows = [...ground.slice(Math.max(0, column - 1), column + 2)];
    return Math.min(...rows.map((row) => Math.abs(row / silhouette.rows - y / height)));
  });
  const { kind } = findStance(measureProduct(pose.image)!);
  return { ...pose, number, kind, gap: Math.max(0, ...gaps) };
}

const judged = Array.from({ length: POSES }, (_, number) => judge(number));
for (const [name, half] of [
  ['tuning', 0],
  ['judged once', 1],
] as const) {
  const poses = judged.filter(({ number }) => Math.floor(number / 5) % 2 === half);
  const floats = poses.filter(({ kind, gap }) => kind === 'stands' && gap > MAX_GAP);
  const stood = (from: number, to: number): string => {
    const seen = poses.filter(({ elevationDeg: e }) => e >= from && e < to);
    return `${seen.filter(({ kind }) => kind === 'stands').length} of ${seen.length}`;
  };
  console.log(
    `${name}: ${floats.length} of ${poses.length} float; stood below 20 degrees: ${stood(0, 20)}, 20 to 35: ${stood(20, 35)}, above: ${stood(35, 90)}`,
  );
  for (const { number, solid, elevationDeg, gap } of floats)
    console.log(`  ${number} ${solid} from ${elevationDeg.toFixed(0)} degrees: ${(100 * gap).toFixed(1)} %`);
}
