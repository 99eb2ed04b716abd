/** Stands for the product: podiums, blocks, steps, a shelf, a stone. Sizes depend on product and frame. */

import type { Finish, PedestalLevel, ScenePlan } from '../../studio/scene-plan.ts';
import { clamp } from '../oklch.ts';
import type { ProductFeatures } from '../product-features.ts';
import type { Stand } from './compositions.ts';
import type { Stage } from './stage.ts';

/**
 * Distance of a round stand's middle behind the product's front, as a fraction of the product's width. The stand's
 * middle is then behind the middle of a box-shaped product. If it were farther forward, the product would stand on the
 * stand's rear rim, and the stand would look empty in front of the product.
 */
const behindFront = 0.44;
/**
 * The same for a product with a round underside, such as a ball, which touches the stand close to the product's front.
 * If the stand were further back, the ball would be on the stand's front edge and seem to roll off.
 */
const behindBall = 0.15;

/** `null` if the product stands on the ground. */
export function makePedestal(
  stand: Stand,
  stage: Stage,
  { roundness }: Pick<ProductFeatures, 'roundness'>,
): ScenePlan['pedestal'] {
  const { finishes, random, subject } = stage;
  const top = topWidth(stage);
  // Stands for long, low products are lower, to avoid the look of a tower.
  const low = subject.height < 0.7 ? 0.72 : 1;
  const disc = (width: number, height: number, finish: Finish): PedestalLevel =>
    level(stage, 'cylinder', finish, {
      width,
      height,
      depth: width,
      z: -(
        (1 - roundness) * Math.max(Math.min(0.3, 0.2 * width), behindFront * subject.width) +
        roundness * behindBall * subject.width
      ),
    });
  const slab = (width: number, height: number, depth: number, finish: Finish): PedestalLevel =>
    level(stage, 'box', finish, { width, height, depth, z: -0.34 * depth + 0.02 });
  switch (stand) {
    case 'none':
      return null;
    case 'podium':
      return { y: 0, levels: [disc(top, low * random.between(0.15, 0.22), finishes.pedestal)] };
    case 'two-podiums': {
      const wide = disc(Math.min(top * 1.4, maxWidth(stage) * 1.15), low * 0.15, finishes.accent);
      return { y: 0, levels: [wide, disc(top, low * random.between(0.15, 0.19), finishes.pedestal)] };
    }
    case 'low-disc':
      // Slightly sunk, so that dunes and folds run up to the disc.
      return { y: -0.03, levels: [disc(top * 0.95, 0.12, finishes.pedestal)] };
    case 'block':
      return {
        y: 0,
        levels: [
          slab(
            blockWidth(stage) * random.between(1, 1.06),
            low * random.between(0.18, 0.27),
            Math.max(0.8, top * 0.75),
            finishes.pedestal,
          ),
        ],
      };
    case 'steps': {
      const width = Math.min(top * 1.5, maxWidth(stage) * 1.1);
      const under = { ...slab(width, low * 0.16, Math.max(1, top * 1.1), finishes.pedestal), x: 0 };
      const upper = { ...slab(top * 1.05, low * 0.16, Math.max(0.7, top * 0.7), finishes.pedestal), z: -0.2 };
      return { y: 0, levels: [under, upper] };
    }
    case 'shelf':
      // A block so high that it hides the ground, and looks like a board on a wall.
      return { y: 0, levels: [slab(maxWidth(stage) * 2, 0.8, 1, finishes.pedestal)] };
    case 'stone':
      return {
        y: -0.12,
        levels: [
          level(stage, 'stone', finishes.pedestal, { width: top * 1.25, height: 0.3, depth: top, z: -0.25 }),
        ],
      };
    case 'slab':
      return {
        y: 0,
        levels: [slab(Math.min(top, 1.3 * subject.width), 0.1, 0.62, finishes.pedestal)],
      };
    case 'column':
      return { y: 0, levels: [disc(clamp(top * 0.8, subject.width * 1.2, top), 0.42, finishes.pedestal)] };
  }
}

/** Maximum width of a stand, in scene units: the edges of a wider stand, and so its shape, would be out of view. */
function maxWidth({ frame }: Stage): number {
  return 0.9 * frame.height * frame.aspect;
}

/**
 * Maximum width of a stand for a narrow product, in scene units. A wider stand looks as if it were made for
 * another product.
 */
const mostForNarrow = 0.95;

/**
 * Width of a stand's top: 1.45 times the product's width. For a narrow product, it is wider: 58 % of the frame's width,
 * up to `mostForNarrow`. The result is limited so that the stand's edges are visible, but is always wider than the
 * product.
 */
function topWidth(stage: Stage): number {
  const { subject, frame } = stage;
  const share = Math.min(0.58 * frame.height * frame.aspect, mostForNarrow);
  const most = Math.max(0.94 * maxWidth(stage), 1.15 * subject.width);
  return clamp(Math.max(1.45 * subject.width, share), 1.15 * subject.width, most);
}

/** Width of a block. A block as wide as a round stand would fill the picture like a table, so it is narrower. */
function blockWidth({ subject, frame }: Stage): number {
  return Math.max(1.32 * subject.width, Math.min(0.58 * frame.height * frame.aspect, mostForNarrow));
}

function level(
  stage: Stage,
  shape: PedestalLevel['shape'],
  finish: Finish,
  size: Pick<PedestalLevel, 'width' | 'height' | 'depth' | 'z'>,
): PedestalLevel {
  return {
    ...finish,
    shape,
    bevel: shape === 'stone' ? 0.04 : Math.min(0.025, size.height / 4),
    x: 0,
    turnDeg: 0,
    seed: stage.random.seed(),
    ...size,
  };
}
