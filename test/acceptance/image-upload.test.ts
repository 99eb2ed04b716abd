import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Body,
  cratePhoto,
  cratePhotoInMargin,
  emptyPhoto,
  formWith,
  jsonOf,
  problemOf,
  type Service,
  startService,
  white,
} from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const path = '/v1/design/image-upload';
const post = (body: Body, headers: Record<string, string> = {}) =>
  service.call(path, { method: 'POST', body, headers });

describe('POST /v1/design/image-upload', () => {
  it('returns an id and the facts of the photo', async () => {
    const photo = await cratePhoto();
    const response = await post(formWith(photo));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const design = await jsonOf(response);
    expect(design).toMatchObject({
      id: expect.stringMatching(/^dsg_[0-9A-Za-z]{22}$/),
      image: { format: 'jpeg', width: 320, height: 240, bytes: photo.length, hasAlpha: false },
    });
    // The expiry is never earlier than promised, and at most an hour later.
    const lifeMs = Date.parse(design.expiresAt) - Date.parse(design.createdAt);
    expect(lifeMs).toBeGreaterThanOrEqual(7 * 86_400_000);
    expect(lifeMs).toBeLessThanOrEqual(7 * 86_400_000 + 3_600_000);
  });

  it('finds the product in a PNG of one bit per pixel', async () => {
    const bits = await sharp(await cratePhoto())
      .greyscale()
      .threshold(128)
      .png({ palette: true, colours: 2 })
      .toBuffer();
    // The depth in the header.
    expect(bits[24]).toBe(1);
    const { id } = await jsonOf(post(formWith(bits)));
    const { status, subject } = await jsonOf(service.call(`/v1/design/${id}?wait=true`));
    expect(status).toBe('ready');
    expect(subject.coverage).toBeCloseTo(0.25, 1);
    const preview = { json: { id, ...white } };
    expect((await service.call('/v1/design/preview.webp', preview)).status).toBe(200);
  });

  it('leaves the photo as it is with `cutout: none`, in every recipe', async () => {
    const form = formWith(await cratePhoto());
    form.append('cutout', 'none');
    const { id } = await jsonOf(post(form));
    const design = await jsonOf(service.call(`/v1/design/${id}?wait=true`));
    expect(design.subject).toMatchObject({ coverage: 1, touchesEdges: [], issues: [] });
    const body = JSON.stringify({ id, recipeId: 'Transp001', variant: '1:1' });
    const response = await service.call('/v1/design/preview.png', { method: 'POST', body });
    const alpha = sharp(Buffer.from(await response.arrayBuffer())).extractChannel(3);
    const { data, info } = await alpha.raw().toBuffer({ resolveWithObject: true });
    const rows = Array.from({ length: info.height }, (_, y) =>
      data.subarray(y * info.width, (y + 1) * info.width),
    );
    expect(rows.filter((row) => row.every((a) => a === 255))).toHaveLength(480);
    expect(rows.filter((row) => row.every((a) => a === 0))).toHaveLength(160);
  });

  it.each([
    ['ignore', 0.25],
    ['keep', 0.73],
  ] as const)('takes transparency that only frames the photo as wished: %s', async (alpha, coverage) => {
    const form = formWith(await cratePhotoInMargin());
    form.append('alpha', alpha);
    const { id } = await jsonOf(post(form));
    const { subject } = await jsonOf(service.call(`/v1/design/${id}?wait=true`));
    expect(subject.coverage).toBeCloseTo(coverage, 1);
    expect(subject.kind?.name === 'cut_out').toBe(alpha === 'keep');
  });

  it('refuses an unknown wish for the cutout or for transparency', async () => {
    for (const field of ['cutout', 'alpha']) {
      const form = formWith(await cratePhoto());
      form.append(field, 'perhaps');
      expect(await problemOf(await post(form))).toMatchObject({
        status: 400,
        errors: [{ pointer: `/${field}` }],
      });
    }
  });

  it('reports the remaining calls, in both header spellings', async () => {
    const { headers } = await post(formWith(await cratePhoto()));
    for (const name of [
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
    ]) {
      expect(headers.get(name), name).toMatch(/^\d+$/);
    }
  });

  it('ignores other fields and detects the format from the bytes, not the name', async () => {
    const form = formWith(await cratePhoto({ format: 'png' }), 'file', 'holiday.svg');
    form.append('comment', 'hello');
    expect(await jsonOf(post(form))).toMatchObject({ image: { format: 'png' } });
  });

  it.each([
    [
      'a form without a file',
      () => {
        const form = new FormData();
        form.append('note', 'x');
        return form;
      },
    ],
    ['a file in another field', async () => formWith(await cratePhoto(), 'document')],
    [
      'text in the file field',
      () => {
        const form = new FormData();
        form.append('file', 'photo.jpg');
        return form;
      },
    ],
    ['an empty file', () => formWith(Buffer.alloc(0))],
    ['JSON', () => '{"file":"x"}'],
  ])('refuses %s as missing_file', async (_, body) => {
    expect(await problemOf(await post(await body()))).toMatchObject({ status: 400, code: 'missing_file' });
  });

  it('refuses a form without a boundary, and a truncated form', async () => {
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x']) {
      const response = await post(
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
        { 'content-type': type },
      );
      expect((await problemOf(response)).status, type).toBe(400);
    }
  });

  it.each([
    ['a text', Buffer.from('hello'), 'hello'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'SVG'],
    ['a PDF', Buffer.from('%PDF-1.7'), 'PDF'],
  ])('refuses %s as unsupported_image_format', async (name, bytes) => {
    const problem = await problemOf(await post(formWith(bytes)));
    expect(problem).toMatchObject({ status: 415, code: 'unsupported_image_format' });
    if (name !== 'a text') expect(problem.detail).toContain(name.split(' ')[1]);
  });

  it('refuses a damaged photo as image_undecodable', async () => {
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer();
    const problem = await problemOf(await post(formWith(noise.subarray(0, noise.length / 2))));
    expect(problem).toMatchObject({ status: 422, code: 'image_undecodable' });
  });

  it('refuses a tiny photo as image_too_small', async () => {
    const problem = await problemOf(await post(formWith(await cratePhoto({ width: 40, height: 12 }))));
    expect(problem).toMatchObject({ status: 422, code: 'image_too_small' });
  });

  it('refuses a 51-megapixel picture as image_too_large', async () => {
    const bomb = await sharp({ create: { width: 7200, height: 7100, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    expect(await problemOf(await post(formWith(bomb)))).toMatchObject({
      status: 413,
      code: 'image_too_large',
    });
  });

  it('fails with no_subject_found for a photo without a product, and never returns an empty picture', async () => {
    const id = await service.upload(await emptyPhoto());
    const render = await service.call('/v1/design/generated.jpeg', { json: { id, ...white } });
    expect(await problemOf(render)).toMatchObject({ status: 422, code: 'no_subject_found' });
    const design = await jsonOf(service.call(`/v1/design/${id}`));
    expect(design).toMatchObject({ status: 'failed', subject: null, error: { code: 'no_subject_found' } });
  });
});

describe('upload limits', () => {
  it('refuse a file far over the limit as file_too_large', async () => {
    const small = await startService({ MAX_FILE_BYTES: '100000' });
    try {
      const response = await small.call(path, { method: 'POST', body: formWith(Buffer.alloc(3_000_000, 1)) });
      expect(await problemOf(response)).toMatchObject({ status: 413, code: 'file_too_large' });
    } finally {
      await small.stop();
    }
  });

  it('refuse uploads beyond the queue limit with Retry-After', async () => {
    const full = await startService({ MAX_WAITING_CUTOUTS: '0' });
    try {
      const response = await full.call(path, { method: 'POST', body: formWith(await cratePhoto()) });
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'queue_full' });
    } finally {
      await full.stop();
    }
  });

  it('end an upload that never completes', async () => {
    const hasty = await startService({ UPLOAD_TIMEOUT_MS: '700' });
    try {
      expect(await drip(hasty)).toMatch(/^408 .*"code":"upload_timeout"/);
    } finally {
      await sleep(50);
      await hasty.stop();
    }
  });

  it('refuse an upload below the minimum rate, and name that rate', async () => {
    const answer = await drip(service);
    expect(answer).toMatch(/^408 .*"code":"upload_timeout"/);
    expect(answer).toContain('50000 bytes a second');
    expect(await service.upload(await cratePhoto())).toMatch(/^dsg_/);
  });
});

/** Sends a byte at intervals until the response comes, and returns its status and body. */
function drip({ url, key }: Service): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = request(url + path, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 1_000_000,
      },
    });
    const dripping = setInterval(() => upload.write('.'), 20);
    upload.on('response', async (response) => {
      clearInterval(dripping);
      let text = `${response.statusCode} `;
      for await (const chunk of response) text += chunk;
      resolve(text);
      upload.destroy();
    });
    upload.on('error', reject);
    upload.on('close', () => clearInterval(dripping));
    upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n');
  });
}
