/** Applies a caller's mutations to a suggested scene, or rejects them. */

import { measureFrame, type ScenePlan } from 'packshot-studio';
import { type Mutations, refuseMutation } from '../recipes/mutations.ts';

export interface StagedScene {
  readonly plan: ScenePlan;
  /** Clockwise rotation of the product before it is placed, in degrees. */
  readonly rotateDeg: number;
  /** Strength of the product's shadow, bounced light and reflection, 0 to 1. */
  readonly shadowStrength: number;
  /** Inward erosion of the product's outline, 0 to 4 px on a canvas with a longer side of 2000 px. */
  readonly shrinkPx: number;
  /** Whether the product's pixels are graded to the set's light. */
  readonly matchesLight: boolean;
  /** Whether the plate is the same as that of the unmodified suggestion. */
  readonly asSuggested: boolean;
}

/** Throws `invalid_mutation` for mutations that do not apply to a scene. */
export function stageRequest(plan: ScenePlan, asked: Omit<Mutations, 'images'>): StagedScene {
  const { layout = {}, shadow = {}, background, edge, match } = asked;
  if (background?.color !== undefined) {
    throw refuseMutation(
      'background',
      'A scene has no single backdrop color to change. Name the color in the prompt of POST /v1/design/suggest, or use a Solid or Surface recipe.',
    );
  }
  const staged = reframeScene(plan, layout);
  const shadowStrength = shadow.kind === 'none' ? 0 : (shadow.strength ?? 1);
  const rotateDeg = layout.rotate ?? 0;
  return {
    plan: staged,
    rotateDeg,
    shadowStrength,
    shrinkPx: edge?.shrinkPx ?? 0,
    matchesLight: match === 'light',
    asSuggested: staged === plan && rotateDeg === 0 && shadowStrength === 1,
  };
}

type SceneLayout = NonNullable<Mutations['layout']>;

/** Default margin, as for products on a caller's own backdrop. */
const MARGIN = 0.14;
/** Minimum share of the frame for the product; with a more distant camera, it would be too small to see. */
const MIN_FILL = 0.05;

/**
 * Applies a caller's layout by moving the camera; the product keeps its place and light in the set.
 *
 * `scale` and `margin` change the distance of the camera: with a smaller product, more of the set is visible. `x`, `y`
 * and `align` shift the lens, as on a view camera, so vertical lines stay vertical. The product's box always stays
 * inside the picture.
 */
export function reframeScene(plan: ScenePlan, layout: SceneLayout): ScenePlan {
  const framed = fillFrame(plan, layout);
  const { aspect } = measureFrame(framed);
  const { size, center } = locate(framed);
  const kept = framed === plan ? {} : keepFlush(plan, size);
  const asked = {
    x: layout.x ?? kept.x,
    y: layout.y ?? (layout.align === 'center' ? 0.5 : kept.y),
  };
  const margin = layout.margin ?? MARGIN;
  const border = { x: margin * Math.min(1, 1 / aspect), y: margin * Math.min(1, aspect) };
  const move = (axis: Axis): number => {
    const wanted = asked[axis];
    if (wanted === undefined && framed === plan) return 0;
    const free = wanted === undefined ? border[axis] : 0;
    return keepInside(wanted ?? center[axis], size[axis] / 2 + free) - center[axis];
  };
  const offset = { x: move('x'), y: 0 - move('y') };
  const { camera } = framed;
  return offset.x === 0 && offset.y === 0 ? framed : { ...framed, camera: { ...camera, offset } };
}

type Axis = 'x' | 'y';
type Point = Readonly<Record<Axis, number>>;

/** Size and center of the planned product, as fractions of the frame, from its top left corner. */
function locate(plan: ScenePlan): { readonly size: Point; readonly center: Point } {
  const { aspect, height: frameHeight } = measureFrame(plan);
  const { subject, camera } = plan;
  const size = { x: subject.width / (frameHeight * aspect), y: subject.height / frameHeight };
  return {
    size,
    center: {
      x: 0.5 + (subject.shift ?? 0) / (frameHeight * aspect),
      y:
        plan.composition === 'flatlay'
          ? middleOf(camera.flushWith, size.y)
          : 1 - camera.baseline - size.y / 2,
    },
  };
}

/** Height of the middle of a product in a flat lay, as a fraction of the frame from its upper edge. */
function middleOf(flushWith: ScenePlan['camera']['flushWith'], size: number): number {
  if (flushWith === undefined) return 0.5;
  return flushWith === 'top' ? size / 2 : 1 - size / 2;
}

/** A product that is planned to be nearer to the frame's edge than this, as a fraction of the frame, touches it. */
const FLUSH = 0.005;

/** Center of a product of a new size on the axes on which the planned product touches an edge of the frame. */
function keepFlush(plan: ScenePlan, size: Point): Partial<Point> {
  const planned = locate(plan);
  const flushOn = (axis: Axis) => {
    const [center, half] = [planned.center[axis], planned.size[axis] / 2];
    const isAtStart = center - half < FLUSH;
    const isAtEnd = center + half > 1 - FLUSH;
    if (isAtStart === isAtEnd) return {};
    return { [axis]: isAtStart ? size[axis] / 2 : 1 - size[axis] / 2 };
  };
  return { ...flushOn('x'), ...flushOn('y') };
}

/**
 * Returns the center, nearest to `middle`, of a span that lies inside the frame, 0 to 1. The span reaches `half` to
 * either side of its center. A span longer than the frame is centered.
 */
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
