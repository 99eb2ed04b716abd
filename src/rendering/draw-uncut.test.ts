import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { resolveRecipe } from '../recipes/resolve-recipe.ts';
import { drawUncut } from './draw-uncut.ts';
import { type RenderFormat, renderTarget } from './render-target.ts';

/** A wide photo: its left half is red, its right half blue. */
async function photo() {
  const half = { create: { width: 200, height: 200, channels: 3 as const, background: '#0000ff' } };
  return sharp({ create: { width: 400, height: 200, channels: 3, background: '#ff0000' } })
    .composite([{ input: half, left: 200, top: 0 }])
    .png()
    .toBuffer();
}

async function draw(
  fit: 'pad' | 'crop' | 'extend' | undefined,
  recipeId = 'Solid1_1_0042',
  format: RenderFormat = 'png',
) {
  const mutations = { cutout: 'none' as const, layout: { fit } };
  const { signal } = new AbortController();
  const plan = resolveRecipe({ recipeId, variant: '1:1', mutations });
  const { bytes, ...drawn } = await drawUncut({
    bytes: await photo(),
    plan,
    target: renderTarget('preview', format),
    signal,
  });
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number) => [
    ...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4),
  ];
  return { ...drawn, info, pixel };
}

const red = [255, 0, 0, 255];
const blue = [0, 0, 255, 255];

describe('a photo that is left as it is', () => {
  it('stands whole on the backdrop, without a margin or a shadow', async () => {
    for (const fit of ['pad', undefined] as const) {
      const { pixel, info } = await draw(fit);
      expect(info).toMatchObject({ width: 640, height: 640 });
      expect([pixel(0, 320), pixel(639, 320), pixel(2, 161), pixel(637, 478)]).toEqual([
        red,
        blue,
        red,
        blue,
      ]);
      const backdrop = pixel(0, 0);
      for (const y of [0, 100, 158, 482, 560, 639]) expect(pixel(320, y)).toEqual(backdrop);
      expect([red, blue]).not.toContainEqual(backdrop);
    }
  });

  it('fills the picture with its middle, or with its own edges', async () => {
    for (const fit of ['crop', 'extend'] as const) {
      const { pixel } = await draw(fit);
      for (const y of [0, 320, 639]) expect([pixel(5, y), pixel(634, y)]).toEqual([red, blue]);
    }
  });

  it('is padded with transparency, or with white where the format has none', async () => {
    expect((await draw('pad', 'Transp001')).pixel(320, 10)[3]).toBe(0);
    const { pixel, warnings } = await draw('pad', 'Transp001', 'jpeg');
    expect(pixel(320, 10)).toEqual([255, 255, 255, 255]);
    expect(warnings.map(({ code }) => code)).toContain('transparency_flattened');
  });
});
