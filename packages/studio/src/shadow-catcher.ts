/**
 * Shadow catcher: computes the product's natural shadow on a level floor, for plain paper backgrounds and for backdrops
 * that the studio did not render.
 */

import { blurGaussian, type CanvasSize, ramp } from 'packshot-pixels';
import type { Bvh } from './bvh.ts';
import type { Camera } from './camera.ts';
import { shadeContact } from './contact-shadow.ts';
import type { Grid } from './ground/grid.ts';
import type { PlacedSubject } from './ground/silhouette.ts';
import { RAY_OFFSET } from './key-light.ts';
import type { Vec3 } from './meshes/mesh.ts';
import { hashUnit } from './noise.ts';
import { makeProxyShape } from './product-proxy.ts';
import { firstOf, gradientOffset, secondOf, thirdOf } from './random-sequence.ts';
import { aimRay, isBlocked, makeRay } from './trace-ray.ts';

/**
 * The assumed key light: a softbox about as far from the product as the softbox is wide, so that the shadow is dark
 * only near the contact.
 */
const KEY = { elevationDeg: 58, radiusDeg: 24 } as const;
/**
 * Distance, in product heights, at which a part of the product blocks only e^-1 of the key light that it would block up
 * close. White paper and the studio around it fill in the rest. Without this falloff, the head of a desk lamp had a
 * shadow of its own, separate from that of its foot.
 */
const KEY_REACH = 0.9;
/** Fraction of the floor's light that is lost where the product hides the key light. */
const KEY_DEPTH = 0.75;
const KEY_SAMPLES = 24;
/** Distance between traced points, in cells. These soft shadows need no finer grid. */
const KEY_STEP = 3;
/**
 * Widths, in traced points, of the blurs that remove sampling noise. Where the shadow is faint, the wider `faintSigma`
 * is used: the noise that `sigma` leaves there would make white paper look stained.
 */
const KEY_BLUR = { sigma: 1.2, faintSigma: 5 } as const;
const FAINT = { from: 0.3, to: 0.1 } as const;
/** The floor is traced from the camera back to this z. Beyond it, the shadow of a product of height 1 is invisible. */
const MIN_Z = -2.6;
const TAN = 0.21;
/** Maximum width of the product in world units; a wider product is scaled to this width instead of to height 1. */
const MAX_SCALE_WIDTH = 1.35;
const PRODUCT_DEPTH = 0.4;
const LONG_CELLS = 60;
/** Minimum alpha of the pixels that are averaged; fainter pixels belong to the rim of the outline. */
const MIN_ALPHA = 24;
/** Elevation of the camera above the level floor: product photos look down 10 to 20 degrees. */
const ELEVATION_DEG = 15;
const RADIANS = Math.PI / 180;

export interface ShadowRequest {
  readonly canvas: CanvasSize;
  /** The grid over the canvas for which the shadow is computed. */
  readonly grid: Grid;
  readonly subject: PlacedSubject;
  /** Azimuth of the key light in degrees, negative to the left; undefined if all light is soft. */
  readonly azimuthDeg: number | undefined;
  /** Darkness of the shadow, 0 to 1. */
  readonly strength: number;
  /** 0 (hard) to 1 (soft); default 0.5. */
  readonly softness?: number | undefined;
}

/** How much wider a shadow of the greatest softness is than one of the middle. */
const WIDEST = 2;

/** Returns the fraction of linear light, 0 to 1, that remains in each cell. */
export function catchShadow(request: ShadowRequest): Float32Array {
  const { canvas, grid, subject, azimuthDeg, strength, softness = 0.5 } = request;
  const width = WIDEST ** (2 * softness - 1);
  const kept = new Float32Array(grid.width * grid.height).fill(1);
  const dark = strength * measureOpacity(subject.image);
  shadeContact(kept, grid, subject, dark, width);
  if (azimuthDeg === undefined) return kept;
  const camera = makeFloorCamera(canvas, subject);
  const stage = { view: 'standing', baseY: 0, productDepth: PRODUCT_DEPTH, longCells: LONG_CELLS } as const;
  const { bvh } = makeProxyShape(stage, camera, subject);
  const points = layPoints(camera, grid, { step: KEY_STEP, margin: marginOf(KEY_BLUR) });
  multiply(
    kept,
    grid,
    smooth(traceKey(bvh, points, azimuthDeg, width), points, KEY_BLUR),
    points,
    dark * KEY_DEPTH,
  );
  return kept;
}

interface Blur {
  readonly sigma: number;
  readonly faintSigma: number;
}

const marginOf = ({ faintSigma }: Blur): number => Math.ceil(3 * faintSigma);

function smooth(hidden: Float32Array, points: FloorPoints, { sigma, faintSigma }: Blur): Float32Array {
  const faint = hidden.slice();
  blurGaussian(hidden, points, { sigmaX: sigma, sigmaY: sigma });
  blurGaussian(faint, points, { sigmaX: faintSigma, sigmaY: faintSigma });
  return faint.map((wide, i) => {
    return wide + (hidden[i]! - wide) * ramp(FAINT.to, FAINT.from, wide);
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
function makeFloorCamera({ width, height }: CanvasSize, { image, y }: PlacedSubject): Camera {
  const frameHeight = height / Math.max(image.height, image.width / MAX_SCALE_WIDTH);
  const distance = frameHeight / (2 * TAN);
  const slope = Math.tan(ELEVATION_DEG * RADIANS);
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
 * Points per side of a square tile, in which each point has its own ray directions. The tile repeats, which the blur
 * hides.
 */
const TILE = 8;

/**
 * Makes `samples` rays, three numbers each, for each point of a tile. `aim` maps two random numbers, 0 to 1, to a unit
 * vector; `reach` maps a third one to the ray's length.
 */
function makeRays(
  samples: number,
  aim: (r1: number, r2: number) => Vec3,
  reach: (r3: number) => number,
): Float32Array {
  const rays = new Float32Array(TILE * TILE * samples * 3);
  for (let point = 0; point < TILE * TILE; point++) {
    const offset1 = gradientOffset(point % TILE, Math.floor(point / TILE));
    const offset2 = hashUnit(point);
    for (let sample = 0; sample < samples; sample++) {
      const length = reach(thirdOf(sample, offset2));
      const direction = aim(firstOf(sample, offset1), secondOf(sample, offset2));
      rays.set(
        direction.map((axis) => axis * length),
        (point * samples + sample) * 3,
      );
    }
  }
  return rays;
}

/** Returns, for each point, the fraction of its rays that the product blocks. */
function traceFloor(
  bvh: Bvh,
  { width, height, across, depth, distance }: FloorPoints,
  rays: Float32Array,
): Float32Array {
  const samples = rays.length / (TILE * TILE * 3);
  const hidden = new Float32Array(width * height);
  const ray = makeRay();
  for (let row = 0; row < height; row++) {
    const z = distance - depth[row]!;
    for (let column = 0; column < width; column++) {
      const x = across[column]! * depth[row]!;
      let at = ((row % TILE) * TILE + (column % TILE)) * samples * 3;
      let blocked = 0;
      for (let sample = 0; sample < samples; sample++, at += 3) {
        aimRay(ray, x, RAY_OFFSET, z, rays[at]!, rays[at + 1]!, rays[at + 2]!);
        if (isBlocked(bvh, ray, 1)) blocked++;
      }
      hidden[row * width + column] = blocked / samples;
    }
  }
  return hidden;
}

/** `width` is that of the light, as a multiple of the usual one. */
function traceKey(bvh: Bvh, points: FloorPoints, azimuthDeg: number, width: number): Float32Array {
  const [azimuth, elevation] = [azimuthDeg * RADIANS, KEY.elevationDeg * RADIANS];
  const flat = Math.cos(elevation);
  const [dx, dy, dz] = [Math.sin(azimuth) * flat, Math.sin(elevation), Math.cos(azimuth) * flat];
  const spread = 1 - Math.cos(KEY.radiusDeg * width * RADIANS);
  const toLight = (r1: number, r2: number): Vec3 => {
    // Uniform over the light's disc, using two unit vectors perpendicular to the light's direction.
    const cos = 1 - r1 * spread;
    const sin = Math.sqrt(1 - cos * cos);
    const a = (sin * Math.cos(2 * Math.PI * r2)) / flat;
    const b = (sin * Math.sin(2 * Math.PI * r2)) / flat;
    return [dx * cos + dz * a - dy * dx * b, dy * cos + flat * flat * b, dz * cos - dx * a - dy * dz * b];
  };
  // A ray reaches beyond the distance d with the probability exp(-(d / KEY_REACH)^2).
  const reach = (r3: number): number => KEY_REACH * Math.sqrt(-Math.log(1 - r3));
  return traceFloor(bvh, points, makeRays(KEY_SAMPLES, toLight, reach));
}

/** Multiplies each cell's light by `1 - depth * hidden`; `hidden` is interpolated bilinearly between points. */
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
