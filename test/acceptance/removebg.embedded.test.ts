/** `/v1.0/removebg` as clients of remove.bg call it: every kind of body, and its responses and refusals. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crate,
  cut,
  type Fields,
  foregroundOf,
  formOf,
  isCrate,
  photo,
  pictures,
  pixels,
  send,
  service,
  useRemovebg,
} from './removebg-calls.ts';
import { cratePhoto, emptyPhoto, formWith, jsonOf, type Service, startService } from './service.ts';

useRemovebg();

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

  it('may have every field, with empty values for unset ones, as from the command line of remove.bg', async () => {
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

it.each([
  ['/v1.0/removebg', 'image_file'],
  ['/v1/segment', 'image_file'],
  ['/api/remove', 'file'],
])('%s removes the background of a photo with rounded corners', async (path, field) => {
  const corners = Buffer.from('<svg width="320" height="240"><rect width="320" height="240" rx="40"/></svg>');
  const rounded = await sharp(photo)
    .composite([{ input: corners, blend: 'dest-in' }])
    .png()
    .toBuffer();
  const body = formWith(rounded, field, 'photo.png');
  const { at } = await pixels(await service.call(path, { method: 'POST', body }));
  expect([at(160, 20)[3], at(160, 120)[3]]).toEqual([0, 255]);
});

describe('a response', () => {
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
      'x-ratelimit-limit': '500',
    });
    expect(Number(header['x-ratelimit-reset']) - Date.now() / 1000).toBeLessThan(60);
    expect(Number(header['x-ratelimit-reset']) - Date.now() / 1000).toBeGreaterThan(-5);
    const found = await foregroundOf(response);
    for (const [name, value] of Object.entries(crate))
      expect(Math.abs(found[name as 'left'] - value), name).toBeLessThanOrEqual(2);
  });

  it('is JSON if only JSON is accepted, and the picture if JSON is one of several accepted types', async () => {
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

  it("names the class of the subject, preferably the caller's", async () => {
    const type = async (fields: Fields) => (await cut(fields)).headers.get('x-type');
    expect(await type({ type: 'car' })).toBe('car');
    expect(await type({ type: 'car_interior' })).toBe('other');
    expect(await type({ type: 'car_interior', type_level: '2' })).toBe('car_interior');
    expect(await type({ type_level: 'none' })).toBeNull();
  });

  it('may be read by a page of another origin (CORS), whose preflight request needs no key', async () => {
    const asked = await service.call('/v1.0/removebg', { method: 'OPTIONS', key: null });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST');
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
      () => cut({ crop: 'true', crop_margin: '-5px' }),
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
      'The body is not a valid JSON object',
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
  it.each(provoke)('has the code %s and the status %i', async (code, status, title, call) => {
    const response = await call();
    const { errors } = await jsonOf(response);
    expect([response.status, errors[0].code]).toEqual([status, code]);
    expect(errors[0].title.startsWith(title), errors[0].title).toBe(true);
    expect(errors).toHaveLength(1);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });
});

describe('a service with changed limits', () => {
  let small: Service;
  beforeAll(async () => {
    small = await startService({
      MAX_FILE_BYTES: '1048576',
      MAX_MEGAPIXELS: '0.5',
      RATE_PER_SECOND: '0.1',
      RATE_BURST: '12',
      RATE_PATIENCE_MS: '0',
    });
  });
  afterAll(() => small.stop());
  const post = (fields: Fields) => small.call('/v1.0/removebg', { method: 'POST', body: formOf(fields) });

  it('refuses a file, picture or rate over the limit with the messages of remove.bg', async () => {
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
  it('respond in the format of remove.bg', async () => {
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
