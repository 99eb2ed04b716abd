/** Simulates a person who corrects a cutout: one brush stroke through the middle of each of its largest wrong places. */
import type { Mode, Point, Stroke } from '../../packages/cutout/src/correction.ts';
import { enlargeMatte } from '../../packages/cutout/src/steps/enlarge-matte.ts';
import { fitInto } from '../../packages/cutout/src/steps/shrink-photo.ts';
import { CHAMFER_STEP, measureDistances } from '../../packages/pixels/src/chamfer-distance.ts';
import { findParts } from '../../packages/pixels/src/connected-parts.ts';
import type { Matte } from '../../packages/pixels/src/pixels.ts';
import { createRandom } from '../../packages/pixels/src/seeded-random.ts';

/** Longer side of the copy that the person looks at, in pixels: a place that is too small to see there is not marked. */
const SEEN_PX = 384;
/** Minimum area of a marked place, in pixels of that copy. */
const LEAST_AREA = 40;
/** Share of the way through a place that a stroke covers; nobody paints to the very ends. */
const COVERED = 0.7;
/** Radius of the page's brush before it is changed, as a fraction of the photo's longer side. */
const BRUSH = 1 / 60;

export interface Marked {
  readonly stroke: Stroke;
  /** 1 for each pixel of the photo that belongs to the wrong place. */
  readonly place: Uint8Array;
}

/** The largest wrong places first, at most `most`. The same seed gives the same strokes. */
export async function markErrors(
  made: Matte,
  truth: Matte,
  { most, seed }: { readonly most: number; readonly seed: number },
): Promise<Marked[]> {
  const random = createRandom(seed);
  const { width, height } = truth;
  const wrong = truth.data.map((alpha, i) => {
    const off = made.data[i]! - alpha;
    return off >= 128 ? 2 : off <= -128 ? 1 : 0;
  });
  const seen = fitInto(truth, SEEN_PX);
  const found: { mode: Mode; pixels: Int32Array }[] = [];
  for (const mode of ['keep', 'erase'] as const) {
    const value = mode === 'keep' ? 1 : 2;
    const each = { width, height, data: wrong.map((is) => (is === value ? 255 : 0)) };
    const { parts, order } = findParts(await enlargeMatte(each, seen), { min: 128, max: 255, neighbours: 8 });
    for (const { area, start, end } of parts)
      if (area >= LEAST_AREA) found.push({ mode, pixels: order.slice(start, end) });
  }
  found.sort((a, b) => b.pixels.length - a.pixels.length);
  const scale = width / seen.width;
  return found.slice(0, most).map(({ mode, pixels }) => {
    const { path, radius } = walkThrough(seen, pixels);
    const jitter = () => random.between(-0.5, 0.5) * radius;
    const points = path.map(
      (i): Point => [
        Math.round(((i % seen.width) + 0.5 + jitter()) * scale),
        Math.round((Math.floor(i / seen.width) + 0.5 + jitter()) * scale),
      ],
    );
    const brush = Math.max(2, Math.round(Math.min(radius * scale, BRUSH * Math.max(width, height))));
    const inside = new Uint8Array(seen.width * seen.height);
    for (const i of pixels) inside[i] = 1;
    const place = wrong.map((is, i) => {
      const x = Math.min(seen.width - 1, Math.floor((i % width) / scale));
      const y = Math.min(seen.height - 1, Math.floor(Math.floor(i / width) / scale));
      return is === (mode === 'keep' ? 1 : 2) && inside[y * seen.width + x] === 1 ? 1 : 0;
    });
    return { stroke: { mode, radius: brush, points }, place };
  });
}

/** The longest way through a place, along its middle, and the half width of a brush that fits into it. */
function walkThrough(
  { width, height }: { readonly width: number; readonly height: number },
  pixels: Int32Array,
) {
  const outside = new Uint8Array(width * height).fill(1);
  for (const i of pixels) outside[i] = 0;
  const depths = measureDistances({ width, height }, outside);
  const deepest = pixels.reduce((best, i) => (depths[i]! > depths[best]! ? i : best), pixels[0]!);
  const walk = (from: number) => {
    const cost = new Map<number, number>([[from, 0]]);
    const before = new Map<number, number>();
    const open = new Set([from]);
    let last = from;
    while (open.size > 0) {
      let at = -1;
      for (const i of open) if (at === -1 || cost.get(i)! < cost.get(at)!) at = i;
      open.delete(at);
      last = at;
      for (const step of [-1, 1, -width, width]) {
        const next = at + step;
        if (outside[next] !== 0 || Math.abs((next % width) - (at % width)) > 1) continue;
        const there = cost.get(at)! + 1 + 4 / depths[next]!;
        if (there >= (cost.get(next) ?? Infinity)) continue;
        cost.set(next, there);
        before.set(next, at);
        open.add(next);
      }
    }
    return { last, before };
  };
  const { last: start } = walk(deepest);
  const { last: end, before } = walk(start);
  const path: number[] = [];
  for (let at: number | undefined = end; at !== undefined; at = before.get(at)) path.push(at);
  const cut = Math.floor((path.length * (1 - COVERED)) / 2);
  const kept = path.slice(cut, path.length - cut);
  const widths = kept.map((i) => depths[i]! / CHAMFER_STEP).sort((a, b) => a - b);
  const points = kept.filter((_, n) => n % 3 === 0 || n === kept.length - 1);
  return { path: points, radius: 0.5 * widths[Math.floor(widths.length / 2)]! };
}
