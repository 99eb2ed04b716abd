/**
 * Bounding volume hierarchy of a set's triangles: a binary tree built with the surface area heuristic, then laid out
 * for `ray-kernels.wasm`.
 */
import type { Mesh } from './meshes/mesh.ts';
import { type BinaryTree, layOutTree } from './tree-layout.ts';

/** A tree in flat typed arrays, which threads can share. */
export interface Bvh {
  readonly triangleCount: number;
  /** Lower and upper corner of the whole tree. */
  readonly bounds: Float32Array;
  /** In the layout of `layOutTree`. A triangle's number is its position in tree order, as in the arrays below. */
  readonly tree: Float32Array;
  /** Nine numbers per triangle: the unit normals at its corners. */
  readonly normals: Float32Array;
  /**
   * Three numbers per triangle: the normal of the flat triangle, of any length, on the same side as the normals at the
   * corners.
   */
  readonly faces: Float32Array;
  /** Material number of each triangle. */
  readonly materials: Uint8Array;
}

/** A mesh and its material number, 0 to 255. */
export interface Part {
  readonly mesh: Mesh;
  readonly material: number;
}

const BINS = 16;
/**
 * Maximum number of triangles per leaf, unless no plane separates them; Wald 2007, "On fast construction of SAH-based
 * bounding volume hierarchies".
 */
const LEAF_SIZE = 4;
/** Maximum depth of the tree, for which the kernel's stack has room; no scene reaches it. */
const MAX_DEPTH = 60;

interface Builder extends BinaryTree {
  /** Lower and upper corner: six numbers per triangle. */
  readonly boxes: Float32Array;
  nodeCount: number;
}

export function buildBvh(parts: readonly Part[]): Bvh {
  const count = parts.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
  const corners = new Float32Array(count * 9);
  const normals = new Float32Array(count * 9);
  const materials = new Uint8Array(count);
  collectTriangles(parts, corners, normals, materials);
  const builder: Builder = {
    corners,
    boxes: boundTriangles(corners, count),
    order: Uint32Array.from({ length: count }, (_, i) => i),
    bounds: new Float32Array(Math.max(1, count * 2) * 6),
    nodes: new Int32Array(Math.max(1, count * 2) * 2),
    nodeCount: 1,
  };
  split(builder, 0, 0, count, 0);
  const sorted = new Float32Array(count * 9);
  for (let i = 0; i < count; i++) {
    const from = builder.order[i]! * 9;
    sorted.set(normals.subarray(from, from + 9), i * 9);
  }
  return {
    triangleCount: count,
    bounds: builder.bounds.slice(0, 6),
    tree: layOutTree(builder),
    normals: sorted,
    faces: faceTriangles(builder, sorted),
    materials: Uint8Array.from(builder.order, (from) => materials[from]!),
  };
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

/**
 * Returns the normals of the flat triangles. Both the result and `normals` (nine numbers per triangle, at its corners)
 * are in tree order.
 */
function faceTriangles({ corners, order }: Builder, normals: Float32Array): Float32Array {
  const faces = new Float32Array(order.length * 3);
  for (let i = 0; i < order.length; i++) {
    const at = order[i]! * 9;
    const [ux, uy, uz] = edgeOf(corners, at, 3);
    const [vx, vy, vz] = edgeOf(corners, at, 6);
    const face = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] as const;
    let along = 0;
    for (let k = 0; k < 9; k++) along += normals[i * 9 + k]! * face[k % 3]!;
    for (let k = 0; k < 3; k++) faces[i * 3 + k] = along < 0 ? -face[k]! : face[k]!;
  }
  return faces;
}

function edgeOf(corners: Float32Array, at: number, to: 3 | 6): readonly [number, number, number] {
  return [
    corners[at + to]! - corners[at]!,
    corners[at + to + 1]! - corners[at + 1]!,
    corners[at + to + 2]! - corners[at + 2]!,
  ];
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

/** Builds the node with index `node`, and its subtree, for the triangles `order[from..to)`. */
function split(builder: Builder, node: number, from: number, to: number, depth: number): void {
  boundRange(builder, node, from, to);
  const middle = to - from <= LEAF_SIZE || depth >= MAX_DEPTH ? -1 : partition(builder, from, to);
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

/**
 * Partitions the triangles at the cheapest of up to 15 planes per axis. Returns the index of the first triangle on the
 * right side, or -1 if no plane separates the triangles.
 */
function partition(builder: Builder, from: number, to: number): number {
  const { boxes, order } = builder;
  let bestCost = Number.POSITIVE_INFINITY;
  let bestAxis = -1;
  let bestPlane = 0;
  let bestLow = 0;
  let bestScale = 0;
  // A node of n triangles needs no more than n - 1 planes.
  const bins = Math.min(BINS, to - from);
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
    const scale = bins / (high - low);
    fillBins(builder, from, to, axis, low, scale, bins);
    const plane = findPlane(bins);
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
    const bin = Math.min(bins - 1, ((boxes[box]! + boxes[box + 3]! - bestLow) * bestScale) | 0);
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
  bins: number,
): void {
  binCount.fill(0, 0, bins);
  for (let bin = 0; bin < bins; bin++) {
    binBounds.fill(Number.POSITIVE_INFINITY, bin * 6, bin * 6 + 3);
    binBounds.fill(Number.NEGATIVE_INFINITY, bin * 6 + 3, bin * 6 + 6);
  }
  for (let i = from; i < to; i++) {
    const box = order[i]! * 6;
    const bin = Math.min(bins - 1, ((boxes[box + axis]! + boxes[box + 3 + axis]! - low) * scale) | 0);
    binCount[bin] = binCount[bin]! + 1;
    const at = bin * 6;
    if (boxes[box]! < binBounds[at]!) binBounds[at] = boxes[box]!;
    if (boxes[box + 1]! < binBounds[at + 1]!) binBounds[at + 1] = boxes[box + 1]!;
    if (boxes[box + 2]! < binBounds[at + 2]!) binBounds[at + 2] = boxes[box + 2]!;
    if (boxes[box + 3]! > binBounds[at + 3]!) binBounds[at + 3] = boxes[box + 3]!;
    if (boxes[box + 4]! > binBounds[at + 4]!) binBounds[at + 4] = boxes[box + 4]!;
    if (boxes[box + 5]! > binBounds[at + 5]!) binBounds[at + 5] = boxes[box + 5]!;
  }
}

/** Writes the surface area cost of splitting before each bin to `rightArea` and returns the cheapest plane. */
function findPlane(bins: number): number {
  let count = 0;
  resetSweep();
  for (let bin = bins - 1; bin > 0; bin--) {
    count += growSweep(bin);
    rightArea[bin] = count === 0 ? Number.POSITIVE_INFINITY : count * sweepArea();
  }
  count = 0;
  resetSweep();
  let best = -1;
  for (let plane = 1; plane < bins; plane++) {
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
