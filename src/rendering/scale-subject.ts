/** Step: the subject at its size on the canvas, without resampling halos. */
import type { CanvasSize, RgbaImage } from '../pixels.ts';
import { resample } from './resample.ts';

/** Not with sharp: it clips premultiplied alpha, which leaves the filter's overshoot in the color of the rim. */
export function scaleSubject(subject: RgbaImage, { width, height }: CanvasSize): RgbaImage {
  return subject.width === width && subject.height === height ? subject : resample(subject, width, height);
}
