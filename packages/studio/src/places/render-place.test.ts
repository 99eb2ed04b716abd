import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../../../pixels/src/pixels.ts';
import { frameProduct } from '../camera.ts';
import { pasteProduct } from '../compose-product.ts';
import type { StudioProduct } from '../product-proxy.ts';
import { renderStudio } from '../render-studio.ts';
import { claimCrew } from '../studio-crew.ts';
import type { StudioScene } from '../studio-scene.ts';
import type { PlaceName } from './place-names.ts';

const size = { width: 96, height: 96 };
const signal = new AbortController().signal;

function makeScene(name: PlaceName, headingDeg: number): StudioScene {
  const black = [0, 0, 0] as const;
  return {
    seed: 1,
    view: 'standing',
    baseY: 0,
    camera: { tan: 0.21, elevDeg: 12, fillH: 0.5, fillW: 0.62, baseline: 0.2 },
    backdrop: undefined,
    place: { name, headingDeg },
    materials: { slab: { kind: 'wood', color: '#b58a5e', wear: 0.7 } },
    objects: [
      {
        shape: { kind: 'box', width: 12, height: 0.1, depth: 3.6, bevel: 0.02 },
        material: 'slab',
        at: [0, -0.1, 0.4],
      },
    ],
    key: { az: 0, el: 45, angularRadius: 2, color: [1, 1, 1], intensity: 0 },
    environment: { bottom: black, top: black, front: black },
    gobo: undefined,
    depthOfField: 0.034,
    tone: { exposure: 1, grain: 0, vignette: 0 },
    subject: { width: 0.4, height: 1 },
    productDepth: 0.4,
  };
}

function makeBlock(scene: StudioScene): StudioProduct {
  const box = frameProduct(scene, size, 0.4);
  const data = new Uint8Array(box.width * box.height * 4);
  for (let i = 0; i < data.length; i += 4) data.set([180, 30, 40, 255], i);
  return { image: { width: box.width, height: box.height, data }, x: box.x, y: box.y };
}

const meanOf = ({ width, data }: RgbImage, rows: readonly [number, number], channel: number): number => {
  let sum = 0;
  for (let row = rows[0]; row < rows[1]; row++) {
    for (let column = 0; column < width; column++) sum += data[(row * width + column) * 3 + channel]!;
  }
  return sum / (width * (rows[1] - rows[0]));
};

describe('a picture in a place', () => {
  it('has the same bytes with one and three threads, also with depth of field', async () => {
    const scene = { ...makeScene('park', -60), depthOfField: 0.15 };
    const request = { width: 320, height: 320, quality: 'preview', signal } as const;
    const one = await renderStudio(scene, { ...request, threads: 1 });
    const three = await renderStudio(scene, { ...request, threads: 3 });
    expect(Buffer.compare(one.plate!.data, three.plate!.data)).toBe(0);
  });

  it('shows only the place behind a product that hangs, without a shadow', async () => {
    const scene: StudioScene = { ...makeScene('park', -60), view: 'flat-lay', objects: [], gap: 0.16 };
    const product = makeBlock(scene);
    const { plate, grounded } = await renderStudio(scene, {
      ...size,
      quality: 'preview',
      signal,
      product,
      withPlate: true,
    });
    expect(Buffer.compare(plate!.data, grounded!.data)).toBe(0);
    const sky = [0, 1, 2].map((c) => meanOf(plate!, [0, 12], c));
    expect(sky[2]!).toBeGreaterThan(sky[0]! + 8);
    expect(meanOf(plate!, [80, 96], 1)).toBeGreaterThan(60);
  });

  it('shows the place behind the ground: sky above, meadow below', async () => {
    const { plate } = await renderStudio(makeScene('park', -60), { ...size, quality: 'preview', signal });
    const sky = [0, 1, 2].map((c) => meanOf(plate!, [0, 12], c));
    const meadow = [0, 1, 2].map((c) => meanOf(plate!, [46, 52], c));
    expect(sky[2]!).toBeGreaterThan(sky[0]! + 8);
    expect(meadow[1]!).toBeGreaterThan(meadow[2]! + 40);
  });

  it('has the product’s shadow on the side opposite the key light', async () => {
    for (const [azimuthDeg, side] of [
      [60, -1],
      [-60, 1],
    ] as const) {
      const bare = makeScene('park', -60);
      const scene = { ...bare, key: { ...bare.key, az: azimuthDeg, intensity: 1.5 } };
      const product = makeBlock(scene);
      const { plate, grounded } = await renderStudio(scene, {
        ...size,
        quality: 'preview',
        product,
        withPlate: true,
        signal,
      });
      const foot = product.y + product.image.height;
      const darkened = { left: 0, right: 0 };
      for (let y = foot - 10; y < foot; y++) {
        for (let x = 0; x < size.width; x++) {
          const at = (y * size.width + x) * 3 + 1;
          const change = plate!.data[at]! - grounded!.data[at]!;
          if (x < product.x) darkened.left += change;
          if (x >= product.x + product.image.width) darkened.right += change;
        }
      }
      expect(Math.sign(darkened.right - darkened.left)).toBe(side);
      expect(Math.max(darkened.left, darkened.right)).toBeGreaterThan(500);
    }
  });

  it('is as bright with a key light as without, and the key light has little of the evening’s red', async () => {
    const bare = makeScene('sunset', -90);
    const lit = { ...bare, key: { ...bare.key, intensity: 1.5 } };
    const [soft, keyed] = await Promise.all(
      [bare, lit].map(
        async (scene) => (await renderStudio(scene, { ...size, quality: 'preview', signal })).plate!,
      ),
    );
    const ground = (picture: RgbImage, c: number) => meanOf(picture, [70, 90], c);
    expect(Math.abs(ground(keyed!, 1) - ground(soft!, 1))).toBeLessThan(14);
    expect(ground(keyed!, 0) / ground(keyed!, 2)).toBeLessThan(1.5 * (ground(soft!, 0) / ground(soft!, 2)));
  });

  it('fades the ground into the place’s own ground', async () => {
    const bare = makeScene('sunset', -90);
    const [fading, ending] = await Promise.all(
      [[0.4, 1] as const, undefined].map(async (groundFade) => {
        const scene = { ...bare, place: { ...bare.place!, groundFade } };
        return (await renderStudio(scene, { ...size, quality: 'preview', signal })).plate!;
      }),
    );
    const change = (rows: readonly [number, number]) =>
      Math.abs(meanOf(fading!, rows, 0) - meanOf(ending!, rows, 0));
    expect(change([66, 68])).toBeGreaterThan(20);
    expect(change([76, 96])).toBeLessThan(1);
  });

  it('has darker ground under the foot in soft light, and the product’s pixels unchanged', async () => {
    const scene = makeScene('forest', 0);
    const product = makeBlock(scene);
    const { plate, grounded } = await renderStudio(scene, {
      ...size,
      quality: 'preview',
      product,
      withPlate: true,
      signal,
    });
    const at = ((product.y + product.image.height) * size.width + 48) * 3 + 1;
    expect(grounded!.data[at]!).toBeLessThan(0.85 * plate!.data[at]!);
    pasteProduct(grounded!, product);
    for (let y = 4; y < product.image.height - 4; y++) {
      const inside = ((product.y + y) * size.width + product.x + 8) * 3;
      expect([...grounded!.data.subarray(inside, inside + 3)]).toEqual([180, 30, 40]);
    }
  });

  it('has the same bytes with one and two threads', async () => {
    const scene = makeScene('sunset', -90);
    const request = {
      ...size,
      quality: 'preview',
      product: makeBlock(scene),
      withPlate: true,
      signal,
    } as const;
    const alone = await renderStudio(scene, request);
    const crew = claimCrew(2);
    await crew.assemble();
    crew.release();
    for (const threads of [1, 2]) {
      const other = await renderStudio(scene, { ...request, threads });
      expect(Buffer.compare(other.plate!.data, alone.plate!.data)).toBe(0);
      expect(Buffer.compare(other.grounded!.data, alone.grounded!.data)).toBe(0);
    }
  });
});
