/** Chooses the four colors of a set: in contrast to the product's color, or as the prompt requests. */

import { clamp, type SeededRandom } from 'packshot-pixels';
import type { Mood, Part, WantedColor } from './color-wish.ts';
import { colorDistance, fitToPaint, hueDistance, type Oklch, wrapHue } from './oklch.ts';
import { limitChroma, nearestStrongPaint } from './painted-walls.ts';

/** How the wall's color is derived. The first six modes give pale walls of clearly different hues. */
export const paletteModes = [
  'complementary',
  'analogous',
  'warm',
  'cool',
  'triad',
  'tonal',
  'neutral',
  'bold',
  'bold-warm',
  'bold-cool',
  'dark',
  'dark-hue',
] as const;
export type PaletteMode = (typeof paletteModes)[number];

export interface ScenePalette {
  readonly wall: Oklch;
  readonly floor: Oklch;
  readonly stand: Oklch;
  readonly accent: Oklch;
}

type ColorWishes = Readonly<Partial<Record<Part, WantedColor>>>;

interface PaletteWish {
  readonly mode: PaletteMode;
  /**
   * The product's colors. The palette is derived from the hue of `main`, and the wall must contrast with
   * `main` and with `rim`.
   */
  readonly product: { readonly main: Oklch; readonly rim: Oklch };
  /** Colors requested by name. The palette keeps them within 15 degrees of hue and 0.12 of lightness. */
  readonly asked: ColorWishes;
  readonly mood?: Mood | undefined;
  /** Brand colors to use exactly; colors requested by name take precedence. */
  readonly brand?: { readonly wall: Oklch; readonly accent: Oklch | undefined } | undefined;
}

/** Below this chroma a product counts as gray. */
const grayBelow = 0.03;
/** Blush, sage, sky, lilac: common backdrops for gray, black and white products. */
const huesForGray = [40, 140, 240, 300] as const;
/**
 * Minimum OKLab distance between wall and product rim. In the picture, lighting reduces the
 * paints' distance by a third.
 */
const minSeparation = 0.12;
/**
 * Avoids walls that seem to be made of the product's own material. If hue and chroma of wall and product are closer
 * than `tint` (distance in OKLab), their lightness must differ by at least `gray` for a gray product, and by at
 * least `colored` for any other.
 */
const toneOnTone = { tint: 0.06, gray: 0.2, colored: 0.25 };

export function makePalette(wish: PaletteWish, random: SeededRandom): ScenePalette {
  const { mode, product, asked, mood, brand } = wish;
  const wall = asked.wall
    ? nudgeRequested(limitChroma(asked.wall, 'named'), product.rim)
    : (brand?.wall ?? chooseWall(mode, product, asked, random, mood));
  const isDark = wall.l < 0.5;
  const isBold = wall.c > 0.065 && wall.l < 0.84;
  const floor = asked.floor ?? { ...wall, l: wall.l + random.between(-0.02, 0.02) };
  // A requested wall color is the same in all plans of a list, so the stand and accent vary instead.
  const isGiven = asked.wall !== undefined || brand !== undefined;
  const answer = isGiven ? variationsForRequested[mode] : undefined;
  const stand = asked.stand ??
    (isDark ? undefined : answer?.stand) ?? {
      // Slightly darker than a pale wall, because the top of a podium gets the most light: on a paler one, the product's
      // shadow hardly shows.
      l: isDark ? wall.l + 0.08 : wall.l - 0.04,
      c: wall.c * 0.65,
      h: wall.h,
    };
  const base = chooseAccent(wall, isDark, isBold, random);
  const accent = asked.accent ??
    brand?.accent ?? {
      ...base,
      c: answer?.turn ? Math.max(0.08, base.c) : base.c,
      h: base.h + (answer?.turn ?? 0),
    };
  return {
    wall: fitToPaint(wall),
    floor: fitToPaint(floor),
    stand: fitToPaint(stand),
    accent: fitToPaint(accent),
  };
}

const white: Oklch = { l: 0.94, c: 0.008, h: 85 };
const variationsForRequested: Partial<Record<PaletteMode, { stand?: Oklch; turn?: number }>> = {
  complementary: { turn: 180 },
  triad: { turn: 120 },
  analogous: { turn: 35 },
  neutral: { stand: white },
  warm: { stand: { l: 0.9, c: 0.03, h: 75 }, turn: 35 },
  cool: { stand: { l: 0.88, c: 0.02, h: 250 } },
  'bold-warm': { stand: white, turn: 180 },
};

function chooseAccent(wall: Oklch, isDark: boolean, isBold: boolean, random: SeededRandom): Oklch {
  // Gold looked best on rendered dark sets.
  if (isDark)
    return random.next() < 0.6
      ? { l: 0.78, c: 0.12, h: 85 }
      : { l: wall.l + 0.16, c: wall.c * 1.5 + 0.02, h: wall.h };
  if (isBold) {
    const turn = random.pick([-38, 38, 0]);
    if (turn === 0) return { l: wall.l + 0.14, c: Math.min(0.17, wall.c * 1.1), h: wall.h };
    const [h, maxChroma] = nearestStrongPaint(wall.h + turn);
    return { l: wall.l - 0.12, c: maxChroma, h };
  }
  // Tone on tone is safe but dull, so two sets in five get an accent of another, muted hue (peach on mint).
  if (random.next() < 0.4) {
    const turn = random.pick([150, -150, 45, -45]);
    const { h } = tameHue({ ...wall, h: calmHue(wall.h + turn) });
    return limitChroma({ l: clamp(wall.l - 0.1, 0.6, 0.8), c: 0.062, h }, 'named');
  }
  const h = calmHue(wall.h);
  return limitChroma({ l: wall.l - 0.14, c: clamp(wall.c * 1.7, 0.03, 0.13), h }, 'named');
}

function chooseWall(
  mode: PaletteMode,
  product: PaletteWish['product'],
  asked: ColorWishes,
  random: SeededRandom,
  mood: Mood | undefined,
): Oklch {
  // If colors are requested but none for the wall, the wall is derived from one of them instead of from the product.
  const lead = asked.stand ?? asked.accent ?? asked.floor;
  const main = lead && lead.c > grayBelow && !lead.isMetal ? lead : product.main;
  const own = main.c < grayBelow ? random.pick(huesForGray) : main.h;
  const wall = tameHue(wallOf(mode, own, random));
  const softened = mood === 'minimal' ? { ...wall, c: wall.c * 0.5 } : wall;
  return separate(avoidClash(softened, product.main), product);
}

/**
 * `own` is the hue from which the wall's hue is derived. Pale walls have a lightness of 0.7 to 0.88, and a chroma of
 * 0.024 to 0.048 before `limitChroma`. Tuned on renders.
 */
function wallOf(mode: PaletteMode, own: number, random: SeededRandom): Oklch {
  const pale = (h: number, lMin: number, lMax: number): Oklch => ({
    l: random.between(lMin, lMax),
    c: random.between(0.024, 0.048),
    h: h + random.between(-6, 6),
  });
  const bold = (wanted: number): Oklch => {
    const [h, maxChroma] = nearestStrongPaint(wanted);
    return {
      l: random.between(0.7, 0.78),
      c: maxChroma - random.between(0, 0.015),
      h: h + random.between(-5, 5),
    };
  };
  const byMode: Record<PaletteMode, () => Oklch> = {
    complementary: () => pale(own + 180, 0.78, 0.87),
    analogous: () => pale(own + 35, 0.7, 0.8),
    triad: () => pale(own + 120, 0.8, 0.88),
    tonal: () => pale(own, 0.72, 0.82),
    warm: () => pale(70, 0.76, 0.87),
    cool: () => pale(245, 0.72, 0.84),
    neutral: () => ({
      l: random.between(0.92, 0.95),
      c: random.between(0.003, 0.01),
      h: random.between(70, 95),
    }),
    bold: () => bold(own + 180),
    'bold-warm': () => bold(random.pick([40, 60, 72, 12])),
    'bold-cool': () => bold(random.pick([170, 195, 235, 262])),
    dark: () => ({
      l: random.between(0.3, 0.37),
      c: random.between(0.004, 0.015),
      h: random.between(240, 270),
    }),
    // Hues of dark sets: green, dark teal and navy. Dark reds and violets look like velvet in a theater.
    'dark-hue': () => ({ l: random.between(0.32, 0.38), c: 0.035, h: random.pick([165, 215, 260]) }),
  };
  return byMode[mode]();
}

/** Changes violet and magenta, which look like plastic under warm light, to slate blue or brick. */
function calmHue(hue: number): number {
  const h = wrapHue(hue);
  return h > 268 && h < 350 ? (h < 305 ? 255 : 28) : h;
}

/**
 * Applies `calmHue` and `limitChroma` to a pale wall. Changes pale yellow-green, which looks sickly behind food and
 * skin, to sage or sand, whichever is nearer.
 */
function tameHue(wall: Oklch): Oklch {
  // Dark and strong paints already have hand-picked hues.
  if (wall.l < 0.5 || wall.c > 0.06) return { ...wall, h: wrapHue(wall.h) };
  const h = calmHue(wall.h);
  const turned = h >= 97 && h <= 128 ? (h < 112 ? 90 : 135) : h;
  // Very pale greens look sour. Slightly darker, they look like sage and jade.
  const isGreen = turned > 100 && turned < 180;
  return limitChroma({ ...wall, h: turned, l: isGreen ? Math.min(0.82, wall.l) : wall.l }, 'calm');
}

/**
 * Reduces the wall's chroma if wall and product both have strong colors, 20 to 60 degrees of hue apart. Such colors
 * neither match nor contrast.
 */
function avoidClash(wall: Oklch, product: Oklch): Oklch {
  const apart = hueDistance(wall.h, product.h);
  if (wall.c <= 0.12 || product.c <= 0.12 || apart < 20 || apart > 60) return wall;
  return { ...wall, c: 0.095 };
}

/**
 * Alternative walls as [lightness offset, chroma factor]. A darkened pale wall needs more chroma, or it looks
 * muddy.
 */
const sidesteps = {
  pale: [
    [0, 1],
    [-0.09, 1.4],
    [0.07, 1],
    [-0.14, 1.6],
    [0.13, 1],
    [0.19, 0.9],
    [0.26, 0.8],
    [-0.2, 1.7],
    [-0.26, 1.7],
  ],
  dark: [
    [0, 1],
    [-0.08, 1],
    [0.12, 1.2],
    [0.2, 1.3],
  ],
} as const;

function separate(wall: Oklch, { main, rim }: PaletteWish['product']): Oklch {
  const tries = sidesteps[wall.l < 0.5 ? 'dark' : 'pale'].map(([lighten, strengthen]) => ({
    l: clamp(wall.l + lighten, 0.24, 0.95),
    c: wall.c * strengthen,
    h: wall.h,
  }));
  const isBold = wall.c > 0.06;
  const painted = tries.map((color) => limitChroma(color, isBold ? 'named' : 'calm'));
  const distinct = painted.filter((color) => !isToneOnTone(color, main));
  return findApart(distinct.length > 0 ? distinct : painted, rim);
}

function isToneOnTone(wall: Oklch, product: Oklch): boolean {
  const tint = colorDistance({ ...wall, l: product.l }, product);
  const least = toneOnTone[product.c < grayBelow ? 'gray' : 'colored'];
  return tint < toneOnTone.tint && Math.abs(wall.l - product.l) < least;
}

/** Returns the first wall that contrasts enough with the product, otherwise the one with the most contrast. */
function findApart(walls: readonly Oklch[], product: Oklch): Oklch {
  const apart = walls.map((wall) => colorDistance(wall, product));
  const first = apart.findIndex((distance) => distance >= minSeparation);
  return walls[first >= 0 ? first : apart.indexOf(Math.max(...apart))]!;
}

/** Shifts a requested color's lightness for contrast, but only as far as the color's name still fits. */
function nudgeRequested(wall: Oklch, product: Oklch): Oklch {
  const steps = [0, 0.08, -0.08].map((shift) => ({ ...wall, l: clamp(wall.l + shift, 0.22, 0.96) }));
  return findApart(steps, product);
}
