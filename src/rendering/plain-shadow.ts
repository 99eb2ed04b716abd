/** Step: the shadow of the product on a plain backdrop. */
import { type CanvasSize, smoothstep } from 'packshot-pixels';
import { catchShadow, type Grid, type PlacedSubject } from 'packshot-studio';
import type { PicturePlan } from '../recipes/resolve-recipe.ts';

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
 * Where a shadow falls, in degrees, 0 toward the viewer. The key light comes from the left, like the pool of light on the
 * wall of Surface recipes, and from slightly behind the product. The shadow then falls slightly forward, where even a low
 * product does not hide it.
 */
const DIRECTION_DEG = 85;
/** Share of the way from the middle of the foot to the frame at which shadows on a plain color start to fade out. */
const FADE_FROM = 0.7;

/**
 * Returns a factor for the shadow at a point of the canvas. On a plain color or a transparent backdrop, it falls from 1
 * to 0 toward the left, right and lower edges, along half an ellipse around the foot, so that the picture has no visible
 * edge on a page of the same color, and the shadow no straight end. It does not fall toward a left or right edge that
 * the product touches. On all other backdrops, it is 1.
 */
function fadeToFrame({ canvas, subject, plan }: ShadowScene): (x: number, y: number) => number {
  if (plan.backdrop.kind !== 'solid' && plan.backdrop.kind !== 'transparent') return () => 1;
  const { width, height } = canvas;
  const footY = subject.y + subject.image.height;
  const atLeft = subject.x <= 0;
  const atRight = subject.x + subject.image.width >= width;
  return (x, y) => {
    const across = (2 * x) / width - 1;
    const isFree = across < 0 ? !atLeft : !atRight;
    const below = Math.max(0, y - footY) / Math.max(1, height - footY);
    return smoothstep(1, FADE_FROM, Math.hypot(isFree ? across : 0, below));
  };
}

/** Fraction of light that reaches each cell; `undefined` without a shadow. */
export function makeShadow(scene: ShadowScene, grid: Grid): Float32Array | undefined {
  const { canvas, subject, plan, groundInPicture } = scene;
  const { shadow } = plan;
  if (shadow.kind === 'none' || !groundInPicture) return undefined;
  const { kind, strength, softness, direction = DIRECTION_DEG } = shadow;
  const azimuthDeg = kind === 'cast' ? direction - 180 : undefined;
  const kept = catchShadow({ canvas, grid, subject, azimuthDeg, strength, softness });
  const fade = fadeToFrame(scene);
  const at = (cell: number): number => (cell + 0.5) * grid.cellPx;
  return kept.map((share, cell) => {
    return share < 1 ? 1 - fade(at(cell % grid.width), at(Math.floor(cell / grid.width))) * (1 - share) : 1;
  });
}
