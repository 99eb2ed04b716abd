/** `/v1.0/removebg` as clients of remove.bg call it: every kind of body, every field verified in pixels. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStoredZip } from './read-stored-zip.ts';
import { cratePhoto, emptyPhoto, jsonOf, type Service, startService } from './service.ts';

let service: Service;
let photo: Buffer;
/** Serves pictures to fetch. */
let pictures: { url: string; close: () => void };
beforeAll(async () => {
  photo = await cratePhoto();
  const backdrop = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#2040c0' } })
    .png()
    .toBuffer();
  const server = createServer((request, response) => {
    if (request.url === '/photo.jpg') response.end(photo);
    else if (request.url === '/backdrop.png') response.end(backdrop);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  pictures = { url: `http://127.0.0.1:${port}`, close: () => server.close() };
  service = await startService({ URL_ALLOW: `127.0.0.1:${port}` });
});
afterAll(async () => {
  pictures.close();
  await service.stop();
});

type Fields = Readonly<Record<string, string | Buffer>>;

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'photo.jpg');
  }
  return form;
}

const send = (fields: Fields, headers: Record<string, string> = {}) =>
  service.call('/v1.0/removebg', { method: 'POST', headers, body: formOf(fields) });
const cut = (fields: Fields = {}) => send({ image_file: photo, size: 'auto', format: 'png', ...fields });

async function pixels(response: Response) {
  expect(response.status, await response.clone().text()).toBe(200);
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...data.subarray(4 * (y * info.width + x), 4 * (y * info.width + x) + 4),
  ];
  return { ...info, data, at, header: (name: string) => response.headers.get(name) };
}

/** The crate of the photo: 160 × 120 px at 80, 60. */
const crate = { left: 80, top: 60, width: 160, height: 120 };
const isCrate = ([r = 0, g = 0, b = 0, a = 0]: number[]) =>
  a === 255 && Math.abs(r - 0x7a) < 12 && Math.abs(g - 0x1f) < 12 && Math.abs(b - 0x1f) < 12;

async function greyOrColor(bytes: Buffer) {
  const { channels: own, format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { own, format, data, width: info.width, first: (pixel: number) => data[pixel * info.channels] };
}

async function foregroundOf(response: Response) {
  const number = (name: string) => Number(response.headers.get(`x-foreground-${name}`));
  return { left: number('left'), top: number('top'), width: number('width'), height: number('height') };
}

describe('a body', () => {
  const names = [
    'a form',
    'an urlencoded body',
    'JSON',
    'JSON as plain text',
    'JSON without a type',
    'a URL',
  ];
  const base64 = () => photo.toString('base64');
  const calls: Record<string, () => Promise<Response>> = {
    'a form': () => cut(),
    'an urlencoded body': () =>
      service.call('/v1.0/removebg', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body: new URLSearchParams({ image_file_b64: base64(), size: 'auto' }).toString(),
      }),
    JSON: () =>
      service.call('/v1.0/removebg', {
        headers: { 'content-type': 'application/json' },
        json: {
          image_file_b64: `data:image/jpeg;base64,${base64().replace(/.{76}/g, '$&\r\n')}`,
          size: 'auto',
          crop: false,
          bg_color: null,
          add_shadow: false,
          roi: '',
        },
      }),
    'JSON as plain text': () =>
      service.call('/v1.0/removebg', {
        headers: { 'content-type': 'text/plain;charset=UTF-8' },
        json: { image_file_b64: base64(), size: 'auto' },
      }),
    'JSON without a type': () =>
      service.call('/v1.0/removebg', {
        method: 'POST',
        body: new Blob([JSON.stringify({ image_file_b64: base64(), size: 'auto' })]),
      }),
    'a URL': () =>
      service.call('/v1.0/removebg', { json: { image_url: `${pictures.url}/photo.jpg`, size: 'auto' } }),
  };
  it.each(names)('may be %s', async (name) => {
    const picture = await pixels(await calls[name]!());
    expect([picture.width, picture.height]).toEqual([320, 240]);
    expect(isCrate(picture.at(160, 120))).toBe(true);
    expect(picture.at(5, 5)[3]).toBe(0);
  });

  it('may have every field, with unset ones empty, as the command line of remove.bg sends it', async () => {
    const unset = [
      'image_url',
      'image_file_b64',
      'roi',
      'crop',
      'crop_margin',
      'scale',
      'position',
      'bg_color',
      'bg_image_url',
      'semitransparency',
      'shadow_type',
      'add_shadow',
      'type_level',
    ];
    const form = formOf({
      image_file: photo,
      ...Object.fromEntries(unset.map((name) => [name, ''])),
      size: 'auto',
      type: 'auto',
      channels: 'rgba',
      format: 'zip',
    });
    form.append('bg_image_file', new Blob([]), '');
    const response = await service.call('/v1.0/removebg', { method: 'POST', body: form });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  });

  it('may have a file part without a type or a name', async () => {
    const head = '--x\r\nContent-Disposition: form-data; name="image_file"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), photo, Buffer.from('\r\n--x--\r\n')]);
    const response = await service.call('/v1.0/removebg', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: new Uint8Array(body),
    });
    expect(response.status).toBe(200);
  });

  it('may carry the key as a bearer token', async () => {
    const headers = { authorization: `Bearer ${service.key}` };
    const init = { method: 'POST', headers, body: formOf({ image_file: photo }), key: null };
    expect((await service.call('/v1.0/removebg', init)).status).toBe(200);
  });
});

describe('an answer', () => {
  it('has the headers of remove.bg', async () => {
    const response = await send({ image_file: photo });
    const header = Object.fromEntries(response.headers);
    expect(header).toMatchObject({
      'content-type': 'image/png',
      'x-width': '320',
      'x-height': '240',
      'x-max-width': '320',
      'x-max-height': '240',
      'x-type': 'other',
      'x-credits-charged': '0',
      'access-control-allow-origin': '*',
      'x-ratelimit-limit': '1000',
    });
    expect(Number(header['x-ratelimit-reset']) - Date.now() / 1000).toBeLessThan(60);
    expect(Number(header['x-ratelimit-reset']) - Date.now() / 1000).toBeGreaterThan(-5);
    const found = await foregroundOf(response);
    for (const [name, value] of Object.entries(crate))
      expect(Math.abs(found[name as 'left'] - value), name).toBeLessThanOrEqual(2);
  });

  it('is JSON if only that is accepted, and the picture if a browser or axios lists it', async () => {
    const json = await send({ image_file: photo, size: 'auto' }, { accept: 'application/json' });
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    const { data } = await jsonOf(json);
    expect(Object.keys(data)).toEqual([
      'result_b64',
      'foreground_top',
      'foreground_left',
      'foreground_width',
      'foreground_height',
    ]);
    const whole = Buffer.from(await (await cut()).arrayBuffer());
    expect(Buffer.from(data.result_b64, 'base64').equals(whole)).toBe(true);
    const listed = await send({ image_file: photo }, { accept: 'application/json, text/plain, */*' });
    expect(listed.headers.get('content-type')).toBe('image/png');
  });

  it("names the class of the subject, the caller's first", async () => {
    const type = async (fields: Fields) => (await cut(fields)).headers.get('x-type');
    expect(await type({ type: 'car' })).toBe('car');
    expect(await type({ type: 'car_interior' })).toBe('other');
    expect(await type({ type: 'car_interior', type_level: '2' })).toBe('car_interior');
    expect(await type({ type_level: 'none' })).toBeNull();
  });

  it('to a page of another origin passes CORS, and its preflight needs no key', async () => {
    const asked = await service.call('/v1.0/removebg', { method: 'OPTIONS', key: null });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
  });
});

describe('size', () => {
  it('only shrinks, to the megapixels of its class', async () => {
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

  it('of a PNG is 10 megapixels at most, of a JPEG 25', async () => {
    const large = await cratePhoto({ width: 4000, height: 3000 });
    const png = await send({ image_file: large, size: 'full', format: 'png' });
    expect([png.headers.get('x-width'), png.headers.get('x-height')]).toEqual(['3651', '2738']);
    const jpg = await send({ image_file: large, size: 'full', format: 'jpg' });
    expect([jpg.headers.get('x-width'), jpg.headers.get('content-type')]).toEqual(['4000', 'image/jpeg']);
  });
});

describe('format and channels', () => {
  it('auto is PNG with transparency, else JPEG', async () => {
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

  it('zip contains the colors, beyond the edge, and the matte, both stored', async () => {
    const response = await cut({ format: 'zip' });
    const files = readStoredZip(Buffer.from(await response.arrayBuffer()));
    expect(files.map(({ name, method }) => [name, method])).toEqual([
      ['color.jpg', 0],
      ['alpha.png', 0],
    ]);
    const [color, alpha] = await Promise.all(files.map(({ bytes }) => greyOrColor(bytes)));
    expect([color!.format, color!.own, alpha!.format, alpha!.own]).toEqual(['jpeg', 3, 'png', 1]);
    // Far outside, the color is the crate's, not the paper's.
    const corner = [...color!.data.subarray(0, 3)];
    expect(isCrate([...corner, 255])).toBe(true);
    expect([alpha!.first(0), alpha!.first(120 * 320 + 160)]).toEqual([0, 255]);
  });

  it('alpha is only the matte, in gray', async () => {
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
  it('crop cuts to the subject, with a margin around it', async () => {
    const tight = await pixels(await cut({ crop: 'True' }));
    expect(Math.abs(tight.width - crate.width)).toBeLessThanOrEqual(4);
    const wide = await cut({ crop: 'true', crop_margin: '30px 10%' });
    const { width, height } = await pixels(wide);
    const box = await foregroundOf(wide);
    expect([width - box.width, height - box.height]).toEqual([2 * Math.round(0.1 * box.width), 60]);
    expect([box.left, box.top]).toEqual([Math.round(0.1 * box.width), 30]);
  });

  it('roi excludes everything outside it', async () => {
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

  it('scale fits the subject into its share of the picture, centered', async () => {
    const response = await cut({ scale: '80%' });
    const box = await foregroundOf(response);
    expect(Math.max(box.width / 320, box.height / 240)).toBeCloseTo(0.8, 2);
    expect(box.left + box.width / 2).toBeCloseTo(160, -0.5);
    const { at } = await pixels(response);
    expect(isCrate(at(box.left + 8, box.top + 8))).toBe(true);
    expect(at(box.left - 4, box.top - 4)[3]).toBe(0);
  });

  it('position moves the subject within the free space', async () => {
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

  it('semitransparency=false makes translucent parts opaque, and leaves the rest unchanged', async () => {
    const glass = Buffer.alloc(200 * 200 * 4);
    for (let y = 40; y < 160; y++) {
      for (let x = 40; x < 160; x++) {
        const inside = x > 80 && x < 120 && y > 80 && y < 120;
        glass.set([120, 30, 30, inside ? 90 : 255], 4 * (y * 200 + x));
      }
    }
    const image = await sharp(glass, { raw: { width: 200, height: 200, channels: 4 } })
      .png()
      .toBuffer();
    const kept = await pixels(await send({ image_file: image, size: 'auto' }));
    const solid = await pixels(await send({ image_file: image, size: 'auto', semitransparency: 'false' }));
    expect([kept.at(100, 100)[3], solid.at(100, 100)[3], solid.at(10, 10)[3]]).toEqual([90, 255, 0]);
  });
});

describe('a refusal', () => {
  const provoke: readonly (readonly [string, number, string, () => Promise<Response>])[] = [
    ['missing_source', 400, 'No image given', () => send({ size: 'auto' })],
    ['missing_source', 400, 'No image given', () => service.call('/v1.0/removebg', { method: 'POST' })],
    [
      'multiple_sources',
      400,
      'Multiple image sources given: Please provide either the image_url, image_file or image_file_b64 parameter.',
      () => cut({ image_url: 'https://example.com/a.jpg' }),
    ],
    [
      'multiple_bg_sources',
      400,
      'Multiple background sources given: Please provide either the bg_color, the bg_image_url or the bg_image_file parameter.',
      () => cut({ bg_color: 'fff', bg_image_file: photo }),
    ],
    [
      'failed_image_download',
      400,
      'Failed to download image from given image_url: ',
      () => send({ image_url: `${pictures.url}/none` }),
    ],
    [
      'failed_image_download',
      400,
      'Failed to download image from given image_url: ',
      () => send({ image_url: 'http://10.0.0.1/a.jpg' }),
    ],
    [
      'failed_bg_download',
      400,
      'Failed to download background image from given image_url: ',
      () => cut({ bg_image_url: `${pictures.url}/none` }),
    ],
    [
      'invalid_image_url',
      400,
      'Invalid image_url: Please provide a valid URL.',
      () => send({ image_url: 'no url' }),
    ],
    [
      'invalid_bg_image_url',
      400,
      'Invalid bg_image_url: Please provide a valid URL.',
      () => cut({ bg_image_url: 'ftp://x/y' }),
    ],
    [
      'failed_to_read_image',
      400,
      'There was an error reading the image.',
      () => cut({ image_file: photo.subarray(0, 900) }),
    ],
    [
      'invalid_dimensions',
      400,
      'Failed to read image dimensions',
      async () => cut({ image_file: await cratePhoto({ width: 12, height: 12 }) }),
    ],
    [
      'invalid_file_type',
      400,
      'Invalid file type',
      () => cut({ image_file: Buffer.from('\0\0\0\x18ftypmp42 and so on') }),
    ],
    [
      'unknown_foreground',
      400,
      'Could not identify foreground in image. ',
      async () => cut({ image_file: await emptyPhoto() }),
    ],
    ['invalid_size', 400, "Invalid value for parameter 'size'", () => cut({ size: 'huge' })],
    ['invalid_channels', 400, "Invalid value for parameter 'channels'", () => cut({ channels: 'rgb' })],
    ...(
      [
        ['format', 'bmp'],
        ['bg_color', 'no color'],
        ['position', '120%'],
        ['roi', '0 0 10'],
        ['scale', '5%'],
        ['semitransparency', 'perhaps'],
        ['shadow_type', 'long'],
        ['shadow_opacity', '120'],
      ] as const
    ).map(
      ([name, value]) =>
        [`invalid_${name}`, 400, `Invalid ${name} parameter given`, () => cut({ [name]: value })] as const,
    ),
    [
      'invalid_crop_margin',
      400,
      'Invalid crop_margin parameter given',
      () => cut({ crop: 'true', crop_margin: '60%' }),
    ],
    ['roi_exceeds_bounds', 400, 'ROI exceeds image bounds', () => cut({ roi: '0 0 400px 100%' })],
    ['roi_region_empty', 400, 'ROI region is empty', () => cut({ roi: '50% 0 50% 100%' })],
    [
      'auth_failed',
      403,
      'Missing API Key',
      () => service.call('/v1.0/removebg', { method: 'POST', key: null }),
    ],
    [
      'auth_failed',
      403,
      'API Key invalid',
      () => service.call('/v1.0/removebg', { method: 'POST', key: 'wrong' }),
    ],
    [
      'malformed_json',
      400,
      'The body is not valid JSON',
      () => service.call('/v1.0/removebg', { method: 'POST', body: '{"image_url"' }),
    ],
    [
      'unsupported_encoding',
      415,
      'The body is compressed',
      () =>
        service.call('/v1.0/removebg', {
          method: 'POST',
          headers: { 'content-encoding': 'gzip' },
          body: 'x',
        }),
    ],
    ['unknown_path', 404, 'No such path', () => service.call('/v1.0/nothing')],
    ['unknown_path', 404, 'No such path', () => service.call('/v1.0')],
    [
      'method_not_allowed',
      405,
      'The path exists, but not for this method',
      () => service.call('/v1.0/removebg'),
    ],
    [
      'method_not_allowed',
      405,
      'The path exists, but not for this method',
      () => service.call('/v1.0/account', { method: 'DELETE' }),
    ],
  ];
  it.each(provoke)('%s (%i)', async (code, status, title, call) => {
    const response = await call();
    const { errors } = await jsonOf(response);
    expect([response.status, errors[0].code]).toEqual([status, code]);
    expect(errors[0].title.startsWith(title), errors[0].title).toBe(true);
    expect(errors).toHaveLength(1);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('with its own limits', () => {
  let small: Service;
  beforeAll(async () => {
    small = await startService({
      MAX_FILE_BYTES: '1048576',
      MAX_MEGAPIXELS: '0.5',
      RATE_PER_SECOND: '0.1',
      RATE_BURST: '12',
    });
  });
  afterAll(() => small.stop());
  const post = (fields: Fields) => small.call('/v1.0/removebg', { method: 'POST', body: formOf(fields) });

  it('a file, picture or rate over the limit is refused with the messages of remove.bg', async () => {
    const tooLarge = await post({ image_file: Buffer.alloc(1_100_000, 1) });
    expect([tooLarge.status, (await jsonOf(tooLarge)).errors[0]]).toEqual([
      400,
      { code: 'file_too_large', title: 'File too large', detail: 'File exceeds limit of 1MB' },
    ]);
    const base64 = await small.call('/v1.0/removebg', {
      json: { image_file_b64: Buffer.alloc(1_100_000, 1).toString('base64') },
    });
    expect((await jsonOf(base64)).errors[0].code).toBe('file_too_large');
    const declared = await post({ image_file: Buffer.alloc(3_400_000, 1) });
    expect((await jsonOf(declared)).errors[0].code).toBe('file_too_large');
    const wide = await post({ image_file: await cratePhoto({ width: 1000, height: 1000 }) });
    expect([wide.status, (await jsonOf(wide)).errors[0]]).toEqual([
      400,
      {
        code: 'resolution_too_high',
        title: 'Image resolution too high',
        detail: 'Input image has 1 megapixels, maximum supported input resolution is 0.5 megapixels',
      },
    ]);
    let last = await small.call('/v1.0/account');
    for (let tries = 0; tries < 20 && last.status !== 429; tries++) last = await small.call('/v1.0/account');
    expect([last.status, (await jsonOf(last)).errors[0]]).toEqual([
      429,
      { code: 'rate_limit_exceeded', title: 'Rate limit exceeded' },
    ]);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the account and the improvement program', () => {
  it('answer in the shape of remove.bg', async () => {
    const { data } = await jsonOf(service.call('/v1.0/account'));
    expect(data).toEqual({
      attributes: {
        credits: { total: 999_999_999, subscription: 0, payg: 999_999_999, enterprise: 0 },
        api: { free_calls: 999_999_999, sizes: 'all' },
      },
    });
    const given = await service.call('/v1.0/improve', {
      method: 'POST',
      body: formOf({ image_file: photo, tag: 'a' }),
    });
    expect((await jsonOf(given)).id).toMatch(/^[0-9a-f-]{36}$/);
    const missing = await service.call('/v1.0/improve', { json: {} });
    expect([missing.status, (await jsonOf(missing)).errors[0].code]).toEqual([400, 'missing_source']);
  });
});
