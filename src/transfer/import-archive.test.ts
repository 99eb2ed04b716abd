import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { sampleRows } from './testing/sample-rows.ts';
import {
  clock,
  digestOf,
  expectSample,
  idsOf,
  rowsOf,
  type TestService,
  type TransferHouse,
  useFilledSource,
} from './testing/transfer-house.ts';
import { travellingNames } from './travelling-tables.ts';

let house: TransferHouse;
let source: TestService;
useFilledSource((opened, filled) => {
  house = opened;
  source = filled;
});

describe('an import', () => {
  let target: TestService;
  beforeEach(async () => {
    await house.exportFrom(source);
    target = await house.openService();
  });

  it('that is repeated leaves later changes as they are', async () => {
    await house.importInto(target);
    const { database } = target.database;
    await database.updateTable('quotas').set({ remaining_milli: 1 }).execute();
    await database.updateTable('api_keys').set({ revoked_at: 5 }).execute();
    const again = await house.importInto(target);
    expect(again.blobs.copied).toBe(0);
    expect(Object.values(again.tables).reduce((sum, { added }) => sum + added, 0)).toBe(0);
    expect(await rowsOf(target, 'quotas')).toMatchObject([{ remaining_milli: 1 }]);
    expect(await rowsOf(target, 'api_keys')).toMatchObject([{ revoked_at: 5 }]);
  });

  it('that is interrupted writes no row, and the next import stores the remaining blobs', async () => {
    let puts = 0;
    const failing: BlobStore = {
      ...target.blobs,
      async put(key, bytes) {
        if (++puts > 3) throw new PackshotError('storage_full', 'It is full.');
        await target.blobs.put(key, bytes);
      },
    };
    await expect(house.importInto({ ...target, blobs: failing })).rejects.toMatchObject({
      code: 'storage_full',
    });
    expect(await rowsOf(target, 'accounts')).toEqual([]);
    expect((await house.importInto(target)).blobs.copied).toBe(4);
    await expectSample(target);
  });

  it('restores blobs that a running service swept as orphans', async () => {
    // Sweep after the blobs are put and before their rows are inserted.
    const { database } = target.database;
    const sweeping = {
      ...target.database,
      database: new Proxy(database, {
        get(rows, property) {
          if (property === 'transaction') void target.blobs.deleteAll('designs');
          const member: unknown = Reflect.get(rows, property, rows);
          return typeof member === 'function' ? member.bind(rows) : member;
        },
      }),
    };
    await house.importInto({ ...target, database: sweeping });
    await expectSample(target);
  });

  it.each([
    ['rows', 'rows/designs.jsonl', (text: string) => text.replace('dsg_b', 'dsg_c')],
    ['an index', 'blobs.jsonl', (text: string) => text.slice(0, -20)],
    ['the manifest', 'manifest.json', (text: string) => text.replace('"takenAt"', '"taken"')],
    ['a blob', 'blobs/designs/dsg_a/source', () => 'A photo'],
  ])('refuses an archive with %s damaged, and writes no row', async (_, path, change) => {
    await house.damage(path, change);
    await expect(house.importInto(target)).rejects.toMatchObject({
      code: 'invalid_field',
      message: expect.stringContaining('damaged'),
    });
    for (const table of travellingNames) expect(await rowsOf(target, table)).toEqual([]);
  });

  it.each([
    ['that climbs out of the archive', '../../etc/hostname', 'lists a foreign file'],
    ['that is absolute', '/etc/hostname', 'lists a foreign file'],
    ['of a table that is not exported', 'rows/rates.jsonl', 'lists a foreign file'],
  ])('refuses a manifest that lists a file %s, without reading the file', async (_, path, message) => {
    await house.damage('manifest.json', (json) => {
      const manifest = JSON.parse(json);
      manifest.files[path] = { lines: 0, bytes: 0, sha256: digestOf('') };
      return JSON.stringify(manifest);
    });
    await expect(house.importInto(target)).rejects.toThrow(message);
  });

  it.each(['rows/designs.jsonl', 'jobs.jsonl', 'blobs.jsonl'])(
    'refuses a manifest without %s, whose checksum could not be verified',
    async (path) => {
      await house.damage('manifest.json', (json) => {
        const manifest = JSON.parse(json);
        delete manifest.files[path];
        return JSON.stringify(manifest);
      });
      await expect(house.importInto(target)).rejects.toThrow(`does not list ${path}`);
      for (const table of travellingNames) expect(await rowsOf(target, table)).toEqual([]);
    },
  );

  it('refuses a format or tables that only a newer release knows', async () => {
    const manifest = await readFile(join(house.folder, 'manifest.json'), 'utf8');
    await house.damage('manifest.json', (text) => text.replace('"0001-schema"', '"9999-hovercraft"'));
    await expect(house.importInto(target)).rejects.toThrow('newer release');
    await house.damage('manifest.json', () =>
      manifest.replace('"packshotArchive": 1', '"packshotArchive": 2'),
    );
    await expect(house.importInto(target)).rejects.toThrow('newer release');
  });

  it("never traverses out of the archive's folder", async () => {
    const line = {
      owner: 'designs/dsg_a',
      blobs: [{ name: '../../../rows/secrets.jsonl', bytes: 1, sha256: '' }],
    };
    const text = `${JSON.stringify(line)}\n`;
    await house.damage('blobs.jsonl', () => text);
    const sha256 = digestOf(text);
    await house.damage('manifest.json', (json) => {
      const manifest = JSON.parse(json);
      manifest.files['blobs.jsonl'].sha256 = sha256;
      return JSON.stringify(manifest);
    });
    await expect(house.importInto(target)).rejects.toThrow('contains an invalid blob name');
  });
});

describe('an archive from before the first release', () => {
  /** Makes the archive like the oldest exports: with fewer tables, and rows without later columns. */
  async function makeOld(): Promise<void> {
    await house.exportFrom(source);
    await house.damage('manifest.json', (text) => {
      const manifest = JSON.parse(text);
      const { rate_per_second, rate_burst, ...key } = sampleRows.api_keys[0]!;
      const { stored_bytes, cutout_due_at, cutout_left_out, cutout_name, cutout_history, ...newer } =
        sampleRows.designs[0]!;
      const { alpha_wish, cutout_wish, project, ...design } = newer;
      const old = {
        accounts: sampleRows.accounts[0],
        api_keys: key,
        quotas: sampleRows.quotas[0],
        designs: design,
      };
      const files = Object.entries(old).map(([table, row]) => {
        const line = `${JSON.stringify(row)}\n`;
        writeFileSync(join(house.folder, `rows/${table}.jsonl`), line);
        return [`rows/${table}.jsonl`, { lines: 1, bytes: line.length, sha256: digestOf(line) }];
      });
      const { 'jobs.jsonl': jobs, 'blobs.jsonl': blobs } = manifest.files;
      const kept = { 'jobs.jsonl': jobs, 'blobs.jsonl': blobs };
      const shape = ['0001-initial', '0007-credits', '0013-retired-secrets'];
      return JSON.stringify({ ...manifest, shape, files: { ...Object.fromEntries(files), ...kept } });
    });
  }

  it('is imported into the current schema', async () => {
    await makeOld();
    const target = await house.openService();
    await house.importInto(target);
    expect(await rowsOf(target, 'quotas')).toEqual(sampleRows.quotas);
    const unlimited = { rate_per_second: null, rate_burst: null };
    expect(await rowsOf(target, 'api_keys')).toEqual([{ ...sampleRows.api_keys[0], ...unlimited }]);
    expect(await rowsOf(target, 'designs')).toMatchObject([
      { id: sampleRows.designs[0]!.id, cutout_name: null },
    ]);
    expect(await readdir(house.folder)).not.toContain('upgrade');
  });
});

describe('an import into a service with its own accounts', () => {
  let target: TestService;
  beforeEach(async () => {
    await house.exportFrom(source);
    target = await house.openService();
    await target.database.database
      .insertInto('accounts')
      .values({ id: 'acc_own', name: 'own', created_at: 1 })
      .execute();
  });

  it('is refused unless merging is requested', async () => {
    await expect(house.importInto(target)).rejects.toThrow('an account of its own, such as acc_own');
    await house.importInto(target, { merge: true });
    expect(await idsOf(target, 'accounts')).toEqual(['acc_a', 'acc_own']);
  });

  it('keeps the local secret for signing, and adds the imported secret for verifying', async () => {
    const own = { name: 'illustration-uris', value: 'own', created_at: 1, verifies_until: null };
    await target.database.database.insertInto('secrets').values(own).execute();
    await house.importInto(target, { merge: true });
    await house.importInto(target, { merge: true });
    const secrets = await rowsOf(target, 'secrets');
    expect(secrets.find(({ name }) => name === own.name)).toEqual(own);
    const [signing, old] = sampleRows.secrets;
    const retired = secrets.filter(({ value }) => value === signing!.value);
    expect(retired).toMatchObject([{ name: expect.stringMatching(/^illustration-uris\/old_/) }]);
    expect(Number(retired[0]!.verifies_until)).toBeGreaterThan(clock());
    expect(secrets).toContainEqual(old);
  });

  it('is refused if one key would open two accounts', async () => {
    const [key] = sampleRows.api_keys;
    await target.database.database
      .insertInto('api_keys')
      .values({ ...key!, id: 'key_own', account_id: 'acc_own' })
      .execute();
    await expect(house.importInto(target, { merge: true })).rejects.toThrow('as key_own');
    expect(await idsOf(target, 'accounts')).toEqual(['acc_own']);
  });
});
