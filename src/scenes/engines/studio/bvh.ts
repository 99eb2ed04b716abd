/** The tree over a set's triangles, flat in typed arrays so that threads can share it. */
import type { Mesh } from './meshes/mesh.ts';

export interface Bvh {
  readonly triangleCount: number;
  /** Nine numbers a triangle in tree order: a corner and the two edges from it (Moeller and Trumbore 1997). */
  readonly corners: Float32Array;
  /** Nine numbers a triangle: the unit normals at its corners. */
  readonly normals: Float32Array;
  /** Material number of each triangle. */
  readonly materials: Uint8Array;
  /** Six numbers a node: lower and upper bounds. */
  readonly bounds: Float32Array;
  /** Two numbers a node: first triangle and count of a leaf, or first child (the second follows it) and 0. */
  readonly nodes: Int32Array;
}

/** One mesh and the number of what it is made of, 0 to 255. */
export interface Part {
  readonly mesh: Mesh;
  readonly material: number;
}

const BINS = 16;
/** Triangles in a leaf; Wald 2007, "On fast construction of SAH-based bounding volume hierarchies". */
const LEAF_SIZE = 4;
/** Deeper trees than any scene makes: a stack of this size is enough for the walk. */
export const STACK_SIZE = 64;

interface Builder {
  /** Lower corner, upper corner, six numbers a triangle. */
  readonly boxes: Float32Array;
  readonly order: Uint32Array;
  readonly bounds: Float32Array;
  readonly nodes: Int32Array;
  nodeCount: number;
}

export function buildBvh(parts: readonly Part[]): Bvh {
  const count = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
  const corners = new Float32Array(count * 9);
  const normals = new Float32Array(count * 9);
  const materials = new Uint8Array(count);
  collectTriangles(parts, corners, normals, materials);
  const builder: Builder = {
    boxes: boundTriangles(corners, count),
    order: Uint32Array.from({ length: count }, (_, i) => i),
    bounds: new Float32Array(Math.max(1, count * 2) * 6),
    nodes: new Int32Array(Math.max(1, count * 2) * 2),
    nodeCount: 1,
  };
  split(builder, 0, 0, count, 0);
  const sorted: Bvh = {
    triangleCount: count,
    corners: new Float32Array(count * 9),
    normals: new Float32Array(count * 9),
    materials: new Uint8Array(count),
    bounds: builder.bounds.slice(0, builder.nodeCount * 6),
    nodes: builder.nodes.slice(0, builder.nodeCount * 2),
  };
  for (let i = 0; i < count; i++) {
    const from = builder.order[i]!;
    for (let k = 0; k < 3; k++) {
      const a = corners[from * 9 + k]!;
      sorted.corners[i * 9 + k] = a;
      sorted.corners[i * 9 + 3 + k] = corners[from * 9 + 3 + k]! - a;
      sorted.corners[i * 9 + 6 + k] = corners[from * 9 + 6 + k]! - a;
    }
    sorted.normals.set(normals.subarray(from * 9, from * 9 + 9), i * 9);
    sorted.materials[i] = materials[from]!;
  }
  return sorted;
}

function collectTriangles(
  parts: readonly Part[],
  corners: Float32Array,
  normals: Float32Array,
  materials: Uint8Array,
): void {
  let next = 0;
  for (const { mesh, material } of parts) {
    for (let i = 0; i < mesh.indices.length; i++) {
      const vertex = mesh.indices[i]! * 3;
      for (let k = 0; k < 3; k++) {
        corners[next * 9 + (i % 3) * 3 + k] = mesh.positions[vertex + k]!;
        normals[next * 9 + (i % 3) * 3 + k] = mesh.normals[vertex + k]!;
      }
      if (i % 3 === 2) {
        materials[next++] = material;
      }
    }
  }
}

function boundTriangles(corners: Float32Array, count: number): Float32Array {
  const boxes = new Float32Array(count * 6);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [corners[i * 9 + k]!, corners[i * 9 + 3 + k]!, corners[i * 9 + 6 + k]!];
      boxes[i * 6 + k] = Math.min(a, b, c);
      boxes[i * 6 + 3 + k] = Math.max(a, b, c);
    }
  }
  return boxes;
}

/** Fills node `node` for `order[from..to)` and everything below it. */
function split(builder: Builder, node: number, from: number, to: number, depth: number): void {
  boundRange(builder, node, from, to);
  const middle = to - from <= LEAF_SIZE || depth >= STACK_SIZE - 2 ? -1 : partition(builder, from, to);
  if (middle < 0) {
    builder.nodes[node * 2] = from;
    builder.nodes[node * 2 + 1] = to - from;
    return;
  }
  const child = builder.nodeCount;
  builder.nodeCount += 2;
  builder.nodes[node * 2] = child;
  builder.nodes[node * 2 + 1] = 0;
  split(builder, child, from, middle, depth + 1);
  split(builder, child + 1, middle, to, depth + 1);
}

function boundRange({ boxes, order, bounds }: Builder, node: number, from: number, to: number): void {
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = from; i < to; i++) {
      const box = order[i]! * 6 + k;
      low = Math.min(low, boxes[box]!);
      high = Math.max(high, boxes[box + 3]!);
    }
    bounds[node * 6 + k] = low;
    bounds[node * 6 + 3 + k] = high;
  }
}

const binCount = new Int32Array(BINS);
const binBounds = new Float64Array(BINS * 6);
const rightArea = new Float64Array(BINS);
const sweepBox = new Float64Array(6);

/** The cheapest of 15 planes on each axis; returns where the right side starts, or -1 when nothing separates. */
function partition(builder: Builder, from: number, to: number): number {
  const { boxes, order } = builder;
  let bestCost = Number.POSITIVE_INFINITY;
  let bestAxis = -1;
  let bestPlane = 0;
  let bestLow = 0;
  let bestScale = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = from; i < to; i++) {
      const center = boxes[order[i]! * 6 + axis]! + boxes[order[i]! * 6 + 3 + axis]!;
      low = Math.min(low, center);
      high = Math.max(high, center);
    }
    if (!(high > low)) {
      continue;
    }
    const scale = BINS / (high - low);
    fillBins(builder, from, to, axis, low, scale);
    const plane = findPlane();
    if (plane >= 0 && rightArea[plane]! < bestCost) {
      bestCost = rightArea[plane]!;
      bestAxis = axis;
      bestPlane = plane;
      bestLow = low;
      bestScale = scale;
    }
  }
  if (bestAxis < 0) {
    return -1;
  }
  let left = from;
  for (let i = from; i < to; i++) {
    const box = order[i]! * 6 + bestAxis;
    const bin = Math.min(BINS - 1, ((boxes[box]! + boxes[box + 3]! - bestLow) * bestScale) | 0);
    if (bin < bestPlane) {
      const kept = order[left]!;
      order[left] = order[i]!;
      order[i] = kept;
      left++;
    }
  }
  return left > from && left < to ? left : -1;
}

function fillBins(
  { boxes, order }: Builder,
  from: number,
  to: number,
  axis: number,
  low: number,
  scale: number,
): void {
  binCount.fill(0);
  for (let bin = 0; bin < BINS; bin++) {
    binBounds.fill(Number.POSITIVE_INFINITY, bin * 6, bin * 6 + 3);
    binBounds.fill(Number.NEGATIVE_INFINITY, bin * 6 + 3, bin * 6 + 6);
  }
  for (let i = from; i < to; i++) {
    const box = order[i]! * 6;
    const bin = Math.min(BINS - 1, ((boxes[box + axis]! + boxes[box + 3 + axis]! - low) * scale) | 0);
    binCount[bin] = binCount[bin]! + 1;
    for (let k = 0; k < 3; k++) {
      binBounds[bin * 6 + k] = Math.min(binBounds[bin * 6 + k]!, boxes[box + k]!);
      binBounds[bin * 6 + 3 + k] = Math.max(binBounds[bin * 6 + 3 + k]!, boxes[box + 3 + k]!);
    }
  }
}

/** Leaves the surface-area cost of splitting before each bin in `rightArea` and returns the cheapest plane. */
function findPlane(): number {
  let count = 0;
  resetSweep();
  for (let bin = BINS - 1; bin > 0; bin--) {
    count += growSweep(bin);
    rightArea[bin] = count === 0 ? Number.POSITIVE_INFINITY : count * sweepArea();
  }
  count = 0;
  resetSweep();
  let best = -1;
  for (let plane = 1; plane < BINS; plane++) {
    count += growSweep(plane - 1);
    rightArea[plane] = count === 0 ? Number.POSITIVE_INFINITY : rightArea[plane]! + count * sweepArea();
    if (rightArea[plane]! < Number.POSITIVE_INFINITY && (best < 0 || rightArea[plane]! < rightArea[best]!)) {
      best = plane;
    }
  }
  return best;
}

function resetSweep(): void {
  sweepBox.fill(Number.POSITIVE_INFINITY, 0, 3);
  sweepBox.fill(Number.NEGATIVE_INFINITY, 3, 6);
}

function growSweep(bin: number): number {
  for (let k = 0; k < 3; k++) {
    sweepBox[k] = Math.min(sweepBox[k]!, binBounds[bin * 6 + k]!);
    sweepBox[k + 3] = Math.max(sweepBox[k + 3]!, binBounds[bin * 6 + 3 + k]!);
  }
  return binCount[bin]!;
}

function sweepArea(): number {
  const x = sweepBox[3]! - sweepBox[0]!;
  const y = sweepBox[4]! - sweepBox[1]!;
  const z = sweepBox[5]! - sweepBox[2]!;
  return x * y + y * z + z * x;
}
