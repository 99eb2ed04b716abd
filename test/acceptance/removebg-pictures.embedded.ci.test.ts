/** The fields of `/v1.0/removebg` that change the picture, each verified in pixels. */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readStoredZip } from './read-stored-zip.ts';
import {
  crate,
  cut,
  foregroundOf,
  greyOrColor,
  isCrate,
  pictures,
  pixels,
  send,
  useRemovebg,
} from './removebg-calls.ts';
import { cratePhoto } from './service.ts';

useRemovebg();

describe('size', () => {
  it('only scales down, to the megapixels of the requested class', async () => {
    const large = await cratePhoto({ width: 2400, height: 1600 });
    const sizeOf = async (size: string) => {
      const { width, height, header } = await pixels(await send({ image_file: large, size, format: 'png' }));
      return [width, height, header('x-max-width'), header('x-max-height')];
    };
    expect(await sizeOf('preview')).toEqual([612, 408, '2400', '1600']);
    expect(await sizeOf('regular')).toEqual([612, 408, '2400', '1600']);
    expect(await sizeOf('medium')).toEqual([1500, 1000, '2400', '1600']);
    expect(await sizeOf('hd')).toEqual([2400, 1600, '2400', '1600']);
    expect(await sizeOf('4k')).toEqual([2400, 1600, '2400', '1600']);
  });

  it('is at most 10 megapixels for a PNG, and may be more for a JPEG', async () => {
    const large = await cratePhoto({ width: 4000, height: 3000 });
    const png = await send({ image_file: large, size: 'full', format: 'png' });
    expect([png.headers.get('x-width'), png.headers.get('x-height')]).toEqual(['3651', '2738']);
    const jpg = await send({ image_file: large, size: 'full', format: 'jpg' });
    expect([jpg.headers.get('x-width'), jpg.headers.get('content-type')]).toEqual(['4000', 'image/jpeg']);
  });
});

describe('format and channels', () => {
  it('`auto` is PNG if the picture has transparency, and JPEG otherwise', async () => {
    expect((await cut({ format: 'auto' })).headers.get('content-type')).toBe('image/png');
    expect((await cut({ format: 'auto', bg_color: '#fff' })).headers.get('content-type')).toBe('image/jpeg');
    expect((await cut({ format: 'auto', bg_color: '#ffffff80' })).headers.get('content-type')).toBe(
      'image/png',
    );
  });

  it('JPEG is white where the cutout is transparent, WebP keeps transparency', async () => {
    const jpg = await pixels(await cut({ format: 'jpg' }));
    expect(jpg.at(5, 5)).toEqual([255, 255, 255, 255]);
    const webp = await cut({ format: 'webp' });
    expect(webp.headers.get('content-type')).toBe('image/webp');
    expect((await pixels(webp)).at(5, 5)[3]).toBe(0);
  });

  it('`zip` contains the colors, extended beyond the edge, and the matte, both uncompressed', async () => {
    const response = await cut({ format: 'zip' });
    const files = readStoredZip(Buffer.from(await response.arrayBuffer()));
    expect(files.map(({ name, method }) => [name, method])).toEqual([
      ['color.jpg', 0],
      ['alpha.png', 0],
    ]);
    const [color, alpha] = await Promise.all(files.map(({ bytes }) => greyOrColor(bytes)));
    expect([color!.format, color!.own, alpha!.format, alpha!.own]).toEqual(['jpeg', 3, 'png', 1]);
    // Far outside the crate, the color is still the crate's, not the paper's.
    const corner = [...color!.data.subarray(0, 3)];
    expect(isCrate([...corner, 255])).toBe(true);
    expect([alpha!.first(0), alpha!.first(120 * 320 + 160)]).toEqual([0, 255]);
  });

  it('`alpha` is only the matte, in gray', async () => {
    const matte = await greyOrColor(Buffer.from(await (await cut({ channels: 'alpha' })).arrayBuffer()));
    expect([matte.own, matte.width, matte.first(0), matte.first(120 * 320 + 160)]).toEqual([1, 320, 0, 255]);
    const cropped = await greyOrColor(
      Buffer.from(await (await cut({ channels: 'alpha', crop: 'true' })).arrayBuffer()),
    );
    expect(cropped.own).toBe(1);
    expect(Math.abs(cropped.width - crate.width)).toBeLessThanOrEqual(4);
  });
});

describe('composition', () => {
  it('`crop` cuts to the subject, with a margin around it', async () => {
    const tight = await pixels(await cut({ crop: 'True' }));
    expect(Math.abs(tight.width - crate.width)).toBeLessThanOrEqual(4);
    const wide = await cut({ crop: 'true', crop_margin: '30px 10%' });
    const { width, height } = await pixels(wide);
    const box = await foregroundOf(wide);
    expect([width - box.width, height - box.height]).toEqual([2 * Math.round(0.1 * box.width), 60]);
    expect([box.left, box.top]).toEqual([Math.round(0.1 * box.width), 30]);
    const widest = await pixels(await cut({ crop: 'true', crop_margin: '80%' }));
    expect(widest.width).toBe(2 * box.width);
  });

  it('say in X-Max-Width never less than the picture has', async () => {
    const large = await cratePhoto({ width: 4200, height: 3000 });
    const { headers } = await send({ image_file: large, size: '50MP', format: 'png' });
    const widths = ['x-width', 'x-max-width'].map((name) => headers.get(name));
    expect(widths).toEqual(['4200', '4200']);
  });

  it('`roi` excludes everything outside it', async () => {
    const one = { create: { width: 60, height: 60, channels: 3 as const, background: '#7a1f1f' } };
    const two = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#e8e6e2' } })
      .composite([
        { input: one, left: 40, top: 70 },
        { input: one, left: 290, top: 70 },
      ])
      .png()
      .toBuffer();
    const picture = await pixels(await send({ image_file: two, size: 'auto', roi: '0 0 50% 200px' }));
    expect([picture.width, picture.height]).toEqual([400, 200]);
    expect(isCrate(picture.at(70, 100))).toBe(true);
    expect(picture.at(320, 100)[3]).toBe(0);
    const other = await pixels(await send({ image_file: two, size: 'auto', roi: '200px 0 100% 100%' }));
    expect([other.at(70, 100)[3], isCrate(other.at(320, 100))]).toEqual([0, true]);
  });

  it('`scale` fits the subject into the requested share of the picture, centered', async () => {
    const response = await cut({ scale: '80%' });
    const box = await foregroundOf(response);
    expect(Math.max(box.width / 320, box.height / 240)).toBeCloseTo(0.8, 2);
    expect(box.left + box.width / 2).toBeCloseTo(160, -0.5);
    const { at } = await pixels(response);
    expect(isCrate(at(box.left + 8, box.top + 8))).toBe(true);
    expect(at(box.left - 4, box.top - 4)[3]).toBe(0);
  });

  it('`position` moves the subject within the free space', async () => {
    const corner = await foregroundOf(await cut({ position: '0% 100%' }));
    expect([corner.left, corner.top + corner.height]).toEqual([0, 240]);
    const middle = await foregroundOf(await cut({ position: 'center', scale: '20%' }));
    expect(middle.left + middle.width / 2).toBeCloseTo(160, -0.5);
    const { at } = await pixels(await cut({ position: '0% 100%' }));
    expect(isCrate(at(10, 230))).toBe(true);
  });

  it.each([
    ['81d4fa', [0x81, 0xd4, 0xfa, 255]],
    ['#0f0', [0, 255, 0, 255]],
    ['rebeccapurple', [0x66, 0x33, 0x99, 255]],
    ['81d4fa80', [0x81, 0xd4, 0xfa, 0x80]],
    ['#f008', [255, 0, 0, 0x88]],
  ])('bg_color %s lies behind the subject', async (color, expected) => {
    const { at } = await pixels(await cut({ bg_color: color }));
    expect(at(5, 5)).toEqual(expected);
    expect(isCrate(at(160, 120))).toBe(true);
  });

  it('a background picture covers the canvas, centered, from a file or a URL', async () => {
    const left = { create: { width: 100, height: 400, channels: 3 as const, background: '#ff0000' } };
    const backdrop = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#0000ff' } })
      .composite([{ input: left, left: 0, top: 0 }])
      .png()
      .toBuffer();
    const { at, width, height } = await pixels(await cut({ bg_image_file: backdrop }));
    expect([width, height]).toEqual([320, 240]);
    expect([at(10, 10), at(310, 10)]).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ]);
    const fetched = await pixels(await cut({ bg_image_url: `${pictures.url}/backdrop.png` }));
    expect(fetched.at(5, 5)).toEqual([0x20, 0x40, 0xc0, 255]);
  });

  it('a shadow darkens the floor below the subject, and leaves the subject unchanged', async () => {
    const plain = await pixels(await cut({ bg_color: 'fff' }));
    const shaded = await pixels(await cut({ bg_color: 'fff', shadow_type: 'drop', shadow_opacity: '100' }));
    const faint = await pixels(await cut({ bg_color: 'fff', shadow_type: 'drop', shadow_opacity: '10' }));
    const below = (picture: typeof plain) => picture.at(160, 183)[0]!;
    expect(below(plain)).toBe(255);
    expect(below(shaded)).toBeLessThan(215);
    expect(below(faint)).toBeGreaterThan(below(shaded));
    expect(shaded.at(160, 120)).toEqual(plain.at(160, 120));
    const transparent = await pixels(await cut({ shadow_type: 'auto' }));
    const [r, , , a] = transparent.at(160, 183);
    expect(r).toBe(0);
    expect(a).toBeGreaterThan(20);
    const ofCars = await pixels(await cut({ bg_color: 'fff', add_shadow: 'true' }));
    expect(below(ofCars)).toBe(255);
    expect(below(await pixels(await cut({ bg_color: 'fff', add_shadow: 'true', type: 'car' })))).toBeLessThan(
      255,
    );
    expect(below(await pixels(await cut({ bg_color: 'fff', 'shadow_type[other]': 'drop' })))).toBeLessThan(
      255,
    );
  });

  it('`crop` keeps the shadow, and everything outside it is empty', async () => {
    const tight = await pixels(await cut({ crop: 'true' }));
    const response = await cut({ crop: 'true', crop_margin: '10px', shadow_type: 'drop' });
    const box = await foregroundOf(response);
    const { width, height, at } = await pixels(response);
    expect(width).toBeGreaterThan(tight.width + 20);
    expect(height).toBeGreaterThan(tight.height + 20);
    expect([box.width, box.height]).toEqual([tight.width, tight.height]);
    expect(isCrate(at(box.left + 8, box.top + 8))).toBe(true);
    const rim = Array.from({ length: width }, (_, x) => [at(x, 0)[3], at(x, height - 1)[3]]).flat();
    expect(Math.max(...(rim as number[]))).toBe(0);
    const below = Array.from({ length: height - box.top - box.height - 10 }, (_, y) =>
      at(box.left + (box.width >> 1), box.top + box.height + y),
    );
    expect(below.every(([, , , alpha]) => alpha! > 0)).toBe(true);
  });
});
