import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openBlobStore } from '../../src/storage/blobs/open-blob-store.ts';
import { withDatabase } from '../../src/storage/database.ts';
import { travellingNames } from '../../src/transfer/travelling-tables.ts';
import { packshot, packshotProcess } from './command.ts';
import {
  cratePhoto,
  formWith,
  jsonOf,
  problemOf,
  type Service,
  settingsOf,
  startOwnService,
  white,
} from './service.ts';

let service: Service;
let photo: Buffer;
let other: string;
beforeAll(async () => {
  service = await startOwnService({ DRAW_AHEAD: 'off' });
  photo = await cratePhoto();
  const env = settingsOf(service.dataDir);
  const made = await packshot(['keys', 'create', '--name', 'other', '--new-account', '--json'], { env });
  other = JSON.parse(made.stdout.toString()).key;
});
afterAll(() => service.stop());

const send = (project: string, key = service.key, name = 'crate.jpg') => {
  const form = formWith(photo, 'file', name);
  form.append('project', project);
  return service.call('/v1/design/image-upload', { method: 'POST', body: form, key });
};
const upload = async (project: string, key?: string, name?: string): Promise<string> => {
  const response = await send(project, key, name);
  expect(response.status).toBe(200);
  return (await jsonOf(response)).id;
};
const listProjects = async (key = service.key) =>
  (await jsonOf(service.call('/v1/projects', { key }))).projects as { name: string; designs: number }[];
const pathOf = (name: string) => `/v1/projects/${encodeURIComponent(name)}`;
const erase = (name: string, key = service.key) => service.call(pathOf(name), { method: 'DELETE', key });

/** Everything that the service stores, as text: the rows of all tables and the keys of all blobs. */
async function readStores(): Promise<string> {
  const { storage } = loadConfig(settingsOf(service.dataDir));
  const rows = await withDatabase(storage.database, async ({ database }) => {
    const found: unknown[] = [];
    for (const table of [...travellingNames, 'jobs'] as const)
      found.push(await database.selectFrom(table).selectAll().execute());
    return found;
  });
  const blobs = await openBlobStore(storage.blobs, { alone: false });
  const keys: string[] = [];
  for (const prefix of ['designs', 'batches']) for await (const { key } of blobs.list(prefix)) keys.push(key);
  return JSON.stringify([rows, keys]);
}

describe('a project', () => {
  it('of 54 photos is deleted in one call, and nothing of it is left in rows or blobs', async () => {
    const ids = await Promise.all(
      Array.from({ length: 54 }, () => upload('Autumn shoes', service.key, 'boot.jpg')),
    );
    const kept = await upload('Lamps');
    for (const id of [...ids, kept]) {
      expect(await jsonOf(service.call(`/v1/design/${id}?wait=true`))).toMatchObject({ status: 'ready' });
    }
    const items = [...ids.slice(0, 2), kept].map((id) => ({ ...white, id, name: `boot of ${id}` }));
    const ofProject = await jsonOf(service.call('/v1/jobs', { json: { items: items.slice(0, 2) } }));
    const ofBoth = await jsonOf(service.call('/v1/jobs', { json: { items: items.slice(1) } }));
    for (const { id } of [ofProject, ofBoth])
      while ((await jsonOf(service.call(`/v1/jobs/${id}`))).status !== 'completed') await pause(50);
    expect(await listProjects()).toMatchObject([
      { name: 'Lamps', designs: 1 },
      { name: 'Autumn shoes', designs: 54 },
    ]);
    expect(await readStores()).toMatch(ids[0]!);

    // As clients do: a repeated call gets the same answer.
    const once = { method: 'DELETE', headers: { 'idempotency-key': 'autumn' } };
    for (let i = 0; i < 2; i++)
      expect(await jsonOf(service.call(pathOf('Autumn shoes'), once))).toEqual({ deleted: 54 });

    const left = await readStores();
    expect([...ids, ofProject.id].filter((id) => left.includes(id))).toEqual([]);
    expect(left).not.toMatch(/Autumn shoes|boot\.jpg/);
    expect(left).toMatch(kept);
    const batch = await jsonOf(service.call(`/v1/jobs/${ofBoth.id}`));
    expect(batch.counts).toEqual({ total: 2, waiting: 0, done: 1, failed: 0, cancelled: 1 });
    expect((await service.call(`/v1/jobs/${ofBoth.id}/results.zip`)).status).toBe(200);
    expect(await problemOf(await erase('Autumn shoes'))).toMatchObject({ code: 'project_not_found' });
  });

  it('is neither seen nor changed by another account', async () => {
    const mine = await upload('Secret');
    const theirs = await upload('Shared name', other);
    await upload('Shared name');
    expect((await listProjects(other)).map(({ name }) => name)).toEqual(['Shared name']);
    const listed = await jsonOf(service.call('/v1/designs', { key: other }));
    expect(listed.designs.map(({ id }: { id: string }) => id)).toEqual([theirs]);
    const rename = { method: 'PATCH', json: { name: 'Mine' }, key: other };
    for (const response of [await erase('Secret', other), await service.call(pathOf('Secret'), rename)])
      expect(await problemOf(response)).toMatchObject({ status: 404, code: 'project_not_found' });
    expect(await jsonOf(erase('Shared name'))).toMatchObject({ deleted: 1 });
    expect((await service.call(`/v1/design/${theirs}`, { key: other })).status).toBe(200);
    expect((await service.call(`/v1/design/${mine}`)).status).toBe(200);
  });

  it('can be renamed, to any name that fits into a path', async () => {
    await upload('Draft');
    const name = `50 % off? “Süß/🥾” ${'x'.repeat(80)}`;
    const renamed = await service.call(pathOf('Draft'), { method: 'PATCH', json: { name } });
    expect(await jsonOf(renamed)).toMatchObject({ name, designs: 1 });
    const { designs } = await jsonOf(service.call(`/v1/designs?project=${encodeURIComponent(name)}`));
    expect(designs).toMatchObject([{ project: name }]);
    expect(await jsonOf(erase(name))).toEqual({ deleted: 1 });
  });

  it.each(['   ', '.', '..', 'x'.repeat(101), 'a\u0000b', 'line\nbreak'])(
    'has no name like %j',
    async (name) => {
      expect(await problemOf(await send(name))).toMatchObject({ status: 400, code: 'invalid_field' });
      const url = { json: { url: 'https://example.com/a.jpg', project: name } };
      const fromUrl = await problemOf(await service.call('/v1/design/image-upload-from-url', url));
      expect(fromUrl.status).toBe(400);
      expect(fromUrl.errors?.[0]?.pointer).toBe('/project');
    },
  );

  it('also takes photos of batches', async () => {
    const form = new FormData();
    const item = { ...white, id: undefined, file: 'crate.jpg', project: 'From a batch' };
    form.append('batch', JSON.stringify({ items: [item] }));
    form.append('files', new Blob([new Uint8Array(photo)]), 'crate.jpg');
    const { id } = await jsonOf(service.call('/v1/jobs', { method: 'POST', body: form }));
    while ((await jsonOf(service.call(`/v1/jobs/${id}`))).status !== 'completed') await pause(50);
    expect(await listProjects()).toContainEqual(
      expect.objectContaining({ name: 'From a batch', designs: 1 }),
    );
  });
});

describe('packshot delete', () => {
  const remove = (words: readonly string[], key = service.key, answer?: string) =>
    packshot(['delete', ...words, '--server', service.url, '--key', key], {
      ...(answer !== undefined && { input: Buffer.from(answer) }),
    });

  it('deletes a project once its user has agreed, and says how many designs', async () => {
    for (let i = 0; i < 2; i++) await upload('Old shoes');
    for (const answer of ['', 'n\n']) {
      const asked = await remove(['--project', 'Old shoes'], service.key, answer);
      expect(asked).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Delete 2 designs of the project "Old shoes"'),
      });
    }
    expect(await listProjects()).toContainEqual(expect.objectContaining({ name: 'Old shoes', designs: 2 }));
    const agreed = await remove(['--project', 'Old shoes'], service.key, 'y\n');
    expect(agreed.stdout.toString()).toBe('Deleted 2 designs of the project "Old shoes".\n');
    expect((await listProjects()).map(({ name }) => name)).not.toContain('Old shoes');
    expect(await remove(['--project', 'Old shoes', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('project_not_found'),
    });
  });

  it("deletes all designs of the key's account only, with or without a project", async () => {
    const env = settingsOf(service.dataDir);
    const made = await packshot(['keys', 'create', '--name', 'third', '--new-account', '--json'], { env });
    const { key } = JSON.parse(made.stdout.toString());
    const mine = await upload('Stays');
    await upload('Goes', key);
    await service.call('/v1/design/image-upload', { method: 'POST', body: formWith(photo), key });
    expect((await remove(['--all', '--yes'], key)).stdout.toString()).toBe('Deleted 2 designs.\n');
    expect((await jsonOf(service.call('/v1/designs', { key }))).designs).toEqual([]);
    expect((await service.call(`/v1/design/${mine}`)).status).toBe(200);
  });

  it('is refused without a choice, or with two', async () => {
    for (const words of [[], ['--all', '--project', 'x']])
      expect((await packshotProcess(['delete', ...words, '--server', service.url, '--key', 'k'])).code).toBe(
        2,
      );
  });
});

describe('the list of designs', () => {
  it('is paged, newest first, and filtered by project', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await upload('Paged'));
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page: { designs: { id: string }[]; next: string | null } = await jsonOf(
        service.call(`/v1/designs?project=Paged&limit=2${next && `&after=${next}`}`),
      );
      seen.push(...page.designs.map(({ id }) => id));
      next = page.next;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(await jsonOf(service.call('/v1/designs?project=Nobody'))).toEqual({ designs: [], next: null });
  });

  it.each(['limit=0', 'limit=101', 'after=dsg_1', 'project='])('refuses %s', async (query) => {
    expect(await problemOf(await service.call(`/v1/designs?${query}`))).toMatchObject({ status: 400 });
  });

  it('needs a key that may upload', async () => {
    const env = settingsOf(service.dataDir);
    const made = await packshot(['keys', 'create', '--name', 'r', '--scopes', 'render', '--json'], { env });
    const { key } = JSON.parse(made.stdout.toString());
    for (const response of [await service.call('/v1/designs', { key }), await erase('Paged', key)])
      expect(await problemOf(response)).toMatchObject({ status: 403, code: 'scope_denied' });
  });
});
