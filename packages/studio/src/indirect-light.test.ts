import { describe, expect, it } from 'vitest';
import { type BuiltSet, buildSet } from './built-set.ts';
import { buildBvh } from './bvh.ts';
import { makeCamera } from './camera.ts';
import { measureDiffuse, measureGlossy } from './indirect-light.ts';
import { measureKey } from './key-light.ts';
import { makeBox } from './meshes/blocks.ts';
import { makeWall } from './meshes/ground.ts';
import { moveMesh } from './meshes/mesh.ts';
import { makeSky } from './sky.ts';
import type { StudioScene } from './studio-scene.ts';

const scene: StudioScene = {
  seed: 3,
  view: 'standing',
  subject: { width: 0.5, height: 1 },
  baseY: 0,
  camera: { tan: 0.21, elevDeg: 11, fillH: 0.56, fillW: 0.62, baseline: 0.17 },
  backdrop: undefined,
  materials: { gray: { kind: 'matte', color: '#bcbcbc' } },
  objects: [],
  key: { az: -90, el: 45, angularRadius: 4, color: [1, 1, 1], intensity: 1 },
  environment: { bottom: [0.5, 0.5, 0.5], top: [0.5, 0.5, 0.5], front: [0, 0, 0] },
  gobo: undefined,
  depthOfField: 0,
  tone: { exposure: 1, grain: 0, vignette: 0 },
  productDepth: 0.4,
};
const bare: BuiltSet = buildSet(scene, makeCamera(scene, { width: 64, height: 64 }));
const half = new Float64Array([0.5, 0.5, 0.5]);
const dark = { ...bare, key: { ...bare.key, radiance: [0, 0, 0] as const } };
/** A point of level ground. */
const above = (x: number, y: number, z: number) => ({ x, y, z, nx: 0, ny: 1, nz: 0 });
const origin = above(0, 0, 0);

const white = (_x: number, _y: number, _z: number, out: Float64Array) => out.fill(1);

describe('indirect light', () => {
  it('equals the sky’s radiance without obstacles', () => {
    const out = new Float64Array(3);
    measureDiffuse(dark, origin, { diffuse: 16, glossy: 0, bounces: 3 }, 0.3, 1, out);
    expect(out[1]).toBeCloseTo(0.5, 6);
  });

  it('of all bounces sums up to albedo / (1 - albedo) inside a closed box (furnace test)', () => {
    // The walls have an albedo of 0.5, and the only light is the ambient light at the end of each path. So each bounce
    // halves the light.
    const box = moveMesh(makeBox(2, 2, 2, 0.01), { at: [0, -1, 0] });
    const floor = moveMesh(makeWall({ fromX: -3, toX: 3 }, -3, 3, 0), {
      at: [0, -0.99, 0],
      turn: [-Math.PI / 2, 0, 0],
    });
    const walls = buildBvh([
      { mesh: box, material: 0 },
      { mesh: floor, material: 0 },
    ]);
    const material = { ...bare.materials[0]!, meanAlbedo: half };
    const sky = { ...makeSky(scene.environment), ambient: new Float64Array([1, 1, 1]) };
    const furnace: BuiltSet = { ...dark, set: walls, materials: [material], sky };
    const out = new Float64Array(3);
    // A path of n bounces ends with 0.5^n of the ambient light; the sum over all n is 0.5 / (1 - 0.5) = 1.
    let sum = 0;
    for (let bounces = 1; bounces <= 8; bounces++) {
      measureDiffuse(furnace, origin, { diffuse: 16, glossy: 0, bounces }, 0.1, 7, out);
      sum += out[0]!;
    }
    expect(sum).toBeCloseTo(1 - 0.5 ** 8, 6);
  });

  it('halves beside a tall black wall', () => {
    const walls = buildBvh([
      {
        mesh: moveMesh(makeWall({ fromX: -500, toX: 500 }, -1, 500, 0), { at: [0, 0, -0.001] }),
        material: 0,
      },
    ]);
    const black = { ...bare.materials[0]!, meanAlbedo: new Float64Array(3) };
    const shaded: BuiltSet = { ...dark, set: walls, materials: [black] };
    const out = new Float64Array(3);
    measureDiffuse(shaded, origin, { diffuse: 400, glossy: 0, bounces: 2 }, 0.37, 5, out);
    expect(out[0]).toBeCloseTo(0.25, 2);
  });

  it('is measured with and without a product by the same rays', () => {
    const bvh = buildBvh([{ mesh: moveMesh(makeBox(1, 1, 1, 0.01), { at: [0.7, -0.5, 0] }), material: 0 }]);
    const proxy = { bvh, bounceAlbedo: new Float64Array(3), colorAt: white };
    const samples = { diffuse: 64, glossy: 0, bounces: 2 };
    const [shaded, open, empty] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
    const built = { ...dark, proxy, bare: dark };
    measureDiffuse(built, origin, samples, 0.3, 1, shaded, open);
    measureDiffuse(dark, origin, samples, 0.3, 1, empty);
    expect(open).toEqual(empty);
    expect(shaded[1]! / open[1]!).toBeGreaterThan(0.4);
    expect(shaded[1]! / open[1]!).toBeLessThan(0.95);
  });
});

describe('reflections', () => {
  const floating = buildBvh([
    { mesh: moveMesh(makeBox(4, 0.3, 4, 0.01), { at: [0, 0.05, 0] }), material: 0 },
  ]);
  const proxy = { bvh: floating, bounceAlbedo: new Float64Array(3), colorAt: white };

  it('show a product’s underside as shaded, and its front as in the photo', () => {
    const built: BuiltSet = { ...dark, proxy };
    const out = new Float64Array(3);
    measureGlossy(built, origin, [0, 1, 0], 0.02, 4, 0.3, 1, out);
    expect(out[1]).toBeGreaterThan(0);
    expect(out[1]).toBeLessThan(0.2);
    measureGlossy(built, above(0, 0, 2.2), [0, Math.SQRT1_2, -Math.SQRT1_2], 0.02, 4, 0.3, 1, out);
    expect(out[1]).toBe(1);
  });

  it('in a rough surface at a grazing angle leave out objects below the surface', () => {
    // If rays that point below the surface counted, half of the rays would hit the white product below the floor.
    const below = buildBvh([{ mesh: moveMesh(makeBox(9, 1, 9, 0.01), { at: [0, -1.1, -5] }), material: 0 }]);
    const built: BuiltSet = { ...dark, proxy: { ...proxy, bvh: below } };
    const none = { ...built, proxy: undefined };
    const [seen, out] = [new Float64Array(3), new Float64Array(3)];
    const flat = [0, 0.05, -Math.sqrt(1 - 0.05 ** 2)] as const;
    measureGlossy(built, origin, flat, 0.4, 32, 0.3, 1, seen);
    measureGlossy(none, origin, flat, 0.4, 32, 0.3, 1, out);
    expect(seen).toEqual(out);
  });
});

describe('the key light', () => {
  it('is half visible where a wall’s edge hides half of the light’s disc', () => {
    // The light is at 45 degrees on the left: a wall that ends exactly on the line to the light hides half of it.
    const edge = moveMesh(makeWall({ fromX: -9, toX: 9 }, -9, 0, 0), {
      at: [-5, 5, 0],
      turn: [0, Math.PI / 2, 0],
    });
    const walls = buildBvh([{ mesh: edge, material: 0 }]);
    const built: BuiltSet = { ...bare, set: walls };
    expect(measureKey(built, origin, 256, 0.2, 0.7)).toBeCloseTo(0.5, 1);
    expect(measureKey(built, above(0, 2, 0), 16, 0.2, 0.7)).toBe(1);
    expect(measureKey(built, above(0, -2, 0), 16, 0.2, 0.7)).toBe(0);
  });
});
