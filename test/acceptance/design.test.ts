import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cratePhoto,
  isScaled,
  jsonOf,
  pixelsOf,
  problemOf,
  type Service,
  startService,
  white,
} from './service.ts';

let service: Service;
let id: string;
beforeAll(async () => {
  service = await startService();
  id = await service.upload(await cratePhoto());
});
afterAll(() => service.stop());

describe('GET /v1/design/{id}', () => {
  it('waits for the product and returns its position', async () => {
    const { status, subject } = await jsonOf(service.call(`/v1/design/${id}?wait=true`));
    expect(status).toBe('ready');
    const { x, y, width, height } = subject.boundingBox;
    for (const [found, true_] of [
      [x, 80],
      [y, 60],
      [width, 160],
      [height, 120],
    ]) {
      expect(Math.abs(found - true_)).toBeLessThanOrEqual(3);
    }
    expect(subject.coverage).toBeCloseTo(0.25, 1);
    expect(subject.touchesEdges).toEqual([]);
  });

  it('rejects an unknown or malformed id', async () => {
    for (const other of ['dsg_0000000000000000000000', 'x', '..%2f..', '%00']) {
      expect(await problemOf(await service.call(`/v1/design/${other}`)), other).toMatchObject({
        status: 404,
        code: 'design_not_found',
      });
    }
  });
});

describe('GET /v1/design/{id}/cutout and matte', () => {
  it('have the size of the photo, straight alpha, and no color outside the product', async () => {
    for (const [path, type] of [
      ['cutout.png', 'image/png'],
      ['cutout.webp', 'image/webp'],
    ] as const) {
      const response = await service.call(`/v1/design/${id}/${path}`);
      expect(response.headers.get('content-type')).toBe(type);
      const { data, width, height, channels } = await pixelsOf(response);
      expect([width, height, channels]).toEqual([320, 240, 4]);
      expect([...data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
      const middle = (120 * 320 + 160) * 4;
      expect(data[middle + 3]).toBe(255);
      expect(data[middle]).toBeGreaterThan(100);
    }
    const matte = await service.call(`/v1/design/${id}/matte.png`);
    const metadata = await sharp(Buffer.from(await matte.arrayBuffer())).metadata();
    expect(metadata).toMatchObject({ width: 320, height: 240, channels: 1, depth: 'uchar' });
  });

  it('answer 304 if the ETag matches', async () => {
    const etag = (await service.call(`/v1/design/${id}/cutout.png`)).headers.get('etag')!;
    const again = await service.call(`/v1/design/${id}/cutout.png`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});

describe('GET /v1/design/{id}/photo.jpeg', () => {
  const show = async (design: string) => {
    const response = await service.call(`/v1/design/${design}/photo.jpeg`);
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    return pixelsOf(response);
  };

  it('is a JPEG, also for a HEIC photo, and scaled down for a large photo', async () => {
    const heic = await readFile(new URL('../fixtures/heic/crate.heic', import.meta.url));
    const crate = await show(await service.upload(heic));
    expect([crate.width, crate.height]).toEqual([320, 240]);
    const large = await show(await service.upload(await cratePhoto({ width: 3000, height: 2000 })));
    expect([large.width, large.height]).toEqual([2048, 1365]);
  });

  it('is upright, and white where the photo is transparent', async () => {
    const half = await sharp({ create: { width: 160, height: 80, channels: 4, background: '#b0302000' } })
      .composite([
        {
          input: { create: { width: 80, height: 80, channels: 4, background: '#b03020' } },
          left: 0,
          top: 0,
        },
      ])
      .withMetadata({ orientation: 6 })
      .png()
      .toBuffer();
    const { data, width, height, channels } = await show(await service.upload(half));
    expect([width, height, channels]).toEqual([80, 160, 3]);
    const at = (x: number, y: number) => [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
    expect(at(40, 140)).toEqual([255, 255, 255]);
    expect(at(40, 40)[0]).toBeGreaterThan(160);
    expect(at(40, 40)[1]).toBeLessThan(70);
  });

  it('answers 304 if the ETag matches, and 404 without a design', async () => {
    const etag = (await service.call(`/v1/design/${id}/photo.jpeg`)).headers.get('etag')!;
    const again = await service.call(`/v1/design/${id}/photo.jpeg`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect(await problemOf(await service.call('/v1/design/dsg_x/photo.jpeg'))).toMatchObject({
      code: 'design_not_found',
    });
  });
});

describe('DELETE /v1/design/{id}', () => {
  it('deletes row and bytes at once', async () => {
    const doomed = await service.upload(await cratePhoto());
    await service.call(`/v1/design/${doomed}?wait=true`);
    const response = await service.call(`/v1/design/${doomed}`, { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(await problemOf(await service.call(`/v1/design/${doomed}`))).toMatchObject({
      code: 'design_not_found',
    });
    const render = await service.call('/v1/design/preview.webp', { json: { id: doomed, ...white } });
    expect(await problemOf(render)).toMatchObject({ status: 404 });
    expect(await problemOf(await service.call(`/v1/design/${doomed}`, { method: 'DELETE' }))).toMatchObject({
      status: 404,
    });
    if (service.dataDir && !isScaled) {
      const files = await readdir(join(service.dataDir, 'blobs', 'designs'));
      expect(files).not.toContain(doomed);
      expect(files).toContain(id);
    }
  });

  it('leaves nothing of a design whose cutout is being made', async () => {
    const doomed = await service.upload(await cratePhoto({ width: 3000, height: 2000 }));
    const joined = service.call('/v1/design/preview.webp', { json: { id: doomed, ...white } });
    expect((await service.call(`/v1/design/${doomed}`, { method: 'DELETE' })).status).toBe(204);
    expect([200, 404]).toContain((await joined).status);
    // The next cutout starts only after the engine has ended the cutout of the deleted design, which may still be stored.
    const next = await service.upload(await cratePhoto());
    await service.call(`/v1/design/${next}?wait=true`);
    if (service.dataDir && !isScaled)
      await expect
        .poll(() => readdir(join(service.dataDir, 'blobs', 'designs')), { timeout: 20_000 })
        .not.toContain(doomed);
  });
});
