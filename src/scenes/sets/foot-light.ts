/**
 * Moves a gobo until its bright part lights the product's foot: an unlit product casts no visible contact
 * shadow.
 */
import { keyDirection, makeTransmission } from '../../studio/gobo.ts';
import { type Gobo, measureFrame, type ScenePlan } from '../../studio/scene-plan.ts';
import { stageScene } from '../../studio/stage-scene.ts';
import { clamp } from '../oklch.ts';
import { createRandom, hashSeed } from '../seeded-random.ts';

type Pattern = Exclude<Gobo, { kind: 'none' }>;
type Target = Pattern['target'];

/** Offsets of sample points: `along` the foot in product widths, `before` (in front of) the foot in product heights. */
const along = [-0.4, -0.25, -0.1, 0, 0.1, 0.25, 0.4] as const;
const before = [-0.02, 0.06, 0.14] as const;

/**
 * The quality criterion requires half of the light on the foot line (`minLight`). The target is higher, because the
 * sun is not a point, and because the product itself casts a shadow.
 */
const targetLight = 0.7;
const minLight = 0.5;
const maxMoves = 64;

/**
 * Returns the plan with its gobo moved so that the foot is lit. If no position works, removes the gobo unless
 * it was requested.
 */
export function lightFoot(plan: ScenePlan, isAsked: boolean): ScenePlan {
  const { gobo } = plan;
  if (gobo.kind === 'none' || plan.composition === 'flatlay') return plan;
  const measure = meterFoot(plan, gobo);
  const random = createRandom(hashSeed(plan.seed, 'foot'));
  let best = gobo.target;
  let bestLight = measure(best);
  for (let move = 0; move < maxMoves && bestLight < targetLight; move++) {
    // Searches in increasing distance from the planned position.
    const reach = 0.1 + (0.7 * move) / maxMoves;
    const target = {
      ...gobo.target,
      u: clamp(gobo.target.u + random.between(-reach, reach), -1.5, 1.5),
      v: clamp(gobo.target.v + random.between(-reach, reach), -0.5, 1.5),
    };
    const light = measure(target);
    if (light > bestLight) [best, bestLight] = [target, light];
  }
  const isKept = isAsked || bestLight >= minLight;
  return { ...plan, gobo: isKept ? { ...gobo, target: best } : { kind: 'none' } };
}

/**
 * Fraction of light that the pattern transmits to the foot line, 0 to 1; excludes light that leaks through the
 * pattern's dark parts.
 */
export function measureFootLight(plan: ScenePlan): number {
  return plan.gobo.kind === 'none' ? 1 : meterFoot(plan, plan.gobo)(plan.gobo.target);
}

/** Builds the renderer's own pattern once, and returns a function that samples it for a shifted target. */
function meterFoot(plan: ScenePlan, gobo: Pattern): (target: Target) => number {
  const scene = stageScene({ ...plan, backProps: [], sideProps: [] });
  const pass = makeTransmission(scene.gobo, scene.key);
  const toLight = keyDirection(scene.key);
  const frame = measureFrame(plan);
  const farther = (frame.distance - gobo.target.z) / frame.distance;
  const { width, height } = plan.subject;
  return ({ u, v }) => {
    const dx = ((u - gobo.target.u) * frame.aspect * frame.height * farther) / 2;
    const dy = (v - gobo.target.v) * frame.height * farther;
    let sum = 0;
    for (const x of along) {
      for (const z of before) sum += pass(x * width - dx, scene.baseY + 0.01 - dy, z * height, ...toLight);
    }
    const mean = sum / (along.length * before.length);
    return (mean - gobo.leak) / (1 - gobo.leak);
  };
}
