/** Rays through the tree: the closest hit, and whether anything is hit at all. */
import { type Bvh, STACK_SIZE } from './bvh.ts';

/** The closest hit so far: `t` in lengths of the direction, the triangle's number and its barycentrics. */
export interface Hit {
  t: number;
  triangle: number;
  u: number;
  v: number;
}

const stack = new Int32Array(STACK_SIZE);
const stackNear = new Float64Array(STACK_SIZE);
/** Where in its triangle `meet` found the last hit. */
const barycentric = new Float64Array(2);
/** Division by a zero direction would give NaN in slabs that the ray lies in. */
const TINY = 1e-20;
const MISSED = Number.POSITIVE_INFINITY;

/** Improves `hit` when something lies nearer than `hit.t`; true when it did. Both sides of triangles count. */
export function findClosest(
  bvh: Bvh,
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  hit: Hit,
): boolean {
  const { bounds, nodes, corners } = bvh;
  const ix = 1 / (dx === 0 ? TINY : dx);
  const iy = 1 / (dy === 0 ? TINY : dy);
  const iz = 1 / (dz === 0 ? TINY : dz);
  let best = hit.t;
  let found = -1;
  let size = 0;
  let node = 0;
  if (bvh.triangleCount === 0 || enter(bounds, 0, ox, oy, oz, ix, iy, iz, best) === MISSED) {
    return false;
  }
  for (;;) {
    const first = nodes[node * 2]!;
    const count = nodes[node * 2 + 1]!;
    for (let triangle = first; triangle < first + count; triangle++) {
      const t = meet(corners, triangle * 9, ox, oy, oz, dx, dy, dz);
      if (t < best) {
        best = t;
        found = triangle;
        hit.u = barycentric[0]!;
        hit.v = barycentric[1]!;
      }
    }
    if (count === 0) {
      const nearA = enter(bounds, first, ox, oy, oz, ix, iy, iz, best);
      const nearB = enter(bounds, first + 1, ox, oy, oz, ix, iy, iz, best);
      if (nearA !== MISSED || nearB !== MISSED) {
        // The nearer child first; the other waits with the distance at which it begins.
        node = nearA <= nearB ? first : first + 1;
        const later = nearA <= nearB ? nearB : nearA;
        if (later !== MISSED) {
          stackNear[size] = later;
          stack[size++] = nearA <= nearB ? first + 1 : first;
        }
        continue;
      }
    }
    do {
      if (size === 0) {
        if (found >= 0) {
          hit.t = best;
          hit.triangle = found;
        }
        return found >= 0;
      }
      node = stack[--size]!;
    } while (stackNear[size]! >= best);
  }
}

/** True when anything lies nearer than `limit`. */
export function isBlocked(
  bvh: Bvh,
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  limit: number,
): boolean {
  const { bounds, nodes, corners } = bvh;
  const ix = 1 / (dx === 0 ? TINY : dx);
  const iy = 1 / (dy === 0 ? TINY : dy);
  const iz = 1 / (dz === 0 ? TINY : dz);
  if (bvh.triangleCount === 0) {
    return false;
  }
  stack[0] = 0;
  let size = 1;
  while (size > 0) {
    const node = stack[--size]!;
    if (enter(bounds, node, ox, oy, oz, ix, iy, iz, limit) === MISSED) {
      continue;
    }
    const first = nodes[node * 2]!;
    const count = nodes[node * 2 + 1]!;
    if (count === 0) {
      stack[size++] = first;
      stack[size++] = first + 1;
      continue;
    }
    for (let triangle = first; triangle < first + count; triangle++) {
      if (meet(corners, triangle * 9, ox, oy, oz, dx, dy, dz) < limit) {
        return true;
      }
    }
  }
  return false;
}

/** Moeller and Trumbore 1997: distance to the triangle whose numbers begin at `c`, or infinity. */
function meet(
  corners: Float32Array,
  c: number,
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const e1x = corners[c + 3]!;
  const e1y = corners[c + 4]!;
  const e1z = corners[c + 5]!;
  const e2x = corners[c + 6]!;
  const e2y = corners[c + 7]!;
  const e2z = corners[c + 8]!;
  const px = dy * e2z - dz * e2y;
  const py = dz * e2x - dx * e2z;
  const pz = dx * e2y - dy * e2x;
  const inverse = 1 / (e1x * px + e1y * py + e1z * pz);
  const sx = ox - corners[c]!;
  const sy = oy - corners[c + 1]!;
  const sz = oz - corners[c + 2]!;
  const u = (sx * px + sy * py + sz * pz) * inverse;
  if (!(u >= 0 && u <= 1)) {
    return MISSED;
  }
  const qx = sy * e1z - sz * e1y;
  const qy = sz * e1x - sx * e1z;
  const qz = sx * e1y - sy * e1x;
  const v = (dx * qx + dy * qy + dz * qz) * inverse;
  if (!(v >= 0 && u + v <= 1)) {
    return MISSED;
  }
  const t = (e2x * qx + e2y * qy + e2z * qz) * inverse;
  if (!(t > 0)) {
    return MISSED;
  }
  barycentric[0] = u;
  barycentric[1] = v;
  return t;
}

/** Where the ray enters a node's box, or infinity when it misses it or enters beyond `limit`. */
function enter(
  bounds: Float32Array,
  node: number,
  ox: number,
  oy: number,
  oz: number,
  ix: number,
  iy: number,
  iz: number,
  limit: number,
): number {
  const at = node * 6;
  const x0 = (bounds[at]! - ox) * ix;
  const x1 = (bounds[at + 3]! - ox) * ix;
  const y0 = (bounds[at + 1]! - oy) * iy;
  const y1 = (bounds[at + 4]! - oy) * iy;
  const z0 = (bounds[at + 2]! - oz) * iz;
  const z1 = (bounds[at + 5]! - oz) * iz;
  let near = x0 < x1 ? x0 : x1;
  let far = x0 < x1 ? x1 : x0;
  const nearY = y0 < y1 ? y0 : y1;
  const farY = y0 < y1 ? y1 : y0;
  const nearZ = z0 < z1 ? z0 : z1;
  const farZ = z0 < z1 ? z1 : z0;
  if (nearY > near) near = nearY;
  if (farY < far) far = farY;
  if (nearZ > near) near = nearZ;
  if (farZ < far) far = farZ;
  return far >= 0 && near <= far && near < limit ? near : MISSED;
}
