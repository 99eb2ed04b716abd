/** Step: the original pixels over the grounded set, with a breath of the set's light on the rim. */
import type { RgbImage } from '../../../pixels.ts';
import type { StudioProduct } from './product-proxy.ts';

/** Scenes, 4.6: width of the blurred light and of the rim, as shares of the frame's longer side; strength and cap. */
const GLOW_WIDTH = 0.012;
const RIM_WIDTH = 0.0025;
const STRENGTH = 0.5;
const STRONGEST = 0.45;
/** No wrap on the lowest part of the product: it made a pale halo at the foot. */
const FOOT_SHARE = 0.12;

/** Into `plate`, in place. Where alpha is 255 and the rim is further than its width, the pixel is the photo's own. */
export function pasteProduct(plate: RgbImage, { image, x: left, y: top }: StudioProduct): void {
  const size = Math.max(plate.width, plate.height);
  const rim = Math.max(1, Math.round(RIM_WIDTH * size));
  const glow = blurPlate(
    plate,
    Math.max(1, Math.round(GLOW_WIDTH * size)),
    left,
    top,
    image.width,
    image.height,
  );
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
      const wrap = fade === 0 ? 0 : fade * STRENGTH * openness(image, x, y, rim);
      const to = (canvasY * plate.width + canvasX) * 3;
      for (let c = 0; c < 3; c++) {
        const own = image.data[from + c]!;
        // Screen: light is added, never taken.
        const light = (255 - own) * Math.min(STRONGEST, (wrap * glow[(y * image.width + x) * 3 + c]!) / 255);
        plate.data[to + c] = Math.round(((own + light) * alpha + plate.data[to + c]! * (255 - alpha)) / 255);
      }
    }
  }
}

/** 0 deep inside, up to 1 on an outline: the share of the neighbourhood that the product leaves open. */
function openness(
  { data, width, height }: StudioProduct['image'],
  x: number,
  y: number,
  reach: number,
): number {
  let open = 0;
  for (let side = 0; side < 8; side++) {
    const nx = x + (OFFSETS[side * 2] ?? 0) * reach;
    const ny = y + (OFFSETS[side * 2 + 1] ?? 0) * reach;
    const inside = nx >= 0 && ny >= 0 && nx < width && ny < height;
    open += inside ? 255 - data[(ny * width + nx) * 4 + 3]! : 255;
  }
  return Math.min(1, open / (4 * 255));
}
const OFFSETS = [1, 0, 1, 1, 0, 1, -1, 1, -1, 0, -1, -1, 0, -1, 1, -1];

/** The plate under the product's box, box-blurred twice by `radius`; three numbers a pixel of the box. */
function blurPlate(
  plate: RgbImage,
  radius: number,
  left: number,
  top: number,
  width: number,
  height: number,
): Float32Array {
  const from = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const canvasY = Math.min(plate.height - 1, Math.max(0, top + y));
    for (let x = 0; x < width; x++) {
      const canvasX = Math.min(plate.width - 1, Math.max(0, left + x));
      for (let c = 0; c < 3; c++) {
        from[(y * width + x) * 3 + c] = plate.data[(canvasY * plate.width + canvasX) * 3 + c]!;
      }
    }
  }
  const to = new Float32Array(from.length);
  for (let pass = 0; pass < 2; pass++) {
    blurLines(from, to, height, width, width * 3, 3, radius);
    blurLines(to, from, width, height, 3, width * 3, radius);
  }
  return from;
}

function blurLines(
  from: Float32Array,
  to: Float32Array,
  lines: number,
  length: number,
  lineStep: number,
  step: number,
  radius: number,
): void {
  for (let line = 0; line < lines; line++) {
    for (let c = 0; c < 3; c++) {
      const start = line * lineStep + c;
      const at = (i: number): number => from[start + Math.min(length - 1, Math.max(0, i)) * step]!;
      let sum = 0;
      for (let i = -radius; i <= radius; i++) {
        sum += at(i);
      }
      for (let i = 0; i < length; i++) {
        to[start + i * step] = sum / (2 * radius + 1);
        sum += at(i + radius + 1) - at(i - radius);
      }
    }
  }
}
