/** Measures how blurred a product looks. */
import type { Source } from 'packshot-photos';
import { type Box, luminanceOf } from 'packshot-pixels';

/** Maximum longer side at which the product is measured, about the size at which buyers see it. */
const SIDE_PX = 800;
/** Number of pixels that the box filter covers on either side of its center. */
const REACH = 4;
/** Minimum longer side of the product: smaller products contain too little detail to judge. */
const LEAST_PX = 40;

/**
 * Returns how little an additional blur changes the picture, from 0 (sharp) to 1 (blurred): Crete et al.,
 * "The blur effect: perception and estimation with a new no-reference perceptual blur metric", SPIE 6492
 * (2007). Null if the product is too small to judge.
 */
export function measureBlur(picture: Source, box: Box): number | null {
  if (Math.max(box.width, box.height) < LEAST_PX) return null;
  const luma = shrinkLuma(picture, box);
  const across = findBlur(luma, 1, luma.width, luma.height);
  const down = findBlur(luma, luma.width, luma.height, luma.width);
  return Math.max(across, down);
}

interface Luma {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Rec. 709 luma, averaged over blocks, of the product's box and a rim around it that includes the outline. */
function shrinkLuma({ data, width: stride, height: rows }: Source, box: Box): Luma {
  const block = Math.ceil(Math.max(box.width, box.height) / SIDE_PX);
  const rim = 2 * REACH * block;
  const left = Math.max(0, box.x - rim);
  const top = Math.max(0, box.y - rim);
  const width = Math.floor((Math.min(stride, box.x + box.width + rim) - left) / block);
  const height = Math.floor((Math.min(rows, box.y + box.height + rim) - top) / block);
  const luma = new Float32Array(width * height);
  for (let y = 0; y < height * block; y++) {
    const row = Math.floor(y / block) * width;
    for (let x = 0; x < width * block; x++) {
      const at = ((top + y) * stride + left + x) * 3;
      luma[row + Math.floor(x / block)]! += luminanceOf(data, at) / block ** 2;
    }
  }
  return { width, height, data: luma };
}

/** Blur along lines of `length` pixels. `step` is the distance between neighbors in `data`. */
function findBlur({ data, width }: Luma, step: number, length: number, lines: number): number {
  const lineStep = step === 1 ? width : 1;
  let variation = 0;
  let kept = 0;
  for (let line = 0; line < lines; line++) {
    const at = (i: number) => data[line * lineStep + i * step]!;
    let sum = 0;
    for (let i = 0; i <= 2 * REACH && i < length; i++) sum += at(i);
    for (let i = REACH + 1; i + REACH < length; i++) {
      const before = sum;
      sum += at(i + REACH) - at(i - REACH - 1);
      const sharp = Math.abs(at(i) - at(i - 1));
      const blurred = Math.abs(sum - before) / (2 * REACH + 1);
      variation += sharp;
      kept += Math.max(0, sharp - blurred);
    }
  }
  return variation === 0 ? 0 : 1 - kept / variation;
}
