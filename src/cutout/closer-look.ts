/** Runs the engine again on a part of a photo that the caller marked. */
import type { Source } from '../designs/read-image.ts';
import type { Box, Matte } from '../pixels.ts';
import { growBox } from './marked-area.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { chooseExposure, curveExposure } from './steps/exposure-views.ts';
import { cropPhoto } from './steps/shrink-photo.ts';

/**
 * Margin on each side, as a fraction of the box. Without surroundings, engines mistake a part for the whole
 * product.
 */
const MARGIN_SHARE = 0.25;
/** Maximum longer side passed to the engine, in pixels; engines work at 1024 to 2048 px. */
const LOOK_SIDE_PX = 2048;

export interface CloserLook {
  /** At any resolution. */
  readonly matte: Matte;
  /** The part of the photo that the matte covers, in whole pixels. */
  readonly crop: Box;
}

/**
 * `box` lies within the photo. Returns `null` for a photo with its own transparency, which needs no engine.
 */
export async function takeCloserLook(
  source: Source,
  engine: RemovalEngine,
  { box, signal }: { readonly box: Box; readonly signal: AbortSignal },
): Promise<CloserLook | null> {
  if (source.alpha !== null) return null;
  const crop = growBox(box, { x: MARGIN_SHARE * box.width, y: MARGIN_SHARE * box.height }, source);
  const part = await cropPhoto(source, crop, LOOK_SIDE_PX);
  const look = (gamma: number) => engine.predictMatte(curveExposure(part, gamma), { signal });
  const { matte } = await chooseExposure(part, await look(1), look);
  return { matte, crop };
}
