/** Shadow patterns of leaves (palm fronds or foliage) as a small texture in a plane perpendicular to the light. */
import { LRUCache } from 'lru-cache';
import { hashUnit } from './noise.ts';

/** Fraction of light, 0 to 1, that passes at position (a, b) in the plane perpendicular to the light. */
export type Shade = (a: number, b: number) => number;

/** Maximum number of cached patterns, 0.25 MB each. The planner tries many sets, which share a few patterns. */
const MAX_CACHED = 32;
const kept = new LRUCache<string, Shade>({ max: MAX_CACHED });

function keep(name: string, draw: () => Shade): Shade {
  const shade = kept.get(name) ?? draw();
  kept.set(name, shade);
  return shade;
}

/**
 * Texels per side. A texel is a third as wide as the penumbra if the light has an angular radius of 1.3 degrees and the
 * leaves are 1 world unit from the shaded surface.
 */
const SIDE = 256;

/**
 * One layer of leaves at the same distance from the shaded surface. Leaves of a plant hang at different
 * distances, so that some shadows are sharp and others soft; a single layer would look like a stencil.
 */
interface Layer {
  /** Width of the square that the texels cover, and its lower left corner, in the light's plane. */
  readonly width: number;
  readonly left: number;
  readonly bottom: number;
  /** Whether a leaf that extends beyond one side of the square continues at the opposite side. */
  readonly wraps: boolean;
  /** Fraction of light blocked per texel. */
  readonly blocked: Float32Array;
}

interface Stroke {
  readonly from: readonly [a: number, b: number];
  /** Direction at the start, in radians from the a axis. */
  readonly angle: number;
  /** Change of the direction from start to end, in radians. */
  readonly bend: number;
  readonly length: number;
  readonly width: number;
  /**
   * Position of the maximum width, as a fraction of the length, 0.2 to 0.8; undefined for a stalk, which tapers from
   * its start to its end.
   */
  readonly widest?: number;
}

const FROND_LENGTH = 2.7;
const FROND_BLURS = [0.014, 0.004, 0.028, 0.02, 0.04, 0.01];

/**
 * Parallel palm fronds that enter from the left. If the fronds fanned out from one point, their leaflets would cross
 * like a net.
 */
export function makePalmShade(count: number, seed: number): Shade {
  return keep(`palm ${count} ${seed}`, () => drawPalm(count, seed));
}

function drawPalm(count: number, seed: number): Shade {
  const square = { width: 3.8, left: -2, bottom: -1.9, wraps: false };
  const layers = Array.from({ length: count }, (_, i) => {
    const random = (salt: number): number => hashUnit(seed * 131 + i * 17 + salt);
    const layer: Layer = { ...square, blocked: new Float32Array(SIDE * SIDE) };
    const rank = i - (count - 1) / 2;
    const angle = 0.3 * rank + 0.3 * (random(1) - 0.5) + 0.12;
    const from = [-1.7 + 0.35 * random(5), 0.2 + 0.58 * rank + 0.2 * (random(6) - 0.5)] as const;
    const length = FROND_LENGTH * (0.85 + 0.3 * random(3));
    const bend = -0.25 - 0.3 * random(4);
    const rib: Stroke = { from, angle, bend, length, width: 0.026 };
    drawStroke(layer, rib);
    drawLeaflets(layer, rib, seed * 977 + i * 419);
    return blurLayer(layer, FROND_BLURS[i % FROND_BLURS.length]!);
  });
  return makeShade(square, layers);
}

const LEAFLET_PAIRS = 19;

function drawLeaflets(layer: Layer, rib: Stroke, seed: number): void {
  for (let i = 0; i < LEAFLET_PAIRS * 2; i++) {
    const random = (salt: number): number => hashUnit(seed + i * 7 + salt);
    const side = i % 2 === 0 ? 1 : -1;
    const t = 0.06 + (0.93 * (Math.floor(i / 2) + 0.4 * random(1) + 0.25 * (i % 2))) / LEAFLET_PAIRS;
    const { at, angle } = placeOn(rib, t);
    drawStroke(layer, {
      from: at,
      angle: angle + side * (1.05 - 0.62 * t + 0.14 * (random(2) - 0.5)),
      // Leaflets droop: on both sides of the rib, they bend downward.
      bend: -0.18 - 0.5 * random(3) ** 1.5,
      length: rib.length * 0.33 * Math.sin(Math.PI * (0.2 + 0.72 * t)) * (0.88 + 0.24 * random(4)),
      width: 0.092 * (1.15 - 0.4 * t),
      widest: 0.3,
    });
  }
}

const BRANCH_BLURS = [0.004, 0.012, 0.034];

/** Branches in similar directions, with pointed leaves; `density` is approximately the fraction of light blocked. */
export function makeFoliageShade(leafSize: number, density: number, seed: number): Shade {
  return keep(`foliage ${leafSize} ${density} ${seed}`, () => drawFoliage(leafSize, density, seed));
}

function drawFoliage(leafSize: number, density: number, seed: number): Shade {
  const square = { width: 3.6, left: -1.8, bottom: -1.8, wraps: true };
  const branchLength = 6.5 * leafSize;
  // A branch's leaves cover an area of about three times the square of a leaf's length.
  const wanted = -Math.log(1 - density) * (square.width / leafSize) ** 2;
  const perLayer = Math.max(1, Math.round(wanted / 3.1 / BRANCH_BLURS.length));
  const layers = BRANCH_BLURS.map((blur, k) => {
    const layer: Layer = { ...square, blocked: new Float32Array(SIDE * SIDE) };
    // Branches grow from a few limbs, so they form bunches with gaps between them.
    const bunches = Math.max(2, Math.round(perLayer / 3));
    for (let i = 0; i < perLayer; i++) {
      const random = (salt: number): number => hashUnit(seed * 389 + k * 7919 + i * 31 + salt);
      const bunch = (salt: number): number => hashUnit(seed * 53 + k * 101 + (i % bunches) * 11 + salt);
      const twig: Stroke = {
        from: [
          square.width * bunch(1) + 1.6 * leafSize * (random(3) - 0.5),
          square.width * bunch(2) + 1.6 * leafSize * (random(4) - 0.5),
        ],
        angle: -0.55 + 0.7 * (bunch(5) - 0.5) + 0.9 * (random(6) - 0.5),
        bend: -0.7 * random(7),
        length: branchLength * (0.7 + 0.5 * random(8)),
        width: 0.05 * leafSize,
      };
      drawStroke(layer, twig);
      drawLeaves(layer, twig, leafSize, seed * 613 + k * 523 + i * 97);
    }
    return blurLayer(layer, blur);
  });
  return makeShade(square, layers);
}

const LEAVES = 12;

function drawLeaves(layer: Layer, twig: Stroke, leafSize: number, seed: number): void {
  for (let i = 0; i < LEAVES; i++) {
    const random = (salt: number): number => hashUnit(seed + i * 13 + salt);
    const side = i % 2 === 0 ? 1 : -1;
    const { at, angle } = placeOn(twig, i === LEAVES - 1 ? 1 : 0.1 + (0.9 * (i + 0.6 * random(1))) / LEAVES);
    drawStroke(layer, {
      from: at,
      angle: angle + side * (0.5 + 0.7 * random(2)),
      bend: 0.7 * (random(3) - 0.6),
      length: leafSize * (0.7 + 0.5 * random(4)),
      // Leaves are turned at random; those seen edge-on are narrow.
      width: leafSize * (0.26 + 0.3 * random(5)),
      widest: 0.42,
    });
  }
}

/** Point and direction on an arc-shaped stroke at the fraction `t` of its length. */
function placeOn({ from, angle, bend, length }: Stroke, t: number): { at: [number, number]; angle: number } {
  // An arc's chord bisects its end directions; the chord's length is the arc's length times sinc(half the bend).
  const half = (bend * t) / 2;
  const chord = length * t * (half === 0 ? 1 : Math.sin(half) / half);
  return {
    at: [from[0] + chord * Math.cos(angle + half), from[1] + chord * Math.sin(angle + half)],
    angle: angle + bend * t,
  };
}

/**
 * Draws discs along the arc, close enough together for a smooth edge. Where discs overlap, the texel keeps the maximum
 * coverage.
 */
function drawStroke(layer: Layer, stroke: Stroke): void {
  const { widest, length } = stroke;
  const scale = SIDE / layer.width;
  const thickest = (stroke.width * scale) / 2;
  const steps = Math.ceil((length * scale) / Math.max(0.7, 0.3 * thickest));
  const power = widest === undefined ? 1 : Math.log(0.5) / Math.log(widest);
  for (let i = 0; i <= steps; i++) {
    const t = i / steps;
    const { at } = placeOn(stroke, t);
    const profile = widest === undefined ? 1 - 0.6 * t : Math.sin(Math.PI * Math.min(1, t ** power)) ** 0.75;
    drawDisc(layer, (at[0] - layer.left) * scale, (at[1] - layer.bottom) * scale, profile * thickest);
  }
}

function drawDisc({ wraps, blocked }: Layer, x: number, y: number, radius: number): void {
  const [outer, inner] = [(radius + 0.5) ** 2, Math.max(0, radius - 0.5) ** 2];
  for (let row = Math.floor(y - radius - 0.5); row <= y + radius + 0.5; row++) {
    for (let column = Math.floor(x - radius - 0.5); column <= x + radius + 0.5; column++) {
      const isOutside = row < 0 || row >= SIDE || column < 0 || column >= SIDE;
      const squared = (column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2;
      if (squared >= outer || (isOutside && !wraps)) {
        continue;
      }
      const cover = squared <= inner ? 1 : Math.min(1, radius + 0.5 - Math.sqrt(squared));
      // SIDE is a power of two, so the mask wraps around.
      const at = (row & (SIDE - 1)) * SIDE + (column & (SIDE - 1));
      if (cover > blocked[at]!) {
        blocked[at] = cover;
      }
    }
  }
}

/**
 * Blurs the layer as light from a disc would, approximated by two box filters per direction; `radius` is in the units
 * of the pattern.
 */
function blurLayer(layer: Layer, radius: number): Layer {
  const reach = Math.round((radius * SIDE) / layer.width / 1.5);
  if (reach === 0) {
    return layer;
  }
  const transposed = new Float32Array(SIDE * SIDE);
  for (let pass = 0; pass < 2; pass++) {
    blurAndTranspose(layer.blocked, transposed, reach, layer.wraps);
    blurAndTranspose(transposed, layer.blocked, reach, layer.wraps);
  }
  return layer;
}

/**
 * Applies a box filter of 2 `reach` + 1 texels along rows, and writes the transpose, so that the next call filters
 * along columns.
 */
function blurAndTranspose(from: Float32Array, to: Float32Array, reach: number, wraps: boolean): void {
  const line = new Float64Array(SIDE + 2 * reach + 1);
  const share = 1 / (2 * reach + 1);
  for (let row = 0; row < SIDE; row++) {
    for (let i = 0; i < line.length; i++) {
      const column = i - reach;
      const isOutside = column < 0 || column >= SIDE;
      line[i] = isOutside && !wraps ? 0 : from[row * SIDE + (column & (SIDE - 1))]!;
    }
    let sum = 0;
    for (let i = 0; i < 2 * reach; i++) {
      sum += line[i]!;
    }
    for (let column = 0; column < SIDE; column++) {
      sum += line[column + 2 * reach]!;
      to[column * SIDE + row] = sum * share;
      sum -= line[column]!;
    }
  }
}

function makeShade(square: Omit<Layer, 'blocked'>, layers: readonly Layer[]): Shade {
  const open = new Float32Array(SIDE * SIDE).fill(1);
  for (const { blocked } of layers) {
    for (let i = 0; i < open.length; i++) {
      open[i] = open[i]! * (1 - blocked[i]!);
    }
  }
  const { width, left, bottom, wraps } = square;
  const scale = SIDE / width;
  const read = (column: number, row: number): number => {
    const isOutside = column < 0 || column >= SIDE || row < 0 || row >= SIDE;
    return isOutside && !wraps ? 1 : open[(row & (SIDE - 1)) * SIDE + (column & (SIDE - 1))]!;
  };
  return (a, b) => {
    const x = (a - left) * scale - 0.5;
    const y = (b - bottom) * scale - 0.5;
    const column = Math.floor(x);
    const row = Math.floor(y);
    const across = x - column;
    const lower = read(column, row) * (1 - across) + read(column + 1, row) * across;
    const upper = read(column, row + 1) * (1 - across) + read(column + 1, row + 1) * across;
    return lower + (upper - lower) * (y - row);
  };
}
