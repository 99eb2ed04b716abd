/** Step: the light that comes from behind the subject, on the coarse grid, and its enlargement to pixels. */
import type { Backdrop, GradientStop, Sweep } from '../recipes/catalogue.ts';
import type { CanvasSize } from './render-target.ts';
import type { Grid } from './silhouette.ts';
import { encodeSrgb255, linearColor, linearFromOklab, oklabFromLinear, type Rgb } from './srgb.ts';

/** Linear-light RGB per cell, interleaved. */
export type LightField = Float32Array;

type PaintedBackdrop = Exclude<Backdrop, { kind: 'transparent' }>;

/** `footY`: canvas row on which the subject stands, or would stand. */
export function makeBackdrop(backdrop: PaintedBackdrop, grid: Grid, footY: number): LightField {
  const light = lightAt(backdrop, grid, footY);
  const field = new Float32Array(grid.width * grid.height * 3);
  for (let y = 0; y < grid.height; y++) {
    for (let x = 0; x < grid.width; x++) {
      field.set(light(x + 0.5, y + 0.5), 3 * (y * grid.width + x));
    }
  }
  return field;
}

/** A function from a point on the grid to its light. */
function lightAt(backdrop: PaintedBackdrop, grid: Grid, footY: number): (x: number, y: number) => Rgb {
  switch (backdrop.kind) {
    case 'solid': {
      const color = linearColor(backdrop.color);
      return () => color;
    }
    case 'linear': {
      const ramp = makeRamp(backdrop.stops);
      const angle = (backdrop.angleDeg * Math.PI) / 180;
      const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
      // The CSS rule: the corners furthest along the direction have the first and the last colour.
      const length = Math.abs(grid.width * dx) + Math.abs(grid.height * dy);
      return (x, y) => ramp(0.5 + ((x - grid.width / 2) * dx + (y - grid.height / 2) * dy) / length);
    }
    case 'radial': {
      const ramp = makeRamp(backdrop.stops);
      const [cx, cy] = [backdrop.center[0] * grid.width, backdrop.center[1] * grid.height];
      const radius = backdrop.radius * Math.max(grid.width, grid.height);
      return (x, y) => ramp(Math.hypot(x - cx, y - cy) / radius);
    }
    case 'sweep':
      return makeSweep(backdrop, grid, footY / grid.cellPx);
  }
}

const RAMP_STEPS = 1024;

/** Colours along the stops, mixed in OKLab on a smooth curve, so that no stop shows as a Mach band. */
function makeRamp(stops: readonly GradientStop[]): (at: number) => Rgb {
  const labs = stops.map((stop) => oklabFromLinear(linearColor(stop.color)));
  const table = Array.from({ length: RAMP_STEPS + 1 }, (_, step): Rgb => {
    const at = step / RAMP_STEPS;
    const right = Math.max(1, stops.findIndex((stop) => stop.at >= at));
    const [a, b] = [stops[right - 1]!, stops[right]!];
    const share = (at - a.at) / (b.at - a.at);
    const mix = (channel: 0 | 1 | 2): number =>
      labs[right - 1]![channel] + (labs[right]![channel] - labs[right - 1]![channel]) * share;
    return linearFromOklab([mix(0), mix(1), mix(2)]);
  });
  const soften = (t: number): number => t * t * (3 - 2 * t);
  // Half way between straight and eased: ends calm down, the middle keeps its slope.
  return (at) => {
    const t = Math.min(1, Math.max(0, at));
    return table[Math.round(((t + soften(t)) / 2) * RAMP_STEPS)]!;
  };
}

function makeSweep(sweep: Sweep, grid: Grid, footY: number): (x: number, y: number) => Rgb {
  const paper = linearColor(sweep.color);
  const shorter = Math.min(grid.width, grid.height);
  const longer = Math.max(grid.width, grid.height);
  const turnY = footY - sweep.horizon * shorter;
  const halfTurn = sweep.curve * shorter;
  const poolX = sweep.poolX * grid.width;
  const poolY = turnY - 0.28 * longer;
  const frontRun = Math.max(1, grid.height - footY);
  return (x, y) => {
    const wallShare = smoothStep((turnY + halfTurn - y) / (2 * halfTurn));
    const distance = Math.hypot((x - poolX) * 0.9, y - poolY) / (sweep.poolRadius * longer);
    const wall = sweep.wall * (sweep.wallEdge + (1 - sweep.wallEdge) * Math.exp(-1.6 * distance * distance));
    const front = Math.max(0, (y - footY) / frontRun);
    const aside = (x - grid.width * 0.5) / longer;
    const floor = (1 + (sweep.floorFront - 1) * front * front) * (1 - 0.28 * aside * aside * 4 * (1 - sweep.wallEdge));
    // The turning paper faces neither the ceiling light nor the key: a slight dip that tells floor from wall.
    const dip = 1 - 0.05 * (4 * wallShare * (1 - wallShare));
    const level = (floor + (wall - floor) * wallShare) * dip;
    return [paper[0] * level, paper[1] * level, paper[2] * level];
  };
}

function smoothStep(t: number): number {
  const clamped = Math.min(1, Math.max(0, t));
  return clamped * clamped * clamped * (clamped * (6 * clamped - 15) + 10);
}

/** Dims the field by the light that the shadow lets through. */
export function applyShadow(field: LightField, visibility: Float32Array): void {
  for (let i = 0; i < visibility.length; i++) {
    const share = visibility[i]!;
    if (share < 1) {
      field[3 * i] = field[3 * i]! * share;
      field[3 * i + 1] = field[3 * i + 1]! * share;
      field[3 * i + 2] = field[3 * i + 2]! * share;
    }
  }
}

/**
 * Enlarges `channels` interleaved values of 0 to 255 from the grid to the canvas, bilinearly, and dithers: rounding up
 * as often as the fraction says leaves whole values untouched and hides the steps between the others.
 * `grain` widens the noise by so many levels, against bands in wide smooth areas.
 */
export function paintField(
  field: Float32Array,
  grid: Grid,
  { canvas, channels, grain }: { readonly canvas: CanvasSize; readonly channels: 1 | 3; readonly grain: number },
): Uint8Array {
  const { width, height } = canvas;
  const pixels = new Uint8Array(width * height * channels);
  const span = grid.width * channels;
  const line = new Float32Array(span + channels);
  const [left, share] = sampleColumns(width, grid);
  const noise = makeNoise(grain);
  for (let y = 0; y < height; y++) {
    const v = Math.min(grid.height - 1, Math.max(0, (y + 0.5) / grid.cellPx - 0.5));
    const row = Math.floor(v);
    const upper = row * span;
    const lower = Math.min(grid.height - 1, row + 1) * span;
    for (let i = 0; i < span; i++) {
      line[i] = field[upper + i]! + (field[lower + i]! - field[upper + i]!) * (v - row);
    }
    line.copyWithin(span, span - channels, span);
    let out = y * width * channels;
    const noiseRow = Math.imul(y + 1, 0x9e3779b1) >>> 0;
    for (let x = 0; x < width; x++) {
      const cell = left[x]! * channels;
      const t = share[x]!;
      const offset = noise[(noiseRow + x) & NOISE_MASK]!;
      for (let c = 0; c < channels; c++) {
        const a = line[cell + c]!;
        const value = a + (line[cell + channels + c]! - a) * t + offset;
        pixels[out++] = value <= 0 ? 0 : value >= 255 ? 255 : value;
      }
    }
  }
  return pixels;
}

/** For each canvas column, the grid column to its left and the share of the one to its right. */
function sampleColumns(width: number, grid: Grid): readonly [left: Uint16Array, share: Float32Array] {
  const left = new Uint16Array(width);
  const share = new Float32Array(width);
  for (let x = 0; x < width; x++) {
    const u = Math.min(grid.width - 1, Math.max(0, (x + 0.5) / grid.cellPx - 0.5));
    left[x] = Math.floor(u);
    share[x] = u - left[x]!;
  }
  return [left, share];
}

const NOISE_MASK = 0xffff;

/** Uniform over one level, plus `grain` levels of Gaussian noise; seeded, so that equal plans give equal bytes. */
function makeNoise(grain: number): Float32Array {
  let state = 0x2545f491;
  const next = (): number => {
    // xorshift32, Marsaglia 2003.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return Float32Array.from({ length: NOISE_MASK + 1 }, () => {
    // Three uniforms, less their mean and times 2: near Gaussian with variance 1.
    const gaussian = (next() + next() + next() - 1.5) * 2;
    return next() + grain * gaussian;
  });
}

/** Linear light to coded values of 0 to 255, in place. */
export function encodeField(field: LightField): void {
  for (let i = 0; i < field.length; i++) {
    field[i] = encodeSrgb255(field[i]!);
  }
}
