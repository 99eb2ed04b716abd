/** Formats comparisons of two sets of scores of the same photos. */
import {
  compareFigure,
  countChanges,
  type Figure,
  figures,
  isWorse,
  type ScoredPhoto,
} from './compare-rows.ts';

const digits: Record<Figure, number> = { mae: 4, iou: 4, bf2: 3, edge: 4, halo: 2, comp: 3 };
/** Below this IoU, a cutout visibly lacks a part or has an extra part. */
const FAILED_IOU = 0.9;
/** Photos of fewer products that get worse are no reason to keep a step. */
const FEWEST_PRODUCTS = 3;

/** One line per figure: its mean, and its change, each with a 90 % interval. */
export function describeComparison(now: readonly ScoredPhoto[], before: readonly ScoredPhoto[]): string {
  const lines = figures.map((figure) => {
    const { now: own, change } = compareFigure(now, before, figure);
    const show = (value: number): string => value.toFixed(digits[figure]);
    return `| ${figure} | ${show(own.mean)} | ${show(own.low)} to ${show(own.high)} | ${signed(change.mean, figure)} | ${signed(change.low, figure)} to ${signed(change.high, figure)} |`;
  });
  const { photos, products } = countChanges(now, before);
  return [
    '| figure | mean | 90 % interval | change | 90 % interval |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
    '',
    `IoU below ${FAILED_IOU}: ${countFailed(now)} of ${now.length} (before: ${countFailed(before)} of ${before.length}). ` +
      `By mae, ${photos.better} photos are better, ${photos.worse} worse and ${photos.same} the same; of the products, ${products.better}, ${products.worse} and ${products.same}.`,
  ].join('\n');
}

/** One line per part of the program that was left out. It is kept if the cutouts are worse without it. */
export function describeAblation(
  whole: readonly ScoredPhoto[],
  without: ReadonlyMap<string, readonly ScoredPhoto[]>,
): string {
  const means = (photos: readonly ScoredPhoto[]): string =>
    figures
      .map((figure) => compareFigure(photos, photos, figure).now.mean.toFixed(digits[figure]))
      .join(' | ');
  const lines = [...without].map(([part, photos]) => {
    const { products } = countChanges(photos, whole);
    const worse = figures.filter((figure) => isWorse(figure, compareFigure(photos, whole, figure).change));
    const isKept = worse.length > 0 && products.worse >= FEWEST_PRODUCTS;
    return `| ${part} | ${countFailed(photos)} | ${means(photos)} | ${products.worse}, ${products.better} | ${worse.join(', ') || 'none'} | ${isKept ? 'yes' : 'no'} |`;
  });
  return [
    `| left out | IoU < ${FAILED_IOU} | ${figures.join(' | ')} | products worse, better | worse beyond the interval | passes |`,
    `| --- | --- | ${figures.map(() => '---').join(' | ')} | --- | --- | --- |`,
    `| nothing | ${countFailed(whole)} | ${means(whole)} | | | |`,
    ...lines,
  ].join('\n');
}

const countFailed = (photos: readonly ScoredPhoto[]): number =>
  photos.filter(({ score }) => score.iou < FAILED_IOU).length;

function signed(value: number, figure: Figure): string {
  const text = value.toFixed(digits[figure]);
  return value > 0 ? `+${text}` : text;
}
