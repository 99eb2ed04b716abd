import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PhotoTags } from '../../packages/photos/src/photo-tags.ts';
import { listRecipes } from '../recipes/catalogue.ts';
import type { Mutations } from '../recipes/mutations.ts';
import { resolveRecipe } from '../recipes/resolve-recipe.ts';
import { type DrawPicture, drawPicture } from './draw-picture.ts';
import { type RenderFormat, renderTarget } from './render-target.ts';

/** A mug with a soft rim and a handle on its right. The picture has 260×240 px; the mug fills (60,40) to (200,200). */
let mugPng: Buffer;
const boundingBox = { x: 60, y: 40, width: 140, height: 160 };

beforeAll(async () => {
  const data = Buffer.alloc(260 * 240 * 4);
  for (let i = 0; i < 260 * 240; i++) {
    const [x, y] = [i % 260, Math.floor(i / 260)];
    const body = x >= 60 && x < 160 && y >= 40 && y < 200;
    const ring = Math.abs(Math.hypot(x - 160, y - 110) - 34) < 6 && x >= 160;
    if (body || ring) {
      const alpha = x === 60 || y === 40 ? 128 : 255;
      data.set([180 + (x % 30), 60 + (y % 40), 50, alpha], 4 * i);
    }
  }
  mugPng = await sharp(data, { raw: { width: 260, height: 240, channels: 4 } })
    .png()
    .toBuffer();
});

interface Asked {
  readonly recipeId?: string;
  readonly variant?: string;
  readonly mutations?: Mutations;
  readonly format?: RenderFormat;
  readonly touchesEdges?: DrawPicture['touchesEdges'];
  readonly pose?: DrawPicture['pose'];
  /** Default 640 px. */
  readonly longEdgePx?: number;
  readonly tags?: PhotoTags;
}

async function draw(asked: Asked = {}) {
  const {
    recipeId = 'Solid1_1_0035',
    variant = '1:1',
    mutations,
    format = 'png',
    touchesEdges = [],
    pose,
    longEdgePx = 640,
    tags,
  } = asked;
  const picture = await drawPicture({
    cutoutPng: mugPng,
    boundingBox,
    touchesEdges,
    pose,
    plan: resolveRecipe({ recipeId, variant, mutations }),
    target: { ...renderTarget('preview', format), longEdgePx, ...(tags && { tags }) },
    signal: new AbortController().signal,
  });
  const { data, info } = await sharp(picture.bytes).raw().toBuffer({ resolveWithObject: true });
  const pixel = (x: number, y: number): number[] => [
    ...data.subarray((y * info.width + x) * info.channels, (y * info.width + x + 1) * info.channels),
  ];
  return { ...picture, data, info, pixel };
}

describe('drawPicture', () => {
  it.each(['webp', 'jpeg', 'png', 'avif'] as const)(
    'makes a %s of the canvas size, without metadata',
    async (format) => {
      const { bytes, contentType, width, height } = await draw({
        format,
        recipeId: 'Surface001',
        variant: '9:16',
      });
      const found = await sharp(bytes).metadata();
      expect({ width, height, contentType }).toEqual({
        width: 360,
        height: 640,
        contentType: `image/${format}`,
      });
      expect(found.format).toBe(format === 'avif' ? 'heif' : format);
      expect([found.width, found.height]).toEqual([360, 640]);
      expect([found.exif, found.icc, found.xmp, found.iptc]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    },
  );

  it('draws every gradient and surface, and no two look the same', async () => {
    const ids = listRecipes()
      .filter(({ family }) => family === 'gradient' || family === 'surface')
      .map(({ id }) => id);
    const corners = new Set<string>();
    for (const recipeId of ids) {
      const { pixel } = await draw({ recipeId, longEdgePx: 160 });
      corners.add([pixel(4, 4), pixel(80, 155)].join());
    }
    expect(corners.size).toBe(ids.length);
  });

  it('keeps every pixel around the subject at 255 on white, even in JPEG', async () => {
    const lossless = await draw();
    const jpeg = await draw({ format: 'jpeg' });
    let outside = 0;
    let misses = 0;
    for (let i = 0; i < lossless.data.length; i += 3) {
      if (lossless.data[i] === 255 && lossless.data[i + 1] === 255 && lossless.data[i + 2] === 255) {
        outside++;
        misses += Math.min(jpeg.data[i]!, jpeg.data[i + 1]!, jpeg.data[i + 2]!) < 255 ? 1 : 0;
      }
    }
    expect(outside).toBeGreaterThan(100_000);
    expect(misses).toBe(0);
  });

  it.each(['webp', 'png', 'avif'] as const)(
    'keeps true alpha on the transparent recipe in %s',
    async (format) => {
      const { info, pixel, warnings } = await draw({ recipeId: 'Transp001', format });
      expect(info.channels).toBe(4);
      expect(pixel(2, 2)[3]).toBe(0);
      expect(pixel(300, 320)[3]).toBe(255);
      expect(warnings.map((warning) => warning.code)).not.toContain('transparency_flattened');
    },
  );

  it('flattens the transparent recipe onto white in JPEG, with a warning', async () => {
    const { info, pixel, warnings } = await draw({ recipeId: 'Transp001', format: 'jpeg' });
    expect(info.channels).toBe(3);
    expect(pixel(2, 2)).toEqual([255, 255, 255]);
    expect(warnings.map((warning) => warning.code)).toContain('transparency_flattened');
  });

  it('warns when a small photo is enlarged, and states the factor', async () => {
    const { warnings } = await draw();
    expect(warnings).toEqual([{ code: 'upscaled', detail: expect.stringContaining('3.3 times') }]);
    expect((await draw({ mutations: { layout: { scale: 0.3 } } })).warnings).toEqual([]);
  });

  it('draws a contact shadow on white only on request', async () => {
    const below = async (mutations?: Mutations): Promise<number> =>
      (await draw(mutations === undefined ? {} : { mutations })).pixel(280, 584)[0]!;
    expect(await below()).toBe(255);
    expect(await below({ shadow: { kind: 'contact' } })).toBeLessThan(200);
    const { pixel } = await draw({ mutations: { shadow: { kind: 'contact' } } });
    expect(pixel(3, 3)).toEqual([255, 255, 255]);
  });

  it('casts a shadow on white that points away from the light and fades before the frame', async () => {
    const contact = await draw({ mutations: { shadow: { kind: 'contact' } } });
    const cast = await draw({ mutations: { shadow: { kind: 'cast' } } });
    expect(cast.pixel(450, 570)[0]).toBeLessThan(contact.pixel(450, 570)[0]! - 5);
    for (const { pixel } of [contact, cast])
      for (let at = 0; at < 640; at++) {
        expect(pixel(at, 639)[0]).toBeGreaterThanOrEqual(254);
        expect(pixel(639, at)[0]).toBeGreaterThanOrEqual(254);
      }
  });

  it('darkens the floor beside the product less with a weaker shadow, and hardly with a contact shadow', async () => {
    // Measured on the floor to the right of the mug, because the light comes from the left.
    const at = async (shadow?: Mutations['shadow']): Promise<number> =>
      (await draw({ recipeId: 'Surface002', ...(shadow && { mutations: { shadow } }) })).pixel(450, 495)[0]!;
    const bare = await at({ kind: 'none' });
    expect(await at()).toBeLessThan(0.85 * bare);
    expect(await at({ strength: 0.2 })).toBeGreaterThan(await at());
    expect(await at({ kind: 'contact' })).toBeGreaterThan(0.9 * bare);
  });

  it('encodes the shadow of a transparent picture as alpha', async () => {
    const { pixel } = await draw({ recipeId: 'Transp001', mutations: { shadow: { kind: 'contact' } } });
    const [r, g, b, alpha] = pixel(280, 584);
    expect([r, g, b]).toEqual([0, 0, 0]);
    expect(alpha).toBeGreaterThan(40);
  });

  it('draws no shadow for a subject cropped at the bottom edge', async () => {
    const cut = await draw({ recipeId: 'Surface001', touchesEdges: ['bottom'] });
    const bare = await draw({
      recipeId: 'Surface001',
      touchesEdges: ['bottom'],
      mutations: { shadow: { kind: 'none' } },
    });
    expect(cut.bytes.equals(bare.bytes)).toBe(true);
  });

  it('draws no shadow on the ground for a subject that hangs', async () => {
    const cast: Mutations = { shadow: { kind: 'cast' } };
    const touchesEdges = ['top'] as const;
    const none = await draw({ mutations: { shadow: { kind: 'none' } }, touchesEdges });
    const hung = await draw({ mutations: cast, touchesEdges, pose: 'hung' });
    const standing = await draw({ mutations: cast, touchesEdges });
    expect(Buffer.compare(hung.data, none.data)).toBe(0);
    expect(Buffer.compare(standing.data, none.data)).not.toBe(0);
  });

  it('shrinks the outline further for a larger `shrinkPx`', async () => {
    const covered = async (shrinkPx: number): Promise<number> => {
      const { data } = await draw({ recipeId: 'Transp001', mutations: { edge: { shrinkPx } } });
      return data.reduce((sum, value, i) => (i % 4 === 3 ? sum + value : sum), 0);
    };
    expect(await covered(4)).toBeLessThan(await covered(1));
    expect(await covered(1)).toBeLessThan(await covered(0));
  });

  it('is deterministic to the byte', async () => {
    const [a, b] = await Promise.all([draw({ recipeId: 'Surface006' }), draw({ recipeId: 'Surface006' })]);
    expect(a.bytes.equals(b.bytes)).toBe(true);
  });

  it('reports its steps, and rejects with the reason of an aborted signal', async () => {
    const { timings } = await draw();
    expect(timings.map(({ step }) => step)).toEqual(['scale-subject', 'backdrop', 'compose', 'encode']);
    const reason = new Error('gone');
    const request = {
      cutoutPng: mugPng,
      boundingBox,
      touchesEdges: [],
      plan: resolveRecipe({ recipeId: 'Transp001', variant: '1:1' }),
      target: renderTarget('preview', 'png'),
    };
    await expect(drawPicture({ ...request, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('reports a broken cutout as an internal error, without the library’s message', async () => {
    const request = {
      cutoutPng: Buffer.from('not a picture'),
      boundingBox,
      touchesEdges: [],
      plan: resolveRecipe({ recipeId: 'Transp001', variant: '1:1' }),
      target: renderTarget('preview', 'png'),
      signal: new AbortController().signal,
    };
    await expect(drawPicture(request)).rejects.toMatchObject({
      code: 'internal',
      message: 'The picture could not be drawn.',
    });
  });

  it('states a density only if one is given, in every format that has one', async () => {
    for (const recipeId of ['Solid1_1_0035', 'Transp001']) {
      const { bytes } = await draw({ recipeId });
      expect(bytes.includes('pHYs')).toBe(false);
      for (const format of ['png', 'jpeg'] as const) {
        const printed = await draw({ recipeId, format, tags: { dpi: 300 } });
        expect((await sharp(printed.bytes).metadata()).density, `${recipeId} ${format}`).toBe(300);
      }
    }
  });
});
