/** Formats comparisons of two sets of scores of the same photos. */
import {
  compareFigure,
  countChanges,
  FAILED_IOU,
  type Figure,
  figures,
  isWorse,
  type ScoredPhoto,
} from './compare-rows.ts';

const digits: Record<Figure, number> = {
  failed: 3,
  mae: 4,
  iou: 4,
  bf2: 3,
  bf5: 3,
  edge: 4,
  halo: 2,
  comp: 3,
  rim: 4,
};
/** The figures whose means the table of what was left out shows; all of them decide. */
const shown: readonly Figure[] = ['mae', 'bf2', 'halo', 'comp', 'rim'];
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
    shown.map((figure) => compareFigure(photos, photos, figure).now.mean.toFixed(digits[figure])).join(' | ');
  const lines = [...without].map(([part, photos]) => {
    const worse = figures
      .filter((figure) => isWorse(figure, compareFigure(photos, whole, figure).change))
      .map((figure) => ({ figure, products: countChanges(photos, whole, figure).products.worse }));
    const passes = worse.some(({ products }) => products >= FEWEST_PRODUCTS);
    const found = worse.map(({ figure, products }) => `${figure} (${products})`).join(', ');
    const { products } = countChanges(photos, whole);
    return `| ${part} | ${countFailed(photos)} | ${means(photos)} | ${products.worse}, ${products.better} | ${found || 'none'} | ${passes ? 'yes' : 'no'} |`;
  });
  return [
    `| left out | IoU < ${FAILED_IOU} | ${shown.join(' | ')} | products worse, better (mae) | worse beyond the interval (products) | passes |`,
    `| --- | --- | ${shown.map(() => '---').join(' | ')} | --- | --- | --- |`,
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
