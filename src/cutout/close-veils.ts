/**
 * Makes the inside of the subject solid where the engine left it slightly see-through.
 *
 * Engines waver on large plain faces; on a dark backdrop that shows as grey stains. Far from any background a
 * pixel that is more subject than not is taken for subject. On 50 rendered photos the composite's error fell
 * from .595 to .576 (a games console .91 to .38), glass included, whose clear parts stay below one half.
 */
import type { Matte } from '../pixels.ts';
import { CHAMFER_STEP, measureDistances } from './chamfer-distance.ts';

const SUBJECT = 128;
/** How deep inside veils begin to close, as a share of the longer side; twice as deep they are gone. */
const DEPTH_SHARE = 1 / 128;
const LEAST_DEPTH_PX = 2;

export function closeVeils(matte: Matte): Matte {
  const isBackground = matte.data.map((alpha) => (alpha < SUBJECT ? 1 : 0));
  const depths = measureDistances(matte, isBackground);
  const from = CHAMFER_STEP * Math.max(LEAST_DEPTH_PX, Math.max(matte.width, matte.height) * DEPTH_SHARE);
  const data = matte.data.slice();
  for (let i = 0; i < data.length; i++) {
    const alpha = data[i]!;
    if (alpha < SUBJECT || alpha === 255 || depths[i]! <= from) continue;
    data[i] = Math.round(alpha + (255 - alpha) * Math.min(1, (depths[i]! - from) / from));
  }
  return { ...matte, data };
}
