/**
 * Step: runs the engine on each half of a mesh, net or wire product if the matte of the whole product is soft. Gaps
 * between wires are only a few of the engine's pixels wide, so they need more resolution. The IoU of two wire baskets
 * rose from .838 to .900 and from .876 to .918. Quarters instead of halves reached .875 and .909, with twice as many
 * passes. Nearly all other subjects, above all fur, do not gain: the engine misinterprets a part that is shown alone,
 * and contradicts the matte of the whole product.
 */
import type { Box, Matte, RgbImage } from '../../pixels.ts';
import { compareLooks } from './compare-looks.ts';
import { findParts } from './connected-parts.ts';
import { cutWindow } from './cut-window.ts';
import { enlargeMatte } from './enlarge-matte.ts';
import { findMatteBounds } from './matte-bounds.ts';
import { measureSoftness } from './matte-evidence.ts';
import { mixLook, placeLook } from './second-look.ts';
import { cropPhoto, fitInto } from './shrink-photo.ts';

/** Minimum softness at which two more passes are worthwhile; meshes have .06 to .16, cables less than .05. */
const SOFT = 0.055;
/**
 * In a copy of 1024 px, a mesh has at least this many holes, each with more than `HOLE_PX` pixels. Other products have
 * up to 32, and fur has none.
 */
const MESH_HOLES = 48;
const HOLE_PX = 30;
const HOLES_SIDE_PX = 1024;
const MIN_AGREEMENT = 0.95;
/**
 * Weight of the half's matte in the mix. The whole product's matte has the remaining 0.15, to keep details that the
 * half's matte may have lost. On the two wire baskets, a weight of 1 was just as good.
 */
const SHARE = 0.85;
/** Margin on each side of a half, as a fraction of the half's width or height. */
const MARGIN_SHARE = 0.25;
const SUBJECT = 128;
/** Maximum longer side of a half passed to the engine; also of the result, unless the given matte is already larger. */
const MAX_SIDE_PX = 2048;

type Look = (part: RgbImage) => Promise<Matte>;

/**
 * Whether the subject is a mesh: its matte is soft and has many holes. Passes over the halves of a mesh show more
 * detail.
 */
export async function isMesh(matte: Matte): Promise<boolean> {
  if (measureSoftness(matte) < SOFT) return false;
  const small = await enlargeMatte(matte, { width: HOLES_SIDE_PX, height: HOLES_SIDE_PX });
  const { parts } = findParts(small, { min: 0, max: SUBJECT - 1, neighbours: 4 });
  return parts.filter((part) => !part.touchesFrame && part.end - part.start > HOLE_PX).length >= MESH_HOLES;
}

/** `matte` covers all of the photo. */
export async function lookAtHalves(source: RgbImage, matte: Matte, look: Look): Promise<Matte> {
  const grid = fitInto(source, Math.max(MAX_SIDE_PX, matte.width, matte.height));
  const whole = await enlargeMatte(matte, grid);
  const mixed: Matte = { ...whole, data: whole.data.slice() };
  for (const crop of findHalves(whole, source)) {
    const close = await look(await cropPhoto(source, crop, MAX_SIDE_PX));
    const { placed, window } = await placeLook(close, { crop, source, grid });
    if (compareLooks(cutWindow(whole, window), placed).agreement < MIN_AGREEMENT) continue;
    mixLook(mixed, placed, { window, share: SHARE });
  }
  return mixed;
}

/** The subject's bounding box, cut in half across its longer side, each half with a margin; in source pixels. */
function findHalves(matte: Matte, source: RgbImage): readonly Box[] {
  const box = findMatteBounds(matte, SUBJECT);
  if (box === null) return [];
  const across = source.width / matte.width;
  const down = source.height / matte.height;
  const isWide = box.width * across >= box.height * down;
  const width = (box.width / (isWide ? 2 : 1)) * across;
  const height = (box.height / (isWide ? 1 : 2)) * down;
  return [0, 1].map((half) => {
    const x = box.x * across + (isWide ? half * width : 0);
    const y = box.y * down + (isWide ? 0 : half * height);
    const from = {
      x: Math.max(0, Math.floor(x - MARGIN_SHARE * width)),
      y: Math.max(0, Math.floor(y - MARGIN_SHARE * height)),
    };
    return {
      ...from,
      width: Math.min(source.width, Math.ceil(x + (1 + MARGIN_SHARE) * width)) - from.x,
      height: Math.min(source.height, Math.ceil(y + (1 + MARGIN_SHARE) * height)) - from.y,
    };
  });
}
