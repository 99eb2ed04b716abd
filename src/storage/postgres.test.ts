import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, inspectDatabase, type OpenDatabase, openDatabase, pingDatabase } from './database.ts';
import { migrations } from './migrate.ts';
import { readSnapshot } from './snapshot.ts';
import { type PostgresServer, startPostgres } from './testing/postgres-server.ts';
import { transact } from './transact.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const unavailable = { code: 'storage_unavailable' };
const open = (url: string, poolSize = 2) => openDatabase({ kind: 'postgres', url, poolSize });
const withSetting = (url: string, name: string, value: string) => {
  const set = new URL(url);
  set.searchParams.set(name, value);
  return set.href;
};

describe('a database on PostgreSQL', () => {
  let url: string;
  beforeEach(async () => {
    url = await server.createDatabase();
  });

  it('is migrated once by processes that start at the same time', async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => open(url)));
    const { rows } = await sql<{ count: number }>`select count(*) as count from kysely_migration`.execute(
      opened[0]!.database,
    );
    expect(rows).toEqual([{ count: Object.keys(migrations).length }]);
    await Promise.all(opened.map(({ close }) => close()));
  });

  it('is not changed by an inspection', async () => {
    const look = () => inspectDatabase({ kind: 'postgres', url, poolSize: 2 });
    expect(await look()).toBeUndefined();
    const { close } = await open(url);
    for (let i = 0; i < 2; i++) expect(await look()).toEqual({ pendingMigrations: [], damage: [] });
    await close();
  });

  it('lets only one process at a time run the work of one name', async () => {
    const [one, other] = await Promise.all([open(url), open(url)]);
    const ran: string[] = [];
    const note = (name: string) => async () => void ran.push(name);
    expect(
      await one.tryAlone('sweep', async () => {
        expect(await other.tryAlone('sweep', note('in between'))).toBe(false);
        expect(await one.tryAlone('sweep', note('by itself'))).toBe(false);
        expect(await other.tryAlone('bill', note('something else'))).toBe(true);
      }),
    ).toBe(true);
    const failing = one.tryAlone('sweep', async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await other.tryAlone('sweep', note('after'))).toBe(true);
    expect(ran).toEqual(['something else', 'after']);
    await Promise.all([one.close(), other.close()]);
  });

  it('is refused if its encoding is not UTF8', async () => {
    const name = 'only_ascii';
    await withClient(server.url('postgres'), (client) =>
      client.query(`create database ${name} template template0 encoding 'SQL_ASCII'`),
    );
    await expect(open(server.url(name))).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining('UTF8'),
    });
  });

  it('is refused if its user may not create tables', async () => {
    await withClient(url, (client) => client.query('create role reader login'));
    const asReader = new URL(url);
    asReader.username = 'reader';
    await expect(open(asReader.href)).rejects.toMatchObject({
      ...unavailable,
      message: expect.stringContaining('create tables'),
    });
  });

  it('cannot be opened if it or its server is missing', async () => {
    await expect(open(server.url('nowhere'))).rejects.toMatchObject(unavailable);
    await expect(open('postgres://packshot@127.0.0.1:1/packshot')).rejects.toMatchObject(unavailable);
  });
});

describe('connections to PostgreSQL', () => {
  let url: string;
  let opened: OpenDatabase;
  beforeAll(async () => {
    url = await server.createDatabase();
    opened = await open(url);
    return () => opened.close();
  });

  it('do not run out after transactions that fail or lose their connection', async () => {
    const { database } = opened;
    for (let i = 0; i < 5; i++) {
      await expect(
        transact(database, (transaction) => sql`select no_such_column`.execute(transaction)),
      ).rejects.toMatchObject({ code: '42703' });
      await expect(
        transact(database, (transaction) =>
          sql`select pg_terminate_backend(pg_backend_pid())`.execute(transaction),
        ),
      ).rejects.toMatchObject(unavailable);
    }
    expect(await pingDatabase(database)).toBe(true);
  });

  it('that end between two statements of a transaction make the second statement fail', async () => {
    const { database } = opened;
    const failing = transact(database, async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(database);
      await sql`select 1`.execute(transaction);
    });
    await expect(failing).rejects.toMatchObject(unavailable);
    expect(await pingDatabase(database)).toBe(true);
  });

  it('throw storage_unavailable for a statement that takes too long', async () => {
    const slow = transact(opened.database, async (transaction) => {
      await sql`set local statement_timeout = 20`.execute(transaction);
      await sql`select pg_sleep(10)`.execute(transaction);
    });
    await expect(slow).rejects.toMatchObject(unavailable);
  });

  it('may be idle in a snapshot transaction, but in no other transaction', async () => {
    const { database } = opened;
    const longestIdle = async (on: Database) => {
      const setting = sql<Record<string, string>>`show idle_in_transaction_session_timeout`;
      return (await setting.execute(on)).rows[0]!.idle_in_transaction_session_timeout;
    };
    expect(await readSnapshot(opened, longestIdle)).toBe('0');
    expect(await longestIdle(database)).toBe('10s');
  });

  it('are not reused if the server did not respond in time', async () => {
    const hasty = await open(withSetting(url, 'query_timeout', '2000'), 2);
    const asleep = () => sql`select pg_sleep(10)`.execute(hasty.database);
    const calls = await Promise.allSettled([asleep(), asleep()]);
    for (const call of calls) expect(call).toMatchObject({ reason: unavailable });
    expect(await pingDatabase(hasty.database)).toBe(true);
    await hasty.close();
  });

  it('throw storage_unavailable while the server is down, and recover', async () => {
    const { database } = opened;
    await database.insertInto('accounts').values({ id: 'acc_1', name: 'a', created_at: 0 }).execute();
    await server.halt('immediate');
    await expect(database.selectFrom('accounts').selectAll().execute()).rejects.toMatchObject(unavailable);
    await expect(transact(database, async () => undefined)).rejects.toMatchObject(unavailable);
    expect(await pingDatabase(database)).toBe(false);
    await server.start();
    expect(await database.selectFrom('accounts').select('id').execute()).toEqual([{ id: 'acc_1' }]);
  });
});

describe('a transaction', () => {
  it('that conflicts with others is retried, and fails after 20 tries', async () => {
    const { database, close } = await open(await server.createDatabase());
    let tries = 0;
    const conflict = (after: number) =>
      transact(database, async (transaction) => {
        tries++;
        if (tries <= after)
          await sql`do $$ begin raise exception 'met' using errcode = '40001'; end $$`.execute(transaction);
        return tries;
      });
    expect(await conflict(3)).toBe(4);
    tries = 0;
    await expect(conflict(Number.POSITIVE_INFINITY)).rejects.toMatchObject(unavailable);
    expect(tries).toBe(20);
    await close();
  });

  it('completes under contention: eight connection pools update the same row 400 times in all', async () => {
    const url = await server.createDatabase();
    const opened = await Promise.all(Array.from({ length: 8 }, () => open(url)));
    const [{ database }] = opened as [OpenDatabase];
    await database
      .insertInto('quotas')
      .values({ id: 'quo_1', remaining_milli: null, used_milli: 0 })
      .execute();
    const spend = (one: OpenDatabase) =>
      transact(one.database, async (transaction) => {
        const row = await transaction.selectFrom('quotas').selectAll().executeTakeFirstOrThrow();
        await transaction
          .updateTable('quotas')
          .set({ used_milli: row.used_milli + 1 })
          .execute();
      });
    const spendOften = async (one: OpenDatabase) => {
      for (let i = 0; i < 25; i++) await Promise.all([spend(one), spend(one)]);
    };
    await Promise.all(opened.map(spendOften));
    expect(await database.selectFrom('quotas').select('used_milli').execute()).toEqual([{ used_milli: 400 }]);
    await Promise.all(opened.map(({ close }) => close()));
  });

  it('prevents write skew: if two people on duty leave at once, and one must stay, only one may leave', async () => {
    const { database, close } = await open(await server.createDatabase(), 4);
    const accounts = ['acc_1', 'acc_2'].map((id) => ({ id, name: 'on duty', created_at: 0 }));
    await database.insertInto('accounts').values(accounts).execute();
    const leave = (id: string) =>
      transact(database, async (transaction) => {
        const onDuty = await transaction
          .selectFrom('accounts')
          .selectAll()
          .where('name', '=', 'on duty')
          .execute();
        if (onDuty.length < 2) return false;
        await transaction.updateTable('accounts').set({ name: 'off' }).where('id', '=', id).execute();
        return true;
      });
    const left = await Promise.all([leave('acc_1'), leave('acc_2')]);
    expect(left.filter(Boolean)).toHaveLength(1);
    await close();
  });
});

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}
