/** Detects a border: a line or bar along all four sides of a picture. */
import type { Source } from 'packshot-photos';
import { distance, medianColor, NOISE, share } from './pixel-samples.ts';

/** Maximum distance of the border from the picture's edge, as a fraction of the shorter side. */
const FRAME_DEPTH = 0.06;
/** Minimum color step from the border inward, in 8-bit levels. */
const FRAME_STEP = 12;
/** Minimum fraction of a border line's pixels that have the same color. */
const FRAME_LINE = 0.95;
/**
 * If the border is a band of one color that reaches the edge and is at least `BAND` wide (as a fraction of the shorter
 * side), a color step of `BAND_STEP` is enough.
 */
const BAND = 0.01;
const BAND_STEP = 6;

/** Whether each side has a line of one color, directly followed (inward) by a step to another color. */
export function isFramed(picture: Source): boolean {
  const { width, height } = picture;
  const depth = Math.max(2, Math.round(Math.min(width, height) * FRAME_DEPTH));
  const band = Math.max(2, Math.round(Math.min(width, height) * BAND));
  const row = (y: number) => (i: number) => y * width + i;
  const column = (x: number) => (i: number) => i * width + x;
  const sides = [
    { length: width, lineAt: row },
    { length: width, lineAt: (d: number) => row(height - 1 - d) },
    { length: height, lineAt: column },
    { length: height, lineAt: (d: number) => column(width - 1 - d) },
  ];
  return sides.every(({ length, lineAt }) => {
    // Each line ends where the border's adjacent sides cross it.
    const lines = Array.from({ length: depth + 2 }, (_, d) =>
      describeLine(picture, lineAt(d), [d, length - d]),
    );
    const uneven = lines.findIndex(
      ({ color, even }) => even < FRAME_LINE || distanceOf(color, lines[0]!.color) > NOISE,
    );
    return lines.some((line, d) => {
      const step = d + 1 === uneven && d + 1 >= band ? BAND_STEP : FRAME_STEP;
      return (
        d < depth &&
        line.even >= FRAME_LINE &&
        distanceOf(line.color, lines[d + 1]!.color) > step &&
        distanceOf(line.color, lines[d + 2]?.color ?? line.color) > step
      );
    });
  });
}

const distanceOf = (one: readonly number[], other: readonly number[]): number =>
  Math.max(...one.map((value, c) => Math.abs(value - other[c]!)));

function describeLine(picture: Source, at: (i: number) => number, [from, to]: readonly [number, number]) {
  const line = Uint32Array.from({ length: Math.max(1, to - from) }, (_, i) => at(from + i));
  const color = medianColor(picture, line);
  return { color, even: share(line, (p) => distance(picture, p, color) <= 2 * NOISE) };
}
