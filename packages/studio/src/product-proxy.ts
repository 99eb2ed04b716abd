/**
 * Proxy geometry that represents the product in light computations: its inflated silhouette, standing on the ground
 * where the photo shows its feet.
 */
import { type Box, linearLevels, type RgbaImage } from 'packshot-pixels';
import { type Bvh, buildBvh } from './bvh.ts';
import { type Camera, columnOf, rowOf, unprojectX, unprojectY } from './camera.ts';
import { type Corner, cover, type Filled, fillFeet } from './cover-silhouette.ts';
import { makeSilhouette, type PlacedSubject, type Silhouette } from './ground/silhouette.ts';
import { findStandingLine, type StandingLine } from './ground/standing-line.ts';
import { findUnderside, type Underside } from './ground/underside.ts';
import { cornerThickness, findBody, findLegs, inflate } from './inflate-silhouette.ts';
import { type Mesh, moveMesh } from './meshes/mesh.ts';
import type { StudioScene } from './studio-scene.ts';

/** The cutout at its final size, and the position of its top left corner on the canvas. */
export type StudioProduct = PlacedSubject;

export interface ProductProxy {
  readonly bvh: Bvh;
  /** Linear color for indirect light. */
  readonly bounceAlbedo: Float64Array;
  /** Writes the photo's linear color at a world point to `out`. */
  readonly colorAt: (x: number, y: number, z: number, out: Float64Array) => void;
}

/** The proxy as plain data. Each thread adds the functions itself. */
export interface ProxyShape {
  readonly bvh: Bvh;
  /** The photo's mean linear color, 3 channels. */
  readonly mean: Float64Array;
}

/** The properties of a scene that determine the product's placement. */
type ProxyStage = Pick<StudioScene, 'view' | 'baseY' | 'productDepth' | 'bodyDepth' | 'isBushy' | 'gap'> & {
  /** Cells along the silhouette's longer side; fewer are faster, and suffice for soft shadows. */
  readonly longCells?: number;
};

/**
 * A product that covers less than this fraction of its box, such as a plant or a lamp, is thin. Its grid has
 * `FINE_CELLS` cells along the longer side.
 */
const THIN_BELOW = 0.4;
const FINE_CELLS = 320;
/** Height of the foot of a thin or bushy product, such as a pot, as a fraction of the product's height. */
const FOOT_HEIGHT = 0.25;
/** Depth of each part of the crown, which is all that is above the foot, as a fraction of that part's width. */
const CROWN_DEPTH = { thin: 0.1, bushy: 0.35 } as const;
/** Angles, in degrees about the vertical, by which copies of a bushy product's crown are turned. */
const CROWN_TURNS = [50, 100, 155] as const;
/** Maximum distance of the feet behind z = 0, so that they stay in front of the wall. */
export const MAX_DEPTH = 1.2;
const LYING_GAP = 0.02;
/**
 * Multiplier for the proxy's color in indirect light. At full color, the proxy casts a pale glow on dark ground,
 * because its flat front catches too much key light. At 0.35, the ground in front of a white mug was brighter than
 * without the mug, so that the mug seemed to float.
 */
const BOUNCE_SHARE = 0.15;
/**
 * If the rearmost feet are at least this far behind the front feet, as a fraction of the product's depth, the photo
 * shows the rear legs.
 */
const MAX_SHOWN = 0.5;

export function openProxy({ bvh, mean }: ProxyShape, camera: Camera, product: StudioProduct): ProductProxy {
  return {
    bvh,
    bounceAlbedo: mean.map((channel) => channel * BOUNCE_SHARE),
    colorAt: makeColorAt(camera, product, mean),
  };
}

export function makeProxyShape(stage: ProxyStage, camera: Camera, product: StudioProduct): ProxyShape {
  const { silhouette, isThin } = cutCells(product.image, stage);
  const aspect = product.image.width / product.image.height;
  const line = findStandingLine(silhouette, aspect, product.lies);
  const box: Box = {
    x: product.x,
    y: product.y,
    width: product.image.width,
    height: product.image.height,
  };
  const flat = stage.view === 'flat-lay';
  const cell = unprojectX(camera, box.width / silhouette.columns, 0) - unprojectX(camera, 0, 0);
  const isPlain = !flat && !product.lies && stage.bodyDepth === undefined;
  const underside = isPlain ? findUnderside(silhouette, aspect) : undefined;
  const thickness = inflate(silhouette, line, flat, cell, stage.productDepth);
  const hasCrown = (isThin || stage.isBushy) && !product.lies;
  const crownRows = hasCrown ? silhouette.rows - Math.ceil(FOOT_HEIGHT * silhouette.rows) : 0;
  flattenCrown(thickness.subarray(0, crownRows * silhouette.columns), stage.isBushy ? 'bushy' : 'thin');
  if (underside !== undefined && underside.roundness > 0) {
    const round = inflate(
      silhouette,
      line,
      true,
      cell,
      Math.max(stage.productDepth, underside.radius * cell),
    );
    for (let i = crownRows * silhouette.columns; i < round.length; i++)
      thickness[i] = mix(thickness[i]!, round[i]!, underside.roundness);
  }
  const meshes = flat
    ? [coverFlat(silhouette, thickness, camera, box, stage.gap)]
    : coverStanding({ silhouette, line, underside, thickness, crownRows, camera, box, stage });
  return {
    bvh: buildBvh(meshes.map((mesh) => ({ mesh, material: 0 }))),
    mean: measureMean(product.image),
  };
}

/**
 * Divides the product into cells. A thin product gets a finer grid: in the usual grid, the stems of a plant and the
 * wires of a lamp are thinner than a cell, and would cast no shadow.
 */
function cutCells(
  image: RgbaImage,
  { view, longCells, bodyDepth }: ProxyStage,
): { readonly silhouette: Silhouette; readonly isThin: boolean } {
  const silhouette = makeSilhouette(image, longCells);
  const { coverage } = silhouette;
  const covered = coverage.reduce((sum, share) => sum + share, 0) / coverage.length;
  const isUsual = longCells !== undefined || bodyDepth !== undefined || view === 'flat-lay';
  return isUsual || covered >= THIN_BELOW
    ? { silhouette, isThin: false }
    : { silhouette: makeSilhouette(image, FINE_CELLS), isThin: true };
}

/**
 * Flattens what a thin or bushy product carries above its foot, such as blossoms. If a cluster of blossoms were as
 * deep as it is wide, like a ball, its shadow would have no gaps and be wider than the cluster.
 */
function flattenCrown(thickness: Float32Array, kind: keyof typeof CROWN_DEPTH): void {
  for (const [i, half] of thickness.entries()) thickness[i] = CROWN_DEPTH[kind] * half;
}

interface Standing {
  readonly silhouette: Silhouette;
  readonly line: StandingLine;
  readonly underside: Underside | undefined;
  readonly thickness: Float32Array;
  /** Rows above the foot, counted from the top, if the product is thin or bushy; else 0. */
  readonly crownRows: number;
  readonly camera: Camera;
  readonly box: Box;
  readonly stage: ProxyStage;
}

/** Builds a standing product. Adds rear legs if it is a kind of furniture and its photo does not show them. */
function coverStanding({
  silhouette,
  line,
  underside,
  thickness,
  crownRows,
  camera,
  box,
  stage,
}: Standing): Mesh[] {
  const { columns, rows } = silhouette;
  const { baseY, bodyDepth } = stage;
  const depths = Float32Array.from({ length: columns }, (_, column) => {
    const row = box.y + (line.ground[column]! / rows) * box.height;
    // Intersection of the ray through the foot's pixel with the ground.
    const drop = camera.eyeY - unprojectY(camera, row, 0);
    return drop <= 0
      ? -MAX_DEPTH
      : Math.max(-MAX_DEPTH, Math.min(0.3, camera.distance * (1 - (camera.eyeY - baseY) / drop)));
  });
  // Excludes the tenth of the columns with the least depth and the tenth with the greatest, which may belong to a rim
  // rather than a foot.
  const inOrder = depths.toSorted();
  const shown = inOrder[Math.floor(0.9 * columns)]! - inOrder[Math.floor(0.1 * columns)]!;
  smoothDepths(depths);
  const { roundness, lift } = settle({ silhouette, line, underside, camera, box, stage }, depths);
  const middle = findMiddle(depths, line, thickness.subarray(crownRows * columns), roundness);
  // If rear feet are visible, their distance is part of the product's depth.
  const showsRear = bodyDepth !== undefined && shown > MAX_SHOWN * bodyDepth;
  const hidden = bodyDepth === undefined ? 0 : Math.max(0, showsRear ? bodyDepth - shown : bodyDepth);
  const body = hidden > 0 ? findBody(silhouette) : undefined;
  const deep = thickness.map((half, cell) => (body?.[cell] === 1 ? Math.max(half, hidden / 2) : half));
  const filled = fillFeet(silhouette, line);
  const cornerAt =
    (halves: Float32Array, back: number): Corner =>
    (x, y, sx, sy) => {
      const column = Math.min(columns - 1, x);
      const before = Math.max(0, x - 1);
      const t = cornerThickness(halves, columns, rows, x, y);
      const isCrown = crownRows > 0 && y <= crownRows;
      const foot = isCrown ? middle : (depths[column]! + depths[before]!) / 2;
      const z = isCrown ? middle + t : foot + roundness * t - Math.max(0, back - 2 * t);
      return {
        x: unprojectX(camera, box.x + (sx / columns) * box.width, foot),
        y: Math.max(baseY, lift + unprojectY(camera, box.y + (sy / rows) * box.height, foot)),
        frontZ: z,
        backZ: z - 2 * t,
      };
    };
  const whole = cover(silhouette, filled, cornerAt(deep, 0));
  if (stage.isBushy && crownRows > 0)
    return [whole, ...turnCrown(columns, crownRows, filled, cornerAt(thickness, 0))];
  if (body === undefined || showsRear) return [whole];
  const legs = findLegs(silhouette, line, body);
  const isLeg: Filled = (column, row) =>
    filled(column, row) && legs[column] === 1 && body[row * columns + column] === 0;
  return [whole, cover(silhouette, isLeg, cornerAt(thickness, hidden))];
}

/**
 * Copies of a bushy product's crown (all that is above its foot), turned about the vertical through the crown's
 * centroid. From the side, a plant looks much as it does from the front. Without the copies, it would be as flat as
 * its photo, and its shadow on the ground a wedge that ends in a point.
 */
function turnCrown(columns: number, rows: number, filled: Filled, cornerAt: Corner): Mesh[] {
  const crown = cover({ columns, rows }, (column, row) => row < rows && filled(column, row), cornerAt);
  const axis = centroidOf(columns, rows, filled);
  const { x, frontZ, backZ } = cornerAt(axis, rows - 1, axis, rows - 1);
  const z = (frontZ + backZ) / 2;
  const atAxis = moveMesh(crown, { at: [-x, 0, -z] });
  return CROWN_TURNS.map((degrees) =>
    moveMesh(atAxis, { at: [x, 0, z], turn: [0, (degrees * Math.PI) / 180, 0] }),
  );
}

/** The mean column of the filled cells in the first `rows` rows, as a whole number. */
function centroidOf(columns: number, rows: number, filled: Filled): number {
  let sum = 0;
  let count = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!filled(column, row)) continue;
      sum += column + 0.5;
      count++;
    }
  }
  return Math.round(sum / Math.max(1, count));
}

/**
 * z coordinate of the middle of a foot, such as a pot or the legs of a tripod, above which the crown stands upright.
 * `depths` has the foot's front in each column (its middle if the foot is round), and `thickness` half the thickness
 * of the foot's cells. If each column of the crown stood at its own depth, as the columns of other products do, the
 * crown's shadow would be distorted.
 */
function findMiddle(
  depths: Float32Array,
  { touches }: StandingLine,
  thickness: Float32Array,
  roundness: number,
): number {
  const inOrder = depths.filter((_, column) => touches[column] === 1).toSorted();
  const at = (share: number): number => inOrder[Math.floor(share * inOrder.length)] ?? 0;
  const half = thickness.reduce((most, own) => Math.max(most, own), 0);
  return Math.min(at(0.9) - (1 - roundness) * half, (at(0.1) + at(0.9)) / 2);
}

/**
 * In `depths`, moves the foot of a product with a round underside to the point where it touches the ground. The lower
 * outline hides this point: seen from the elevation e, the tangent to a ball of radius r meets the ground r tan(e / 2)
 * in front of the point. The result's `lift` is the height by which the moved outline must be raised to reach the
 * ground.
 */
function settle(
  { silhouette, line, underside, camera, box, stage }: Omit<Standing, 'thickness' | 'crownRows'>,
  depths: Float32Array,
): { readonly roundness: number; readonly lift: number } {
  if (underside === undefined || underside.roundness === 0) return { roundness: 0, lift: 0 };
  const { roundness, radius } = underside;
  const { columns, rows } = silhouette;
  const lowest = line.contour.reduce((low, row, column) => (row > line.contour[low]! ? column : low), 0);
  const front = depths[lowest]!;
  const elevation = Math.atan((camera.eyeY - stage.baseY) / (camera.distance - front));
  const size = (radius / columns) * (unprojectX(camera, box.width, front) - unprojectX(camera, 0, front));
  const touch = front - size * Math.tan(elevation / 2);
  for (const [column, depth] of depths.entries()) depths[column] = mix(depth, touch, roundness);
  const row = box.y + (line.contour[lowest]! / rows) * box.height;
  return { roundness, lift: Math.max(0, stage.baseY - unprojectY(camera, row, depths[lowest]!)) };
}

const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

/**
 * Smooths the depths of the feet. From a low camera, one row of the silhouette corresponds to a long stretch of floor,
 * whose steps would otherwise show in the shadow's edge.
 */
function smoothDepths(depths: Float32Array): void {
  for (let pass = 0; pass < 3; pass++) {
    let before = depths[0]!;
    for (let i = 0; i < depths.length; i++) {
      const own = depths[i]!;
      depths[i] = 0.25 * before + 0.5 * own + 0.25 * (depths[i + 1] ?? own);
      before = own;
    }
  }
}

/** Builds a product that lies on z = 0, or hangs `gap` in front of it, and bulges toward the camera. */
function coverFlat(
  silhouette: Silhouette,
  thickness: Float32Array,
  camera: Camera,
  box: Box,
  gap = LYING_GAP,
): Mesh {
  const { columns, rows } = silhouette;
  const level = new Float32Array(columns).fill(rows);
  const touches = new Uint8Array(columns);
  const line: StandingLine = { contour: level, ground: level, gap: level, touches, seenFromAbove: true };
  return cover(silhouette, fillFeet(silhouette, line), (x, y, sx, sy) => {
    const t = cornerThickness(thickness, columns, rows, x, y);
    // Slightly above the ground plane; on it, the cells' steps would cause a jagged contact line.
    return {
      x: unprojectX(camera, box.x + (sx / columns) * box.width, 0),
      y: unprojectY(camera, box.y + (sy / rows) * box.height, 0),
      frontZ: 2 * t + gap,
      backZ: gap,
    };
  });
}

function measureMean(image: RgbaImage): Float64Array {
  const sum = new Float64Array(3);
  let total = 0;
  const step = Math.max(1, Math.floor(Math.sqrt((image.width * image.height) / 40_000)));
  for (let y = 0; y < image.height; y += step) {
    for (let x = 0; x < image.width; x += step) {
      const at = (y * image.width + x) * 4;
      const alpha = image.data[at + 3]!;
      total += alpha;
      for (let c = 0; c < 3; c++) {
        sum[c] = sum[c]! + alpha * linearLevels[image.data[at + c]!]!;
      }
    }
  }
  return sum.map((value) => value / Math.max(1, total));
}

function makeColorAt(
  camera: Camera,
  { image, x, y }: StudioProduct,
  mean: Float64Array,
): ProductProxy['colorAt'] {
  return (worldX, worldY, worldZ, out) => {
    const column = Math.round(columnOf(camera, worldX, worldZ) - x - 0.5);
    const row = Math.round(rowOf(camera, worldY, worldZ) - y - 0.5);
    const inside = column >= 0 && row >= 0 && column < image.width && row < image.height;
    const at = (row * image.width + column) * 4;
    for (let c = 0; c < 3; c++) {
      out[c] = inside && image.data[at + 3]! > 127 ? linearLevels[image.data[at + c]!]! : mean[c]!;
    }
  };
}
