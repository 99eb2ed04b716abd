import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packshot } from './command.ts';
import { cratePhoto, formWith, jsonOf, problemOf, type Service, startService, white } from './service.ts';

let service: Service;
let other: string;
beforeAll(async () => {
  service = await startService({ ACCOUNT_STORAGE_BYTES: '100000', DRAW_AHEAD: 'off' });
  const env = { DATA_DIR: service.dataDir };
  const made = await packshot(['keys', 'create', '--name', 'other', '--new-account', '--json'], { env });
  other = JSON.parse(made.stdout.toString()).key;
});
afterAll(() => service.stop());

const upload = async (photo: Buffer, key = service.key) =>
  service.call('/v1/design/image-upload', { method: 'POST', body: formWith(photo), key });

describe('an account that has used up its share of the storage', () => {
  it('gets 507 for every call that would store more, while another account is still served', async () => {
    const photo = await cratePhoto();
    const ids: string[] = [];
    let last = await upload(photo);
    for (; last.status === 200; last = await upload(photo)) {
      const { id } = await jsonOf(last);
      ids.push(id);
      // The cutout counts toward the share, too.
      expect((await jsonOf(service.call(`/v1/design/${id}?wait=true`))).status).toBe('ready');
      // The sum is cached for 100 times as long as it took, so on a busy machine, many uploads are admitted meanwhile.
      expect(ids.length).toBeLessThan(500);
    }
    const problem = await problemOf(last);
    expect(problem).toMatchObject({ status: 507, code: 'storage_full' });
    expect(problem.detail).toMatch(/Your account stores 0\.\d MB.*limit is 0\.1 MB.*Delete/);
    expect(last.headers.get('retry-after')).toBe('3600');

    const [id] = ids;
    const full = { status: 507, code: 'storage_full' };
    const suggested = service.call('/v1/design/suggest', { json: { id, recipePreset: 'AI_STUDIO' } });
    expect(await problemOf(await suggested)).toMatchObject(full);
    const batch = service.call('/v1/jobs', { json: { items: [{ id, ...white }] } });
    expect(await problemOf(await batch)).toMatchObject(full);
    const form = { method: 'POST', body: formWith(photo) };
    expect(await problemOf(await service.call('/v1/illustrations', form))).toMatchObject(full);

    // Stored designs are still served.
    expect((await service.call('/v1/design/preview.webp', { json: { id, ...white } })).status).toBe(200);
    expect((await upload(photo, other)).status).toBe(200);

    for (const one of ids) await service.call(`/v1/design/${one}`, { method: 'DELETE' });
    expect((await upload(photo)).status).toBe(200);
  });
});
