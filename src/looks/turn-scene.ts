/** Replaces a flat lay with a sweep, for a product that has to stand. */
import { usualLens } from 'packshot-sets';
import { type Finish, measureFrame, type ScenePlan } from 'packshot-studio';

const finishOf = ({ material, colors, scale, roughness, bump, wear }: Finish): Finish => ({
  material,
  colors,
  scale,
  roughness,
  bump,
  ...(wear !== undefined && { wear }),
});

/** Depth and curve radius of the sweep, in scene units: those of most sets. */
const sweep = { kind: 'cyclorama', z: -2.8, sweepRadius: 0.9 } as const;

/** Returns a sweep in the material of the flat lay's ground. */
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
      tan: usualLens,
      elevDeg: 11,
      baseline: Math.max(0.17, 0.5 - plan.subject.height / (2 * frame.height) - 0.05),
    },
    dof: 0.004,
  };
}
