/** Finds a border: a line or bar along all four sides of a picture. */
import { distance, type MeasuredPixels, medianOf, NOISE, share } from './pixel-samples.ts';

/** Of the shorter side. */
const FRAME_DEPTH = 0.06;
/** Levels between a frame's line and what lies inside it, and share of the line that has one color. */
const FRAME_STEP = 12;
const FRAME_LINE = 0.95;

/** A line of one color along each side, and a step to another color right behind it. */
export function isFramed(picture: MeasuredPixels): boolean {
  const { width, height } = picture;
  const depth = Math.max(2, Math.round(Math.min(width, height) * FRAME_DEPTH));
  const row = (y: number) => (i: number) => y * width + i;
  const column = (x: number) => (i: number) => i * width + x;
  const sides = [
    { length: width, lineAt: row },
    { length: width, lineAt: (d: number) => row(height - 1 - d) },
    { length: height, lineAt: column },
    { length: height, lineAt: (d: number) => column(width - 1 - d) },
  ];
  return sides.every(({ length, lineAt }) => {
    // A line ends where the frame's other sides cross it.
    const lines = Array.from({ length: depth + 2 }, (_, d) =>
      describeLine(picture, lineAt(d), [d, length - d]),
    );
    return lines.some(
      (line, d) =>
        d < depth &&
        line.even >= FRAME_LINE &&
        distanceOf(line.color, lines[d + 1]!.color) > FRAME_STEP &&
        distanceOf(line.color, lines[d + 2]?.color ?? line.color) > FRAME_STEP,
    );
  });
}

const distanceOf = (one: readonly number[], other: readonly number[]): number =>
  Math.max(...one.map((value, c) => Math.abs(value - other[c]!)));

function describeLine(
  picture: MeasuredPixels,
  at: (i: number) => number,
  [from, to]: readonly [number, number],
) {
  const line = Uint32Array.from({ length: Math.max(1, to - from) }, (_, i) => at(from + i));
  const color = [0, 1, 2].map((c) => medianOf(line, (p) => picture.data[p * 3 + c]!));
  const plain = color as unknown as readonly [number, number, number];
  return { color, even: share(line, (p) => distance(picture, p, plain) <= 2 * NOISE) };
}
