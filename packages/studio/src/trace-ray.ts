/** Ray queries on trees, computed by `ray-kernels.wasm`: the closest hit, and whether anything is hit. */
import { type Address, ensureMemory, type Kernels, openKernels } from 'packshot-pixels';
import type { Bvh } from './bvh.ts';

/** A ray's origin and direction. The passes reuse such objects, as new ones for each ray would cost time. */
export interface Ray {
  x: number;
  y: number;
  z: number;
  dx: number;
  dy: number;
  dz: number;
}

export const makeRay = (): Ray => ({ x: 0, y: 0, z: 0, dx: 0, dy: 0, dz: 0 });

/** Writes a ray that starts at (x, y, z), and returns it. */
export function aimRay(ray: Ray, x: number, y: number, z: number, dx: number, dy: number, dz: number): Ray {
  ray.x = x;
  ray.y = y;
  ray.z = z;
  ray.dx = dx;
  ray.dy = dy;
  ray.dz = dz;
  return ray;
}

/**
 * The closest hit so far: its distance `t` as a multiple of the ray's direction vector, the triangle's number, and the
 * hit's barycentric coordinates in the triangle.
 */
export interface Hit {
  t: number;
  triangle: number;
  u: number;
  v: number;
}

interface RayKernels extends Kernels {
  readonly hitAddress: Address;
  readonly trace: (
    tree: number,
    ox: number,
    oy: number,
    oz: number,
    dx: number,
    dy: number,
    dz: number,
    limit: number,
    any: boolean,
  ) => number;
}

const kernels = openKernels<RayKernels>(new URL('./ray-kernels.wasm', import.meta.url))();
const { trace } = kernels;

/**
 * Maximum number of trees kept in the kernel's memory. A picture needs at most three, and a thread draws one picture at
 * a time.
 */
const MAX_TREES = 4;
const trees: Bvh[] = [];
const addresses: number[] = [];
let nextAddress = kernels.freeMemory.value;
/** View of the kernel's memory: distance, u and v of its last hit. */
let found = viewHit();

/** Updates `hit` if there is a hit nearer than `hit.t`, and returns whether it did. Triangles are two-sided. */
export function findClosest(bvh: Bvh, { x, y, z, dx, dy, dz }: Ray, hit: Hit): boolean {
  const triangle = trace(addressOf(bvh), x, y, z, dx, dy, dz, hit.t, false);
  if (triangle < 0) {
    return false;
  }
  hit.triangle = triangle;
  hit.t = found[0]!;
  hit.u = found[1]!;
  hit.v = found[2]!;
  return true;
}

/** Returns whether the ray hits anything nearer than `limit`, which is in multiples of the direction. */
export function isBlocked(bvh: Bvh, { x, y, z, dx, dy, dz }: Ray, limit = Number.POSITIVE_INFINITY): boolean {
  return trace(addressOf(bvh), x, y, z, dx, dy, dz, limit, true) >= 0;
}

function addressOf(bvh: Bvh): number {
  for (let i = 0; i < trees.length; i++) {
    if (trees[i] === bvh) {
      return addresses[i]!;
    }
  }
  return load(bvh);
}

/**
 * Loads a tree into the kernel's memory. If that is full, evicts all trees; a tree that is still in use is loaded again
 * with its next ray.
 */
function load(bvh: Bvh): number {
  if (trees.length === MAX_TREES) {
    trees.length = 0;
    addresses.length = 0;
    nextAddress = kernels.freeMemory.value;
  }
  const address = nextAddress;
  nextAddress += (bvh.tree.byteLength + 15) & ~15;
  ensureMemory(kernels, nextAddress);
  found = viewHit();
  new Float32Array(kernels.memory.buffer, address, bvh.tree.length).set(bvh.tree);
  trees.push(bvh);
  addresses.push(address);
  return address;
}

function viewHit(): Float32Array {
  return new Float32Array(kernels.memory.buffer, kernels.hitAddress.value, 3);
}
