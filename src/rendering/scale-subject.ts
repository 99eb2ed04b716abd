/** Step: scales the subject to its size on the canvas, without halos from resampling. */
import type { CanvasSize, RgbaImage } from 'packshot-pixels';
import { resample } from './resample.ts';

/** Does not use sharp, which clips premultiplied alpha; the overshoot of sharp's filter would then tint the outline. */
export function scaleSubject(subject: RgbaImage, { width, height }: CanvasSize): RgbaImage {
  return subject.width === width && subject.height === height ? subject : resample(subject, width, height);
}
