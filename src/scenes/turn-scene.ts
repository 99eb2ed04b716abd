/** Changes a set for a product that cannot be shown as the planned one is. */
import { type Finish, measureFrame, type Prop, type ScenePlan } from '../studio/scene-plan.ts';
import { measureStand } from '../studio/stage-scene.ts';

const finishOf = ({ material, colors, scale, roughness, bump, wear }: Finish): Finish => ({
  material,
  colors,
  scale,
  roughness,
  bump,
  ...(wear !== undefined && { wear }),
});

/** Border of a board around what is mounted on it, and its thickness, in scene units. */
export const boardBorder = 0.07;
const thickness = 0.06;

/**
 * Clothes have no foot: they are mounted on a board that stands where the others stand, in the material of the stand or
 * the wall. The product lies on the plane z = 0, which is the board's front. Camera and horizon stay.
 */
export function mountOnBoard(plan: ScenePlan): ScenePlan {
  const { subject, camera, pedestal, backdrop, backProps } = plan;
  const { height: frame, distance, aspect } = measureFrame(plan);
  // A prop's width and height are what they measure at their own depth, so only the frame's height counts.
  const share = (length: number): number => length / frame;
  const middle = -thickness / 2;
  const board: Prop = {
    ...finishOf(pedestal?.levels.at(-1) ?? backdrop),
    shape: 'box',
    u: (2 * (subject.shift ?? 0)) / (frame * aspect),
    y: share(measureStand(plan)),
    z: middle,
    width: share(subject.width + 2 * boardBorder),
    height: share(subject.height + 2 * boardBorder),
    depth: share(thickness),
    bevel: 0.012,
    turnDeg: 0,
    leanDeg: 0,
    tipDeg: 0,
    seed: plan.seed,
  };
  return {
    ...plan,
    subject: { ...subject, lift: boardBorder },
    backProps: [...backProps.slice(0, 7), board],
    camera: {
      ...camera,
      baseline: Math.min(0.5, camera.baseline + share(boardBorder)),
      elevDeg: Math.max(0, degrees(Math.atan(Math.tan(radians(camera.elevDeg)) - boardBorder / distance))),
    },
  };
}

const radians = (angle: number): number => (angle * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** Depth and curve of the sweep, in scene units, as planned for sweeps. */
const sweep = { kind: 'cyclorama', z: -2.8, sweepRadius: 0.9 } as const;

/** A sweep in the material of a flat lay. */
export function standUp(plan: ScenePlan): ScenePlan {
  const ground = finishOf(plan.surface);
  const { gobo, camera } = plan;
  const frame = measureFrame(plan);
  return {
    ...plan,
    composition: 'sweep',
    surface: { ...ground, relief: 'flat', amplitude: 0 },
    backdrop: { ...ground, ...sweep },
    sideProps: [],
    gobo:
      gobo.kind === 'none'
        ? gobo
        : { ...gobo, target: { u: gobo.target.u, v: 0.6, z: -1.2 }, distance: Math.min(2.2, gobo.distance) },
    camera: {
      ...camera,
      tan: 0.21,
      elevDeg: 11,
      baseline: Math.max(0.17, 0.5 - plan.subject.height / (2 * frame.height) - 0.05),
    },
    dof: 0.004,
  };
}
