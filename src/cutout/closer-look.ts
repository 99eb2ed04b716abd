/** Asks the engine again, about a part of a photo that a person has pointed at. */
import type { Source } from '../designs/read-image.ts';
import type { Box, Matte } from '../pixels.ts';
import { growBox } from './marked-area.ts';
import type { RemovalEngine } from './removal-engine.ts';
import { chooseExposure, curveExposure } from './steps/exposure-views.ts';
import { cropPhoto } from './steps/shrink-photo.ts';

/** Surroundings on each side, as a share of the box's: without them an engine takes a part for the whole. */
const MARGIN_SHARE = 0.25;
/** Longer side of what the engine is shown, at most: engines look at 1024 to 2048 px. */
const LOOK_SIDE_PX = 2048;

export interface CloserLook {
  /** In any size. */
  readonly matte: Matte;
  /** The part of the photo that the matte covers, in whole pixels. */
  readonly crop: Box;
}

/** `box` lies in the photo. `null` for a photo with transparency of its own, about which no engine is asked. */
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
