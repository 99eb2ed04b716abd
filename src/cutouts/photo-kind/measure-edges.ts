/** Measures the strong edges of a photo: how many, where, and how straight. */
import type { Lab, Matte } from 'packshot-pixels';

/** Least difference of neighbors in OKLab at a strong edge: twice that of colors that clearly differ. */
const STRONG = 0.1;
/** Greatest difference of neighbors in a smooth place: paper and its shades, not wood or grass. */
const SMOOTH = 0.008;
/** Pixels around the subject's outline that belong neither to it nor to the background. */
const RIM_PX = 3;

/**
 * `detail` and `smooth`: the shares of the subject's inside that are strong edges or smooth. `outerDetail` and
 * `outerSmooth`: the same of the background. `lines`: how much of a row or column its longest straight edges take up.
 */
export function measureEdges(lab: Lab, mask: Matte) {
  const { width, height } = lab;
  const counts = { in: [0, 0, 0], out: [0, 0, 0] };
  const rows = new Float64Array(height);
  const columns = new Float64Array(width);
  const runs = new Float64Array(width);
  for (let y = 0; y < height - 1; y++) {
    let run = 0;
    for (let x = 0; x < width - 1; x++) {
      const at = y * width + x;
      const across = difference(lab, at, at + 1);
      const along = difference(lab, at, at + width);
      run = along > STRONG ? run + 1 : 0;
      runs[x] = across > STRONG ? runs[x]! + 1 : 0;
      rows[y] = Math.max(rows[y]!, run);
      columns[x] = Math.max(columns[x]!, runs[x]!);
      const place = placeOf(mask, x, y);
      if (place === undefined) continue;
      const most = Math.max(across, along);
      counts[place][0]!++;
      if (most > STRONG) counts[place][1]!++;
      if (most < SMOOTH) counts[place][2]!++;
    }
  }
  const [own, outer] = [counts.in, counts.out];
  return {
    detail: own[1]! / Math.max(1, own[0]!),
    smooth: own[2]! / Math.max(1, own[0]!),
    outerDetail: outer[1]! / Math.max(1, outer[0]!),
    outerSmooth: outer[2]! / Math.max(1, outer[0]!),
    lines: meanOfLongest(rows) / width + meanOfLongest(columns) / height,
  };
}

/** Mean of the six longest, which are three lines: each has two sides. */
const meanOfLongest = (lengths: Float64Array): number =>
  lengths
    .toSorted()
    .subarray(-6)
    .reduce((sum, length) => sum + length / 6, 0);

function difference({ data }: Lab, one: number, other: number): number {
  const [a, b] = [3 * one, 3 * other];
  return Math.hypot(data[a]! - data[b]!, data[a + 1]! - data[b + 1]!, data[a + 2]! - data[b + 2]!);
}

/** Whether all pixels around are in the subject, or none. Beyond the frame, both count. */
function placeOf({ width, height, data }: Matte, x: number, y: number): 'in' | 'out' | undefined {
  const first = data[y * width + x];
  for (const dy of [-RIM_PX, 0, RIM_PX]) {
    for (const dx of [-RIM_PX, 0, RIM_PX]) {
      const [column, row] = [x + dx, y + dy];
      if (column < 0 || row < 0 || column >= width || row >= height) continue;
      if (data[row * width + column] !== first) return undefined;
    }
  }
  return first === 1 ? 'in' : 'out';
}
