/** Step: renders the light of the backdrop on a coarse grid, and upsamples the grid to pixels. */

import {
  type CanvasSize,
  encodeSrgb255,
  linearColor,
  linearFromOklab,
  oklabFromLinear,
} from 'packshot-pixels';
import type { Grid } from 'packshot-studio';
import type { Backdrop, GradientStop, Sweep } from '../recipes/catalogue.ts';

/** Linear-light RGB of each grid cell, interleaved. */
export type LightField = Float32Array;

type PaintedBackdrop = Exclude<Backdrop, { kind: 'transparent' }>;

/** Writes one row of the grid into `field`. */
type RowPainter = (field: LightField, row: number) => void;

/** Returns the light of the backdrop. `footY`: canvas row of the ground line on which the subject stands. */
export function makeBackdrop(backdrop: PaintedBackdrop, grid: Grid, footY: number): LightField {
  const field = new Float32Array(grid.width * grid.height * 3);
  const paintRow = makeRowPainter(backdrop, grid, footY);
  for (let row = 0; row < grid.height; row++) paintRow(field, row);
  return field;
}

function makeRowPainter(backdrop: PaintedBackdrop, grid: Grid, footY: number): RowPainter {
  switch (backdrop.kind) {
    case 'solid': {
      const color = linearColor(backdrop.color);
      return (field, row) => {
        for (let at = 3 * row * grid.width; at < 3 * (row + 1) * grid.width; at += 3) {
          field.set(color, at);
        }
      };
    }
    case 'linear': {
      const angle = (backdrop.angleDeg * Math.PI) / 180;
      const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
      // As in CSS, the last color is exactly at the corner furthest along the direction, and the first color at the
      // opposite corner.
      const length = Math.abs(grid.width * dx) + Math.abs(grid.height * dy);
      return makeRampPainter(
        backdrop.stops,
        grid,
        (x, y) => 0.5 + ((x - grid.width / 2) * dx + (y - grid.height / 2) * dy) / length,
      );
    }
    case 'radial': {
      const [cx, cy] = [backdrop.center[0] * grid.width, backdrop.center[1] * grid.height];
      const radius = backdrop.radius * Math.max(grid.width, grid.height);
      return makeRampPainter(backdrop.stops, grid, (x, y) =>
        flattenCenter(Math.sqrt((x - cx) ** 2 + (y - cy) ** 2) / radius),
      );
    }
    case 'sweep':
      return makeSweepPainter(backdrop, grid, footY / grid.cellPx);
  }
}

const RAMP_STEPS = 2048;

/** Interpolates the stops in OKLab along a smooth curve, so that no stop is visible as a Mach band. */
function makeRampPainter(
  stops: readonly GradientStop[],
  grid: Grid,
  positionAt: (x: number, y: number) => number,
): RowPainter {
  const table = makeRamp(stops);
  return (field, row) => {
    for (let x = 0; x < grid.width; x++) {
      const position = Math.min(1, Math.max(0, positionAt(x + 0.5, row + 0.5)));
      const entry = 3 * Math.round(position * RAMP_STEPS);
      const at = 3 * (row * grid.width + x);
      field[at] = table[entry]!;
      field[at + 1] = table[entry + 1]!;
      field[at + 2] = table[entry + 2]!;
    }
  };
}

function makeRamp(stops: readonly GradientStop[]): Float32Array {
  const labs = stops.map((stop) => oklabFromLinear(linearColor(stop.color)));
  const table = new Float32Array(3 * (RAMP_STEPS + 1));
  for (let step = 0; step <= RAMP_STEPS; step++) {
    const position = easeHalf(step / RAMP_STEPS);
    const found = stops.findIndex((stop) => stop.at >= position);
    const right = found === -1 ? stops.length - 1 : Math.max(1, found);
    const [a, b] = [stops[right - 1]!, stops[right]!];
    const share = Math.min(1, Math.max(0, (position - a.at) / (b.at - a.at)));
    const mix = (channel: 0 | 1 | 2): number =>
      labs[right - 1]![channel] + (labs[right]![channel] - labs[right - 1]![channel]) * share;
    table.set(linearFromOklab([mix(0), mix(1), mix(2)]), 3 * step);
  }
  return table;
}

/** Flattens the gradient near 0, so that a glow has no peak at its center; leaves it linear further out. */
function flattenCenter(t: number): number {
  return Math.sqrt(t * t + 0.04) - 0.2 * (1 - Math.min(1, t)) - 0.02 * Math.min(1, t);
}

/** Averages a linear ramp with a smoothstep: flattens the ends, but keeps most of the slope in the middle. */
function easeHalf(t: number): number {
  return (t + t * t * (3 - 2 * t)) / 2;
}

function makeSweepPainter(sweep: Sweep, grid: Grid, footY: number): RowPainter {
  const paper = linearColor(sweep.color);
  const shorter = Math.min(grid.width, grid.height);
  const longer = Math.max(grid.width, grid.height);
  const turnY = footY - sweep.horizon * shorter;
  const halfTurn = sweep.curve * shorter;
  // The pool of light is a separable Gaussian: one factor per column times one factor per row.
  const fall = -1.6 / (sweep.poolRadius * longer) ** 2;
  const poolColumn = Float32Array.from({ length: grid.width }, (_, x) =>
    Math.exp(0.8 * fall * (x + 0.5 - sweep.poolX * grid.width) ** 2),
  );
  // Like the wall, the floor darkens toward both sides.
  const floorColumn = Float32Array.from(
    { length: grid.width },
    (_, x) => 1 - (1 - sweep.wallEdge) * ((x + 0.5 - grid.width / 2) / longer) ** 2,
  );
  return (field, row) => {
    const y = row + 0.5;
    const wallShare = smoothStep((turnY + halfTurn - y) / (2 * halfTurn));
    const front = Math.max(0, (y - footY) / Math.max(1, grid.height - footY));
    const poolRow = (1 - sweep.wallEdge) * Math.exp(fall * (y - turnY + 0.28 * longer) ** 2);
    // The curve between floor and wall faces neither the ceiling light nor the key light. So it is slightly darker,
    // which separates the floor from the wall.
    const dip = 1 - 0.2 * wallShare * (1 - wallShare);
    const floorRow = (1 - wallShare) * dip * (1 + (sweep.floorFront - 1) * front * front);
    const wallRow = wallShare * dip * sweep.wall;
    for (let x = 0; x < grid.width; x++) {
      const level = floorRow * floorColumn[x]! + wallRow * (sweep.wallEdge + poolRow * poolColumn[x]!);
      const at = 3 * (row * grid.width + x);
      field[at] = paper[0] * level;
      field[at + 1] = paper[1] * level;
      field[at + 2] = paper[2] * level;
    }
  };
}

function smoothStep(t: number): number {
  const clamped = Math.min(1, Math.max(0, t));
  return clamped * clamped * clamped * (clamped * (6 * clamped - 15) + 10);
}

/** Multiplies the field, in place, by the share of light that reaches each cell (0 to 1). */
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
 * Upsamples `channels` interleaved values of 0 to 255 from grid to canvas, bilinearly, with dithering: random offsets
 * before rounding hide the banding of slow gradients, and keep whole values exact. `grain` adds noise of nearly one
 * level, against banding in wide smooth areas; then, whole values do not stay exact.
 */
export function paintField(
  field: Float32Array,
  grid: Grid,
  {
    canvas,
    channels,
    grain,
  }: { readonly canvas: CanvasSize; readonly channels: 1 | 3; readonly grain: boolean },
): Uint8Array {
  const { width, height } = canvas;
  const pixels = new Uint8Array(width * height * channels);
  const span = grid.width * channels;
  const line = new Float32Array(span + channels);
  const [left, share] = sampleColumns(width, grid);
  const noise = grain ? grainNoise : ditherNoise;
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

/** For each canvas column: the grid column to its left, and the weight of the grid column to its right. */
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

/** Standard deviation of the grain, in 8-bit levels: 0.9 hides banding and stays below visible noise. */
const GRAIN_LEVELS = 0.9;
const ditherNoise = makeNoise(0);
const grainNoise = makeNoise(GRAIN_LEVELS);

/** Uniform over one level, plus Gaussian noise of `grain` levels. Seeded, so that equal plans give equal bytes. */
function makeNoise(grain: number): Float32Array {
  let state = 0x2545f491;
  const next = (): number => {
    // xorshift32 (Marsaglia 2003).
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return Float32Array.from({ length: NOISE_MASK + 1 }, () => {
    // The centered sum of three uniforms, times 2, approximates a Gaussian with variance 1.
    const gaussian = (next() + next() + next() - 1.5) * 2;
    return next() + grain * gaussian;
  });
}

/** Converts linear light to sRGB values of 0 to 255, in place. */
export function encodeField(field: LightField): void {
  for (let i = 0; i < field.length; i++) field[i] = encodeSrgb255(field[i]!);
}
