/** How much colour a whole wall may have before it looks like a screen instead of paint. */
import { clamp, hueDistance, type Oklch, wrapHue } from './oklch.ts';

/**
 * Most chroma at eight hues of pale walls (lightness 0.85) and of strong ones (0.7 and below): judged on rendered
 * sets, where light between wall and floor adds a fifth to the chroma of the paint. Greens and violets glow first;
 * brick, mustard and cobalt bear the most.
 */
const limits: readonly (readonly [h: number, pale: number, strong: number])[] = [
  [0, 0.04, 0.1],
  [27, 0.044, 0.16],
  [45, 0.046, 0.13],
  [65, 0.05, 0.128],
  [90, 0.05, 0.122],
  [112, 0.036, 0.085],
  [140, 0.034, 0.078],
  [170, 0.034, 0.07],
  [200, 0.036, 0.072],
  [235, 0.04, 0.092],
  [262, 0.04, 0.122],
  [298, 0.03, 0.08],
  [335, 0.033, 0.085],
  [360, 0.04, 0.1],
];

/** `calm` for a wall that the planner chooses, `named` for one whose colour somebody asked for. */
export function limitChroma(color: Oklch, wish: 'calm' | 'named'): Oklch {
  const [pale, strong] = limitsAt(color.h);
  // Darker paint bears more, down to the shades of night.
  const depth = clamp((0.87 - color.l) / 0.17, 0, 1);
  const calm = pale * (1 + 0.35 * depth);
  const named = 1.3 * pale + (strong - 1.3 * pale) * depth;
  const night = color.l < 0.5 ? 0.4 + 1.2 * color.l : 1;
  return { ...color, c: Math.min(color.c, night * (wish === 'calm' ? calm : named)) };
}

function limitsAt(hue: number): readonly [pale: number, strong: number] {
  const h = wrapHue(hue);
  const above = limits.findIndex(([at]) => at >= h);
  const [h1, pale1, strong1] = limits[above]!;
  const [h0, pale0, strong0] = limits[Math.max(0, above - 1)]!;
  const share = h1 > h0 ? (h - h0) / (h1 - h0) : 0;
  return [pale0 + (pale1 - pale0) * share, strong0 + (strong1 - strong0) * share];
}

/**
 * Hues of strong walls that look painted: coral, terracotta, orange, mustard, mint, teal, sky, cobalt, violet,
 * raspberry. Between them lie the greens and magentas that on rendered sheets looked like a screen.
 */
const boldHues = [18, 40, 62, 80, 165, 200, 235, 262, 298, 355] as const;

/** The strong paint nearest to a hue: hue and most chroma. */
export function nearestBold(wanted: number): readonly [h: number, mostChroma: number] {
  const h = boldHues.reduce<number>(
    (best, other) => (hueDistance(other, wanted) < hueDistance(best, wanted) ? other : best),
    boldHues[0],
  );
  return [h, limitsAt(h)[1]];
}
