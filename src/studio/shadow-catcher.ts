/**
 * Shadow catcher: computes the product's natural shadow on a level floor, for plain paper backgrounds and for backdrops
 * that the studio did not render.
 */

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

/** The assumed key light: high and large. */
const KEY = { elevationDeg: 62, radiusDeg: 9 } as const;
/**
 * Fraction of the floor's light that is lost where the product hides the key light, and where it hides the whole room.
 * The fractions that remain are multiplied: studio lights are so large that whatever hides the room also hides part of
 * the key light. Without this, mugs seemed to float on white paper.
 */
const KEY_DEPTH = 0.58;
const ROOM_DEPTH = 0.62;
const KEY_SAMPLES = 16;
const ROOM_SAMPLES = 24;
/** If this many first samples of a point are all lit or all dark, its other samples are skipped. */
const EARLY_SAMPLES = 4;
/**
 * Fraction of the hidden room light that a white product reflects back to the floor; more than in a dark set (see
 * `product-proxy`).
 */
const REFLECTED_SHARE = 0.2;
/** Distance between traced points, in cells. These soft shadows need no finer grid. */
const KEY_STEP = 2;
const ROOM_STEP = 4;
/**
 * Widths, in traced points, of the blurs that remove sampling noise. `FAINT_BLUR` is used where the room's shadow is
 * faint; otherwise white paper would look stained.
 */
const KEY_BLUR = 1.7;
const ROOM_BLUR = 1.2;
const FAINT_BLUR = 3.5;
const FAINT = { from: 0.3, to: 0.1 } as const;
/** The floor is traced from the camera to this z. Further behind a product of height 1, its shadow is invisible. */
const MIN_Z = -2.6;
/** Fraction of light from which the floor counts as fully lit, so that the shadow ends inside the frame. */
const UNSHADED = 0.985;
const TAN = 0.21;
/** Maximum width of the product in world units; a wider product is scaled to this width instead of to height 1. */
const MAX_SCALE_WIDTH = 1.35;
const PRODUCT_DEPTH = 0.4;
const LONG_CELLS = 60;
/** Minimum alpha of the pixels that are averaged; fainter pixels belong to the rim of the outline. */
const MIN_ALPHA = 24;
const RADIANS = Math.PI / 180;

export interface ShadowRequest {
  readonly canvas: CanvasSize;
  /** The grid over the canvas for which the shadow is computed. */
  readonly grid: Grid;
  readonly subject: PlacedSubject;
  /** Azimuth of the key light in degrees, negative to the left; undefined if there is only ambient light. */
  readonly azimuthDeg: number | undefined;
  /** Camera elevation above the level floor, 4 to 30 degrees. */
  readonly elevationDeg: number;
}

/** Returns the fraction of linear light, 0 to 1, that remains in each cell; exactly 1 where there is no shadow. */
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

/** Mean alpha of the product's pixels, 0 to 1. A translucent cutout, such as glass, casts a weaker shadow. */
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

/**
 * A camera above an infinite floor that sees a product of height 1 exactly where the caller placed the product's box.
 */
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

/** Sample points on the floor, evenly spaced on the canvas, row-major. */
interface FloorPoints {
  readonly width: number;
  readonly height: number;
  /** Grid cells between points. */
  readonly step: number;
  /** Extra points beyond the left, right and lower edges of the canvas, so that blurs have neighbors there. */
  readonly margin: number;
  /** Grid row of the first row of points. */
  readonly top: number;
  /** World x of each column at depth 1; `depth` is the depth of each row. */
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

/**
 * Each point of a tile of this many by this many points has its own directions. The tile repeats, which the blur hides.
 */
const TILE = 8;

/**
 * Makes `samples` unit vectors, three numbers each, for each point of a tile. `aim` maps two random numbers, 0 to 1, to
 * a direction.
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

/**
 * Returns, for each point, the fraction of its rays that the product blocks. If the first `early` rays agree, the
 * others are skipped.
 */
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
    // Uniform over the light's disc, using two unit vectors perpendicular to the light's direction.
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
