/** Limits the chroma of walls: above these limits, a wall looks like a screen instead of paint. */
import { clamp } from 'packshot-pixels';
import { hueDistance, type Oklch, wrapHue } from './oklch.ts';

/**
 * Maximum chroma by hue: `calm` for pale walls (lightness 0.87 and above) whose color the planner chose, `light` for
 * pale walls whose color was requested, `strong` for requested walls of lightness 0.5 to 0.7. `limitChroma` computes
 * the limits of all other walls from these. Judged on rendered sets, where interreflection adds a fifth to the paint's
 * chroma. As chroma rises, greens and violets glow first, brick and cobalt last. Yellow looks yellow only if it is
 * light.
 */
const limits: readonly (readonly [h: number, calm: number, light: number, strong: number])[] = [
  [0, 0.029, 0.055, 0.1],
  [27, 0.032, 0.058, 0.16],
  [45, 0.033, 0.062, 0.13],
  [65, 0.036, 0.075, 0.128],
  [90, 0.036, 0.115, 0.122],
  [100, 0.028, 0.11, 0.115],
  [112, 0.022, 0.06, 0.085],
  [140, 0.021, 0.046, 0.078],
  [170, 0.021, 0.046, 0.07],
  [200, 0.022, 0.05, 0.072],
  [235, 0.029, 0.055, 0.092],
  [262, 0.029, 0.055, 0.098],
  [298, 0.013, 0.042, 0.08],
  [335, 0.015, 0.046, 0.085],
  [360, 0.029, 0.055, 0.1],
];

/** Reduces a wall's chroma to its limit: `calm` if the planner chose the color, `named` if it was requested. */
export function limitChroma(color: Oklch, wish: 'calm' | 'named'): Oklch {
  const [pale, light, strong] = limitsAt(color.h);
  // Darker paint tolerates more chroma, except near black.
  const depth = clamp((0.87 - color.l) / 0.17, 0, 1);
  const calm = pale * (1 + 0.35 * depth);
  const named = light + (strong - light) * depth;
  const night = color.l < 0.5 ? 0.4 + 1.2 * color.l : 1;
  return { ...color, c: Math.min(color.c, night * (wish === 'calm' ? calm : named)) };
}

function limitsAt(hue: number): readonly [calm: number, light: number, strong: number] {
  const h = wrapHue(hue);
  const index = limits.findIndex(([at]) => at >= h);
  const above = limits[index]!;
  const below = limits[Math.max(0, index - 1)]!;
  const share = above[0] > below[0] ? (h - below[0]) / (above[0] - below[0]) : 0;
  const mix = (column: 1 | 2 | 3): number => below[column] + (above[column] - below[column]) * share;
  return [mix(1), mix(2), mix(3)];
}

/**
 * Hues of strong walls that look like paint: coral, terracotta, orange, mustard, mint, teal, sky and
 * cobalt. In test renders, the greens, violets and magentas between these hues looked like a screen.
 */
const strongHues = [18, 40, 62, 80, 165, 200, 235, 262] as const;

/** Returns the hue of `strongHues` nearest to `wanted`, and the maximum chroma of paint in that hue. */
export function nearestStrongPaint(wanted: number): readonly [h: number, maxChroma: number] {
  const h = strongHues.reduce<number>(
    (best, other) => (hueDistance(other, wanted) < hueDistance(best, wanted) ? other : best),
    strongHues[0],
  );
  return [h, limitsAt(h)[2]];
}
