/** Measures a photo and its cutout on small copies, to tell what the photo shows. */
import {
  findMatteBounds,
  findParts,
  type Lab,
  type Matte,
  type RgbImage,
  SUBJECT,
  toLab,
} from 'packshot-pixels';
import { isSkin, measureSolidity, oklchFromOklab } from 'packshot-sets';
import { measureEdges } from './measure-edges.ts';

/** Longer side of the copies, in pixels: words are texture in them, and lines of a table are still lines. */
const SIDE_PX = 320;
/** Minimum area of a part that counts as a thing of its own, as a fraction of the largest part's. */
const THING_SHARE = 0.15;
/** Number of rows or columns at an edge in which the subject is looked for: the model's mattes fade there. */
const EDGE_PX = 2;

/** Inputs of the model. All are shares, 0 to 1, except where stated. */
export type PhotoMeasures = ReturnType<typeof measurePhoto>;

/** The matte may be smaller than the photo. */
export function measurePhoto(photo: RgbImage, matte: Matte) {
  const small = shrink(photo, matte);
  const { width, height, mask } = small;
  const lab = toLab({ width, height, data: small.colors });
  const inside = mask.data.reduce((sum, bit) => sum + bit, 0);
  const box = findMatteBounds(mask, 1) ?? { x: 0, y: 0, width: 1, height: 1 };
  const sides = coverSides(mask);
  const { things, pieces, largest } = countThings(mask, inside);
  return {
    coverage: inside / mask.data.length,
    top: sides.top,
    bottom: sides.bottom,
    left: sides.left,
    right: sides.right,
    /** How much of the lesser of two opposite sides is covered. */
    across: Math.max(Math.min(sides.left, sides.right), Math.min(sides.top, sides.bottom)),
    fill: inside / (box.width * box.height),
    solidity: inside === 0 ? 0 : measureSolidity(mask, { ...box, area: inside }),
    things,
    pieces,
    largest,
    skin: shareOf(mask, (at) => isSkin(colorAt(lab, at))),
    ...countColors(small.colors, mask),
    ...measureEdges(lab, mask),
  };
}

const colorAt = ({ data }: Lab, at: number) =>
  oklchFromOklab([data[3 * at]!, data[3 * at + 1]!, data[3 * at + 2]!]);

/** The share of the subject's pixels for which `holds`. */
function shareOf({ data }: Matte, holds: (at: number) => boolean): number {
  let [all, held] = [0, 0];
  for (let at = 0; at < data.length; at++) {
    if (data[at] === 0) continue;
    all++;
    if (holds(at)) held++;
  }
  return all === 0 ? 0 : held / all;
}

/** Averages of up to 3 × 3 pixels per cell. */
function shrink(photo: RgbImage, matte: Matte) {
  const step = Math.max(1, Math.max(photo.width, photo.height) / SIDE_PX);
  // A very long photo has less than one cell across.
  const [width, height] = [photo.width, photo.height].map((side) => Math.max(1, Math.floor(side / step))) as [
    number,
    number,
  ];
  const colors = new Uint8Array(width * height * 3);
  const bits = new Uint8Array(width * height);
  const per = Math.min(3, Math.ceil(step));
  const across = Math.min(matte.width / photo.width, matte.height / photo.height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let n = 0; n < per * per; n++) {
        const column = Math.min(photo.width - 1, Math.floor((x + ((n % per) + 0.5) / per) * step));
        const row = Math.min(photo.height - 1, Math.floor((y + (Math.floor(n / per) + 0.5) / per) * step));
        const from = row * photo.width + column;
        red += photo.data[3 * from]!;
        green += photo.data[3 * from + 1]!;
        blue += photo.data[3 * from + 2]!;
        alpha += matte.data[Math.floor(row * across) * matte.width + Math.floor(column * across)]!;
      }
      const count = per * per;
      colors.set([red / count, green / count, blue / count], 3 * at);
      bits[at] = alpha / count >= SUBJECT ? 1 : 0;
    }
  }
  const mask: Matte = { width, height, data: bits };
  return { width, height, colors, mask };
}

function coverSides({ width, height, data }: Matte) {
  const share = (count: number, start: number, step: number, inward: number): number => {
    let covered = 0;
    for (let n = 0, at = start; n < count; n++, at += step)
      for (let depth = 0; depth < EDGE_PX; depth++)
        if (data[at + depth * inward] === 1) {
          covered++;
          break;
        }
    return covered / count;
  };
  return {
    top: share(width, 0, 1, width),
    bottom: share(width, (height - 1) * width, 1, -width),
    left: share(height, 0, width, 1),
    right: share(height, width - 1, width, -1),
  };
}

/**
 * `things`: parts of some size, 1 to 5. `pieces`: logarithm of the number of all parts, such as letters. `largest`: the
 * largest part's share of the subject.
 */
function countThings(mask: Matte, inside: number) {
  const areas = findParts(mask, { min: 1, max: 1, neighbours: 8 }).parts.map(({ area }) => area);
  const largest = Math.max(1, ...areas);
  const things = areas.filter((area) => area >= THING_SHARE * largest).length;
  const pieces = Math.log(Math.max(1, areas.length));
  return { things: Math.min(5, Math.max(1, things)), pieces, largest: inside === 0 ? 1 : largest / inside };
}

/** Levels per channel of the colors that are counted. */
const LEVELS = 16;

/**
 * `palette`: logarithm of the number of colors that nine tenths of the photo have. `ground`: the share of the most
 * frequent color outside the subject. `flat`: the share of the four most frequent colors in the subject.
 */
function countColors(colors: Uint8Array, mask: Matte) {
  const all = new Float64Array(LEVELS ** 3);
  const own = new Float64Array(LEVELS ** 3);
  const pixels = mask.data.length;
  for (let at = 0; at < pixels; at++) {
    const [red, green, blue] = [colors[3 * at]! >> 4, colors[3 * at + 1]! >> 4, colors[3 * at + 2]! >> 4];
    const bin = (red * LEVELS + green) * LEVELS + blue;
    all[bin]!++;
    if (mask.data[at] === 1) own[bin]!++;
  }
  const inside = own.reduce((sum, count) => sum + count, 0);
  const outside = all.map((count, bin) => count - own[bin]!);
  const most = all.toSorted().toReversed();
  let [covered, palette] = [0, 0];
  while (covered < 0.9 * pixels) covered += most[palette++]!;
  const flat = own.toSorted().toReversed().slice(0, 4);
  return {
    palette: Math.log(palette),
    ground: inside === pixels ? 0 : Math.max(...outside) / (pixels - inside),
    flat: inside === 0 ? 0 : flat.reduce((sum, count) => sum + count, 0) / inside,
  };
}
