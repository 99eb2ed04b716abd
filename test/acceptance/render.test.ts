import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canHold, holdChildren } from '../../rig/held-processes.ts';
import { holdRemover } from './held-remover.ts';
import {
  type Body,
  cratePhoto,
  green,
  isScaled,
  jsonOf,
  pixelsOf,
  problemOf,
  type Service,
  startService,
  transparent,
  white,
} from './service.ts';

let service: Service;
let id: string;
beforeAll(async () => {
  service = await startService();
  id = await service.upload(await cratePhoto());
});
afterAll(() => service.stop());

const preview = '/v1/design/preview.webp';
const full = '/v1/design/generated.jpeg';
const render = (path: string, body: object, headers: Record<string, string> = {}) =>
  service.call(path, { json: { id, ...body }, headers });

const mediaTypes = { webp: 'image/webp', png: 'image/png', jpeg: 'image/jpeg', avif: 'image/avif' } as const;

describe('POST /v1/design/preview.webp and generated.jpeg', () => {
  it('return the known recipes in their sizes', async () => {
    for (const recipe of [white, green, transparent]) {
      const small = await pixelsOf(await render(preview, recipe));
      expect(small.metadata).toMatchObject({ format: 'webp', width: 640, height: 640 });
      const large = await pixelsOf(await render(full, recipe));
      expect(large.metadata).toMatchObject({ format: 'jpeg', width: 2000, height: 2000 });
    }
  });

  it.each([
    ['application/x-www-form-urlencoded, which curl -d sends'],
    ['text/plain;charset=UTF-8'],
    ['application/json'],
    ['nonsense'],
  ])('read JSON under the Content-Type %s', async (type) => {
    const response = await render(preview, white, { 'content-type': type.split(',')[0]! });
    expect(response.status).toBe(200);
  });

  it('read JSON without any Content-Type', async () => {
    const body = new Blob([JSON.stringify({ id, ...white })]);
    const response = await service.call(preview, { method: 'POST', body });
    expect(response.status).toBe(200);
  });

  it.each([
    [full, 0],
    [full, 101],
    [full, 50.5],
    ['/v1/design/generated.png', 90],
  ])('refuse %s with the quality %d', async (path, quality) => {
    expect(await problemOf(await render(path, { ...white, quality }))).toMatchObject({
      code: 'invalid_field',
      errors: [{ pointer: '/quality' }],
    });
  });

  it('return the same bytes and ETag for a repeated call, and 304 if the caller sends that ETag', async () => {
    const first = await render(preview, white);
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    const second = await render(preview, white);
    expect(second.headers.get('etag')).toBe(etag);
    expect(Buffer.from(await second.arrayBuffer()).equals(Buffer.from(await first.arrayBuffer()))).toBe(true);
    const third = await render(preview, white, { 'if-none-match': `"other", ${etag}` });
    expect(third.status).toBe(304);
    expect((await third.arrayBuffer()).byteLength).toBe(0);
    expect((await render(preview, green)).headers.get('etag')).not.toBe(etag);
  });

  it('report the times of their steps and the request id', async () => {
    const { headers } = await render(preview, white);
    expect(headers.get('server-timing')).toMatch(/join-cutout;dur=[\d.]+/);
    expect(headers.get('server-timing')).toMatch(/encode;dur=[\d.]+/);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('wait for a cutout in progress', async () => {
    const fresh = await service.upload(await cratePhoto({ width: 800, height: 600 }));
    const answers = await Promise.all(
      [white, green, transparent].map((recipe) => service.call(preview, { json: { id: fresh, ...recipe } })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
  });
});

// Skipped with several processes (`scaled`): a worker draws the same pixels as a service with a single process.
describe.skipIf(isScaled)('the pictures of preview.webp and generated.jpeg', () => {
  it.each(Object.keys(mediaTypes) as (keyof typeof mediaTypes)[])(
    'are also available as %s',
    async (format) => {
      for (const [name, px] of [
        ['preview', 640],
        ['generated', 2000],
      ] as const) {
        const response = await render(`/v1/design/${name}.${format}`, white);
        expect(response.headers.get('content-type')).toBe(mediaTypes[format]);
        const { metadata } = await pixelsOf(response);
        expect([metadata.width, metadata.height]).toEqual([px, px]);
        expect(metadata.format).toBe(format === 'avif' ? 'heif' : format);
        expect([metadata.exif, metadata.icc, metadata.xmp]).toEqual([undefined, undefined, undefined]);
      }
    },
  );

  it('are exactly white at every pixel away from the product', async () => {
    const { data, width, channels } = await pixelsOf(await render(full, white));
    const box = { left: width, right: 0, top: width, bottom: 0 };
    for (let i = 0, p = 0; i < data.length; i += channels, p++) {
      if (data[i] === 255 && data[i + 1] === 255 && data[i + 2] === 255) continue;
      const x = p % width;
      const y = Math.floor(p / width);
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    // The crate is 4:3, so it fills the width within even margins. Other pixels that are not white would widen the box.
    expect(box.left).toBeGreaterThan(100);
    expect(Math.abs(box.left - (width - 1 - box.right))).toBeLessThanOrEqual(2);
    expect(Math.abs(box.top - (width - 1 - box.bottom))).toBeLessThanOrEqual(2);
    expect((box.right - box.left) / (box.bottom - box.top)).toBeCloseTo(4 / 3, 1);
  });

  it('keep transparency in WebP, PNG and AVIF, and have a warning in JPEG, which cannot keep it', async () => {
    for (const path of [preview, '/v1/design/generated.png', '/v1/design/preview.avif']) {
      const response = await render(path, transparent);
      expect(response.headers.get('x-packshot-notice') ?? '').not.toContain('flattened');
      const { data, channels, width } = await pixelsOf(response);
      expect(channels).toBe(4);
      expect(data[3]).toBe(0);
      expect(data[(width * (width >> 1) + (width >> 1)) * 4 + 3]).toBe(255);
    }
    const jpeg = await render(full, transparent);
    expect(jpeg.headers.get('x-packshot-notice')).toMatch(/^transparency_flattened;detail=".*white/);
    const { data } = await pixelsOf(jpeg);
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it('have the requested quality, or else their default', async () => {
    for (const path of [preview, full, '/v1/design/preview.avif']) {
      const [plain, low] = await Promise.all([render(path, white), render(path, { ...white, quality: 30 })]);
      const [plainBytes, lowBytes] = [await plain.arrayBuffer(), await low.arrayBuffer()];
      expect(lowBytes.byteLength).toBeLessThan(plainBytes.byteLength);
      expect(low.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    }
    const [plain, same] = await Promise.all([render(full, white), render(full, { ...white, quality: 94 })]);
    expect(same.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(Buffer.from(await same.arrayBuffer())).toEqual(Buffer.from(await plain.arrayBuffer()));
  });

  it('have the requested size in pixels, and no more bytes than they may', async () => {
    const size = { longEdgePx: 900, maxBytes: 40_000 };
    for (const path of [full, '/v1/design/generated.webp']) {
      const bytes = Buffer.from(
        await (
          await render(path, { ...green, ...size, variant: '4:5', recipeId: 'Surface004' })
        ).arrayBuffer(),
      );
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 720, height: 900 });
      expect(bytes.byteLength).toBeLessThanOrEqual(40_000);
    }
    const flat = Buffer.from(await (await render(full, { ...white, maxBytes: 90_000 })).arrayBuffer());
    expect(await sharp(flat).metadata()).toMatchObject({ width: 2000, height: 2000 });
    expect(flat.byteLength).toBeLessThanOrEqual(90_000);
    expect(await problemOf(await render(full, { ...white, maxBytes: 1_000 }))).toMatchObject({
      code: 'invalid_field',
      detail: expect.stringMatching(/even at quality 40.*smaller longEdgePx/),
    });
    for (const [path, wrong] of [
      [full, { longEdgePx: 2001 }],
      ['/v1/design/generated.png', { maxBytes: 50_000 }],
    ] as const)
      expect(await problemOf(await render(path, { ...white, ...wrong }))).toMatchObject({
        code: 'invalid_field',
      });
  });

  it('warn if the product was enlarged by more than 1.5 times', async () => {
    expect((await render(full, white)).headers.get('x-packshot-notice')).toContain('upscaled');
    const large = await service.upload(await cratePhoto({ width: 2400, height: 1800 }));
    const response = await service.call(full, { json: { id: large, ...white } });
    expect(response.headers.get('x-packshot-notice')).toBeNull();
  });

  it('keep the alpha of a photo', async () => {
    // Draw the ring as raw pixels, not as an SVG: `read-image` blocks sharp's SVG loader in its whole process, and the
    // service may run in this process.
    const side = 200;
    const ring = Buffer.alloc(side * side * 4);
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const radius = Math.hypot(x + 0.5 - side / 2, y + 0.5 - side / 2);
        if (radius >= 45 && radius <= 75) ring.set([0x20, 0x50, 0x80, 255], (y * side + x) * 4);
      }
    }
    const photo = await sharp(ring, { raw: { width: side, height: side, channels: 4 } })
      .png()
      .toBuffer();
    const own = await service.upload(photo);
    const { data, width } = await pixelsOf(
      await service.call('/v1/design/generated.png', { json: { id: own, ...transparent } }),
    );
    const middle = (width * (width >> 1) + (width >> 1)) * 4;
    expect(data[middle + 3]).toBe(0);
  });

  it('apply mutations of layout, shadow, background and edge', async () => {
    const plain = Buffer.from(await (await render(preview, white)).arrayBuffer());
    for (const mutations of [
      { layout: { margin: 0.3 } },
      { layout: { scale: 0.5, align: 'baseline' } },
      { shadow: { kind: 'contact', strength: 0.8 } },
      { background: { color: '#102030' } },
      { edge: { shrinkPx: 4 } },
    ]) {
      const response = await render(preview, { ...white, mutations });
      expect(response.status, JSON.stringify(mutations)).toBe(200);
      expect(Buffer.from(await response.arrayBuffer()).equals(plain), JSON.stringify(mutations)).toBe(false);
    }
    const { data } = await pixelsOf(
      await render('/v1/design/preview.png', { ...white, mutations: { background: { color: '#102030' } } }),
    );
    expect([...data.subarray(0, 3)]).toEqual([0x10, 0x20, 0x30]);
  });
});

describe('bad render requests', () => {
  it.each([
    ['a missing id', { id: undefined, ...white }, 400, 'missing_field', '/id'],
    ['a missing recipeId', { variant: '1:1' }, 400, 'missing_field', '/recipeId'],
    ['a missing variant', { recipeId: 'Solid1_1_0035' }, 400, 'missing_field', '/variant'],
    ['a number for the id', { ...white, id: 3 }, 400, 'invalid_field', '/id'],
    ['null for the variant', { ...white, variant: null }, 400, 'missing_field', '/variant'],
    ['an unknown field', { ...white, colour: 'red' }, 400, 'unknown_field', '/colour'],
    ['an unknown mutation', { ...white, mutations: { glow: {} } }, 400, 'unknown_field', '/mutations/glow'],
    [
      'a margin out of range',
      { ...white, mutations: { layout: { margin: 2 } } },
      400,
      'invalid_field',
      '/mutations/layout/margin',
    ],
  ])('with %s are refused with the field’s pointer', async (_, body, status, code, pointer) => {
    const problem = await problemOf(await render(preview, body));
    expect(problem).toMatchObject({ status, code });
    expect(problem.errors?.[0]).toMatchObject({ pointer, code });
  });

  it.each([
    ['an unknown id', { ...white, id: 'dsg_0000000000000000000000' }, 404, 'design_not_found'],
    ['an unknown recipe', { recipeId: 'Nope', variant: '1:1' }, 404, 'unknown_recipe'],
    ['an unknown color', { recipeId: 'Solid1_1_9999', variant: '1:1' }, 404, 'unknown_recipe'],
    ['a variant that contradicts the recipe', { ...white, variant: '4:5' }, 422, 'unknown_variant'],
    ['an unknown variant', { ...transparent, variant: '7:7' }, 422, 'unknown_variant'],
    [
      'a color for a transparent recipe',
      { ...transparent, mutations: { background: { color: '#ffffff' } } },
      422,
      'invalid_mutation',
    ],
    [
      'a foreign illustration',
      { ...white, mutations: { images: { primaryIllustration: { uri: 'https://example.com/a.png' } } } },
      422,
      'mutation_uri_rejected',
    ],
  ])('with %s get the code of that error', async (_, body, status, code) => {
    for (const path of [preview, full]) {
      expect(await problemOf(await render(path, body))).toMatchObject({ status, code });
    }
  });

  it.each([
    ['a text that is not JSON', '{id:'],
    ['an empty body', ''],
    ['an array', '[]'],
    ['a forbidden key', '{"__proto__":{"a":1}}'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['nesting that is too deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
  ])('with %s are malformed_json', async (_, body) => {
    const response = await service.call(preview, { method: 'POST', body: body as Body });
    expect(await problemOf(response)).toMatchObject({ status: 400, code: 'malformed_json' });
  });

  it('over 256 KB are refused', async () => {
    const response = await service.call(preview, {
      method: 'POST',
      body: JSON.stringify({ id: 'x'.repeat(300_000) }),
    });
    expect(await problemOf(response)).toMatchObject({ status: 413, code: 'body_too_large' });
  });
});

describe('renders that cannot finish in time', () => {
  it('fail with deadline_exceeded while the cutout waits or is in progress; the cutouts continue', async () => {
    const remover = await holdRemover();
    const hasty = await startService({ ...remover.environment, PREVIEW_DEADLINE_MS: '100' });
    try {
      const begun = await hasty.upload(await cratePhoto());
      await remover.asked(1);
      const inLine = await hasty.upload(await cratePhoto());
      for (const id of [begun, inLine]) {
        const late = await hasty.call(preview, { json: { id, ...white } });
        expect(await problemOf(late)).toMatchObject({ status: 504, code: 'deadline_exceeded' });
      }
      remover.release();
      for (const id of [begun, inLine]) {
        expect((await jsonOf(hasty.call(`/v1/design/${id}?wait=true`))).status).toBe('ready');
      }
    } finally {
      remover.release();
      await hasty.stop();
      remover.close();
    }
  });

  // Skipped in the setting `scaled`: the limit counts the renders of one process, but a worker renders for several.
  it.skipIf(!canHold || isScaled)('fail with queue_full when too many pictures wait', async () => {
    const busy = await startService({
      RENDER_WORKERS: '1',
      MAX_WAITING_RENDERS: '1',
      FULL_DEADLINE_MS: '60000',
    });
    try {
      const own = await busy.upload(await cratePhoto());
      await busy.call(`/v1/design/${own}?wait=true`);
      const goOn = await holdChildren(process.pid, 'imaging-worker');
      const refused: Response[] = [];
      const mostRefused = Promise.withResolvers<void>();
      // Equal pictures are drawn once, so these differ.
      const answers = Array.from({ length: 12 }, async (_, index) => {
        const answer = await busy.call(full, {
          json: { id: own, ...white, mutations: { background: { color: `#fffff${index.toString(16)}` } } },
        });
        if (answer.status !== 200 && refused.push(answer) === 9) mostRefused.resolve();
        return answer.status;
      });
      await Promise.race([mostRefused.promise, Promise.all(answers)]);
      goOn();
      // One account may use one process more than RENDER_WORKERS for short tasks; one further picture waits.
      expect((await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(3);
      for (const answer of refused)
        expect(await problemOf(answer)).toMatchObject({ status: 503, code: 'queue_full' });
    } finally {
      await busy.stop();
    }
  });
});
