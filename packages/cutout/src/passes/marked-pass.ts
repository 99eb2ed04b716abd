/** Runs the engine again on a part of a photo that the caller marked. */
import type { Source } from 'packshot-photos';
import { type Box, growBox, type Matte } from 'packshot-pixels';
import type { RemovalEngine } from '../removal-engine.ts';
import { cropPhoto } from '../steps/shrink-photo.ts';
import { chooseExposure } from './exposures.ts';

/**
 * Margin on each side, as a fraction of the box. Without surroundings, engines mistake a part for the whole
 * product.
 */
const MARGIN_SHARE = 0.25;
/** Maximum longer side passed to the engine, in pixels; engines work at 1024 to 2048 px. */
const SIDE_PX = 2048;

export interface MarkedPass {
  /** At any resolution. */
  readonly matte: Matte;
  /** The part of the photo that the matte covers, in whole pixels. */
  readonly crop: Box;
}

/**
 * `box` lies within the photo. Returns `null` for a photo with its own transparency, which needs no engine.
 */
export async function runMarkedPass(
  source: Source,
  engine: RemovalEngine,
  { box, signal }: { readonly box: Box; readonly signal: AbortSignal },
): Promise<MarkedPass | null> {
  if (source.alpha !== null) return null;
  const crop = growBox(box, { x: MARGIN_SHARE * box.width, y: MARGIN_SHARE * box.height }, source);
  const part = await cropPhoto(source, crop, SIDE_PX);
  const { matte } = await chooseExposure(part, await engine.predictMatte(part, { signal }), {
    mayRun: () => true,
    run: (_, photo) => engine.predictMatte(photo, { signal }),
  });
  return { matte, crop };
}
