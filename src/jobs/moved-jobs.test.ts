import { readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../storage/database.ts';
import { migrateDatabase, migrations } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { findGivenPostgres } from '../storage/testing/postgres-server.ts';
import { openQueue } from './open-queue.ts';
import type { Queue } from './queue.ts';
import { eventually, handler } from './testing/queue-under-test.ts';

const quiet = () => undefined;
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0021'));

let opened: OpenDatabase;
let queue: Queue;
beforeEach(async () => {
  const url = await findGivenPostgres()!.createDatabase();
  const old: Kysely<never> = openPostgres({ url, poolSize: 1 }, quiet) as never;
  await migrateDatabase(old, before);
  const jobs = await readFile(new URL('./testing/pg-boss-jobs.sql', import.meta.url), 'utf8');
  await sql.raw(jobs).execute(old);
  await old.destroy();
  opened = await openDatabase({ kind: 'postgres', url, poolSize: 5 });
  queue = openQueue({ ...opened, clock: Date.now, sharedUrl: url, onError: quiet });
});
afterEach(async () => {
  await queue.close({ graceMs: 100 });
  await opened.close();
});

describe('jobs of the release that ran them on pg-boss', () => {
  it('are kept, with their order, accounts, delays and tries', async () => {
    const rows = await opened.database
      .selectFrom('jobs')
      .selectAll()
      .orderBy('name')
      .orderBy('key')
      .execute();
    const facts = rows.map(({ name, key, rank, account_id, attempts, pauses, claim }) => {
      return [name, key, rank, account_id, attempts, pauses, claim];
    });
    expect(facts).toEqual([
      ['batch-item', 'bat_a.0', -10_000_000, 'acc_b', 0, 0, null],
      ['cutout', 'dsg_a', -1, 'acc_a', 0, 0, null],
      ['cutout', 'dsg_b', -2, 'acc_a', 0, 0, null],
      ['cutout', 'dsg_running', 0, 'acc_a', 0, 0, null],
      ['deliver', 'dlv_a.2', 0, null, 0, 0, null],
      ['paint', 'ill_a', 0, null, 4, 4, null],
    ]);
    const delivery = rows.find(({ name }) => name === 'deliver')!;
    expect(delivery.run_at - delivery.created_at).toBe(3_600_000);
  });

  it('run after the upgrade, the one that was running as well', async () => {
    const done: string[] = [];
    queue.work('cutout', handler({ run: async (key) => void done.push(key) }));
    await vi.waitFor(() => expect(done).toEqual(['dsg_running', 'dsg_a', 'dsg_b']), eventually);
  });

  it('leave no table where an old process could enqueue jobs that nothing would run', async () => {
    const { rows } = await sql`select 1 from pg_namespace where nspname = 'packshot_jobs'`.execute(
      opened.database,
    );
    expect(rows).toEqual([]);
  });
});
