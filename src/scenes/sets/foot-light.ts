/** Moves a gobo until its bright part lies on the product's foot: a shadow on a foot already in shade grounds nothing. */
import { keyDirection, makeTransmission } from '../../studio/gobo.ts';
import { type Gobo, measureFrame, type ScenePlan } from '../../studio/scene-plan.ts';
import { stageScene } from '../../studio/stage-scene.ts';
import { clamp } from '../oklch.ts';
import { createRandom, hashSeed } from '../seeded-random.ts';

type Pattern = Exclude<Gobo, { kind: 'none' }>;
type Target = Pattern['target'];

/** Along the foot in shares of the product's width; before it in shares of its height, where its shadow is seen. */
const along = [-0.4, -0.25, -0.1, 0, 0.1, 0.25, 0.4] as const;
const before = [-0.02, 0.06, 0.14] as const;

/** Criterion: half of the light on the foot line. More is wanted, for the sun is a disc and the product casts shade too. */
const wanted = 0.7;
const least = 0.5;
const mostMoves = 64;

/** The plan with its gobo where the foot is lit; where the pattern leaves no such place, without it, unless it was asked for. */
export function lightFoot(plan: ScenePlan, isAsked: boolean): ScenePlan {
  const { gobo } = plan;
  if (gobo.kind === 'none' || plan.composition === 'flatlay') return plan;
  const measure = meterFoot(plan, gobo);
  const random = createRandom(hashSeed(plan.seed, 'foot'));
  let best = gobo.target;
  let bestLight = measure(best);
  for (let move = 0; move < mostMoves && bestLight < wanted; move++) {
    // Farther and farther from where it was meant to fall.
    const reach = 0.1 + (0.7 * move) / mostMoves;
    const target = {
      ...gobo.target,
      u: clamp(gobo.target.u + random.between(-reach, reach), -1.5, 1.5),
      v: clamp(gobo.target.v + random.between(-reach, reach), -0.5, 1.5),
    };
    const light = measure(target);
    if (light > bestLight) [best, bestLight] = [target, light];
  }
  const isKept = isAsked || bestLight >= least;
  return { ...plan, gobo: isKept ? { ...gobo, target: best } : { kind: 'none' } };
}

/** Share of the light on the foot line that the pattern lets through, 0 to 1; what leaks through its dark parts does not count. */
export function measureFootLight(plan: ScenePlan): number {
  return plan.gobo.kind === 'none' ? 1 : meterFoot(plan, plan.gobo)(plan.gobo.target);
}

/** The pattern is the renderer's own, so that the two cannot disagree; it is made once and looked at from shifted points. */
function meterFoot(plan: ScenePlan, gobo: Pattern): (target: Target) => number {
  const scene = stageScene({ ...plan, backProps: [], sideProps: [] });
  const pass = makeTransmission(scene.gobo, scene.key);
  const towards = keyDirection(scene.key);
  const frame = measureFrame(plan);
  const farther = (frame.distance - gobo.target.z) / frame.distance;
  const { width, height } = plan.subject;
  return ({ u, v }) => {
    const dx = ((u - gobo.target.u) * frame.aspect * frame.height * farther) / 2;
    const dy = (v - gobo.target.v) * frame.height * farther;
    let sum = 0;
    for (const x of along) {
      for (const z of before) sum += pass(x * width - dx, scene.baseY + 0.01 - dy, z * height, ...towards);
    }
    const mean = sum / (along.length * before.length);
    return (mean - gobo.leak) / (1 - gobo.leak);
  };
}
