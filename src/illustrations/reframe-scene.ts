/** Applies a caller's layout to a scene by moving the camera; the product keeps its place and light in the set. */
import type { Mutations } from '../recipes/mutations.ts';
import { measureFrame, type ScenePlan } from '../studio/scene-plan.ts';

type SceneLayout = NonNullable<Mutations['layout']>;

/** Default margin, as for products on a caller's own backdrop. */
const MARGIN = 0.14;
/** Minimum share of the frame for the product; with a more distant camera, it would be too small to see. */
const MIN_FILL = 0.05;

/**
 * `scale` and `margin` change the distance of the camera: with a smaller product, more of the set is visible. `x`, `y`
 * and `align` shift the lens, as on a view camera, so vertical lines stay vertical. The product's box always stays
 * inside the picture.
 */
export function reframeScene(plan: ScenePlan, layout: SceneLayout): ScenePlan {
  const framed = fillFrame(plan, layout);
  const { aspect, height: frameHeight } = measureFrame(framed);
  const { subject, camera } = framed;
  /** Size of the product, as fractions of the frame. */
  const size = { x: subject.width / (frameHeight * aspect), y: subject.height / frameHeight };
  /** Planned center of the product, as fractions of the frame, from its top left corner. */
  const planned = {
    x: 0.5 + (subject.shift ?? 0) / (frameHeight * aspect),
    y: plan.composition === 'flatlay' ? 0.5 : 1 - camera.baseline - size.y / 2,
  };
  const asked = { x: layout.x, y: layout.y ?? (layout.align === 'center' ? 0.5 : undefined) };
  const margin = layout.margin ?? MARGIN;
  const border = { x: margin * Math.min(1, 1 / aspect), y: margin * Math.min(1, aspect) };
  const move = (axis: 'x' | 'y'): number => {
    const wanted = asked[axis];
    if (wanted === undefined && framed === plan) return 0;
    const free = wanted === undefined ? border[axis] : 0;
    return keepInside(wanted ?? planned[axis], size[axis] / 2 + free) - planned[axis];
  };
  const offset = { x: move('x'), y: 0 - move('y') };
  return offset.x === 0 && offset.y === 0 ? framed : { ...framed, camera: { ...camera, offset } };
}

/** Moves the center of a span (`half` on either side) into the frame, 0 to 1. A longer span is centered. */
const keepInside = (middle: number, half: number): number =>
  half > 0.5 ? 0.5 : Math.min(1 - half, Math.max(half, middle));

function fillFrame(plan: ScenePlan, { margin, scale }: SceneLayout): ScenePlan {
  if (margin === undefined && scale === undefined) return plan;
  const { aspect } = measureFrame(plan);
  const border = 2 * (margin ?? MARGIN);
  const most = { fillH: 1 - border * Math.min(1, aspect), fillW: 1 - border * Math.min(1, 1 / aspect) };
  const fill = (axis: 'fillH' | 'fillW'): number => {
    const wanted = scale === undefined ? Math.min(plan.camera[axis], most[axis]) : scale * most[axis];
    return Math.max(MIN_FILL, wanted);
  };
  return { ...plan, camera: { ...plan.camera, fillH: fill('fillH'), fillW: fill('fillW') } };
}
