/** `/v1/segment` as clients of Photoroom's basic interface call it. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cratePhoto, emptyPhoto, formWith, jsonOf, type Service, startService } from './service.ts';

let service: Service;
let photo: Buffer;
beforeAll(async () => {
  photo = await cratePhoto();
  service = await startService();
});
afterAll(() => service.stop());

const segment = (fields: Record<string, string> = {}, headers = {}, file = photo) => {
  const form = formWith(file, 'image_file');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return service.call('/v1/segment', { method: 'POST', headers, body: form });
};

describe('/v1/segment', () => {
  it("returns a PNG of the photo's own size, and the cutout's uncertainty in a header", async () => {
    const response = await segment();
    const { format, width, height, hasAlpha } = await sharp(
      Buffer.from(await response.arrayBuffer()),
    ).metadata();
    expect({ format, width, height, hasAlpha }).toEqual({
      format: 'png',
      width: 320,
      height: 240,
      hasAlpha: true,
    });
    const score = Number(response.headers.get('x-uncertainty-score'));
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThan(0.5);
  });

  it('returns base64 if JSON is accepted', async () => {
    const { base64img } = await jsonOf(segment({}, { accept: 'application/json' }));
    expect((await sharp(Buffer.from(base64img, 'base64')).metadata()).width).toBe(320);
  });

  it('accepts format, size, crop, color and channels', async () => {
    const jpg = await segment({
      format: 'jpg',
      bg_color: '#00ff00',
      crop: 'true',
      despill: 'true',
      size: 'medium',
    });
    expect(jpg.headers.get('content-type')).toBe('image/jpeg');
    expect((await sharp(Buffer.from(await jpg.arrayBuffer())).metadata()).width).toBeLessThan(170);
    const large = await cratePhoto({ width: 2400, height: 1600 });
    const small = await segment({ size: 'preview' }, {}, large);
    expect((await sharp(Buffer.from(await small.arrayBuffer())).metadata()).width).toBe(612);
    const matte = await segment({ channels: 'alpha' });
    expect((await sharp(Buffer.from(await matte.arrayBuffer())).metadata()).channels).toBe(1);
  });

  it.each([
    ['missing_image', 400, () => service.call('/v1/segment', { method: 'POST', body: new FormData() })],
    ['invalid_parameter', 400, () => segment({ format: 'gif' })],
    ['invalid_parameter', 400, () => segment({ size: 'huge' })],
    ['invalid_parameter', 400, () => segment({ bg_color: 'nothing' })],
    ['invalid_parameter', 400, () => segment({ crop: 'perhaps' })],
    ['image_undecodable', 400, () => segment({}, {}, photo.subarray(0, 900))],
    ['no_subject_found', 400, async () => segment({}, {}, await emptyPhoto())],
    ['missing_api_key', 403, () => service.call('/v1/segment', { method: 'POST', key: null })],
    ['invalid_api_key', 403, () => service.call('/v1/segment', { method: 'POST', key: 'wrong' })],
    ['method_not_allowed', 405, () => service.call('/v1/segment')],
    ['unknown_path', 404, () => service.call('/v1/segment/more')],
  ])('refuses with %s (%i) in the format of Photoroom', async (type, status, call) => {
    const response = await call();
    const body = await jsonOf(response);
    expect([response.status, body]).toEqual([
      status,
      { detail: expect.any(String), status_code: status, type },
    ]);
  });

  it("reports the key's remaining credits", async () => {
    expect(await jsonOf(service.call('/v1/account'))).toEqual({
      credits: { available: 999_999_999, subscription: 999_999_999 },
    });
    expect(await jsonOf(service.call('/v2/account'))).toEqual({
      images: { available: 999_999_999, subscription: 999_999_999 },
      plan: 'Packshot',
    });
  });

  it.each([
    ['/v1/account', 403, { key: 'wrong' }],
    ['/v2/account', 403, { key: 'wrong' }],
    ['/v2/nothing', 404, {}],
  ])('refuses %s so that clients of either interface read the message', async (path, status, options) => {
    const response = await service.call(path, options);
    const { error, detail, status_code } = await jsonOf(response);
    expect([response.status, status_code, error]).toEqual([
      status,
      status,
      { message: detail, detail: expect.any(String) },
    ]);
  });
});
