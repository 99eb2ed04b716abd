/**
 * Crops a planned scene to another aspect ratio. The camera stays where it is, and the new frame lies within the
 * planned frame, so nothing unplanned comes into view.
 */
import { clamp, type Variant } from 'packshot-pixels';
import { aspectOf, measureFrame, measureStand, type Prop, type ScenePlan } from 'packshot-studio';

/** Ground that stays visible below a stand, as a fraction of the frame's height. */
const groundBelow = 0.06;

/** The result's `subject` only sets the size of the frame; `refitScene` then fits a product into the frame. */
export function cropScene(plan: ScenePlan, ratio: Variant): ScenePlan {
  if (ratio === plan.ratio) return plan;
  const from = measureFrame(plan);
  const aspect = aspectOf(ratio);
  /**
   * Old frame height divided by the new one: above 1 if the new aspect ratio is wider, so that the crop
   * removes the top and the bottom.
   */
  const k = Math.max(1, aspect / from.aspect);
  const height = from.height / k;
  const { camera } = plan;
  const baseline =
    k === 1
      ? camera.baseline
      : clamp(measureStand(plan) / height + groundBelow, 0.17, Math.min(0.31, k * camera.baseline));
  /** Old frame width divided by the new one. */
  const wider = (from.aspect * from.height) / (aspect * height);
  const { offset } = camera;
  const cropped = {
    ...plan,
    ratio,
    subject: { width: 0.05, height: camera.fillH * height },
    camera: {
      ...camera,
      tan: camera.tan / k,
      baseline,
      ...(offset && { offset: { x: offset.x * wider, y: offset.y * k } }),
    },
  };
  const isFlatlay = plan.composition === 'flatlay';
  const move = (prop: Prop): Prop => ({
    ...prop,
    u: prop.u * wider,
    y: isFlatlay ? 0.5 + (prop.y - 0.5) * k : prop.y * k,
    width: prop.width * k,
    height: prop.height * k,
    depth: prop.depth * k,
  });
  return {
    ...cropped,
    backProps: plan.backProps.map(move),
    sideProps: plan.sideProps.map(move),
    gobo: moveGobo(plan, cropped, { wider, k }),
    dof: plan.dof * wider,
  };
}

/** Keeps the light's pattern at the same point of the set. */
function moveGobo(
  plan: ScenePlan,
  cropped: ScenePlan,
  { wider, k }: { wider: number; k: number },
): ScenePlan['gobo'] {
  const { gobo } = plan;
  if (gobo.kind === 'none') return gobo;
  const { u, v, z } = gobo.target;
  const isFlatlay = plan.composition === 'flatlay';
  // Slope of the ray from the camera to the target. It is the same in both frames.
  const slope = (2 * v - 1) * plan.camera.tan + shiftOf(plan);
  const kept = isFlatlay ? 0.5 + (v - 0.5) * k : ((slope - shiftOf(cropped)) / cropped.camera.tan + 1) / 2;
  return { ...gobo, target: { u: u * wider, v: kept, z }, scale: gobo.scale * k };
}

/** Upward lens shift divided by the camera's distance, as in `studio/camera`. */
function shiftOf(plan: ScenePlan): number {
  const { height, distance } = measureFrame(plan);
  const { baseline, elevDeg } = plan.camera;
  return ((0.5 - baseline) * height) / distance - Math.tan((elevDeg * Math.PI) / 180);
}
