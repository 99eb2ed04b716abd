/**
 * Moves a gobo until its bright part lights the product's foot and preferably the whole product: a foot without light
 * has no visible contact shadow.
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
 * Heights of further sample points in the product's middle plane, in product heights. The product keeps the even light
 * of its photo, so a pattern that falls across the product would visibly stop at the product's outline.
 */
const body = [0.2, 0.45, 0.7, 0.92] as const;

/**
 * `npm run eval:scenes` requires half of the light on the foot line (`minLight`). The target is higher, because the
 * sun is not a point, and because the product itself casts a shadow.
 */
const targetLight = 0.7;
const minLight = 0.5;
const targetBody = 0.92;
const maxMoves = 64;

/**
 * Returns the plan with its gobo moved so that the foot is lit. If no position works, removes the gobo unless
 * it was requested.
 */
export function lightFoot(plan: ScenePlan, isAsked: boolean): ScenePlan {
  const { gobo } = plan;
  if (gobo.kind === 'none' || plan.composition === 'flatlay') return plan;
  const measure = meterLight(plan, gobo);
  const random = createRandom(hashSeed(plan.seed, 'foot'));
  let best = gobo.target;
  let light = measure(best);
  for (let move = 0; move < maxMoves && (light.foot < targetLight || light.body < targetBody); move++) {
    // Searches in increasing distance from the planned position.
    const reach = 0.1 + (0.7 * move) / maxMoves;
    const target = {
      ...gobo.target,
      u: clamp(gobo.target.u + random.between(-reach, reach), -1.5, 1.5),
      v: clamp(gobo.target.v + random.between(-reach, reach), -0.5, 1.5),
    };
    const next = measure(target);
    if (rate(next) > rate(light)) [best, light] = [target, next];
  }
  const isKept = isAsked || light.foot >= minLight;
  return { ...plan, gobo: isKept ? { ...gobo, target: best } : { kind: 'none' } };
}

/**
 * Fraction of light that the pattern transmits to the foot line, 0 to 1; excludes light that leaks through the
 * pattern's dark parts.
 */
export function measureFootLight(plan: ScenePlan): number {
  return plan.gobo.kind === 'none' ? 1 : meterLight(plan, plan.gobo)(plan.gobo.target).foot;
}

/** Fractions of light, 0 to 1, without what leaks through the dark parts. */
interface Metered {
  readonly foot: number;
  readonly body: number;
}

/** The foot counts first: more light on it than needed is not worth a darker body. */
const rate = ({ foot, body }: Metered): number => 2 * Math.min(foot, targetLight) + body;

/** Builds the renderer's own pattern once, and returns a function that samples it for a shifted target. */
function meterLight(plan: ScenePlan, gobo: Pattern): (target: Target) => Metered {
  const scene = stageScene({ ...plan, backProps: [], sideProps: [] });
  const pass = makeTransmission(scene.gobo, scene.key);
  const toLight = keyDirection(scene.key);
  const frame = measureFrame(plan);
  const farther = (frame.distance - gobo.target.z) / frame.distance;
  const { width, height } = plan.subject;
  return ({ u, v }) => {
    const dx = ((u - gobo.target.u) * frame.aspect * frame.height * farther) / 2;
    const dy = (v - gobo.target.v) * frame.height * farther;
    const passing = (x: number, y: number, z: number): number => {
      const passed = pass(x * width - dx, scene.baseY + y - dy, z * height, ...toLight);
      return (passed - gobo.leak) / (1 - gobo.leak);
    };
    const foot = along.flatMap((x) => before.map((z) => passing(x, 0.01, z)));
    return { foot: mean(foot), body: mean(along.flatMap((x) => body.map((y) => passing(x, y * height, 0)))) };
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
