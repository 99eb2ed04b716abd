/** Step: the dark line where the product touches the ground, finer than the light's grid can draw. */
import type { RgbImage } from '../../../pixels.ts';
import { makeSilhouette, type StudioProduct } from './product-proxy.ts';
import { findStandingLine } from './standing-line.ts';

/** Scenes, 4.4: a tight and a wide falloff, in shares of the frame's width, and how dark they get. */
const STRENGTH = 0.5;
const TIGHT = 0.0022;
const WIDE = 0.009;
const TIGHT_SHARE = 0.62;
/** Columns whose lower end is this close to the ground, as a share of the product's height. */
const TOUCHING = 0.035;

/** Darkens `plate` in place. */
export function darkenContact(plate: RgbImage, product: StudioProduct): void {
  measureContact(plate, product, (pixel, keep) => {
    for (let c = 0; c < 3; c++) {
      plate.data[pixel * 3 + c] = Math.round(plate.data[pixel * 3 + c]! * keep);
    }
  });
}

/** Calls `apply` for each pixel near a foot with the share of coded light, 0.5 to 1, that it keeps. */
export function measureContact(
  plate: { readonly width: number; readonly height: number },
  product: StudioProduct,
  apply: (pixel: number, keep: number) => void,
): void {
  const { image, x: left, y: top } = product;
  const silhouette = makeSilhouette(product);
  const line = findStandingLine(silhouette, image.width / image.height);
  const size = Math.max(plate.width, plate.height);
  const [tight, wide] = [TIGHT * size, WIDE * size];
  const reach = Math.ceil(3 * wide);
  const contour = new Float32Array(image.width).fill(-1);
  const firmness = new Float32Array(image.width);
  for (let x = 0; x < image.width; x++) {
    contour[x] = lowestRow(image, x);
    const column = Math.min(silhouette.columns - 1, ((x + 0.5) * silhouette.columns) / image.width) | 0;
    const gap = line.gap[column]! / silhouette.rows / TOUCHING;
    firmness[x] = contour[x]! < 0 ? 0 : Math.max(0, Math.min(1, 1.6 - 1.6 * gap));
  }
  const blur = Math.max(1, Math.round(2 * tight));
  const smoothFirm = smooth(firmness, blur, 0);
  const smoothRow = smooth(contour, blur, -1);
  for (let x = -reach; x < image.width + reach; x++) {
    const column = Math.min(image.width - 1, Math.max(0, x));
    const beside = x < 0 ? -x : Math.max(0, x - image.width + 1);
    const firm = smoothFirm[column]!;
    const canvasX = left + x;
    if (firm <= 0 || canvasX < 0 || canvasX >= plate.width) {
      continue;
    }
    const footY = top + smoothRow[column]!;
    const last = Math.min(plate.height - 1, Math.ceil(footY + reach));
    for (let canvasY = Math.max(0, Math.floor(footY - reach)); canvasY <= last; canvasY++) {
      const dy = canvasY + 0.5 - footY;
      const squared = dy * dy + beside * beside;
      const dark =
        TIGHT_SHARE * Math.exp(-squared / (2 * tight * tight)) +
        (1 - TIGHT_SHARE) * Math.exp(-squared / (2 * wide * wide));
      apply(canvasY * plate.width + canvasX, 1 - STRENGTH * firm * dark);
    }
  }
}

function lowestRow({ data, width, height }: StudioProduct['image'], x: number): number {
  for (let y = height - 1; y >= 0; y--) {
    if (data[(y * width + x) * 4 + 3]! >= 128) {
      return y + 1;
    }
  }
  return -1;
}

/** Box mean over `reach` neighbours to each side, leaving out those equal to `missing` below 0. */
function smooth(values: Float32Array, reach: number, missing: number): Float32Array {
  return values.map((own, x) => {
    if (missing < 0 && own < 0) {
      return own;
    }
    let sum = 0;
    let count = 0;
    for (let i = Math.max(0, x - reach); i <= Math.min(values.length - 1, x + reach); i++) {
      if (missing < 0 && values[i]! < 0) {
        continue;
      }
      sum += values[i]!;
      count++;
    }
    return sum / count;
  });
}
