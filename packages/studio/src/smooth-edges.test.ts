import { describe, expect, it } from 'vitest';
import { buildTree } from './built-set.ts';
import { makeCamera } from './camera.ts';
import { listPasses, openFrame } from './passes.ts';
import { makeFrame, type PictureFrame } from './picture-frame.ts';
import { PictureMemory } from './picture-memory.ts';
import type { StudioScene } from './studio-scene.ts';

const size = 128;
const scene: StudioScene = {
  seed: 1,
  view: 'standing',
  baseY: 0,
  camera: { tan: 0.21, elevDeg: 16, fillH: 0.5, fillW: 0.6, baseline: 0.2 },
  backdrop: { z: -3, sweepRadius: 0, floor: 'ground', wall: 'ground' },
  materials: { ground: { kind: 'matte', color: '#454545' }, white: { kind: 'matte', color: '#ffffff' } },
  objects: [],
  key: { az: 0, el: 60, angularRadius: 0.5, color: [1, 1, 1], intensity: 1.5 },
  environment: { bottom: [0.3, 0.3, 0.3], top: [0.3, 0.3, 0.3], front: [0.1, 0.1, 0.1] },
  gobo: undefined,
  depthOfField: 0,
  tone: { exposure: 1, grain: 0, vignette: 0 },
  subject: { width: 1, height: 1 },
  productDepth: 0.4,
};

const disc = {
  shape: { kind: 'cylinder', radius: 0.7, height: 0.1, bevel: 0.01 },
  material: 'ground',
} as const;
/** A disc above the ground, lit from behind, whose shadow falls toward the camera. */
const shadowScene: StudioScene = {
  ...scene,
  objects: [{ ...disc, at: [0, 0.25, -0.4] }],
  key: { ...scene.key, az: 150, el: 50 },
};

/** Runs the passes up to and including the last one named `lastStep`; by default, all passes. */
function draw(set: StudioScene, keySamples = 12, lastStep = 'tone'): PictureFrame {
  const camera = makeCamera(set, { width: size, height: size });
  const samples = { diffuse: 8, glossy: 1, bounces: 1 };
  const effort = { keyStep: 2, smoothsEdges: true, keySamples, indirectStep: 4, samples };
  const frame = makeFrame(set, camera, buildTree(set, camera), effort, new PictureMemory());
  const passes = listPasses(openFrame(frame), frame);
  const end = passes.findLastIndex(({ step }) => step === lastStep) + 1;
  for (const { rows, draw: drawRows } of passes.slice(0, end)) drawRows(0, rows);
  return frame;
}

/** The grays of a column's pixels, scaled so that the darkest is 0 and the brightest is 1. */
function relativeColumn({ picture }: PictureFrame, column: number, fromRow: number, toRow: number): number[] {
  const grays = Array.from(
    { length: toRow - fromRow },
    (_, row) => picture[((fromRow + row) * size + column) * 3 + 1]!,
  );
  const [low, high] = [Math.min(...grays), Math.max(...grays)];
  return grays.map((gray) => (gray - low) / (high - low));
}

/** The largest difference between neighboring grays. */
const maxStep = (grays: readonly number[]): number =>
  Math.max(...grays.slice(1).map((gray, i) => Math.abs(gray - grays[i]!)));
const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the edge', () => {
  it('of a white object on dark ground has evenly spread grays, not steps', () => {
    const shape = { kind: 'cylinder', radius: 0.8, height: 0.01, bevel: 0.002 } as const;
    // The tiny turn makes the disc count as leaning. Leaning objects have no dark contact line, which would add a
    // third gray.
    const disc = { shape, material: 'white', at: [0, 0, 0], turn: [0, 0, 1e-6] } as const;
    const frame = draw({ ...scene, objects: [disc] });
    const columns = Array.from({ length: 80 }, (_, i) => relativeColumn(frame, 24 + i, 102, 126));
    const between = columns.flat().filter((gray) => gray > 0.1 && gray < 0.9);
    expect(meanOf(columns.map(maxStep))).toBeLessThan(0.7);
    expect(between.length / columns.length).toBeGreaterThan(1.1);
    expect(Math.abs(meanOf(between) - 0.5)).toBeLessThan(0.05);
  });

  it('of a sharp shadow is not jagged', () => {
    const frame = draw(shadowScene);
    const steps = Array.from({ length: 60 }, (_, i) => maxStep(relativeColumn(frame, 30 + i, 98, 124)));
    expect(meanOf(steps)).toBeLessThan(0.3);
  });

  it('of a shadow is refined with more rays of the key light', () => {
    const sampled = draw(shadowScene, 12, 'refine-key');
    const exact = draw(shadowScene, 200, 'refine-key').visibility[0];
    const errorOf = (values: Float32Array): number =>
      values.reduce((sum, value, i) => sum + (value - exact[i]!) ** 2, 0);
    const [refined, first] = sampled.visibility;
    expect(errorOf(refined)).toBeLessThan(0.6 * errorOf(first));
  });
});
