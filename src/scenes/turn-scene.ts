/** The same colors, materials and light for a product that cannot be shown as the planned one is. */
import { type Finish, measureFrame, type ScenePlan } from '../studio/scene-plan.ts';

const finishOf = ({ material, colors, scale, roughness, bump, wear }: Finish): Finish => ({
  material,
  colors,
  scale,
  roughness,
  bump,
  ...(wear !== undefined && { wear }),
});

/** Soft daylight, as planned for sets without a pattern; for places, whose light cannot be moved to a flat lay. */
const daylight: Pick<ScenePlan, 'key' | 'env'> = {
  key: { az: -45, el: 40, angularRadius: 2.5, color: [1, 0.98, 0.95], intensity: 0.95 },
  env: {
    top: [0.46, 0.46, 0.46],
    bottom: [0.28, 0.28, 0.28],
    front: [0.07, 0.07, 0.07],
    softbox: { direction: [-0.55, 0.75, 0.36], intensity: 1.1 },
  },
};

/** A flat lay on the set's wall, or on a place's ground. */
export function layFlat({ place, ...plan }: ScenePlan): ScenePlan {
  const own = finishOf(place === undefined ? plan.backdrop : plan.surface);
  // Boards fill a flat lay, and their pattern should not be louder than the product.
  const ground = place === undefined ? own : { ...own, scale: Math.min(4, 1.6 * own.scale) };
  const { gobo, key } = plan;
  return {
    ...plan,
    composition: 'flatlay',
    surface: { ...ground, relief: 'flat', amplitude: 0 },
    backdrop: { ...ground, kind: 'wall', z: 0, sweepRadius: 0 },
    pedestal: null,
    backProps: [],
    sideProps: [],
    key: { ...key, el: 40, angularRadius: Math.max(2.5, key.angularRadius) },
    ...(place !== undefined && daylight),
    gobo:
      gobo.kind === 'none'
        ? gobo
        : {
            ...gobo,
            target: { u: gobo.target.u, v: 0.5, z: 0 },
            distance: Math.max(3, gobo.distance),
            leak: Math.max(0.2, gobo.leak),
          },
    camera: { ...plan.camera, tan: 0.16, elevDeg: 0 },
    dof: 0,
  };
}

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
