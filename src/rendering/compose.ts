/** Step: composites the subject over its backdrop. */
import type { Box, RgbaImage, RgbImage } from 'packshot-pixels';

/**
 * Porter-Duff `over` (1984) in 8-bit sRGB, into the backdrop in place. Where alpha is 255, the subject's pixel is
 * copied exactly; where alpha is 0, the backdrop's pixel stays.
 */
export function composeOver(backdrop: RgbImage, subject: RgbaImage, box: Box): void {
  const target = backdrop.data;
  const source = subject.data;
  for (let y = 0; y < box.height; y++) {
    let from = y * box.width * 4;
    let to = ((box.y + y) * backdrop.width + box.x) * 3;
    for (let x = 0; x < box.width; x++, from += 4, to += 3) {
      const alpha = source[from + 3]!;
      if (alpha === 0) continue;
      const rest = 255 - alpha;
      target[to] = (source[from]! * alpha + target[to]! * rest + 127) / 255;
      target[to + 1] = (source[from + 1]! * alpha + target[to + 1]! * rest + 127) / 255;
      target[to + 2] = (source[from + 2]! * alpha + target[to + 2]! * rest + 127) / 255;
    }
  }
}

/**
 * Porter-Duff `over` onto an RGBA canvas that holds a black shadow layer, in place. Input and result have straight
 * alpha: the resulting color is the premultiplied sum, divided by the resulting alpha.
 */
export function composeOverShadow(canvas: RgbaImage, subject: RgbaImage, box: Box): void {
  for (let y = 0; y < box.height; y++) {
    let from = y * box.width * 4;
    let to = ((box.y + y) * canvas.width + box.x) * 4;
    for (let x = 0; x < box.width; x++, from += 4, to += 4) {
      const alpha = subject.data[from + 3]!;
      if (alpha === 0) continue;
      const both = alpha + (canvas.data[to + 3]! * (255 - alpha)) / 255;
      for (let c = 0; c < 3; c++) {
        canvas.data[to + c] = Math.round((subject.data[from + c]! * alpha) / both);
      }
      canvas.data[to + 3] = Math.round(both);
    }
  }
}
