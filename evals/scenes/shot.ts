/**
 * Renders one scene for measuring: the empty set, the set with the product's shadow and reflection, the final picture,
 * and masks of its parts.
 */

import type { SampleProduct } from '../../scripts/docs/sample-products.ts';
import { readSubject } from '../../src/rendering/read-subject.ts';
import { canvasSize } from '../../src/rendering/render-target.ts';
import { scaleSubject } from '../../src/rendering/scale-subject.ts';
import { frameProduct, makeCamera, rowOf } from '../../src/studio/camera.ts';
import { pasteProduct } from '../../src/studio/compose-product.ts';
import { renderStudio } from '../../src/studio/render-studio.ts';
import type { ScenePlan } from '../../src/studio/scene-plan.ts';
import { stageScene } from '../../src/studio/stage-scene.ts';
import type { MaterialSettings, StudioScene } from '../../src/studio/studio-scene.ts';
import { findFoot, luminanceAt, type PlacedProduct, type Shot } from './picture.ts';

/** Longer side of the small probe pictures, which only locate the wall and the lit areas. */
const PROBE_PX = 160;
/** Minimum 8-bit value of wall pixels when the wall is rendered white in uniform light, and everything else black. */
const WALL_FROM = 110;

export async function drawShot(plan: ScenePlan, product: SampleProduct, longEdgePx: number): Promise<Shot> {
  const scene = stageScene(plan);
  const canvas = canvasSize(plan.ratio, longEdgePx);
  const placed = await placeProduct(scene, canvas, product);
  const { plate, grounded } = await renderStudio(scene, {
    ...canvas,
    quality: 'preview',
    product: placed,
    withPlate: true,
    signal: new AbortController().signal,
  });
  const picture = { ...canvas, data: Uint8Array.from(grounded!.data) };
  pasteProduct(picture, placed);
  const probe = canvasSize(plan.ratio, PROBE_PX);
  const camera = makeCamera(scene, canvas);
  return {
    ...canvas,
    plan,
    features: product.features,
    plate: plate!,
    grounded: grounded!,
    picture,
    product: placed,
    wall: await findWall(scene, probe, canvas),
    ...(await probeKey(plan, product, canvas, probe)),
    horizonRow:
      plan.place !== undefined || plan.backdrop.kind === 'cyclorama'
        ? undefined
        : rowOf(camera, 0, plan.backdrop.z),
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

async function placeProduct(scene: StudioScene, canvas: Size, { cutoutPng, boundingBox }: SampleProduct) {
  const box = frameProduct(scene, canvas, boundingBox.width / boundingBox.height);
  const longEdgePx = Math.max(canvas.width, canvas.height);
  const subject = await readSubject({ cutoutPng, boundingBox, longEdgePx });
  return { image: scaleSubject(subject, box), x: box.x, y: box.y };
}

/**
 * 1 where the plate shows the wall (in a flat lay, the ground). The wall is found by rendering it white and all other
 * objects black.
 */
async function findWall(scene: StudioScene, probe: Size, canvas: Size): Promise<Uint8Array> {
  // A real place has a photograph in the background instead of a wall.
  if (scene.place !== undefined) return new Uint8Array(canvas.width * canvas.height);
  const wall = scene.backdrop?.wall ?? 'surface';
  const paint = (color: string): MaterialSettings => ({ kind: 'matte', color, roughness: 1, f0: 0.02 });
  const names = Object.keys(scene.materials);
  const materials = Object.fromEntries(
    names.map((name) => [name, paint(name === wall ? '#ffffff' : '#000000')]),
  );
  const { plate } = await renderProbe({ ...scene, materials, ...evenLight }, probe);
  const mask = new Uint8Array(canvas.width * canvas.height);
  for (let i = 0; i < mask.length; i++) {
    if (plate!.data[probePixel(i, probe, canvas) * 3]! > WALL_FROM) mask[i] = 1;
  }
  return mask;
}

const plainTone = { exposure: 1, grain: 0, vignette: 0 } as const;
const evenLight = {
  key: { azimuthDeg: 0, elevationDeg: 45, radiusDeg: 5, color: [1, 1, 1], intensity: 0 },
  environment: { top: [0.7, 0.7, 0.7], bottom: [0.7, 0.7, 0.7], front: [0, 0, 0] },
  gobo: undefined,
  depthOfField: 0,
  tone: plainTone,
} as const;

async function renderProbe(scene: StudioScene, size: Size, product?: PlacedProduct) {
  return renderStudio(scene, {
    ...size,
    quality: 'preview',
    ...(product && { product, withPlate: true }),
    signal: new AbortController().signal,
  });
}

interface KeyProbe {
  /** Fraction of the key light that reaches the foot line past the gobo and the props, 0 to 1. */
  readonly footVisibility: number;
  /** 1 where the product blocks the key light; at the size of the canvas. */
  readonly shaded: Uint8Array;
}

const SHADED = 0.6;
const UNLIT = 1e-3;

/** Renders the set with the key light alone: with the product, without it, and without the product, gobo and props. */
async function probeKey(
  plan: ScenePlan,
  product: SampleProduct,
  canvas: Size,
  probe: Size,
): Promise<KeyProbe> {
  // Without a key light, the foot is lit from all sides, and there is no cast shadow.
  if (plan.key.intensity === 0) {
    return { footVisibility: 1, shaded: new Uint8Array(canvas.width * canvas.height) };
  }
  const scene = keepKey(stageScene(plan));
  const bare = keepKey(stageScene({ ...plan, backProps: [], sideProps: [], gobo: { kind: 'none' } }));
  const placed = await placeProduct(scene, probe, product);
  const { plate, grounded } = await renderProbe(scene, probe, placed);
  const full = await renderProbe(bare, probe);
  const shaded = new Uint8Array(canvas.width * canvas.height);
  for (let i = 0; i < shaded.length; i++) {
    const at = probePixel(i, probe, canvas);
    const before = luminanceAt(plate!.data, at);
    if (before > UNLIT && luminanceAt(grounded!.data, at) < SHADED * before) shaded[i] = 1;
  }
  // Measured without the product, because a product always shades its own back.
  const shares = findFoot(placed).flatMap(({ x, y }) => {
    const at = Math.min(probe.height - 1, y + 1) * probe.width + x;
    const whole = luminanceAt(full.plate!.data, at);
    return whole < UNLIT ? [] : [Math.min(1, luminanceAt(plate!.data, at) / whole)];
  });
  return {
    footVisibility: shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length),
    shaded,
  };
}

function keepKey(scene: StudioScene): StudioScene {
  const black = [0, 0, 0] as const;
  const environment = { top: black, bottom: black, front: black };
  return { ...scene, place: undefined, environment, depthOfField: 0, tone: plainTone };
}

/** The probe pixel that corresponds to a canvas pixel. */
function probePixel(pixel: number, probe: Size, canvas: Size): number {
  const x = Math.floor((((pixel % canvas.width) + 0.5) * probe.width) / canvas.width);
  const y = Math.floor(((Math.floor(pixel / canvas.width) + 0.5) * probe.height) / canvas.height);
  return y * probe.width + x;
}
