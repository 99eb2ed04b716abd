/** `/v2/edit` as clients of Photoroom's image API call it: cutouts laid out on a canvas. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PictureServer, servePictures } from './picture-server.ts';
import { cratePhoto, findCrate, formWith, jsonOf, pixelsOf, type Service, startService } from './service.ts';

let service: Service;
let photo: Buffer;
let pictures: PictureServer;
beforeAll(async () => {
  photo = await cratePhoto();
  pictures = await servePictures({ '/photo.jpg': photo });
  service = await startService({ URL_ALLOW: pictures.host });
});
afterAll(async () => {
  pictures.close();
  await service.stop();
});

const edit = (fields: Record<string, string> = {}) => {
  const form = formWith(photo, 'imageFile');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return service.call('/v2/edit', { method: 'POST', body: form });
};

describe('/v2/edit', () => {
  it('fits the product into the canvas, with padding, in the given color', async () => {
    const answer = await edit({ outputSize: '400x400', padding: '0.1', 'background.color': 'FFFFFF' });
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(Number(answer.headers.get('x-uncertainty-score'))).toBeLessThan(0.5);
    const picture = await pixelsOf(answer);
    expect([picture.width, picture.height, ...picture.data.subarray(0, 3)]).toEqual([
      400, 400, 255, 255, 255,
    ]);
    const { x, y, width } = findCrate(picture);
    expect([x, y, width].map((value) => Math.round(value * 50) / 50)).toEqual([0.5, 0.5, 0.8]);
  });

  it.each([
    ['padding in pixels, and a side of its own', { padding: '20px', paddingTop: '100px' }, [0.5, 0.6]],
    ['margin, which adds to the padding', { padding: '0.05', margin: '5%' }, [0.5, 0.5]],
    ['alignment', { padding: '10%', verticalAlignment: 'bottom' }, [0.5, 0.6]],
  ] as const)('takes %s', async (_, fields, [x, y]) => {
    const crate = findCrate(await pixelsOf(await edit({ outputSize: '400x400', ...fields })));
    expect(crate.x).toBeCloseTo(x, 1);
    expect(crate.y).toBeCloseTo(y, 1);
  });

  it('fills the canvas with `scaling=fill`, and crops to the product with `outputSize=croppedSubject`', async () => {
    const filled = findCrate(await pixelsOf(await edit({ outputSize: '300x300', scaling: 'fill' })));
    expect(filled.pixels).toBeGreaterThan(0.98);
    const cropped = await pixelsOf(await edit({ outputSize: 'croppedSubject', padding: '10px' }));
    expect(Math.abs(cropped.width - 180)).toBeLessThanOrEqual(4);
    const whole = await pixelsOf(await edit({ outputSize: 'originalImage' }));
    expect([whole.width, whole.height]).toEqual([320, 240]);
  });

  it('encodes as asked, with the density', async () => {
    for (const [format, type] of [
      ['jpeg', 'image/jpeg'],
      ['webp', 'image/webp'],
      ['avif', 'image/avif'],
      ['png', 'image/png'],
    ]) {
      const answer = await edit({
        'export.format': format!,
        'export.dpi': '300',
        'background.color': 'white',
      });
      expect(answer.headers.get('content-type')).toBe(type);
      const { density } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      if (format === 'jpeg' || format === 'png') expect(density).toBe(300);
    }
  });

  it('puts the product on the picture of a URL, at the quality asked for', async () => {
    const fields = {
      'background.imageUrl': `${pictures.url}/photo.jpg`,
      outputSize: '320x240',
      'export.format': 'jpeg',
    };
    const bytes = async (quality: string) =>
      (await (await edit({ ...fields, 'export.quality': quality })).arrayBuffer()).byteLength;
    expect(await bytes('20')).toBeLessThan(await bytes('95'));
    const { data } = await pixelsOf(await edit({ ...fields, padding: '0.4' }));
    // The corner is the backdrop's wall.
    expect([...data.subarray(0, 3)]).toEqual([0xe8, 0xe6, 0xe2].map((value) => expect.closeTo(value, -1)));
  });

  it('lays a shadow below the product', async () => {
    const at = { outputSize: '400x400', padding: '0.2', 'background.color': 'FFFFFF' };
    const sum = async (fields: Record<string, string>) =>
      (await pixelsOf(await edit({ ...at, ...fields }))).data.reduce((all, value) => all + value, 0);
    expect(await sum({ 'shadow.mode': 'ai.soft' })).toBeLessThan(await sum({}));
  });

  it('lays out the whole photo with `removeBackground=false`', async () => {
    const fields = { outputSize: '400x400', 'background.color': 'FF0000', 'shadow.mode': 'ai.soft' };
    const { data, width } = await pixelsOf(await edit({ ...fields, removeBackground: 'false' }));
    const at = (x: number, y: number) => [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
    // A photo of 4:3 leaves a border above and below.
    expect([at(200, 20), at(200, 380)]).toEqual([
      [255, 0, 0],
      [255, 0, 0],
    ]);
    const whole = await sharp(photo).resize(400, 300).removeAlpha().raw().toBuffer();
    for (const [x, y] of [
      [10, 60],
      [390, 340],
      [200, 200],
    ] as const)
      for (const [c, value] of at(x, y).entries())
        expect(Math.abs(value - whole[3 * ((y - 50) * 400 + x) + c]!)).toBeLessThan(12);
  });

  it("keeps a photo's own cutout with `keepExistingAlphaChannel=auto`", async () => {
    // A disc: most of the photo is transparent.
    const pixels = Buffer.alloc(320 * 240 * 4);
    for (let y = 0; y < 240; y++)
      for (let x = 0; x < 320; x++)
        if (Math.hypot(x - 90, y - 120) < 60) pixels.set([32, 64, 96, 255], 4 * (y * 320 + x));
    const own = await sharp(pixels, { raw: { width: 320, height: 240, channels: 4 } })
      .png()
      .toBuffer();
    const form = formWith(own, 'imageFile');
    form.append('keepExistingAlphaChannel', 'auto');
    form.append('outputSize', 'croppedSubject');
    const answer = await service.call('/v2/edit', { method: 'POST', body: form });
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([width, height].map((side) => Math.abs(side! - 120) <= 2)).toEqual([true, true]);
  });

  it('takes the URL of a photo in a GET', async () => {
    const query = new URLSearchParams({ imageUrl: `${pictures.url}/photo.jpg`, outputSize: '200x200' });
    expect((await pixelsOf(await service.call(`/v2/edit?${query}`))).width).toBe(200);
  });

  it.each([
    ['lighting.mode', { 'lighting.mode': 'ai.auto' }],
    ['background.prompt', { 'background.prompt': 'a beach' }],
    ['removeBackground', { removeBackground: 'maybe' }],
    ['keepExistingAlphaChannel', { keepExistingAlphaChannel: 'always' }],
    ['outputSize', { outputSize: '99999x99999' }],
    ['padding', { padding: '0.6' }],
    ['background.color', { 'background.color': 'nothing' }],
    ['export.dpi', { 'export.dpi': '9000' }],
    ['shadow.mode', { 'shadow.mode': 'ai.floating' }],
    ['x'.repeat(50), { ['x'.repeat(2_000)]: 'y' }],
  ])('refuses what it cannot do by the name of the field, %s', async (name, fields) => {
    const answer = await edit(fields as Record<string, string>);
    const { error } = await jsonOf(answer);
    expect([answer.status, error.message]).toEqual([400, expect.stringContaining(`"${name}"`)]);
  });
});
