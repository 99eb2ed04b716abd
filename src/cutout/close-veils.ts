/**
 * Makes the inside of the subject solid where the engine left it slightly see-through.
 *
 * Engines waver on large plain faces; on a dark backdrop that shows as grey stains. Far from any background a
 * pixel that is more subject than not is taken for subject. On 50 rendered photos the composite's error fell
 * from .595 to .576 (a games console .91 to .38), glass included, whose clear parts stay below one half.
 */
import type { Matte } from '../pixels.ts';

const SUBJECT = 128;
/** How deep inside veils begin to close, as a share of the longer side; twice as deep they are gone. */
const DEPTH_SHARE = 1 / 128;
const LEAST_DEPTH_PX = 2;
/** Chamfer distances (Borgefors 1986): 3 a step, 4 a diagonal step. */
const STEP = 3;
const DIAGONAL = 4;

export function closeVeils(matte: Matte): Matte {
  const depths = measureDepths(matte);
  const from = STEP * Math.max(LEAST_DEPTH_PX, Math.max(matte.width, matte.height) * DEPTH_SHARE);
  const data = matte.data.slice();
  for (let i = 0; i < data.length; i++) {
    const alpha = data[i]!;
    if (alpha < SUBJECT || alpha === 255 || depths[i]! <= from) continue;
    data[i] = Math.round(alpha + (255 - alpha) * Math.min(1, (depths[i]! - from) / from));
  }
  return { ...matte, data };
}

/** Chamfer distance to the nearest pixel that is less subject than not; the frame is no background. */
function measureDepths({ width, height, data }: Matte): Uint16Array {
  const depths = new Uint16Array(data.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (data[i]! < SUBJECT) continue;
      let depth = 60_000;
      if (x > 0) depth = Math.min(depth, depths[i - 1]! + STEP);
      if (y > 0) {
        depth = Math.min(depth, depths[i - width]! + STEP);
        if (x > 0) depth = Math.min(depth, depths[i - width - 1]! + DIAGONAL);
        if (x < width - 1) depth = Math.min(depth, depths[i - width + 1]! + DIAGONAL);
      }
      depths[i] = depth;
    }
  }
  for (let y = height - 1, i = data.length - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, i--) {
      let depth = depths[i]!;
      if (depth === 0) continue;
      if (x < width - 1) depth = Math.min(depth, depths[i + 1]! + STEP);
      if (y < height - 1) {
        depth = Math.min(depth, depths[i + width]! + STEP);
        if (x < width - 1) depth = Math.min(depth, depths[i + width + 1]! + DIAGONAL);
        if (x > 0) depth = Math.min(depth, depths[i + width - 1]! + DIAGONAL);
      }
      depths[i] = depth;
    }
  }
  return depths;
}
