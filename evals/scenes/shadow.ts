/** Measures of the product's grounding: contact shadow, side of the cast shadow, edge width, reflection, horizon. */
import { coverCanvas, findFoot, luminanceAt, type Shot } from './picture.ts';

/** Distances below the foot at which light is compared, in pixels of a picture whose shorter side is 512. */
const STEPS_PX = [1, 3, 8, 20] as const;

/**
 * Luminance at 1, 3, 8 and 20 px below the foot, as a fraction of the empty set's luminance at the same places. The
 * distances scale with the picture. Undefined for a flat lay, which has no foot.
 */
export function measureContact(shot: Shot): readonly [number, number, number, number] | undefined {
  if (shot.plan.composition === 'flatlay') return undefined;
  const foot = findFoot(shot.product);
  const scale = Math.min(shot.width, shot.height) / 512;
  const [one, three, eight, twenty] = STEPS_PX.map((step) => {
    let [kept, whole] = [0, 0];
    for (const { x, y } of foot) {
      const row = y + Math.max(1, Math.round(step * scale));
      if (row >= shot.height || x < 0 || x >= shot.width) continue;
      kept += luminanceAt(shot.grounded.data, row * shot.width + x);
      whole += luminanceAt(shot.plate.data, row * shot.width + x);
    }
    return whole === 0 ? 1 : kept / whole;
  });
  return [one!, three!, eight!, twenty!];
}

/** Light at a smaller azimuth, in degrees, comes from the camera's direction: its shadow falls behind the product. */
const FROM_CAMERA = 10;

/**
 * Horizontal offset of the cast shadow's centroid from the center of the foot (in a flat lay, of the product), in
 * product widths; positive is away from the key light. Excludes ambient occlusion, which has no side. Undefined if
 * part of the key light comes from the camera's direction, such as from a wall of windows in front of a chair.
 */
export function measureShadowSide(shot: Shot): number | undefined {
  const { plate, grounded, shaded, width, height, plan, product } = shot;
  if (Math.abs(plan.key.az) - plan.key.angularRadius < FROM_CAMERA) return undefined;
  const cover = coverCanvas(shot);
  let [sum, weight] = [0, 0];
  for (let i = 0; i < width * height; i++) {
    if (cover[i]! >= 128 || shaded[i] === 0) continue;
    const drop = Math.max(0, luminanceAt(plate.data, i) - luminanceAt(grounded.data, i));
    sum += drop * (i % width);
    weight += drop;
  }
  if (weight === 0) return 0;
  const foot = plan.composition === 'flatlay' ? [] : findFoot(product);
  const center =
    foot.length === 0
      ? product.x + product.image.width / 2
      : foot.reduce((total, { x }) => total + x, 0) / foot.length;
  return (-Math.sign(plan.key.az) * (sum / weight - center)) / product.image.width;
}

/**
 * Width of a shadow's edge. `drops` is the loss of light along a line that leads out of the shadow, and `depth` is its
 * maximum. Outward from this maximum, the edge extends from the last value above 90% of `depth` to the first value
 * below 10%; the width is in steps of `drops`. Undefined if no value falls below 10%.
 */
export function measureEdgeWidth(
  drops: readonly number[],
): { readonly width: number; readonly depth: number } | undefined {
  const depth = Math.max(...drops);
  const end = drops.findIndex((value, i) => i > drops.indexOf(depth) && value < 0.1 * depth);
  if (!(depth > 0) || end < 0) return undefined;
  const start = drops.findLastIndex((value, i) => i < end && value > 0.9 * depth);
  return { width: end - start, depth };
}

/** Reflections on rougher ground are too blurred to compare. */
const MIRROR_ROUGHNESS = 0.2;
/** Start and end of the compared strip below the foot, as fractions of the picture's height. */
const STRIP = [0.006, 0.04] as const;
/** Minimum standard deviation of luminance along a row: a product of a single tone has no pattern to detect. */
const PATTERN = 0.02;

/**
 * Mean correlation, row by row, between the mirrored lowest strip of the product and the change that the product
 * causes in the set below this strip. Undefined on rough ground and for products of a single tone.
 */
export function measureReflection(shot: Shot): number | undefined {
  const { plan, width, height } = shot;
  const ground = plan.pedestal?.levels.at(-1) ?? plan.surface;
  const relief = plan.pedestal ? 'flat' : plan.surface.relief;
  if (plan.composition === 'flatlay' || ground.roughness >= MIRROR_ROUGHNESS || relief !== 'flat')
    return undefined;
  const foot = findFoot(shot.product);
  const found: number[] = [];
  for (let step = Math.ceil(STRIP[0] * height); step <= STRIP[1] * height; step++) {
    const pairs = foot
      .filter(({ y }) => y + step < height && y - step >= 0)
      .map(({ x, y }) => {
        const below = (y + step) * width + x;
        const change = luminanceAt(shot.grounded.data, below) - luminanceAt(shot.plate.data, below);
        return [luminanceAt(shot.picture.data, (y - step) * width + x), change] as const;
      });
    const { correlation, spread } = correlate(pairs);
    if (spread > PATTERN) found.push(correlation);
  }
  return found.length < 4 ? undefined : found.reduce((sum, value) => sum + value, 0) / found.length;
}

function correlate(pairs: readonly (readonly [number, number])[]): { correlation: number; spread: number } {
  const mean = (pick: (pair: readonly [number, number]) => number): number =>
    pairs.reduce((sum, pair) => sum + pick(pair), 0) / Math.max(1, pairs.length);
  const [meanA, meanB] = [mean(([a]) => a), mean(([, b]) => b)];
  const both = mean(([a, b]) => (a - meanA) * (b - meanB));
  const [varA, varB] = [mean(([a]) => (a - meanA) ** 2), mean(([, b]) => (b - meanB) ** 2)];
  return { correlation: varA * varB === 0 ? 0 : both / Math.sqrt(varA * varB), spread: Math.sqrt(varA) };
}

/** The horizon is visible if it separates wall from ground in at least this fraction of the columns. */
const SEEN = 0.1;
/** If a product is wider than this multiple of its height, its width sets the scene's scale, not its height. */
const MAX_SCALE_WIDTH = 1.35;

/**
 * Height of the horizon (the line between ground and wall) above the product's foot. The unit is the product's height
 * or, for wide products, their width divided by `MAX_SCALE_WIDTH`. Undefined if the horizon is invisible, and on a
 * shelf or in a flat lay, which have no horizon.
 */
export function measureHorizon(shot: Shot): number | undefined {
  const { horizonRow, width, height, wall, plan, product } = shot;
  if (horizonRow === undefined || ['flatlay', 'shelf'].includes(plan.composition)) return undefined;
  const above = Math.floor(horizonRow) - 3;
  const below = Math.ceil(horizonRow) + 3;
  if (above < 0 || below >= height) return undefined;
  let seen = 0;
  for (let x = 0; x < width; x++) if (wall[above * width + x] === 1 && wall[below * width + x] === 0) seen++;
  if (seen < SEEN * width) return undefined;
  const scale = Math.max(product.image.height, product.image.width / MAX_SCALE_WIDTH);
  return (product.y + product.image.height - horizonRow) / scale;
}
