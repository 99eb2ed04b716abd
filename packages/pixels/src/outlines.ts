/** Marks, with 1, the pixels along the subject's outline in a matte. */
import { type Matte, SUBJECT } from './pixels.ts';

/** The subject's pixels that are next to the background. */
export function markContour({ width, height, data }: Matte): Uint8Array {
  const contour = new Uint8Array(data.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (data[i]! < SUBJECT) continue;
      const meets =
        (x > 0 && data[i - 1]! < SUBJECT) ||
        (x < width - 1 && data[i + 1]! < SUBJECT) ||
        (y > 0 && data[i - width]! < SUBJECT) ||
        (y < height - 1 && data[i + width]! < SUBJECT);
      if (meets) contour[i] = 1;
    }
  }
  return contour;
}

/** Each pixel between which and its neighbor to the right or below the subject begins or ends. */
export function markOutline({ width, height, data }: Matte): Uint8Array {
  const outline = new Uint8Array(data.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const isSubject = data[i]! >= SUBJECT;
      if (
        (x < width - 1 && data[i + 1]! >= SUBJECT !== isSubject) ||
        (y < height - 1 && data[i + width]! >= SUBJECT !== isSubject)
      ) {
        outline[i] = 1;
      }
    }
  }
  return outline;
}
