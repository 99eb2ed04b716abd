/**
 * `npm run eval:contact`: measures how much light remains on the floor below and beside the products in eight samples on
 * plain grounds, and fits the falloffs of `studio/contact-shadow` to it.
 */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { cutWindow } from '../../packages/pixels/src/cut-window.ts';
import type { Box, RgbaImage, Size } from '../../packages/pixels/src/pixels.ts';
import { linearLevels } from '../../packages/pixels/src/srgb.ts';
import { makeSilhouette } from '../../packages/studio/src/ground/silhouette.ts';
import { findStandingLine } from '../../packages/studio/src/ground/standing-line.ts';

const samples = [
  ...['mug-white', 'console-white', 'chair-white', 'perfume-marbletop', 'mug-marbletop'],
  ...['headphones-paper', 'plush-paper', 'eyeglasses-paper'],
];
/** Distances from the outline, in product sizes. */
const distances = Array.from({ length: 24 }, (_, i) => 0.002 * 1.2 ** i);
/** Distances at which the floor counts as unshaded. */
const unshaded = Array.from({ length: 16 }, (_, i) => 0.17 + 0.005 * i);
/** Alpha of the product's outline, and of ground without any of the product. */
const [OUTLINE, EMPTY] = [128, 8];
/** Columns at each end of the base, beside which the floor is measured. */
const END_COLUMNS = 3;

type Profile = readonly number[];

interface Photo extends Size {
  readonly colors: Uint8Array;
  readonly matte: Uint8Array;
}

async function readPhoto(id: string): Promise<Photo> {
  const matte = await sharp(await readFile(`test/golden/expected/${id}.alpha.png`))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = matte.info;
  const colors = await sharp(`samples/${id}.jpg`)
    .resize(width, height, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  return { width, height, colors, matte: matte.data };
}

function findBox({ width, height, matte }: Photo): Box {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let i = 0; i < matte.length; i++) {
    if (matte[i]! < OUTLINE) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The light that remains below and beside the base: the median of its columns. */
function measure(photo: Photo): { readonly below: Profile; readonly beside: Profile } {
  const { width, height, colors, matte } = photo;
  const box = findBox(photo);
  const pixels: RgbaImage = { width, height, data: new Uint8Array(4 * matte.length) };
  for (const [i, alpha] of matte.entries()) pixels.data[4 * i + 3] = alpha;
  const silhouette = makeSilhouette(cutWindow(pixels, box));
  const { touches } = findStandingLine(silhouette, box.width / box.height);
  const size = Math.sqrt(box.width * box.height);
  const lightAt = (x: number, y: number): number | undefined => {
    const i = y * width + x;
    if (x < 0 || y < 0 || x >= width || y >= height || matte[i]! >= EMPTY) return undefined;
    const [r, g, b] = [0, 1, 2].map((c) => linearLevels[colors[3 * i + c]!]!);
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  /** The light along a line on the floor; undefined if the line is too short to show unshaded floor. */
  const follow = (x: number, y: number, dx: number, dy: number): (number | undefined)[] | undefined => {
    const at = (share: number) =>
      lightAt(x + dx * Math.floor(share * size), y + dy * Math.floor(share * size));
    const far = unshaded.map(at).filter((light) => light !== undefined);
    return far.length < unshaded.length / 2
      ? undefined
      : distances.map((share) => at(share)).map((light) => light && light / median(far));
  };
  const pool = (lines: readonly ((number | undefined)[] | undefined)[]): Profile =>
    distances.map((_, i) => median(lines.flatMap((line) => line?.[i] ?? [])));
  const lowest = (x: number): number => {
    let y = box.y + box.height - 1;
    while (matte[y * width + x]! < OUTLINE) y--;
    return y;
  };
  const base = Array.from({ length: box.width }, (_, x) => x).filter(
    (x) => touches[Math.floor(((x + 0.5) * silhouette.columns) / box.width)],
  );
  const below = base.map((x) => follow(box.x + x, lowest(box.x + x) + 1, 0, 1));
  const ends = [...touches.keys()].filter((column) => touches[column]);
  const beside = [-1, 1].flatMap((side) =>
    (side < 0 ? ends : ends.toReversed()).slice(0, END_COLUMNS).map((column) => {
      let x = box.x + Math.floor(((column + 0.5) * box.width) / silhouette.columns);
      const y = lowest(x);
      while (x >= 0 && x < width && matte[y * width + x]! >= EMPTY) x += side;
      return follow(x, y, side, 0);
    }),
  );
  return { below: pool(below), beside: pool(beside) };
}

/** The mean brightness of all photos. It is close to linear in square roots of light. */
function average(profiles: readonly Profile[]): Profile {
  return distances.map((_, i) => {
    const seen = profiles.map((profile) => profile[i]!).filter((light) => !Number.isNaN(light));
    return (seen.reduce((sum, light) => sum + Math.sqrt(Math.min(1, light)), 0) / seen.length) ** 2;
  });
}

/** The fraction of a Gaussian beyond `z` standard deviations (Abramowitz and Stegun 7.1.26). */
function tail(z: number): number {
  const t = 1 / (1 + (0.3275911 * z) / Math.SQRT2);
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return 0.5 * series * Math.exp(-0.5 * z * z);
}

/**
 * Sigma and depth of the narrow falloff, then of the wide one; foreshortening; and the share of a straight edge's shade
 * that remains beside the end of a base.
 */
type Fit = readonly number[];

const keptBy = ([narrow, deep, wide, faint]: Fit, distance: number, cover: number): number =>
  (1 - deep!) ** (2 * cover * tail(distance / narrow!)) *
  (1 - faint!) ** (2 * cover * tail(distance / wide!));

const belowBy = (fit: Fit, distance: number): number => keptBy(fit, distance / fit[4]!, 1);
const besideBy = (fit: Fit, distance: number): number => keptBy(fit, distance, fit[5]!);

const photos = await Promise.all(samples.map(async (id) => measure(await readPhoto(id))));
const below = average(photos.map((photo) => photo.below));
const beside = average(photos.map((photo) => photo.beside));
const errorOf = (fit: Fit): number =>
  Math.sqrt(
    distances.reduce((sum, distance, i) => {
      const off = Math.sqrt(below[i]!) - Math.sqrt(belowBy(fit, distance));
      const side = Math.sqrt(beside[i]!) - Math.sqrt(besideBy(fit, distance));
      return sum + off * off + side * side;
    }, 0) /
      (2 * distances.length),
  );

// Steps each parameter up and down, by ever smaller steps, while this helps.
let fit: Fit = [0.01, 0.5, 0.1, 0.5, 0.5, 0.5];
for (let step = 0.3; step > 0.001; ) {
  const tried = fit.flatMap((value, i) =>
    [1 + step, 1 / (1 + step)].map((factor) => fit.with(i, value * factor)),
  );
  const best = tried
    .filter((one) => Math.max(one[1]!, one[3]!) < 1)
    .reduce((a, b) => (errorOf(b) < errorOf(a) ? b : a), fit);
  if (best === fit) step /= 2;
  fit = best;
}
const show = (value: number): string => value.toFixed(3);
console.log(
  `narrow: sigma ${show(fit[0]!)}, depth ${show(fit[1]!)}; wide: sigma ${show(fit[2]!)}, depth ${show(fit[3]!)}; foreshortening ${show(fit[4]!)}; error ${show(errorOf(fit))}`,
);
console.log('distance  below: photos, fit  beside: photos, fit');
for (const [i, distance] of distances.entries()) {
  const row = [distance, below[i]!, belowBy(fit, distance), beside[i]!, besideBy(fit, distance)];
  console.log(row.map(show).join('  '));
}
