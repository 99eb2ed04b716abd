/** Brings what was settled on the small grid into the finest matte, with the outline of whichever look is the finer. */
import type { Matte, RgbImage } from '../../pixels.ts';
import { CHAMFER_STEP, measureDistances } from '../steps/chamfer-distance.ts';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { followPhotoEdges } from '../steps/follow-photo-edges.ts';
import type { Dispute } from './find-disputes.ts';
import { GRID_PX } from './opinions.ts';

/** A part is taken with so much around it, for the seam between two looks, in pixels of the grid. */
const SEAM_PX = 4;

/** `fine` covers all of the photo, at any size, which the result has, too. */
export async function applySettlement(
  fine: Matte,
  changes: readonly Dispute[],
  source: RgbImage,
): Promise<Matte> {
  if (changes.length === 0) return fine;
  const size = { width: fine.width, height: fine.height };
  const data = fine.data.slice();
  for (const { pixels, adds, other } of changes) {
    const drawn = await enlargeMatte(await followPhotoEdges(other.matte, source), size);
    const reach = await enlargeMatte(markReach(pixels), size);
    for (let i = 0; i < data.length; i++) {
      if (reach.data[i]! < 128) continue;
      data[i] = adds ? Math.max(data[i]!, drawn.data[i]!) : Math.min(data[i]!, drawn.data[i]!);
    }
  }
  return { ...size, data };
}

/** 255 on a part and around it. */
function markReach(pixels: Int32Array): Matte {
  const size = { width: GRID_PX, height: GRID_PX };
  const inside = new Uint8Array(GRID_PX ** 2);
  for (const i of pixels) inside[i] = 1;
  const distances = measureDistances(size, inside);
  return { ...size, data: Uint8Array.from(distances, (d) => (d <= SEAM_PX * CHAMFER_STEP ? 255 : 0)) };
}
