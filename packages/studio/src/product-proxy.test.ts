import { describe, expect, it } from 'vitest';
import { frameProduct, makeCamera, unprojectX } from './camera.ts';
import { makeProxyShape, openProxy, type StudioProduct } from './product-proxy.ts';
import type { StudioScene } from './studio-scene.ts';
import { aimRay, findClosest, type Hit, makeRay } from './trace-ray.ts';

const rayFrom = (...ray: [number, number, number, number, number, number]) => aimRay(makeRay(), ...ray);

const scene: StudioScene = {
  seed: 1,
  view: 'standing',
  subject: { width: 0.5, height: 1 },
  baseY: 0.2,
  camera: { tan: 0.21, elevDeg: 11, fillH: 0.56, fillW: 0.62, baseline: 0.17 },
  backdrop: undefined,
  materials: {},
  objects: [],
  key: { az: -40, el: 40, angularRadius: 1, color: [1, 1, 1], intensity: 1 },
  environment: { bottom: [0.3, 0.3, 0.3], top: [0.5, 0.5, 0.5], front: [0, 0, 0] },
  gobo: undefined,
  depthOfField: 0,
  tone: { exposure: 1, grain: 0, vignette: 0 },
  productDepth: 0.4,
};
const canvas = { width: 400, height: 400 };

/** A product in the box that the scene assigns to it: red where `covers` returns true, else transparent. */
function makeProduct(of: StudioScene, covers: (u: number, v: number) => boolean): StudioProduct {
  const box = frameProduct(of, canvas, 0.5);
  const data = new Uint8Array(box.width * box.height * 4);
  for (let y = 0; y < box.height; y++) {
    for (let x = 0; x < box.width; x++) {
      const inside = covers((x + 0.5) / box.width, (y + 0.5) / box.height);
      data.set([200, 20, 30, inside ? 255 : 0], (y * box.width + x) * 4);
    }
  }
  return { image: { width: box.width, height: box.height, data }, x: box.x, y: box.y };
}

function boundsOf(of: StudioScene, product: StudioProduct): Float32Array {
  return makeProxyShape(of, makeCamera(of, canvas), product).bvh.bounds.subarray(0, 6);
}

describe('the product’s proxy', () => {
  it('stands on the ground, is as large as the product, and extends back from z = 0', () => {
    const [lowX, lowY, lowZ, highX, highY, highZ] = boundsOf(
      scene,
      makeProduct(scene, () => true),
    );
    expect(lowY).toBeCloseTo(0.2, 2);
    expect(highY).toBeCloseTo(1.2, 1);
    expect(highX! - lowX!).toBeCloseTo(0.5, 1);
    expect(highZ).toBeCloseTo(0, 1);
    // The proxy is as deep as it is wide: 0.5.
    expect(lowZ).toBeLessThan(-0.35);
    expect(lowZ).toBeGreaterThan(-0.6);
  });

  it('puts both feet on the ground, one further back, if the product was photographed at an angle', () => {
    const table = makeProduct(scene, (u, v) => v < 0.3 || (u < 0.15 && v < 0.94) || u > 0.85);
    const camera = makeCamera(scene, canvas);
    const { bvh } = makeProxyShape(scene, camera, table);
    const standAt = (u: number): number => {
      const hit: Hit = { t: 3, triangle: -1, u: 0, v: 0 };
      const column = table.x + u * table.image.width;
      // A ray along the ground, toward the back, in the vertical plane through the eye and this column.
      const aside = unprojectX(camera, column, 0) / camera.distance;
      const x = unprojectX(camera, column, 0.5);
      const found = findClosest(bvh, rayFrom(x, 0.21, 0.5, aside, 0, -1), hit);
      return found ? 0.5 - hit.t : Number.NaN;
    };
    expect(standAt(0.93)).toBeCloseTo(0, 1);
    expect(standAt(0.12)).toBeLessThan(-0.2);
  });

  it('is only as deep at a handle as the handle is wide, and lets light through the hole', () => {
    const mug = makeProduct(scene, (u, v) => {
      const isHandle = u >= 0.6 && v > 0.3 && v < 0.7;
      const isHole = u < 0.92 && v > 0.35 && v < 0.65;
      return u < 0.6 || (isHandle && !isHole);
    });
    const camera = makeCamera(scene, canvas);
    const { bvh } = makeProxyShape(scene, camera, mug);
    const backAt = (u: number): number => {
      const hit: Hit = { t: 3, triangle: -1, u: 0, v: 0 };
      const x = unprojectX(camera, mug.x + u * mug.image.width, 0);
      return findClosest(bvh, rayFrom(x, 0.7, -1.5, 0, 0, 1), hit) ? hit.t - 1.5 : Number.NaN;
    };
    expect(backAt(0.3)).toBeLessThan(-0.22);
    expect(backAt(0.96)).toBeGreaterThan(-0.1);
    expect(backAt(0.8)).toBeNaN();
  });

  it('has the stem of a flower, which is much thinner than a cell of the usual grid', () => {
    const flower = makeProduct(scene, (u, v) => v > 0.8 || (v < 0.2 && u < 0.6) || Math.abs(u - 0.5) < 0.008);
    const { bvh } = makeProxyShape(scene, makeCamera(scene, canvas), flower);
    const isHit = (x: number, y: number): boolean =>
      findClosest(bvh, rayFrom(x, y, 3, 0, 0, -1), { t: 10, triangle: -1, u: 0, v: 0 });
    for (const height of [0.6, 0.7, 0.8, 0.9]) {
      expect(isHit(0, height)).toBe(true);
      expect(isHit(0.03, height)).toBe(false);
    }
  });

  it('has blossoms that are flatter than a ball of their width, above a pot as deep as it is wide', () => {
    const plant = makeProduct(scene, (u, v) =>
      v > 0.8 ? Math.abs(u - 0.5) < 0.2 : v < 0.2 ? Math.abs(u - 0.5) < 0.2 : Math.abs(u - 0.5) < 0.01,
    );
    const { bvh } = makeProxyShape(scene, makeCamera(scene, canvas), plant);
    const depthAt = (height: number): number => {
      const hit: Hit = { t: 9, triangle: -1, u: 0, v: 0 };
      const front = findClosest(bvh, rayFrom(0, height, 1, 0, 0, -1), hit) ? 1 - hit.t : Number.NaN;
      hit.t = 9;
      const back = findClosest(bvh, rayFrom(0, height, -2, 0, 0, 1), hit) ? -2 + hit.t : Number.NaN;
      return front - back;
    };
    expect(depthAt(0.3)).toBeGreaterThan(0.12);
    expect(depthAt(1.1)).toBeLessThan(0.04);
    expect(depthAt(1.1)).toBeGreaterThan(0.005);
  });

  it('carries blossoms and stem at one depth, above the middle of a round pot', () => {
    const plant = makeProduct(scene, (u, v) => {
      const aside = Math.abs(u - 0.5) / 0.2;
      const isPot = v > 0.8 && aside < 1 && v < 1 - 0.05 * aside ** 2;
      const isBlossom = v < 0.2 && u < 0.4;
      return isPot || isBlossom || (v > 0.1 && v < 0.2 && u < 0.5) || (v > 0.1 && Math.abs(u - 0.5) < 0.01);
    });
    const camera = makeCamera(scene, canvas);
    const { bvh } = makeProxyShape(scene, camera, plant);
    const middleAt = (u: number, height: number): number => {
      const x = unprojectX(camera, plant.x + u * plant.image.width, 0);
      const hit: Hit = { t: 9, triangle: -1, u: 0, v: 0 };
      const front = findClosest(bvh, rayFrom(x, height, 1, 0, 0, -1), hit) ? 1 - hit.t : Number.NaN;
      hit.t = 9;
      return (front + (findClosest(bvh, rayFrom(x, height, -2, 0, 0, 1), hit) ? -2 + hit.t : Number.NaN)) / 2;
    };
    expect(middleAt(0.2, 1.1)).toBeCloseTo(middleAt(0.5, 0.8), 2);
    expect(middleAt(0.2, 1.1)).toBeCloseTo(middleAt(0.5, 0.3), 1);
    expect(middleAt(0.2, 1.1)).toBeCloseTo(middleAt(0.5, 0.25), 1);
  });

  it('carries its stems above the middle of a vase that is a ball', () => {
    const plant = makeProduct(scene, (u, v) => {
      const isVase = Math.hypot((u - 0.5) * 0.5, v - 0.85) < 0.15;
      return isVase || (v < 0.8 && Math.abs(u - 0.5) < 0.01) || (v < 0.15 && Math.abs(u - 0.5) < 0.2);
    });
    const { bvh } = makeProxyShape(scene, makeCamera(scene, canvas), plant);
    const spanAt = (height: number): readonly [number, number] => {
      const hit: Hit = { t: 9, triangle: -1, u: 0, v: 0 };
      const front = findClosest(bvh, rayFrom(0, height, 1, 0, 0, -1), hit) ? 1 - hit.t : Number.NaN;
      hit.t = 9;
      return [front, findClosest(bvh, rayFrom(0, height, -2, 0, 0, 1), hit) ? -2 + hit.t : Number.NaN];
    };
    const [front, back] = spanAt(0.35);
    const stem = spanAt(0.8);
    expect(front - back).toBeGreaterThan(0.2);
    expect(stem[0] - stem[1]).toBeLessThan(0.05);
    expect((stem[0] + stem[1]) / 2).toBeCloseTo((front + back) / 2, 1);
  });

  it('has a crown as deep as wide if the product is bushy', () => {
    const plant = (u: number, v: number) =>
      v > 0.7
        ? Math.abs(u - 0.5) < 0.3
        : Math.abs(u - 0.5) < 0.06 || (v < 0.3 && Math.abs(u - 0.5) % 0.2 < 0.1);
    const product = makeProduct(scene, plant);
    const depthOf = (of: StudioScene): number => {
      const [, , lowZ, , , highZ] = boundsOf(of, product);
      return highZ! - lowZ!;
    };
    expect(depthOf({ ...scene, isBushy: true })).toBeGreaterThan(0.45);
    expect(depthOf({ ...scene, isBushy: true })).toBeLessThan(0.55);
    expect(depthOf(scene)).toBeLessThan(0.35);
  });

  it('is a whole ball if the product is a ball, and touches the ground behind its lower outline', () => {
    // In the lower half of the box, which is half as wide as high.
    const ball = makeProduct(scene, (u, v) => Math.hypot(u - 0.5, 2 * (v - 0.75)) < 0.5);
    const { bvh } = makeProxyShape(scene, makeCamera(scene, canvas), ball);
    const [lowX, , lowZ, highX, , highZ] = bvh.bounds.subarray(0, 6);
    expect(highZ! - lowZ!).toBeCloseTo(highX! - lowX!, 1);
    // The radius is 0.25 and the camera's elevation 11 degrees.
    const touch = -0.25 * Math.tan((5.5 * Math.PI) / 180);
    expect((lowZ! + highZ!) / 2).toBeCloseTo(touch, 1);
    // Heights of the underside above the ground, at the contact and half the radius behind and in front of it.
    const heights = [-0.125, 0, 0.125].map((aside) => {
      const hit: Hit = { t: 3, triangle: -1, u: 0, v: 0 };
      return findClosest(bvh, rayFrom(0.013, 0.1, touch + aside, 0, 1, 0), hit) ? hit.t - 0.1 : Number.NaN;
    });
    expect(heights[1]).toBeLessThan(0.015);
    for (const height of [heights[0]!, heights[2]!]) {
      expect(height).toBeGreaterThan(0.015);
      expect(height).toBeLessThan(0.06);
    }
  });

  it('gives furniture its estimated depth, with rear legs and open space between the legs', () => {
    const bench = makeProduct(scene, (u, v) => v < 0.8 || u < 0.08 || u > 0.92);
    const deep: StudioScene = { ...scene, bodyDepth: 0.6 };
    const camera = makeCamera(scene, canvas);
    const isSolid = (of: StudioScene, x: number, y: number, z: number): boolean => {
      const { bvh } = makeProxyShape(of, camera, bench);
      const hit: Hit = { t: 0.05, triangle: -1, u: 0, v: 0 };
      return (
        findClosest(bvh, rayFrom(x - 0.05, y, z, 1, 0, 0), hit) ||
        findClosest(bvh, rayFrom(x + 0.05, y, z, -1, 0, 0), hit)
      );
    };
    const [, , lowZ, , , highZ] = boundsOf(deep, bench);
    expect(highZ! - lowZ!).toBeGreaterThan(0.55);
    expect(highZ! - lowZ!).toBeLessThan(0.7);
    // A leg at the front, a leg at the rear, and nothing between them.
    const leg = unprojectX(camera, bench.x + 0.04 * bench.image.width, 0);
    expect(isSolid(deep, leg, 0.28, -0.01)).toBe(true);
    expect(isSolid(deep, leg, 0.28, -0.59)).toBe(true);
    expect(isSolid(deep, leg, 0.28, -0.3)).toBe(false);
    expect(isSolid(scene, leg, 0.28, -0.59)).toBe(false);
  });

  it('lies on the plane of a flat lay and bulges toward the camera', () => {
    const flat: StudioScene = { ...scene, view: 'flat-lay', baseY: 0, productDepth: 0.05 };
    const [, , lowZ, , , highZ] = boundsOf(
      flat,
      makeProduct(flat, () => true),
    );
    expect(lowZ).toBeGreaterThan(0);
    expect(highZ).toBeGreaterThan(0.08);
    expect(highZ).toBeLessThan(0.15);
  });

  it('shows its own color in reflections, and bounces a darker color onto the set', () => {
    const product = makeProduct(scene, () => true);
    const camera = makeCamera(scene, canvas);
    const proxy = openProxy(makeProxyShape(scene, camera, product), camera, product);
    const out = new Float64Array(3);
    proxy.colorAt(0, 0.7, 0, out);
    expect(out[0]).toBeCloseTo(0.578, 2);
    expect(proxy.bounceAlbedo[0]).toBeCloseTo(0.15 * 0.578, 2);
  });
});
