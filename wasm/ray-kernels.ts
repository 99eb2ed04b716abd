/**
 * Traces a ray through a tree of boxes and triangles, testing four boxes or four triangles at a time with SIMD (Wald et
 * al. 2008, "Getting rid of packets"; Dammertz et al. 2008, "Shallow bounding volume hierarchies"). Layout of
 * the tree, which `tree-layout.ts` writes:
 *
 * - a node has 32 floats: the four children's lower x, upper x, lower y, upper y, lower z, upper z; four references; a
 *   mask of the children that exist; three unused. A reference is an offset from the tree's start, in units of
 *   32 bytes, with a negative sign for a leaf.
 * - a leaf has 40 floats: for four triangles, the x, y and z of a corner and of the two edges from that corner; the
 *   number of the first triangle; three unused. Missing triangles have edges of length 0, which no ray meets.
 */

/** Start of free memory; the caller decides its layout. */
export const freeMemory: usize = (__heap_base + 15) & ~15;

/** Distance, u and v of the last hit, as floats. */
export const hitAddress: usize = memory.data(16, 16);

/**
 * Stack of waiting nodes: a reference and a distance each. A tree is at most 62 levels deep, with three
 * waiting nodes per level.
 */
const stack: usize = memory.data(8 * 256, 16);
/** Four floats each: entry distances of a node's boxes; t, u and v on a leaf's triangles. */
const nears: usize = memory.data(16, 16);
const ts: usize = memory.data(16, 16);
const us: usize = memory.data(16, 16);
const vs: usize = memory.data(16, 16);

/** Boxes are enlarged by the rounding error of three operations (Ize 2013, "Robust BVH ray traversal"). */
const ROUNDING: f32 = 1.0000004;
/**
 * Replaces a zero component of the direction. The reciprocal of zero is infinite, and infinity times zero is NaN if the
 * ray starts in the plane of a box's face.
 */
const TINY: f32 = 1e-20;

/**
 * Index of the closest triangle that the ray hits, from either side, before `limit`; -1 if there is none. `hitAddress`
 * points to the details of the hit. With `any`, stops at the first hit and returns 0 instead, without details.
 */
export function trace(
  tree: usize,
  ox: f32,
  oy: f32,
  oz: f32,
  dx: f32,
  dy: f32,
  dz: f32,
  limit: f32,
  any: bool,
): i32 {
  const x = f32x4.splat(ox);
  const y = f32x4.splat(oy);
  const z = f32x4.splat(oz);
  const ix = f32x4.splat(1 / (dx === 0 ? TINY : dx));
  const iy = f32x4.splat(1 / (dy === 0 ? TINY : dy));
  const iz = f32x4.splat(1 / (dz === 0 ? TINY : dz));
  const wx = f32x4.splat(dx);
  const wy = f32x4.splat(dy);
  const wz = f32x4.splat(dz);
  let best = limit;
  let found: i32 = -1;
  store<u64>(stack, 0);
  let top = stack + 8;
  while (top !== stack) {
    top -= 8;
    if (load<f32>(top, 4) >= best) {
      continue;
    }
    const reference = load<i32>(top);
    if (reference >= 0) {
      const node = tree + (usize(reference) << 5);
      let mask = enter(node, x, y, z, ix, iy, iz, best);
      const bottom = top;
      while (mask !== 0) {
        const lane = usize(ctz(mask)) << 2;
        mask &= mask - 1;
        const near = load<f32>(nears + lane);
        // The nearest child ends up on top of the stack.
        let at = top;
        top += 8;
        while (at > bottom && load<f32>(at - 4) < near) {
          store<u64>(at, load<u64>(at - 8));
          at -= 8;
        }
        store<i32>(at, i32(load<f32>(node + lane, 96)));
        store<f32>(at, near, 4);
      }
    } else {
      const leaf = tree + (usize(-reference) << 5);
      let met = meet(leaf, x, y, z, wx, wy, wz, best);
      if (any && met !== 0) {
        return 0;
      }
      while (met !== 0) {
        const lane = usize(ctz(met)) << 2;
        met &= met - 1;
        const t = load<f32>(ts + lane);
        if (t < best) {
          best = t;
          found = i32(load<f32>(leaf, 144)) + i32(lane >> 2);
          store<f32>(hitAddress, t);
          store<f32>(hitAddress, load<f32>(us + lane), 4);
          store<f32>(hitAddress, load<f32>(vs + lane), 8);
        }
      }
    }
  }
  return found;
}

/** Bit mask of the children whose boxes the ray enters before `limit`; writes the distances to `nears`. */
function enter(node: usize, x: v128, y: v128, z: v128, ix: v128, iy: v128, iz: v128, limit: f32): i32 {
  const x0 = f32x4.mul(f32x4.sub(v128.load(node), x), ix);
  const x1 = f32x4.mul(f32x4.sub(v128.load(node, 16), x), ix);
  const y0 = f32x4.mul(f32x4.sub(v128.load(node, 32), y), iy);
  const y1 = f32x4.mul(f32x4.sub(v128.load(node, 48), y), iy);
  const z0 = f32x4.mul(f32x4.sub(v128.load(node, 64), z), iz);
  const z1 = f32x4.mul(f32x4.sub(v128.load(node, 80), z), iz);
  const near = f32x4.pmax(
    f32x4.pmax(f32x4.pmin(x0, x1), f32x4.pmin(y0, y1)),
    f32x4.pmax(f32x4.pmin(z0, z1), f32x4.splat(0)),
  );
  const far = f32x4.mul(
    f32x4.pmin(f32x4.pmin(f32x4.pmax(x0, x1), f32x4.pmax(y0, y1)), f32x4.pmax(z0, z1)),
    f32x4.splat(ROUNDING),
  );
  v128.store(nears, near);
  const enters = v128.and(f32x4.le(near, far), f32x4.lt(near, f32x4.splat(limit)));
  return i32x4.bitmask(enters) & i32(load<f32>(node, 112));
}

/**
 * Moeller and Trumbore 1997: bit mask of the triangles that the ray hits before `limit`; writes `ts`, `us`,
 * `vs`.
 */
function meet(leaf: usize, x: v128, y: v128, z: v128, dx: v128, dy: v128, dz: v128, limit: f32): i32 {
  const e1x = v128.load(leaf, 48);
  const e1y = v128.load(leaf, 64);
  const e1z = v128.load(leaf, 80);
  const e2x = v128.load(leaf, 96);
  const e2y = v128.load(leaf, 112);
  const e2z = v128.load(leaf, 128);
  const px = f32x4.sub(f32x4.mul(dy, e2z), f32x4.mul(dz, e2y));
  const py = f32x4.sub(f32x4.mul(dz, e2x), f32x4.mul(dx, e2z));
  const pz = f32x4.sub(f32x4.mul(dx, e2y), f32x4.mul(dy, e2x));
  const inverse = f32x4.div(
    f32x4.splat(1),
    f32x4.add(f32x4.add(f32x4.mul(e1x, px), f32x4.mul(e1y, py)), f32x4.mul(e1z, pz)),
  );
  const sx = f32x4.sub(x, v128.load(leaf));
  const sy = f32x4.sub(y, v128.load(leaf, 16));
  const sz = f32x4.sub(z, v128.load(leaf, 32));
  const u = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(sx, px), f32x4.mul(sy, py)), f32x4.mul(sz, pz)), inverse);
  const qx = f32x4.sub(f32x4.mul(sy, e1z), f32x4.mul(sz, e1y));
  const qy = f32x4.sub(f32x4.mul(sz, e1x), f32x4.mul(sx, e1z));
  const qz = f32x4.sub(f32x4.mul(sx, e1y), f32x4.mul(sy, e1x));
  const v = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(dx, qx), f32x4.mul(dy, qy)), f32x4.mul(dz, qz)), inverse);
  const t = f32x4.mul(
    f32x4.add(f32x4.add(f32x4.mul(e2x, qx), f32x4.mul(e2y, qy)), f32x4.mul(e2z, qz)),
    inverse,
  );
  const zero = f32x4.splat(0);
  // Comparisons with the NaN of a missing triangle are false.
  const inside = v128.and(
    v128.and(f32x4.ge(u, zero), f32x4.ge(v, zero)),
    f32x4.le(f32x4.add(u, v), f32x4.splat(1)),
  );
  const met = i32x4.bitmask(v128.and(inside, v128.and(f32x4.gt(t, zero), f32x4.lt(t, f32x4.splat(limit)))));
  if (met !== 0) {
    v128.store(ts, t);
    v128.store(us, u);
    v128.store(vs, v);
  }
  return met;
}
