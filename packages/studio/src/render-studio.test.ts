import { describe, expect, it } from 'vitest';
import { buildTree } from './built-set.ts';
import { frameProduct, makeCamera } from './camera.ts';
import { pasteProduct } from './compose-product.ts';
import { listPasses, openFrame } from './passes.ts';
import { makeFrame } from './picture-frame.ts';
import { PictureMemory } from './picture-memory.ts';
import type { StudioProduct } from './product-proxy.ts';
import { renderStudio } from './render-studio.ts';
import { claimCrew } from './studio-crew.ts';
import type { MaterialSettings, StudioScene } from './studio-scene.ts';

const scene: StudioScene = {
  seed: 1,
  view: 'standing',
  baseY: 0.1,
  camera: { tan: 0.21, elevDeg: 11, fillH: 0.56, fillW: 0.62, baseline: 0.17 },
  backdrop: { z: -2, sweepRadius: 1, floor: 'paint', wall: 'paint' },
  materials: { paint: { kind: 'matte', color: '#d9d4cc' }, gloss: { kind: 'marble', color: '#eeeeee' } },
  objects: [
    {
      shape: { kind: 'cylinder', radius: 0.6, height: 0.1, bevel: 0.02 },
      material: 'gloss',
      at: [0, 0, -0.2],
    },
  ],
  key: { az: -50, el: 40, angularRadius: 2, color: [1, 1, 1], intensity: 1.2 },
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
  it('is deterministic to the byte', async () => {
    const first = await renderStudio(scene, { ...size, quality: 'preview', signal });
    const second = await renderStudio(scene, { ...size, quality: 'preview', signal });
    expect(Buffer.compare(first.plate!.data, second.plate!.data)).toBe(0);
  });

  it('has the same bytes beside another picture on the same thread, and after a larger one', async () => {
    const ask = (of: StudioScene, at: typeof size) =>
      renderStudio(of, { ...at, quality: 'preview', signal, threads: 1 });
    const large = { width: 2 * size.width, height: 2 * size.height };
    const other: StudioScene = { ...scene, seed: scene.seed + 1, key: { ...scene.key, az: 50 } };
    const alone = [await ask(scene, size), await ask(other, large)];
    const together = await Promise.all([ask(scene, size), ask(other, large)]);
    for (const [i, { plate }] of alone.entries())
      expect(Buffer.compare(plate!.data, together[i]!.plate!.data)).toBe(0);
    expect(Buffer.compare((await ask(scene, size)).plate!.data, alone[0]!.plate!.data)).toBe(0);
  });

  it('renders each row identically in any batch and order', () => {
    const camera = makeCamera(scene, size);
    const samples = { diffuse: 1, glossy: 1, bounces: 1 };
    const effort = { keyStep: 2, smoothsEdges: true, keySamples: 2, indirectStep: 3, samples };
    const draw = (cuts: readonly number[]): Uint8Array => {
      const frame = makeFrame(scene, camera, buildTree(scene, camera), effort, new PictureMemory());
      for (const { rows, draw: drawRows } of listPasses(openFrame(frame), frame)) {
        const ends = cuts.map((cut) => Math.round(cut * rows));
        for (let i = ends.length - 1; i > 0; i--) drawRows(ends[i - 1]!, ends[i]!);
      }
      return frame.picture;
    };
    expect(Buffer.compare(draw([0, 1]), draw([0, 0.17, 0.18, 0.61, 1]))).toBe(0);
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

  it('reflects a goblet in polished ground, without patches: two seeds give nearly the same reflection', async () => {
    const { image, ...at } = makeBlockProduct();
    const data = image.data.map((value, i) => {
      const [x, y] = [((i >> 2) % image.width) / image.width, (i >> 2) / image.width / image.height];
      const isStem = y > 0.85 && Math.abs(x - 0.5) > 0.1;
      return i % 4 < 3 ? 240 : isStem ? 0 : value;
    });
    const [one, other] = await Promise.all(
      [1, 2].map(async (seed) => {
        const { grounded } = await renderStudio(
          {
            ...scene,
            seed,
            objects: [],
            materials: { paint: { kind: 'lacquer', color: '#202020', roughness: 0.2 } },
            tone: { ...scene.tone, grain: 0 },
          },
          { ...size, quality: 'preview', product: { image: { ...image, data }, ...at }, signal },
        );
        return grounded!.data.subarray((at.y + image.height) * size.width * 3);
      }),
    );
    const squares = one!.reduce((sum, value, i) => sum + (value - other![i]!) ** 2, 0);
    const rms = Math.sqrt(squares / one!.length);
    expect(rms).toBeLessThan(5);
  });

  it('reflects the product in polished ground, but not in matte ground', async () => {
    const product = makeBlockProduct();
    const redAt = async (roughness: number): Promise<number> => {
      const { plate, grounded } = await renderStudio(
        {
          ...scene,
          materials: { ...scene.materials, gloss: { kind: 'lacquer', color: '#111111', roughness } },
        },
        { ...size, quality: 'preview', product, withPlate: true, signal },
      );
      const at = ((product.y + product.image.height + 2) * size.width + 48) * 3;
      const change = (c: number): number => grounded!.data[at + c]! - plate!.data[at + c]!;
      return change(0) - change(1);
    };
    expect(await redAt(0.1)).toBeGreaterThan(15);
    expect(Math.abs(await redAt(0.8))).toBeLessThan(8);
  });

  it('keeps the original pixels inside the product', async () => {
    const product = makeBlockProduct();
    const { grounded } = await renderStudio(scene, { ...size, quality: 'preview', product, signal });
    pasteProduct(grounded!, product);
    for (let y = 4; y < product.image.height - 4; y++) {
      const at = ((product.y + y) * size.width + product.x + 8) * 3;
      expect(Array.from(grounded!.data.subarray(at, at + 3))).toEqual([180, 30, 40]);
    }
  });

  it('renders the same bytes with one, two and three threads', async () => {
    const request = {
      ...size,
      quality: 'preview',
      product: makeBlockProduct(),
      withPlate: true,
      signal,
    } as const;
    // One set has metal, lit through a gobo; the other has lacquer and no backdrop, only the sky.
    const gobo = {
      kind: 'slit',
      width: 0.6,
      softness: 0.1,
      target: [0, 0.5, 0],
      distance: 2,
      leak: 0.1,
      scale: 1,
      turn: 0,
    } as const;
    const made = (gloss: MaterialSettings) => ({ ...scene.materials, gloss });
    const sets: readonly StudioScene[] = [
      { ...scene, gobo, materials: made({ kind: 'metal', color: '#d8a94a' }) },
      { ...scene, backdrop: undefined, materials: made({ kind: 'lacquer', color: '#cfe0dc' }) },
    ];
    for (const set of sets) {
      const alone = await renderStudio(set, request);
      for (const threads of [2, 3]) {
        // Waits until the crew's threads have loaded, so that all of them draw.
        const crew = claimCrew(threads);
        await crew.assemble();
        crew.release();
        const together = await renderStudio(set, { ...request, threads });
        expect(Buffer.compare(together.plate!.data, alone.plate!.data)).toBe(0);
        expect(Buffer.compare(together.grounded!.data, alone.grounded!.data)).toBe(0);
      }
    }
  });

  it('reaches a PSNR of 36 dB against a reference with 64 rays per pixel', async () => {
    const camera = makeCamera(scene, { width: 128, height: 128 });
    const samples = { diffuse: 64, glossy: 32, bounces: 3 };
    const effort = { keyStep: 1, smoothsEdges: true, keySamples: 64, indirectStep: 1, samples };
    const frame = makeFrame(scene, camera, buildTree(scene, camera), effort, new PictureMemory());
    for (const { rows, draw } of listPasses(openFrame(frame), frame)) draw(0, rows);
    const { plate } = await renderStudio(scene, { width: 128, height: 128, quality: 'preview', signal });
    const squares = plate!.data.reduce((sum, value, i) => sum + (value - frame.picture[i]!) ** 2, 0);
    expect(10 * Math.log10((255 * 255 * plate!.data.length) / squares)).toBeGreaterThan(36);
  });

  it.each([1, 2])(
    'stops between batches of rows on abort, with %i threads, and still renders the next picture',
    async (threads) => {
      const abort = new AbortController();
      const work = renderStudio(scene, {
        ...size,
        quality: 'preview',
        threads,
        signal: abort.signal,
      });
      // After three turns of the event loop, the set has been built and a few batches have been drawn.
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      abort.abort(new Error('enough'));
      await expect(work).rejects.toThrow('enough');
      const after = await renderStudio(scene, { ...size, quality: 'preview', threads, signal });
      const alone = await renderStudio(scene, { ...size, quality: 'preview', signal });
      expect(Buffer.compare(after.plate!.data, alone.plate!.data)).toBe(0);
    },
  );
});
