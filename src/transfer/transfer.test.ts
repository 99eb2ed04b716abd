import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { importArchive } from './import-archive.ts';
import { readJobs } from './live-rows.ts';
import { sampleDesign, sampleRows } from './testing/sample-rows.ts';
import {
  clock,
  expectSample,
  idsOf,
  listAll,
  rowsOf,
  sorted,
  type TestService,
  type TransferHouse,
  useFilledSource,
} from './testing/transfer-house.ts';
import { openLiveSource } from './transfer-source.ts';

let house: TransferHouse;
let source: TestService;
useFilledSource((opened, filled) => {
  house = opened;
  source = filled;
});

describe('an export and import', () => {
  it('copy every row and every blob, there and back again', async () => {
    await house.exportFrom(source);
    const there = await house.openService();
    const imported = await house.importInto(there);
    await expectSample(there);
    expect(imported.blobs).toMatchObject({ count: 7, copied: 7 });
    const back = await house.openService('sqlite');
    await house.exportFrom(there);
    await house.importInto(back);
    await expectSample(back);
  });

  it('copy waiting jobs, with their ranks, accounts and delays', async () => {
    const { database, queue } = source;
    await queue.enqueue('cutout', ['dsg_b', 'dsg_c'], database.database, { accountId: 'acc_a' });
    await queue.enqueue('batch-item', ['bat_a.0', 'bat_a.1'], database.database, {
      rank: -1,
      accountId: 'acc_b',
    });
    await queue.enqueue('deliver', 'dlv_a.1', database.database, { delayMs: 3_600_000 });
    await house.exportFrom(source);
    const there = await house.openService();
    expect((await house.importInto(there)).jobs).toBe(5);
    await house.importInto(there);
    const jobs = await listAll(readJobs(there.database.database));
    const words = jobs.map(({ name, key, rank, accountId }) => `${name} ${key} ${rank} ${accountId}`);
    expect(words.sort()).toEqual([
      'batch-item bat_a.0 -1 acc_b',
      'batch-item bat_a.1 -1 acc_b',
      'cutout dsg_b 0 acc_a',
      'cutout dsg_c 0 acc_a',
      'deliver dlv_a.1 0 null',
    ]);
    const turnOf = (key: string) => jobs.find((job) => job.key === key)!.runAt;
    expect(turnOf('dlv_a.1') - turnOf('dsg_b')).toBeGreaterThan(3_500_000);
  });

  it('omit Idempotency-Keys of calls that are still running at the source', async () => {
    const call = { key_id: 'key_a', path: '/v1/jobs', digest: null, answer: null, created_at: 1 };
    await source.database.database
      .insertInto('idempotent_answers')
      .values({ ...call, idempotency_key: 'runs' })
      .execute();
    await house.exportFrom(source);
    const there = await house.openService();
    await house.importInto(there);
    expect(sorted(await rowsOf(there, 'idempotent_answers'))).toEqual(sorted(sampleRows.idempotent_answers));
  });

  it('copy more rows than fit on one page', async () => {
    const ids = Array.from({ length: 1_234 }, (_, i) => `dsg_${String(i).padStart(4, '0')}`);
    for (let from = 0; from < ids.length; from += 500)
      await source.database.database
        .insertInto('designs')
        .values(ids.slice(from, from + 500).map((id) => sampleDesign(id)))
        .execute();
    const { manifest } = await house.exportFrom(source);
    expect(manifest.missing).toMatchObject({ count: 1_234, some: { length: 100 } });
    const there = await house.openService();
    await house.importInto(there);
    expect(await idsOf(there, 'designs')).toEqual([...ids, 'dsg_a', 'dsg_b'].sort());
  });

  it('drop NUL characters from texts, because the target database may not support them', async () => {
    const design = sampleDesign('dsg_nul', { file_name: 'a\0b.jpg' });
    await source.database.database.insertInto('designs').values(design).execute();
    await house.exportFrom(source);
    const there = await house.openService();
    await house.importInto(there);
    expect((await rowsOf(there, 'designs')).find(({ id }) => id === 'dsg_nul')).toMatchObject({
      file_name: 'ab.jpg',
    });
  });
});

describe('tables of a newer release', () => {
  it('are refused by the export and import of this release, which would lose the data in them', async () => {
    await house.exportFrom(source);
    const target = await house.openService();
    const both = [source.database.database, target.database.database];
    for (const database of both)
      await sql`insert into kysely_migration values ('9999-hovercraft', '2030-01-01')`.execute(database);
    try {
      await expect(house.exportFrom(source)).rejects.toThrow('newer release');
      await expect(house.importInto(target)).rejects.toThrow('newer release');
    } finally {
      // Another test may get the same database.
      for (const database of both)
        await sql`delete from kysely_migration where name = '9999-hovercraft'`.execute(database);
    }
  });
});

describe('a folder of an embedded service', () => {
  it('is imported without an archive', async () => {
    const target = await house.openService();
    const live = openLiveSource(source.database, source.blobs);
    await source.queue.enqueue('cutout', 'dsg_b', source.database.database);
    const imported = await importArchive(target, live, { merge: false, clock, onProgress: () => undefined });
    expect(imported).toMatchObject({ jobs: 1, blobs: { copied: 7 } });
    await expectSample(target);
  });
});
