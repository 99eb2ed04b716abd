/**
 * Measures the softness of cast shadows on a set of known geometry: a board in front of a wall. In other sets, shadows
 * fall on the ground, which is too foreshortened for measuring the width of an edge.
 */
import type { RgbaImage } from '../../src/pixels.ts';
import { frameProduct, makeCamera, rowOf } from '../../src/studio/camera.ts';
import { renderStudio } from '../../src/studio/render-studio.ts';
import type { StudioScene } from '../../src/studio/studio-scene.ts';
import type { MeasuredCase } from './criteria.ts';
import { luminanceAt } from './picture.ts';
import { measureEdgeWidth } from './shadow.ts';

/** Typical angular radii of the key light in plans: sun through a gobo, hard light, a small and a large softbox. */
const radiiDeg = [1.2, 2.5, 4.5, 9];
const SIDE_PX = 512;
const AZIMUTH_DEG = -35;
const ELEVATION_DEG = 30;
/** Position of the wall, in units of the board's height. The board stands at 0. */
const WALL_Z = -0.8;
/** Height on the wall at which the shadow's edge is measured, in the same units. */
const CROSSED_Y = 0.25;

export async function measureSoftness(): Promise<MeasuredCase[]> {
  const cases: MeasuredCase[] = [];
  for (const radiusDeg of radiiDeg) {
    const softness = await compareWithKey(radiusDeg);
    cases.push({ name: `a board in front of a wall, key of ${radiusDeg}°`, findings: { softness } });
  }
  return cases;
}

/**
 * Measured width of the shadow's edge (10 to 90%) divided by the expected width 2 d tan(radius), where d is the
 * distance from the board's edge to the wall along the light. Because the light falls on the wall at an angle, the
 * edge is wider there by a factor of 1 / cos(azimuth).
 * Infinite if no edge is found.
 */
async function compareWithKey(radiusDeg: number): Promise<number> {
  const scene = setUpBoard(radiusDeg);
  const canvas = { width: SIDE_PX, height: SIDE_PX };
  const box = frameProduct(scene, canvas, scene.subject.width / scene.subject.height);
  const { plate, grounded } = await renderStudio(scene, {
    ...canvas,
    quality: 'preview',
    product: { image: makeBoard(box.width, box.height), x: box.x, y: box.y },
    withPlate: true,
    signal: new AbortController().signal,
  });
  const camera = makeCamera(scene, canvas);
  const row = Math.round(rowOf(camera, CROSSED_Y, WALL_Z));
  const drops: number[] = [];
  for (let x = box.x + box.width + 2; x < SIDE_PX; x++) {
    const at = row * SIDE_PX + x;
    drops.push(1 - luminanceAt(grounded!.data, at) / luminanceAt(plate!.data, at));
  }
  const slant = Math.cos((AZIMUTH_DEG * Math.PI) / 180);
  const distance = -WALL_Z / (slant * Math.cos((ELEVATION_DEG * Math.PI) / 180));
  const pixelsPerUnit = (SIDE_PX * camera.distance) / (camera.frameHeight * (camera.distance - WALL_Z));
  const expected = (2 * distance * Math.tan((radiusDeg * Math.PI) / 180) * pixelsPerUnit) / slant;
  return (measureEdgeWidth(drops)?.width ?? Number.POSITIVE_INFINITY) / expected;
}

function makeBoard(width: number, height: number): RgbaImage {
  return { width, height, data: new Uint8Array(width * height * 4).fill(255) };
}

function setUpBoard(radiusDeg: number): StudioScene {
  return {
    seed: 1,
    view: 'standing',
    subject: { width: 0.5, height: 1 },
    baseY: 0,
    camera: { tan: 0.21, elevationDeg: 10, fillHeight: 0.45, fillWidth: 0.6, baseline: 0.2 },
    backdrop: { z: WALL_Z, sweepRadius: 0, floor: 'paint', wall: 'paint' },
    materials: { paint: { kind: 'matte', color: '#cccccc' } },
    objects: [],
    key: {
      azimuthDeg: AZIMUTH_DEG,
      elevationDeg: ELEVATION_DEG,
      radiusDeg,
      color: [1, 1, 1],
      intensity: 1.3,
    },
    environment: { bottom: [0.2, 0.2, 0.2], top: [0.2, 0.2, 0.2], front: [0, 0, 0] },
    gobo: undefined,
    depthOfField: 0,
    tone: { exposure: 1, grain: 0, vignette: 0 },
    productDepth: 0.1,
  };
}
