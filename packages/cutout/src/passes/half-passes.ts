/**
 * Step: runs the engine on each half of a mesh, net or wire product if the matte of the whole product is soft. Gaps
 * between wires are only a few of the engine's pixels wide, so they need more resolution. The IoU of two wire baskets
 * rose from .838 to .900 and from .876 to .918. Quarters instead of halves reached .875 and .909, with twice as many
 * passes. Nearly all other subjects, above all fur, do not gain: the engine misinterprets a part that is shown alone,
 * and contradicts the matte of the whole product.
 */
import {
  type Box,
  cutWindow,
  findMatteBounds,
  findParts,
  type Matte,
  type RgbImage,
  SUBJECT,
  scaleBox,
} from 'packshot-pixels';
import { enlargeMatte } from '../steps/enlarge-matte.ts';
import { measureSoftness } from '../steps/matte-evidence.ts';
import { cropPhoto, fitInto } from '../steps/shrink-photo.ts';
import { findContradictions } from './contradictions.ts';
import { darkenPaper } from './exposures.ts';
import { mixPass, placePass } from './mix-passes.ts';
import type { Passes } from './run-passes.ts';

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
/** Maximum longer side of a half passed to the engine; also of the result, unless the given matte is already larger. */
const MAX_SIDE_PX = 2048;

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

/**
 * `matte` covers all of the photo. On bright paper, the passes use a darker copy, which shows the wires of a basket better
 * (IoU .919 against .905).
 */
export async function runHalfPasses(
  source: RgbImage,
  matte: Matte,
  passes: Pick<Passes, 'run'>,
): Promise<Matte> {
  const darken = darkenPaper(source);
  const grid = fitInto(source, Math.max(MAX_SIDE_PX, matte.width, matte.height));
  const whole = await enlargeMatte(matte, grid);
  const mixed: Matte = { ...whole, data: whole.data.slice() };
  for (const [half, crop] of findHalves(whole, source).entries()) {
    const part = await cropPhoto(source, crop, MAX_SIDE_PX);
    const close = await passes.run(`half ${half}`, darken(part));
    const { placed, window } = await placePass(close, { crop, source, grid });
    if (findContradictions(cutWindow(whole, window), placed).agreement < MIN_AGREEMENT) continue;
    mixPass(mixed, placed, { window, share: SHARE });
  }
  return mixed;
}

/** The subject's bounding box, cut in half across its longer side, each half with a margin; in source pixels. */
function findHalves(matte: Matte, source: RgbImage): readonly Box[] {
  const box = findMatteBounds(matte, SUBJECT);
  if (box === null) return [];
  const isWide = (box.width * source.width) / matte.width >= (box.height * source.height) / matte.height;
  const width = box.width / (isWide ? 2 : 1);
  const height = box.height / (isWide ? 1 : 2);
  return [0, 1].map((half) => {
    const x = box.x + (isWide ? half * width : 0);
    const y = box.y + (isWide ? 0 : half * height);
    return scaleBox({ x, y, width, height }, matte, source, MARGIN_SHARE);
  });
}
