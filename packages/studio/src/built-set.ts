/**
 * A scene prepared for ray tracing: triangles in a bounding volume hierarchy (BVH), numbered materials, and lights as
 * functions.
 */
import { PackshotError } from 'packshot-errors';
import { type Bvh, buildBvh, type Part } from './bvh.ts';
import type { Camera } from './camera.ts';
import { type ContactShade, makeContactShade } from './contact-shade.ts';
import { keyAxes, makeTransmission, type Transmission } from './gobo.ts';
import { makeMaterial } from './materials/make-material.ts';
import type { Material } from './materials/material.ts';
import { makeFloor, makeSweep, makeWall, type Plot } from './meshes/ground.ts';
import type { Vec3 } from './meshes/mesh.ts';
import { moveMesh } from './meshes/mesh.ts';
import { makeMesh } from './meshes/shape.ts';
import type { Panorama } from './places/panorama.ts';
import type { EnvironmentLight } from './places/place-sky.ts';
import type { ProductProxy } from './product-proxy.ts';
import { makeSky, type Sky } from './sky.ts';
import type { Backdrop, KeyLight, StudioScene } from './studio-scene.ts';

export interface BuiltSet {
  /** All objects. It takes long to build and is plain data, so all threads share one copy. */
  readonly set: Bvh;
  readonly camera: Camera;
  /** Proxy geometry of the product. It affects the light, but the camera does not see it. */
  readonly proxy: ProductProxy | undefined;
  /** This set without the product's proxy; present only if there is a proxy. */
  readonly bare?: BuiltSet;
  readonly materials: readonly Material[];
  readonly key: KeyRay;
  readonly transmission: Transmission;
  readonly contact: ContactShade;
  readonly sky: Sky;
  /** Light of a real place, for importance sampling; undefined in a studio. */
  readonly environment: EnvironmentLight | undefined;
  readonly seed: number;
}

/** The key light as used by the passes. */
export interface KeyRay {
  readonly direction: Vec3;
  /** Two unit vectors perpendicular to the direction. */
  readonly across: Vec3;
  readonly upward: Vec3;
  /** 1 - cos of the angular radius. */
  readonly spread: number;
  readonly radiusDeg: number;
  /** The key light's color times its intensity. */
  readonly radiance: Vec3;
  /** Multiplier for the radiance at a point: a lamp's light falls off with the square of its distance. */
  readonly fading: (x: number, y: number, z: number) => number;
}

/** A material number fits in a byte; 255 means that nothing was hit. */
const MAX_MATERIALS = 254;

export function buildSet(scene: StudioScene, camera: Camera): BuiltSet {
  return openSet(scene, camera, buildTree(scene, camera));
}

/** Combines the shared BVH with the set's functions. Functions cannot be shared, so each thread creates its own. */
export function openSet(scene: StudioScene, camera: Camera, set: Bvh, room?: Panorama): BuiltSet {
  return {
    set,
    camera,
    proxy: undefined,
    materials: namesOf(scene).map((name) => makeMaterial(scene.materials[name]!)),
    key: makeKeyRay(scene.key),
    transmission: makeTransmission(scene.gobo, scene.key),
    contact: makeContactShade(scene),
    sky: makeSky(scene.environment, room && { panorama: room, azimuthDeg: scene.key.az }),
    environment: undefined,
    seed: scene.seed,
  };
}

/** A material's number is its index in this list. */
function namesOf(scene: StudioScene): string[] {
  return Object.keys(scene.materials).slice(0, MAX_MATERIALS);
}

export function buildTree(scene: StudioScene, camera: Camera): Bvh {
  const names = namesOf(scene);
  const numberOf = (name: string): number => {
    const number = names.indexOf(name);
    if (number < 0) {
      throw new PackshotError('internal', `The scene has no material "${name}".`);
    }
    return number;
  };
  const parts: Part[] = scene.objects.map((object) => ({
    mesh: moveMesh(makeMesh(object.shape), object),
    material: numberOf(object.material),
  }));
  if (scene.backdrop !== undefined) {
    parts.push(...buildBackdrop(scene.backdrop, camera, numberOf));
  }
  return buildBvh(parts);
}

/**
 * Builds the floor and the wall, wider than the visible frame. There are no side walls, so light enters from the sides.
 */
function buildBackdrop(backdrop: Backdrop, camera: Camera, numberOf: (name: string) => number): Part[] {
  const deep = camera.distance - backdrop.z;
  const halfWidth = (camera.tanX + Math.abs(camera.shiftX)) * deep + 1.5;
  const top = camera.eyeY + (camera.tanY + camera.shift) * deep + 0.8;
  const plot: Plot = { fromX: -halfWidth, toX: halfWidth, fromZ: backdrop.z, toZ: camera.distance * 0.75 };
  if (backdrop.floor === backdrop.wall && backdrop.sweepRadius > 0) {
    const sweep = makeSweep(plot, Math.max(top, backdrop.sweepRadius + 0.5), backdrop.sweepRadius);
    return [{ mesh: sweep, material: numberOf(backdrop.floor) }];
  }
  return [
    { mesh: makeFloor(plot), material: numberOf(backdrop.floor) },
    { mesh: makeWall(plot, -0.5, top, backdrop.z), material: numberOf(backdrop.wall) },
  ];
}

function makeKeyRay(key: KeyLight): KeyRay {
  const axes = keyAxes(key);
  return {
    ...axes,
    spread: 1 - Math.cos((key.angularRadius * Math.PI) / 180),
    radiusDeg: key.angularRadius,
    radiance: [key.color[0] * key.intensity, key.color[1] * key.intensity, key.color[2] * key.intensity],
    fading: makeFading(axes.direction, key.distance),
  };
}

/** Height of the product's middle, in world units. The key light has its nominal intensity there. */
const PRODUCT_MIDDLE = 0.5;
/** Limit of the multiplier close to the lamp, where the inverse-square law of a point light no longer holds. */
const MAX_FADING = 2.5;

function makeFading([dx, dy, dz]: Vec3, distance: number | undefined): KeyRay['fading'] {
  if (distance === undefined) return () => 1;
  const [lx, ly, lz] = [dx * distance, PRODUCT_MIDDLE + dy * distance, dz * distance];
  return (x, y, z) => Math.min(MAX_FADING, distance ** 2 / ((x - lx) ** 2 + (y - ly) ** 2 + (z - lz) ** 2));
}
