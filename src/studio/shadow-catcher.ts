/** Shadow catcher: the product's natural shadow on a level floor, for paper sweeps and foreign backdrops. */

import type { CanvasSize } from '../pixels.ts';
import type { Bvh } from './bvh.ts';
import type { Camera } from './camera.ts';
import { blurGaussian } from './ground/gaussian-blur.ts';
import type { Grid } from './ground/grid.ts';
import type { PlacedSubject } from './ground/silhouette.ts';
import { RAY_OFFSET } from './key-light.ts';
import type { Vec3 } from './meshes/mesh.ts';
import { hashUnit } from './noise.ts';
import { makeProxyShape } from './product-proxy.ts';
import { firstOf, gradientOffset, secondOf } from './random-sequence.ts';
import { isBlocked } from './trace-ray.ts';

/** A high, broad light. */
const KEY = { elevationDeg: 62, radiusDeg: 9 } as const;
/**
 * Fraction of the floor's light lost where the key light is hidden, and where the whole room is. The two are
 * multiplied, because studio lights are so large that anything that hides the room also hides part of the key
 * light. When they were added, mugs floated on white paper.
 */
const KEY_DEPTH = 0.58;
const ROOM_DEPTH = 0.62;
const KEY_SAMPLES = 16;
const ROOM_SAMPLES = 24;
/** If this many first samples are all lit or all dark, the rest are skipped. */
const EARLY_SAMPLES = 4;
/** Fraction of the hidden room light that the product reflects back; more than in a dark set (see product-proxy). */
const REFLECTED_SHARE = 0.2;
/** Cells between traced points. These soft shadows need no finer grid. */
const KEY_STEP = 2;
const ROOM_STEP = 4;
/**
 * Blur widths that remove sampling noise, in traced points. Where the room's shadow is faint, the wider blur
 * is used; otherwise white paper would look stained.
 */
const KEY_BLUR = 1.7;
const ROOM_BLUR = 1.2;
const FAINT_BLUR = 3.5;
const FAINT = { from: 0.3, to: 0.1 } as const;
/** Beyond this distance behind a product of height 1, its shadow is invisible. */
const MIN_Z = -2.6;
/** Minimum fraction treated as full light, so that the shadow ends inside the frame. */
const UNSHADED = 0.985;
const TAN = 0.21;
/** Wider products are scaled by their width. */
const MAX_SCALE_WIDTH = 1.35;
const PRODUCT_DEPTH = 0.4;
const LONG_CELLS = 60;
/** Fainter pixels belong to the rim of the outline. */
const MIN_ALPHA = 24;
const RADIANS = Math.PI / 180;

export interface ShadowRequest {
  readonly canvas: CanvasSize;
  /** The canvas grid to compute the shadow for. */
  readonly grid: Grid;
  readonly subject: PlacedSubject;
  /** Azimuth of the light in degrees, negative is left; undefined for ambient light only. */
  readonly azimuthDeg: number | undefined;
  /** Camera elevation above the level floor, 4 to 30 degrees. */
  readonly elevationDeg: number;
}

/** Fraction of linear light, 0 to 1, that remains in each cell; exactly 1 without shadow. */
export function catchShadow({
  canvas,
  grid,
  subject,
  azimuthDeg,
  elevationDeg,
}: ShadowRequest): Float32Array {
  const camera = makeFloorCamera(canvas, subject, elevationDeg);
  const { bvh, mean } = makeProxyShape(
    { view: 'standing', baseY: 0, productDepth: PRODUCT_DEPTH, longCells: LONG_CELLS },
    camera,
    subject,
  );
  const opacity = measureOpacity(subject.image);
  const brightness = 0.2126 * mean[0]! + 0.7152 * mean[1]! + 0.0722 * mean[2]!;
  const kept = new Float32Array(grid.width * grid.height).fill(1);
  const roomPoints = layPoints(camera, grid, { step: ROOM_STEP, margin: Math.ceil(3 * FAINT_BLUR) });
  const room = smoothFaint(traceRoom(bvh, roomPoints), roomPoints);
  multiply(kept, grid, room, roomPoints, opacity * ROOM_DEPTH * (1 - REFLECTED_SHARE * brightness));
  if (azimuthDeg !== undefined) {
    const keyPoints = layPoints(camera, grid, { step: KEY_STEP, margin: Math.ceil(3 * KEY_BLUR) });
    const keyShadow = traceKey(bvh, keyPoints, azimuthDeg);
    blurGaussian(keyShadow, keyPoints, { sigmaX: KEY_BLUR, sigmaY: KEY_BLUR });
    multiply(kept, grid, keyShadow, keyPoints, opacity * KEY_DEPTH);
  }
  return kept.map((share) => Math.min(1, share / UNSHADED));
}

function smoothFaint(hidden: Float32Array, points: FloorPoints): Float32Array {
  const faint = hidden.slice();
  blurGaussian(hidden, points, { sigmaX: ROOM_BLUR, sigmaY: ROOM_BLUR });
  blurGaussian(faint, points, { sigmaX: FAINT_BLUR, sigmaY: FAINT_BLUR });
  return faint.map((wide, i) => {
    const t = Math.min(1, Math.max(0, (wide - FAINT.to) / (FAINT.from - FAINT.to)));
    return wide + (hidden[i]! - wide) * t;
  });
}

/** Mean alpha of visible pixels: a cutout of glass transmits light. */
function measureOpacity({ data }: PlacedSubject['image']): number {
  let sum = 0;
  let seen = 0;
  for (let at = 3; at < data.length; at += 4) {
    if (data[at]! > MIN_ALPHA) {
      sum += data[at]!;
      seen += 255;
    }
  }
  return seen === 0 ? 0 : sum / seen;
}

/** A camera over an infinite floor for which the product's box is where the caller put it; the product is 1 high. */
function makeFloorCamera(
  { width, height }: CanvasSize,
  { image, y }: PlacedSubject,
  elevationDeg: number,
): Camera {
  const frameHeight = height / Math.max(image.height, image.width / MAX_SCALE_WIDTH);
  const distance = frameHeight / (2 * TAN);
  const slope = Math.tan(elevationDeg * RADIANS);
  const footRow = y + image.height;
  return {
    width,
    height,
    eyeY: slope * distance,
    distance,
    tanX: (TAN * width) / height,
    tanY: TAN,
    shift: -slope - TAN * (1 - (2 * footRow) / height),
    shiftX: 0,
    frameHeight,
  };
}

/** Sample points on the floor, at a fixed spacing on the canvas; row-major. */
interface FloorPoints {
  readonly width: number;
  readonly height: number;
  /** Grid cells between points. */
  readonly step: number;
  /** Extra points left of, right of and below the canvas, so that blurs have valid neighbors at its edges. */
  readonly margin: number;
  /** Grid row of the first row of points. */
  readonly top: number;
  /** World x at depth 1 per column, world depth per row. */
  readonly across: Float32Array;
  readonly depth: Float32Array;
  readonly distance: number;
}

function layPoints(
  camera: Camera,
  grid: Grid,
  { step, margin }: Pick<FloorPoints, 'step' | 'margin'>,
): FloorPoints {
  const { width, height, tanX, tanY, shift, eyeY, distance } = camera;
  const depthOf = (cell: number): number =>
    -eyeY / Math.min(-1e-6, (1 - (2 * cell * grid.cellPx) / height) * tanY + shift);
  let top = 0;
  while (top < grid.height - step && distance - depthOf(top) < MIN_Z) {
    top += step;
  }
  const rows = Math.ceil((grid.height - top) / step) + 1 + margin;
  const columns = Math.ceil(grid.width / step) + 1 + 2 * margin;
  return {
    width: columns,
    height: rows,
    step,
    margin,
    top,
    across: Float32Array.from(
      { length: columns },
      (_, column) => ((2 * (column - margin) * step * grid.cellPx) / width - 1) * tanX,
    ),
    depth: Float32Array.from({ length: rows }, (_, row) => depthOf(top + row * step)),
    distance,
  };
}

/** Side of the tile of points with different rays; the blur hides its repetition. */
const TILE = 8;

/**
 * Unit vectors, three numbers each: `samples` for each point of a tile. `aim` maps two numbers, 0 to 1, to a
 * direction.
 */
function makeDirections(samples: number, aim: (r1: number, r2: number) => Vec3): Float32Array {
  const directions = new Float32Array(TILE * TILE * samples * 3);
  for (let point = 0; point < TILE * TILE; point++) {
    const offset1 = gradientOffset(point % TILE, Math.floor(point / TILE));
    const offset2 = hashUnit(point);
    for (let sample = 0; sample < samples; sample++) {
      const direction = aim(firstOf(sample, offset1), secondOf(sample, offset2));
      directions.set(direction, (point * samples + sample) * 3);
    }
  }
  return directions;
}

/** Fraction of each point's rays that the product blocks. If the first `early` rays agree, the others are skipped. */
function traceFloor(
  bvh: Bvh,
  { width, height, across, depth, distance }: FloorPoints,
  directions: Float32Array,
  early: number,
): Float32Array {
  const samples = directions.length / (TILE * TILE * 3);
  const hidden = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    const z = distance - depth[row]!;
    for (let column = 0; column < width; column++) {
      const x = across[column]! * depth[row]!;
      let at = ((row % TILE) * TILE + (column % TILE)) * samples * 3;
      let blocked = 0;
      let taken = 0;
      while (taken < samples && !(taken === early && blocked % early === 0)) {
        const [dx, dy, dz] = [directions[at]!, directions[at + 1]!, directions[at + 2]!];
        blocked += isBlocked(bvh, x, RAY_OFFSET, z, dx, dy, dz, Number.POSITIVE_INFINITY) ? 1 : 0;
        taken++;
        at += 3;
      }
      hidden[row * width + column] = blocked / taken;
    }
  }
  return hidden;
}

function traceKey(bvh: Bvh, points: FloorPoints, azimuthDeg: number): Float32Array {
  const [azimuth, elevation] = [azimuthDeg * RADIANS, KEY.elevationDeg * RADIANS];
  const flat = Math.cos(elevation);
  const [dx, dy, dz] = [Math.sin(azimuth) * flat, Math.sin(elevation), Math.cos(azimuth) * flat];
  const spread = 1 - Math.cos(KEY.radiusDeg * RADIANS);
  const directions = makeDirections(KEY_SAMPLES, (r1, r2) => {
    // Uniform over the disc, on two unit vectors perpendicular to the light's direction.
    const cos = 1 - r1 * spread;
    const sin = Math.sqrt(1 - cos * cos);
    const a = (sin * Math.cos(2 * Math.PI * r2)) / flat;
    const b = (sin * Math.sin(2 * Math.PI * r2)) / flat;
    return [dx * cos + dz * a - dy * dx * b, dy * cos + flat * flat * b, dz * cos - dx * a - dy * dz * b];
  });
  return traceFloor(bvh, points, directions, EARLY_SAMPLES);
}

function traceRoom(bvh: Bvh, points: FloorPoints): Float32Array {
  const directions = makeDirections(ROOM_SAMPLES, (r1, r2) => {
    // Cosine-distributed around the floor's normal.
    const radius = Math.sqrt(r1);
    const phi = 2 * Math.PI * r2;
    return [radius * Math.cos(phi), Math.sqrt(1 - r1), radius * Math.sin(phi)];
  });
  return traceFloor(bvh, points, directions, ROOM_SAMPLES);
}

/** Multiplies each cell's light by 1 - `depth` times the hidden fraction, bilinear between points. */
function multiply(
  kept: Float32Array,
  grid: Grid,
  hidden: Float32Array,
  { width, step, margin, top }: FloorPoints,
  depth: number,
): void {
  for (let y = top; y < grid.height; y++) {
    const v = (y + 0.5 - top) / step;
    const upper = Math.floor(v) * width;
    const down = v - Math.floor(v);
    for (let x = 0; x < grid.width; x++) {
      const u = (x + 0.5) / step + margin;
      const at = upper + Math.floor(u);
      const across = u - Math.floor(u);
      const a = hidden[at]! + (hidden[at + 1]! - hidden[at]!) * across;
      const b = hidden[at + width]! + (hidden[at + width + 1]! - hidden[at + width]!) * across;
      const cell = y * grid.width + x;
      kept[cell] = kept[cell]! * (1 - depth * (a + (b - a) * down));
    }
  }
}
