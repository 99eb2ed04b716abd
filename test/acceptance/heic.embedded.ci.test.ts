/**
 * HEIC photos, as iPhones take them, in every call that accepts photos; and `READ_HEIC=false`, with which the operator
 * refuses them.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { icc, irot, ispe, readHevc, writeHeic } from '../../packages/photos/src/testing/heic-file.ts';
import { packshot } from './command.ts';
import {
  cratePhoto,
  findCrate,
  formWith,
  jsonOf,
  pixelsOf,
  problemOf,
  type Service,
  startService,
  white,
} from './service.ts';

const crate = await readFile(new URL('../fixtures/heic/crate.heic', import.meta.url));
/** A photo whose pixels are stored sideways; the rotation that the file requests turns it upright. */
async function lyingCrate(): Promise<Buffer> {
  const { hvcC, data, width, height } = readHevc(crate);
  const profile = (
    await sharp(await cratePhoto())
      .withIccProfile('p3')
      .toBuffer()
      .then((photo) => sharp(photo).metadata())
  ).icc!;
  const properties = [hvcC, ispe(width, height), icc(profile), irot(3)];
  return writeHeic([{ id: 1, type: 'hvc1', data, properties }], { primary: 1 });
}

let service: Service;
let without: Service;
let photos: Server;
let host: string;
beforeAll(async () => {
  photos = createServer((_, response) => void response.end(crate));
  await new Promise<void>((resolve) => photos.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(photos.address() as AddressInfo).port}`;
  service = await startService({ URL_ALLOW: host, KEEP_COMPAT_DESIGNS: 'true' });
  without = await startService({ READ_HEIC: 'false' });
});
afterAll(async () => {
  photos.close();
  await Promise.all([service.stop(), without.stop()]);
});

const upload = (file: Buffer, to = service) =>
  to.call('/v1/design/image-upload', { method: 'POST', body: formWith(file, 'file', 'IMG_0001.HEIC') });
const render = (id: string) =>
  service.call('/v1/design/preview.png', { method: 'POST', body: JSON.stringify({ id, ...white }) });

describe('a HEIC photo', () => {
  it('can be uploaded, and gives the same picture as the photo in JPEG', async () => {
    const response = await upload(crate);
    expect(response.status).toBe(200);
    const { id, image } = await jsonOf(response);
    expect(image).toMatchObject({
      format: 'heic',
      width: 320,
      height: 240,
      bytes: crate.length,
      hasAlpha: false,
    });
    const { x, y, width, height } = findCrate(await pixelsOf(await render(id)));
    const same = findCrate(await pixelsOf(await render(await service.upload(await cratePhoto()))));
    for (const [one, other] of [
      [x, same.x],
      [y, same.y],
      [width, same.width],
      [height, same.height],
    ])
      expect(one).toBeCloseTo(other!, 1);
  });

  it('is rotated upright exactly once', async () => {
    const { id, image } = await jsonOf(upload(await lyingCrate()));
    expect(image).toMatchObject({ format: 'heic', width: 240, height: 320 });
    const cutout = await pixelsOf(await service.call(`/v1/design/${id}/cutout.png?wait=true`));
    expect([cutout.width, cutout.height]).toEqual([240, 320]);
  });

  it('can be fetched from a URL', async () => {
    const answer = await service.call('/v1/design/image-upload-from-url', {
      method: 'POST',
      body: JSON.stringify({ url: `http://${host}/IMG_0001.HEIC` }),
    });
    expect((await jsonOf(answer)).image).toMatchObject({ format: 'heic' });
  });

  it('can be part of a batch', async () => {
    const form = new FormData();
    form.append('batch', JSON.stringify({ items: [{ file: 'a.heic', ...white }] }));
    form.append('files', new Blob([new Uint8Array(crate)]), 'a.heic');
    const posted = await service.call('/v1/jobs', { method: 'POST', body: form });
    expect(posted.status).toBe(202);
    const { id } = await jsonOf(posted);
    await vi.waitFor(
      async () => {
        const { counts } = await jsonOf(service.call(`/v1/jobs/${id}`));
        expect(counts).toMatchObject({ done: 1, failed: 0 });
      },
      { timeout: 30_000, interval: 100 },
    );
  });

  it('can be sent through the interfaces of other services, at full and reduced size, and as a background', async () => {
    for (const size of ['full', 'preview']) {
      const form = formWith(crate, 'image_file', 'a.heic');
      form.append('size', size);
      form.append('bg_image_file', new Blob([new Uint8Array(crate)]), 'b.heic');
      const response = await service.call('/v1.0/removebg', { method: 'POST', body: form });
      expect(response.status, size).toBe(200);
    }
  });

  it("can be a caller's own backdrop", async () => {
    const response = await service.call('/v1/illustrations', { method: 'POST', body: formWith(crate) });
    expect(response.status).toBeLessThan(300);
  });

  it('can be given on the command line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'packshot-heic-'));
    await writeFile(join(folder, 'IMG_0001.HEIC'), crate);
    const { code } = await packshot(['remove', folder, '-o', join(folder, 'out')]);
    expect(code).toBe(0);
    expect(await readdir(join(folder, 'out'))).toContain('IMG_0001.png');
    await rm(folder, { recursive: true });
  });

  it('is refused if it is damaged, and the next photo can still be read', async () => {
    const broken = crate.subarray(0, crate.length - 200);
    expect(await problemOf(await upload(broken))).toMatchObject({ status: 422, code: 'image_undecodable' });
    expect((await upload(crate)).status).toBe(200);
  });

  it('leaves no process behind', async () => {
    await upload(crate);
    const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '--ppid', String(process.pid)]);
    expect(stdout).not.toContain('heic-worker');
  });
});

describe('a service whose operator has switched HEIC off', () => {
  it('refuses HEIC photos: with 415 and advice, and with 400 in the interface of remove.bg', async () => {
    expect(await problemOf(await upload(crate, without))).toMatchObject({
      status: 415,
      code: 'unsupported_image_format',
      detail: expect.stringContaining('HEIC'),
    });
    const form = formWith(crate, 'image_file', 'a.heic');
    const other = await without.call('/v1.0/removebg', { method: 'POST', body: form });
    expect(other.status).toBe(400);
  });
});
