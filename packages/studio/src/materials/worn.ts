/** Surfaces of real places: sawn boards, and signs of wear for any surface. */
import { smoothstep } from 'packshot-pixels';
import { fadeOf, fbm, hashUnit, noise } from '../noise.ts';
import { mixAlbedo, type Paint, type Surface, setAlbedo } from './material.ts';

type Rgb = ArrayLike<number>;

/** Streaks, fibers and pores per unit across the grain. Each is dozens of times as long as it is wide. */
const STREAKS = 13;
const FIBERS = 62;
const PORES = 170;
/**
 * Short dark flecks per unit: FLECKS across the grain, FLECK_LENGTHS along it. They are wide enough to be visible at
 * the scale of the product. Without them, wood has only long streaks and looks motion-blurred.
 */
const FLECKS = 85;
const FLECK_LENGTHS = 7.5;
/**
 * DARK_ABOVE: there is a pore or fleck wherever the noise exceeds this value, and it is darker the larger the excess.
 * MEAN_DARK: the mean of that excess over a surface, counting 0 where there is none. Where pores and flecks are too
 * fine for the pixels, the whole surface is darkened by this mean instead.
 */
const DARK_ABOVE = 0.22;
const MEAN_DARK = 0.031;
/** Width of the joint between two boards, and of the edges rounded by wear, relative to a board. */
const JOINT = 0.009;
const ROUNDED = 0.026;
/**
 * Blur of a joint's relief, in pixels. The joint's color needs a blur of only 1 pixel; its relief needs more, because
 * shading takes the slope between two points.
 */
const RELIEF_BLUR = 2.5;
/** Blur of the color of the joints at the ends of boards, in pixels. These joints have no relief. */
const END_BLUR = 3;

/** Distance from a joint over which the relief of the grain fades, in pixels. */
const GRAIN_FADE = 4;

/**
 * Dark lines of the grain. Without a sharp line, boards beside a sharp product look smeared. A laid floor gets no
 * lines, because it is seen from farther away. A line runs where a noise with `along` and `across` cells per unit
 * passes the value `at`. It shows only on patches: it fades in while a second noise, with `patchAlong` and
 * `patchAcross` cells per unit, rises from the first to the second value of `patchFrom`. `width` is half the width of a
 * line, measured in values of the noise; it grows by `blur` per unit of pixel size, so that a thin line never becomes
 * a row of dots. `dark` is the fraction of light that a line removes.
 */
const LINE = {
  at: 0.05,
  along: 1.6,
  across: 34,
  patchAlong: 0.9,
  patchAcross: 6,
  patchFrom: [0.05, 0.3],
  width: 0.05,
  blur: 30,
  dark: 0.38,
} as const;
/**
 * Cells per unit from which the fading of lines in coarse pixels is computed. It is lower than the noise's own number
 * (`across`), because with that one, few lines would remain visible in a picture of 640 px.
 */
const LINE_FADE = 20;
/** The strength of a line that is widened n times is divided by n to this power. */
const LINE_FAINTNESS = 0.4;

/** Factor on the width of joints and rounded edges for a laid floor, whose boards meet without a gap. */
const TIGHT = 0.5;
/**
 * Factors for a laid floor, which is seen from farther away than a table. The grain has less contrast, because it would
 * look smeared. The boards differ more, to show that the floor consists of boards.
 */
const LAID = { grain: 0.6, boards: 1.4 } as const;

/** Darkness of a joint (0 to 1) at `distance` from its middle, for a pixel as wide as `finest`. */
export function gapAt(distance: number, joint: number, finest: number): number {
  const blur = joint / 2 + finest;
  return smoothstep(blur, 0, distance) * Math.min(1, (1.5 * joint) / blur);
}

function darkPart(x: number, y: number, z: number, cycles: number): number {
  const share = fadeOf(cycles);
  const dark = share === 0 ? 0 : Math.max(0, noise(x, y, z) - DARK_ABOVE);
  return share * dark + (1 - share) * MEAN_DARK;
}

interface BoardSizes {
  /** In world units. */
  readonly width: number;
  /** Length of staggered floor boards; undefined for boards without ends. */
  readonly length?: number | undefined;
}

/** Where boards along x begin and end. The position across the boards is y + z. */
function boardLayout({ width, length }: BoardSizes) {
  const rowOf = (across: number): number => Math.round(across / width);
  /** Position along the row of boards, in board lengths. */
  const alongRow = (x: number, row: number): number =>
    length === undefined ? 0.5 : x / length + hashUnit(row * 389 + 7);
  return {
    /** The board's number, and the position across it, from its middle. */
    boardAt: (x: number, across: number): { readonly board: number; readonly local: number } => {
      const row = rowOf(across);
      return { board: row + 1009 * Math.floor(alongRow(x, row)), local: across - row * width };
    },
    /** Distance from the board's nearest long edge. */
    edgeOf: (across: number): number => (0.5 - Math.abs(across / width - rowOf(across))) * width,
    /** Distance from the board's nearest end. */
    endOf: (x: number, across: number): number => {
      if (length === undefined) return Number.POSITIVE_INFINITY;
      const u = alongRow(x, rowOf(across));
      return Math.abs(u - Math.round(u)) * length;
    },
  };
}

/** The grain of a board at a point: `s` is the pattern's frequency, `f` the size of a pixel in the pattern. */
function readGrain(s: number, x: number, local: number, board: number, f: number) {
  const offset = 41 * hashUnit(board * 131 + 17);
  const wander = 0.055 * fbm(0.35 * s * x + offset, 1.1 * s * local, offset, 1, 0);
  const u = s * (local + wander);
  return {
    wander,
    streak: () => fbm(0.35 * s * x + offset, STREAKS * u, offset, 3, STREAKS * f),
    fiber: fbm(2.4 * s * x + offset, FIBERS * u, offset + 3, 2, 1.2 * FIBERS * f),
    fleck: () => darkPart(FLECK_LENGTHS * s * x + offset, FLECKS * u, offset + 5, 0.9 * FLECKS * f),
    pore: darkPart(7 * s * x + offset, PORES * u, offset + 9, 1.3 * PORES * f),
    line: () => {
      const share = fadeOf(LINE_FADE * f);
      if (share === 0) return 0;
      const width = LINE.width + LINE.blur * f;
      const value = noise(LINE.along * s * x + offset, LINE.across * u, offset + 13);
      const cover = noise(LINE.patchAlong * s * x + 2 * offset, LINE.patchAcross * u, offset + 21);
      const faint = share * smoothstep(...LINE.patchFrom, cover) * (LINE.width / width) ** LINE_FAINTNESS;
      return faint * smoothstep(width, 0, Math.abs(value - LINE.at));
    },
  };
}

/**
 * Straight-grained boards along x, each cut from a different log. The position across the boards is y + z, so that
 * both horizontal and upright faces show boards. The grain consists of slightly wavy streaks of early and late wood,
 * fine fibers, short flecks, the open pores of oak and ash, and dark lines.
 */
export function makeBoards(color: Rgb, dark: Rgb, s: number, sizes: BoardSizes): Surface {
  const { width } = sizes;
  const isLaid = sizes.length !== undefined;
  const { grain, boards } = isLaid ? LAID : { grain: 1, boards: 1 };
  const joint = JOINT * width * (isLaid ? TIGHT : 1);
  const rounded = ROUNDED * width * (isLaid ? TIGHT : 1);
  const { boardAt, edgeOf, endOf } = boardLayout(sizes);
  const seam = (across: number, finest: number): number => gapAt(edgeOf(across), joint, finest);
  /**
   * `finest` is a pixel's size across the boards. In the boards' direction, a pixel covers a few times as much when
   * they are seen at a slant, so the blur is END_BLUR times as wide.
   */
  const endSeam = (x: number, across: number, finest: number): number =>
    gapAt(endOf(x, across), joint, END_BLUR * finest);
  return {
    roughness: 0.42,
    f0: 0.035,
    bump: 0.016,
    across: [0, 1],
    paint: (x, y, z, finest, out) => {
      const across = y + z;
      const { board, local } = boardAt(x, across);
      const { streak, fiber, fleck, pore, wander, line } = readGrain(s, x, local, board, s * finest);
      const random = (salt: number): number => hashUnit(board * 131 + salt);
      const share =
        0.3 +
        0.3 * boards * (random(5) - 0.5) +
        grain * (0.62 * streak() + 0.42 * fiber + 0.8 * fleck() + pore + 2.2 * wander);
      // Wear makes the middle of a board paler than its edges.
      const handled = 0.9 + 0.12 * smoothstep(0, 0.14 * width, edgeOf(across));
      const tone = (1 + 0.22 * (random(13) - 0.5)) * handled;
      const joints = 1 - 0.86 * Math.max(seam(across, finest), endSeam(x, across, finest));
      const light = tone * joints * (isLaid ? 1 : 1 - LINE.dark * line());
      mixAlbedo(out, color, dark, Math.min(1, Math.max(0, share)), light);
    },
    relief: (x, y, z, finest) => {
      const across = y + z;
      const { board, local } = boardAt(x, across);
      const { fiber, pore } = readGrain(s, x, local, board, s * finest);
      const edge = edgeOf(across);
      // In a joint narrower than a pixel, the two slopes cancel, but a single sample hits only one of them, and the
      // joint becomes a row of dots. So the relief is blurred.
      const soft = RELIEF_BLUR * finest;
      const round = rounded + soft;
      const fall = edge < round ? (rounded / round) * (1 - edge / round) ** 2 : 0;
      // The grain ends at a joint. If it did not fade there, the step from one board's grain to the next board's would
      // show as bright dots.
      const grainy = smoothstep(0, GRAIN_FADE * finest, Math.min(edge, endOf(x, across)));
      return grainy * (-0.3 * fiber - 0.5 * pore) - 0.9 * fall - seam(across, soft);
    },
  };
}

/** The effect of wear on a surface at a point: factors on its color and on its reflections. */
export interface Wear {
  readonly tint: (x: number, y: number, z: number, finest: number) => number;
  readonly gloss: (x: number, y: number, z: number, finest: number) => number;
}

/**
 * Frequency of a fine unevenness of the color, in cells per world unit. It is visible only in focus. Without it, a
 * table below a sharp product looks rendered.
 */
const FINE = 55;

/** Smudges, dulled patches, faint stains and fine scratches; `amount` is 0 to 1. */
export function makeWear(amount: number): Wear {
  const traced = { x: Number.NaN, z: Number.NaN, finest: 0, sum: 0 };
  /** Keeps the last result, because a point's color and then its reflections ask for the same scratches. */
  const scratches = (x: number, z: number, finest: number): number => {
    if (x !== traced.x || z !== traced.z || finest !== traced.finest) {
      traced.x = x;
      traced.z = z;
      traced.finest = finest;
      traced.sum = traceScratches(x, z, finest);
    }
    return traced.sum;
  };
  return {
    tint: (x, y, z, finest) => {
      const stain = fbm(1.3 * x + 31, 1.3 * y, 1.3 * z, 4, 1.3 * finest);
      const fine = fbm(FINE * x, FINE * y, FINE * z + 3, 2, FINE * finest);
      const dirt = Math.max(0, fbm(5.1 * x, 5.1 * y, 5.1 * z + 8, 3, 5.1 * finest) - 0.12);
      return 1 + amount * (0.16 * stain + 0.2 * fine - 0.3 * dirt - 0.16 * scratches(x, z, finest));
    },
    gloss: (x, y, z, finest) => {
      const smudge = fbm(2.3 * x + 3, 2.3 * y, 2.3 * z, 4, 2.3 * finest);
      const rubbed = fbm(9 * x, 9 * y, 9 * z + 5, 2, 9 * finest);
      const dull = Math.max(0, 0.35 + 0.9 * smudge + 0.35 * rubbed) + 0.5 * scratches(x, z, finest);
      return Math.max(0.2, 1 - amount * dull);
    },
  };
}

function traceScratches(x: number, z: number, finest: number): number {
  let sum = 0;
  for (const [cos, sin, lane] of DIRECTIONS) {
    const along = 0.8 * (x * cos + z * sin);
    const across = 34 * (z * cos - x * sin);
    const there = smoothstep(0.3, 0.5, noise(1.9 * along, 0.5 * across, 11 * lane));
    if (there === 0) continue;
    const bend = 0.7 * noise(1.3 * along, 5 * lane, 1);
    const value = noise(0.25 * along, across + bend, 7 * lane);
    const width = 0.02 + 34 * finest;
    sum += (there * Math.exp(-((value / width) ** 2)) * 0.02) / width;
  }
  return Math.min(1, sum);
}

const DIRECTIONS = [
  [0.94, 0.34, 1],
  [0.77, -0.64, 2],
  [0.2, 0.98, 3],
] as const;

export function paintWorn(paint: Paint, { tint }: Wear): Paint {
  return (x, y, z, finest, out) => {
    paint(x, y, z, finest, out);
    setAlbedo(out, out, tint(x, y, z, finest));
  };
}
