import { describe, expect, it } from 'vitest';
import { buildSet } from './built-set.ts';
import { frameProduct, makeCamera } from './camera.ts';
import { pasteProduct } from './compose-product.ts';
import { makeGeometryBuffer, makeGuide, traceGeometry } from './geometry-buffer.ts';
import { traceIndirect } from './indirect-light.ts';
import { traceKey } from './key-light.ts';
import { markEvenCells } from './light-lookup.ts';
import type { StudioProduct } from './product-proxy.ts';
import { renderStudio } from './render-studio.ts';
import { shadeRows } from './shade.ts';
import type { StudioScene } from './studio-scene.ts';

const scene: StudioScene = {
  seed: 1,
  view: 'standing',
  baseY: 0.1,
  camera: { tan: 0.21, elevationDeg: 11, fillHeight: 0.56, fillWidth: 0.62 },
  backdrop: { z: -2, sweepRadius: 1, floor: 'paint', wall: 'paint' },
  materials: { paint: { kind: 'matte', color: '#d9d4cc' }, gloss: { kind: 'marble', color: '#eeeeee' } },
  objects: [
    {
      shape: { kind: 'cylinder', radius: 0.6, height: 0.1, bevel: 0.02 },
      material: 'gloss',
      at: [0, 0, -0.2],
    },
  ],
  key: { azimuthDeg: -50, elevationDeg: 40, radiusDeg: 2, color: [1, 1, 1], intensity: 1.2 },
  environment: { bottom: [0.28, 0.28, 0.28], top: [0.45, 0.45, 0.45], front: [0.07, 0.07, 0.07] },
  gobo: undefined,
  depthOfField: 0.004,
  tone: { exposure: 1, grain: 0.006, vignette: 0.03 },
  subject: { width: 0.4, height: 1 },
  productDepth: 0.4,
};
const size = { width: 96, height: 96 };
const signal = new AbortController().signal;

function makeBlockProduct(): StudioProduct {
  const box = frameProduct(scene, size, 0.4);
  const data = new Uint8Array(box.width * box.height * 4);
  for (let i = 0; i < data.length; i += 4) {
    data.set([180, 30, 40, 255], i);
  }
  return { image: { width: box.width, height: box.height, data }, x: box.x, y: box.y };
}

describe('renderStudio', () => {
  it('draws the same bytes for the same scene', async () => {
    const first = await renderStudio(scene, { ...size, quality: 'preview', signal });
    const second = await renderStudio(scene, { ...size, quality: 'preview', signal });
    expect(Buffer.compare(first.plate!.data, second.plate!.data)).toBe(0);
  });

  it('gives each row the same light and colour whichever batch or order it is drawn in', () => {
    const built = buildSet(scene, makeCamera(scene, size));
    const draw = (batches: readonly (readonly [number, number])[]): Float32Array => {
      const buffer = makeGeometryBuffer(size.width, size.height);
      for (const [from, to] of batches) traceGeometry(built, buffer, from, to);
      const guide = makeGuide(built, buffer, 1);
      const visibility = new Float32Array(96 * 96);
      const indirect = { diffuse: new Float32Array(96 * 96 * 3), glossy: new Float32Array(96 * 96 * 3) };
      const cells = markEvenCells(guide);
      const samples = { diffuse: 1, glossy: 1, bounces: 1 };
      for (const [from, to] of batches) traceKey(built, guide, 2, visibility, from, to);
      for (const [from, to] of batches) traceIndirect(built, guide, samples, indirect, from, to);
      const picture = new Float32Array(96 * 96 * 3);
      const lighting = {
        keyGuide: guide,
        keyCells: cells,
        visibility,
        indirectGuide: guide,
        indirectCells: cells,
        indirect,
      };
      for (const [from, to] of batches) shadeRows(built, buffer, lighting, picture, from, to);
      return picture;
    };
    const whole = draw([[0, 96]]);
    const parts = draw([
      [61, 96],
      [0, 17],
      [17, 61],
    ]);
    expect(Buffer.compare(Buffer.from(whole.buffer), Buffer.from(parts.buffer))).toBe(0);
  });

  it('casts the product’s shadow away from the key light', async () => {
    const product = makeBlockProduct();
    const { plate, grounded } = await renderStudio(scene, {
      ...size,
      quality: 'preview',
      product,
      withPlate: true,
      signal,
    });
    let left = 0;
    let right = 0;
    const foot = product.y + product.image.height;
    for (let y = foot - 12; y < foot; y++) {
      for (let x = 0; x < size.width; x++) {
        const at = (y * size.width + x) * 3 + 1;
        const darkened = plate!.data[at]! - grounded!.data[at]!;
        if (x < product.x) left += darkened;
        if (x >= product.x + product.image.width) right += darkened;
      }
    }
    expect(right).toBeGreaterThan(2 * Math.abs(left));
    expect(right).toBeGreaterThan(500);
  });

  it('darkens the ground under the foot', async () => {
    const product = makeBlockProduct();
    const { plate, grounded } = await renderStudio(scene, {
      ...size,
      quality: 'preview',
      product,
      withPlate: true,
      signal,
    });
    const at = ((product.y + product.image.height) * size.width + 48) * 3;
    expect(grounded!.data[at]!).toBeLessThan(0.85 * plate!.data[at]!);
  });

  it('leaves the inside of the product as it was photographed', async () => {
    const product = makeBlockProduct();
    const { grounded } = await renderStudio(scene, { ...size, quality: 'preview', product, signal });
    pasteProduct(grounded!, product);
    for (let y = 4; y < product.image.height - 4; y++) {
      const at = ((product.y + y) * size.width + product.x + 8) * 3;
      expect(Array.from(grounded!.data.subarray(at, at + 3))).toEqual([180, 30, 40]);
    }
  });

  it('stops between rows when it is aborted, and reports progress up to then', async () => {
    const abort = new AbortController();
    const shares: number[] = [];
    const work = renderStudio(scene, {
      ...size,
      quality: 'preview',
      signal: abort.signal,
      onProgress: (share) => {
        shares.push(share);
        if (share > 0.2) abort.abort(new Error('enough'));
      },
    });
    await expect(work).rejects.toThrow('enough');
    expect(shares.at(-1)).toBeLessThan(0.5);
    expect(shares.every((share, i) => i === 0 || share >= shares[i - 1]!)).toBe(true);
  });
});
