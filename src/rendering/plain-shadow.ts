/** Steps: the shadow of the product on a plain backdrop, and how dark it is at the contact. */
import { smoothstep } from '../pixels/numbers.ts';
import type { CanvasSize } from '../pixels.ts';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';
import type { Grid } from '../studio/ground/grid.ts';
import type { PlacedSubject } from '../studio/ground/silhouette.ts';
import { catchShadow } from '../studio/shadow-catcher.ts';

export interface ShadowScene {
  readonly canvas: CanvasSize;
  readonly subject: PlacedSubject;
  readonly plan: PicturePlan;
  /**
   * False if the photo's lower edge crops the subject, or if the subject hangs and is not rotated. Then the picture
   * shows neither its ground contact nor its shadow.
   */
  readonly groundInPicture: boolean;
}

/**
 * The key light comes from the left, like the pool of light on the wall of Surface recipes, and from slightly behind
 * the product. The shadow then falls slightly forward, where even a low product does not hide it.
 */
const AZIMUTH_DEG = -95;
/** Elevation of the camera: product photos look down 10 to 20 degrees. */
const ELEVATION_DEG = 15;

/** Width of the border in which shadows on a plain color fade out, as a share of the picture's shorter side. */
const FADE_SHARE = 0.1;

/**
 * Returns a factor for the shadow at a point of the canvas. On a plain color or a transparent backdrop, it falls from 1
 * to 0 toward the left, right and lower edges, so that the picture has no visible edge on a page of the same color. It
 * stays 1 at a left or right edge that the product touches. On all other backdrops, it is 1.
 */
function fadeToFrame({ canvas, subject, plan }: ShadowScene): (x: number, y: number) => number {
  if (plan.backdrop.kind !== 'solid' && plan.backdrop.kind !== 'transparent') return () => 1;
  const { width, height } = canvas;
  const border = FADE_SHARE * Math.min(width, height);
  const ease = (distance: number): number => smoothstep(0, border, distance);
  const atLeft = subject.x <= 0;
  const atRight = subject.x + subject.image.width >= width;
  return (x, y) => (atLeft ? 1 : ease(x)) * (atRight ? 1 : ease(width - x)) * ease(height - y);
}

/** Fraction of light that reaches each cell; `undefined` without a shadow. */
export function makeShadow(scene: ShadowScene, grid: Grid): Float32Array | undefined {
  const { canvas, subject, plan, groundInPicture } = scene;
  const { shadow } = plan;
  if (shadow.kind === 'none' || !groundInPicture) return undefined;
  const azimuthDeg = shadow.kind === 'cast' ? AZIMUTH_DEG : undefined;
  const kept = catchShadow({ canvas, grid, subject, azimuthDeg, elevationDeg: ELEVATION_DEG });
  const fade = fadeToFrame(scene);
  const at = (cell: number): number => (cell + 0.5) * grid.cellPx;
  return kept.map((share, cell) => {
    const fading = share < 1 ? fade(at(cell % grid.width), at(Math.floor(cell / grid.width))) : 1;
    return 1 - shadow.strength * fading * (1 - share);
  });
}

/**
 * Returns the strength of the contact line (the dark line where the product touches the ground) at a pixel. `shadow`:
 * strength of the shadow, 0 to 1. The line is dark even in a weak shadow: no studio light reaches the gap under a
 * product, however much fill light there is.
 */
export function contactStrength(scene: ShadowScene, shadow: number): (pixel: number) => number {
  const fade = fadeToFrame(scene);
  const { width } = scene.canvas;
  const deep = 1 - (1 - shadow) ** 2;
  return (pixel) => deep * fade((pixel % width) + 0.5, Math.floor(pixel / width) + 0.5);
}
