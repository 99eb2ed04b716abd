/**
 * The removal engine without a model: keys out a plain backdrop, such as a sheet of white or colored paper. Small,
 * fast and deterministic; it returns an empty matte if the backdrop is not plain.
 */
import { type Lab, linearLevels, type Matte, oklabFromLinear, type RgbImage } from 'packshot-pixels';
import { MIN_SIDE_PX, type RemovalEngine } from '../removal-engine.ts';
import { fitInto, resizePhoto } from '../steps/shrink-photo.ts';
import { findBackdrop } from './keyer-backdrop.ts';
import { keyMatte } from './keyer-matte.ts';

/**
 * Maximum side of the copy that is processed, in pixels. It equals the full resolution of the engine `isnet`, and
 * limits the cost of large photos.
 */
const LONG_SIDE_PX = 1024;

export async function openKeyer(): Promise<RemovalEngine> {
  return {
    id: 'keyer',
    version: 'keyer-2',
    async predictMatte(source, { signal }): Promise<Matte> {
      signal.throwIfAborted();
      const photo = await shrinkToLab(source);
      signal.throwIfAborted();
      const backdrop = findBackdrop(photo);
      if (backdrop === null) {
        return { width: photo.width, height: photo.height, data: new Uint8Array(photo.width * photo.height) };
      }
      signal.throwIfAborted();
      return keyMatte(photo, backdrop);
    },
    async close() {
      // Keeps nothing between photos.
    },
  };
}

async function shrinkToLab(source: RgbImage): Promise<Lab> {
  const fitting = fitInto(source, LONG_SIDE_PX);
  const width = Math.max(MIN_SIDE_PX, fitting.width);
  const height = Math.max(MIN_SIDE_PX, fitting.height);
  const { data } = await resizePhoto(source, { width, height });
  const lab = new Float32Array(data.length);
  for (let p = 0; p < data.length; p += 3) {
    lab.set(oklabFromLinear([linear[data[p]!]!, linear[data[p + 1]!]!, linear[data[p + 2]!]!]), p);
  }
  return { width, height, data: lab };
}

/** In single precision, because the version `keyer-2` promises the same matte, to the byte. */
const linear = Float32Array.from(linearLevels);
