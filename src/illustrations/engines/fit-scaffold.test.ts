import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { cropBackdrop } from '../../rendering/crop-backdrop.ts';
import { drawScaffold, probe } from '../painting/illustration-engine.contract.ts';
import { fitScaffold } from './fit-scaffold.ts';

const canvas = { width: 200, height: 160 };
const frame = { width: 96, height: 80 };

describe('fitScaffold', () => {
  it('places the canvas at the bottom center of a frame of another aspect ratio; the engine repaints the rest', async () => {
    const scaffold = await drawScaffold(canvas);
    for (const [shape, left, top] of [
      [{ width: 100, height: 120 }, 0, 40],
      [{ width: 200, height: 80 }, 50, 0],
    ] as const) {
      const { picturePng, maskPng } = await fitScaffold(scaffold, shape, 'gray');
      const part = { left, top, width: 100, height: 80 };
      const cut = async (file: Uint8Array) => probe(await sharp(file).extract(part).png().toBuffer());
      const picture = await cut(picturePng);
      expect([picture.product, picture.elsewhere]).toEqual([
        [255, 0, 0],
        [0, 0, 255],
      ]);
      const kept = await cut(maskPng);
      expect([kept.product[0], kept.elsewhere[0]]).toEqual([0, 255]);
      const mask = await sharp(maskPng).toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer();
      expect(mask.length).toBe(shape.width * shape.height);
      expect(mask.filter((value) => value === 0).length / (100 * 80)).toBeCloseTo(0.125, 1);
    }
  });

  it("keeps the whole canvas when the engine's response is cropped to the canvas' aspect ratio", async () => {
    const scaffold = await drawScaffold(canvas);
    const read = (file: Uint8Array) =>
      sharp(file).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true });
    const { picturePng } = await fitScaffold(scaffold, { width: 128, height: 192 }, 'gray');
    const { data, info } = await read(picturePng);
    const cropped = await cropBackdrop({ width: info.width, height: info.height, data }, canvas);
    const given = (await read(scaffold.picturePng)).data;
    expect(cropped.data.length).toBe(given.length);
    const apart = given.reduce((sum, value, i) => sum + Math.abs(value - cropped.data[i]!), 0);
    expect(apart / given.length).toBeLessThan(3);
  });

  it('scales picture and mask to the frame', async () => {
    const fitted = await fitScaffold(await drawScaffold(canvas), frame, 'gray');
    const size = [96, 80];
    expect(await probe(fitted.picturePng)).toEqual({ product: [255, 0, 0], elsewhere: [0, 0, 255], size });
    expect(await probe(fitted.maskPng)).toEqual({ product: [0], elsewhere: [255], size });
  });

  it('returns a binary mask that keeps the product’s area', async () => {
    const { maskPng } = await fitScaffold(await drawScaffold(canvas), frame, 'gray');
    const mask = await sharp(maskPng).toColourspace('b-w').raw({ depth: 'uchar' }).toBuffer();
    expect([...new Set(mask)].toSorted((a, b) => a - b)).toEqual([0, 255]);
    const kept = mask.filter((value) => value === 0).length;
    expect(kept / mask.length).toBeCloseTo(0.125, 2);
  });

  it('reads a mask saved in color and with an opaque alpha channel', async () => {
    const { picturePng, maskPng } = await drawScaffold(canvas);
    const inColors = await sharp(maskPng).toColourspace('srgb').ensureAlpha().png().toBuffer();
    const fitted = await fitScaffold({ picturePng, maskPng: inColors }, frame, 'gray-and-clear');
    expect(await probe(fitted.maskPng)).toMatchObject({
      product: [0, 0, 0, 255],
      elsewhere: [255, 255, 255, 0],
    });
  });

  it('rejects input that is not a picture', async () => {
    const { maskPng } = await drawScaffold(canvas);
    const broken = fitScaffold({ picturePng: new Uint8Array(8), maskPng }, frame, 'gray');
    await expect(broken).rejects.toMatchObject({ code: 'internal' });
  });
});
