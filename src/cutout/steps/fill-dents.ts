/**
 * Step: fills dents in smooth outlines where the photo shows no edge.
 *
 * Where the product and what lies behind it have the same color, such as a ball's black seam in front of the ball's
 * black shadow, the engine cannot see the outline, and dents it. The outline on both sides of the dent is the better
 * guide: where it follows one smooth arc, a dent is filled up to that arc. In photos with exact mattes, 62 % of what is
 * filled is product. Of the bumps beyond the arc, two thirds were product, so bumps stay.
 */
import type { Matte, RgbImage } from '../../pixels.ts';
import { type Arc, createArcFit } from './fit-arc.ts';
import { listOutlines, type Outline } from './list-outlines.ts';

/**
 * Half the length of the stretch of outline that an arc is fitted to. All lengths are in pixels of the matte before
 * enlargement. In this file, "above" means farther outside the product, and "below" means farther inside.
 */
const ARC_PX = 40;
/**
 * Least and greatest depth of a dent. Shallower dents are not visible, and deeper ones probably belong to the product's
 * shape. A ball had dents of up to 2.8 px.
 */
const LEAST_DEPTH_PX = 0.3;
const MOST_DEPTH_PX = 3;
/** Greatest length of a dent. */
const MOST_LENGTH_PX = 32;
/**
 * At least this share of a dent's points must be blind. At a blind point, the color between the outline and the arc
 * differs from that of the product by less than `UNSEEN` (in sRGB levels, as a Euclidean distance).
 */
const BLIND_SHARE = 0.15;
const UNSEEN = 20;
/** How far below the outline the product's color is read. */
const BELOW_PX = 1.75;
/**
 * Dents are looked for only where the colors on either side of the outline, at a distance of `BELOW_PX`, differ by less
 * than this. This quick test keeps the step fast.
 */
const FAINT = 60;
/**
 * Thin products and veils have no firm outline that could be continued. A point of an outline is firm if the matte is
 * clear at a height of `CLEAR_PX` above the arc, and solid at each of the depths `FIRM_PX` below the dent. At least
 * `FIRM_SHARE` of a dent's points must be firm.
 */
const CLEAR_PX = 4;
const FIRM_PX = [6, 12, 18];
const FIRM_SHARE = 0.65;
/** Maximum alpha of a pure backdrop pixel, and minimum alpha of a pure product pixel. */
const BACKDROP = 8;
const SOLID = 247;
/** Semi-transparent pixels up to this depth below the dent become solid. */
const SOLID_PX = 5;

/** `photo` has the matte's size; `scale`, at least 1, is the factor by which the matte was enlarged. */
export function fillDents(matte: Matte, photo: RgbImage, scale: number): Matte {
  let filled: Matte | null = null;
  for (const outline of listOutlines(matte, scale, 4 * ARC_PX)) {
    for (const dent of findDents(outline, { matte, photo, scale })) {
      filled ??= { ...matte, data: matte.data.slice() };
      fill(filled, dent, scale);
    }
  }
  return filled ?? matte;
}

interface Scene {
  readonly matte: Matte;
  readonly photo: RgbImage;
  readonly scale: number;
}

/** A point of the arc above a dent, its outward normal, and the depth of the dent there, in pixels. */
interface ArcPoint {
  readonly x: number;
  readonly y: number;
  readonly nx: number;
  readonly ny: number;
  readonly depth: number;
}

function findDents(outline: Outline, scene: Scene): ArcPoint[][] {
  const n = outline.x.length;
  const findArc = createArcFit(outline, ARC_PX, scene.scale);
  const dents: ArcPoint[][] = [];
  for (let i = 0; i < n; i++) {
    if (!isFaint(outline, i, scene)) continue;
    const arc = findArc(i);
    const dent = arc && followDent(outline, i, arc, scene);
    if (!dent) continue;
    dents.push(dent);
    i += dent.length;
  }
  return dents;
}

/** Returns the arc above the dent at point `i` of the outline; `null` if the outline is not dented there. */
function followDent(outline: Outline, i: number, arc: Arc, scene: Scene): ArcPoint[] | null {
  const n = outline.x.length;
  const { scale } = scene;
  if (arc.measureDepth(i) < LEAST_DEPTH_PX * scale) return null;
  let from = i;
  let to = i;
  const most = MOST_LENGTH_PX;
  while (to - from <= most && arc.measureDepth((from + n) % n) > 0) from--;
  while (to - from <= most && arc.measureDepth(to % n) > 0) to++;
  if (to - from > most) return null;
  const dent = Array.from({ length: to - from + 1 }, (_, k) => {
    const p = (from + k + n) % n;
    const depth = Math.max(0, arc.measureDepth(p));
    return {
      x: outline.x[p]! + depth * arc.nx,
      y: outline.y[p]! + depth * arc.ny,
      depth,
      nx: arc.nx,
      ny: arc.ny,
    };
  });
  const deepest = Math.max(...dent.map(({ depth }) => depth));
  if (deepest > MOST_DEPTH_PX * scale) return null;
  const unseen = dent.filter((point) => isUnseen(point, scene)).length;
  if (unseen < BLIND_SHARE * dent.length) return null;
  const firm = dent.filter((point) => isFirm(point, scene)).length;
  return firm < FIRM_SHARE * dent.length ? null : dent;
}

/** Whether the matte is clear above the arc, and solid below the dent. */
function isFirm({ x, y, nx, ny, depth }: ArcPoint, { matte, scale }: Scene): boolean {
  const alphaAt = (above: number) => {
    const u = Math.round(x + above * nx);
    const v = Math.round(y + above * ny);
    return u < 0 || v < 0 || u >= matte.width || v >= matte.height ? -1 : matte.data[v * matte.width + u]!;
  };
  const clear = alphaAt(CLEAR_PX * scale);
  if (clear < 0 || clear > BACKDROP) return false;
  return FIRM_PX.every((below) => alphaAt(-depth - below * scale) >= SOLID);
}

/** Whether the photo shows hardly any contrast across the outline. */
function isFaint({ x, y }: Outline, i: number, { photo, scale }: Scene): boolean {
  const n = x.length;
  const dx = x[(i + 2) % n]! - x[(i + n - 2) % n]!;
  const dy = y[(i + 2) % n]! - y[(i + n - 2) % n]!;
  const reach = (BELOW_PX * scale) / Math.max(1e-6, Math.hypot(dx, dy));
  const [ox, oy] = [reach * dy, -reach * dx];
  return measureDifference(photo, [x[i]! + ox, y[i]! + oy], [x[i]! - ox, y[i]! - oy]) < FAINT;
}

/** Whether the dent has the color of the product below it. */
function isUnseen({ x, y, nx, ny, depth }: ArcPoint, { photo, scale }: Scene): boolean {
  const below = depth + BELOW_PX * scale;
  const within = depth / 2;
  return (
    measureDifference(photo, [x - within * nx, y - within * ny], [x - below * nx, y - below * ny]) < UNSEEN
  );
}

/** Distance between two colors of the photo; infinite outside of the photo. */
function measureDifference(
  { width, height, data }: RgbImage,
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): number {
  const [u, v, s, t] = [Math.round(ax), Math.round(ay), Math.round(bx), Math.round(by)];
  if (Math.min(u, v, s, t) < 0 || Math.max(u, s) >= width || Math.max(v, t) >= height) return Infinity;
  const p = 3 * (v * width + u);
  const q = 3 * (t * width + s);
  return Math.hypot(data[p]! - data[q]!, data[p + 1]! - data[q + 1]!, data[p + 2]! - data[q + 2]!);
}

/** Raises alpha below the arc. The new edge is as soft as the matte's edge at the ends of the dent. */
function fill(matte: Matte, dent: readonly ArcPoint[], scale: number): void {
  const softness = Math.max(measureSoftness(matte, dent[0]!), measureSoftness(matte, dent.at(-1)!));
  const margin = Math.ceil(softness + (MOST_DEPTH_PX + SOLID_PX) * scale);
  const xs = dent.map((point) => point.x);
  const ys = dent.map((point) => point.y);
  const toX = Math.min(matte.width - 1, Math.ceil(Math.max(...xs)) + margin);
  const toY = Math.min(matte.height - 1, Math.ceil(Math.max(...ys)) + margin);
  for (let y = Math.max(0, Math.floor(Math.min(...ys)) - margin); y <= toY; y++) {
    for (let x = Math.max(0, Math.floor(Math.min(...xs)) - margin); x <= toX; x++) {
      const above = measureHeight(dent, x, y, scale);
      if (above === null) continue;
      const alpha = Math.round(255 * Math.min(1, Math.max(0, 0.5 - above / softness)));
      const i = y * matte.width + x;
      if (alpha > matte.data[i]!) matte.data[i] = alpha;
    }
  }
}

/** How far a pixel lies outside the arc; `null` beside the dent, or too far below it. */
function measureHeight(dent: readonly ArcPoint[], x: number, y: number, scale: number): number | null {
  let nearest = dent[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const point of dent) {
    const distance = (x - point.x) ** 2 + (y - point.y) ** 2;
    if (distance < least) [least, nearest] = [distance, point];
  }
  const { nx, ny, depth } = nearest;
  const [dx, dy] = [x - nearest.x, y - nearest.y];
  const above = dx * nx + dy * ny;
  const isBeside = Math.abs(dx * ny - dy * nx) > scale;
  return isBeside || above < -depth - SOLID_PX * scale ? null : above;
}

/** Width over which alpha falls from 255 to 0 across the outline, in pixels. */
function measureSoftness({ width, height, data }: Matte, { x, y, nx, ny, depth }: ArcPoint): number {
  const u = Math.min(width - 2, Math.max(1, Math.round(x - depth * nx)));
  const v = Math.min(height - 2, Math.max(1, Math.round(y - depth * ny)));
  const i = v * width + u;
  const steepness = Math.hypot(data[i + 1]! - data[i - 1]!, data[i + width]! - data[i - width]!) / 2;
  return Math.min(8, Math.max(1, 255 / Math.max(1, steepness)));
}
