/**
 * Step: composites the product's original pixels over the picture of the set, with a slight light wrap along the
 * outline.
 */
import { blurGaussian, type RgbImage } from 'packshot-pixels';
import type { StudioProduct } from './product-proxy.ts';

/**
 * Width of the light wrap, as a fraction of the frame's longer side, and its strength. The usual defaults of
 * compositing tools, four times this width and a strength of 0.5, drew a pale line around dark products and altered
 * pixels of the photo.
 */
const SPREAD = 0.0006;
const STRENGTH = 0.22;
/**
 * The lowest part of the product, as a fraction of its height, gets no light wrap: there, it would show as a pale halo.
 */
const FOOT_SHARE = 0.12;

/**
 * Composites the product into `plate`, in place. A pixel whose neighbors within a few pixels all have alpha 255 keeps
 * exactly the photo's color.
 */
export function pasteProduct(plate: RgbImage, { image, x: left, y: top }: StudioProduct): void {
  const sigma = Math.max(0.7, SPREAD * Math.max(plate.width, plate.height));
  const inside = spreadAlpha(image, sigma);
  const footFrom = image.height * (1 - FOOT_SHARE);
  for (let y = 0; y < image.height; y++) {
    const canvasY = top + y;
    if (canvasY < 0 || canvasY >= plate.height) {
      continue;
    }
    const fade = Math.max(0, Math.min(1, (footFrom - y) / (0.5 * FOOT_SHARE * image.height)));
    for (let x = 0; x < image.width; x++) {
      const from = (y * image.width + x) * 4;
      const alpha = image.data[from + 3]!;
      const canvasX = left + x;
      if (alpha === 0 || canvasX < 0 || canvasX >= plate.width) {
        continue;
      }
      const wrap = fade * STRENGTH * Math.max(0, 1 - inside[y * image.width + x]!);
      const to = (canvasY * plate.width + canvasX) * 3;
      for (let c = 0; c < 3; c++) {
        const own = image.data[from + c]!;
        const behind = plate.data[to + c]!;
        // The light wrap only brightens pixels.
        const lit = own + wrap * Math.max(0, behind - own);
        plate.data[to + c] = Math.round((lit * alpha + behind * (255 - alpha)) / 255);
      }
    }
  }
}

/** Returns the blurred alpha channel, which is 1 deep inside the product and 0.5 on a straight outline. */
function spreadAlpha({ width, height, data }: StudioProduct['image'], sigma: number): Float32Array {
  const alpha = Float32Array.from({ length: width * height }, (_, i) => data[i * 4 + 3]! / 255);
  blurGaussian(alpha, { width, height }, { sigmaX: sigma, sigmaY: sigma });
  return alpha;
}
