import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { describeNotices, hearAll, keysOf, until } from './notices.contract.ts';
import { type PostgresServer, startPostgres } from './testing/postgres-server.ts';

let server: PostgresServer;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.createDatabase();
});
afterAll(() => server.stop());

async function openTwo() {
  const errors: unknown[] = [];
  const open = () =>
    openDatabase({ kind: 'postgres', url, poolSize: 2 }, { onError: (error) => errors.push(error) });
  const [here, there] = await Promise.all([open(), open()]);
  return {
    here: here.notices,
    there: there.notices,
    database: here.database,
    errors,
    close: async () => void (await Promise.all([here.close(), there.close()])),
  };
}

describeNotices('on PostgreSQL', openTwo);

describe('notices on PostgreSQL', () => {
  it('arrive without their payload if the payload is too long', async () => {
    const { here, there, close } = await openTwo();
    const heard = await hearAll(there, here, 'design');
    here.tell('design', 'long', 'é'.repeat(3_600));
    here.tell('design', 'short', 'é'.repeat(3_400));
    await until(() => keysOf(heard, 'short').length > 0);
    expect(heard.filter(({ key }) => key === 'long' || key === 'short')).toEqual([
      { key: 'long', news: undefined },
      { key: 'short', news: 'é'.repeat(3_400) },
    ]);
    await close();
  });

  it('are not disturbed by arbitrary payloads that other clients send on the channel', async () => {
    const { here, there, database, errors, close } = await openTwo();
    const heard = await hearAll(there, here, 'design');
    await sql`select pg_notify('packshot', 'hello')`.execute(database);
    here.tell('design', 'after');
    await until(() => keysOf(heard, 'after').length > 0);
    expect(errors).toHaveLength(1);
    await close();
  });

  it('are still sent if the sender closes its database immediately afterwards', async () => {
    const { there, here, close } = await openTwo();
    const heard = await hearAll(there, here, 'design');
    const short = await openDatabase({ kind: 'postgres', url, poolSize: 2 });
    short.notices.tell('design', 'key_1');
    await short.close();
    await until(() => keysOf(heard, 'key_1').length > 0);
    await close();
  });

  it('resume after the connection was ended, and listeners are told that notices may be missing', async () => {
    const { here, there, database, errors, close } = await openTwo();
    const heard = await hearAll(there, here, 'design');
    const missed = () => heard.filter(({ key }) => key === undefined).length;
    const before = missed();
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(database);
    await until(() => missed() > before);
    here.tell('design', 'after');
    await until(() => keysOf(heard, 'after').length > 0);
    expect(errors).not.toEqual([]);
    await close();
  });

  it('resume after a crash of the server; notices that could not be sent are reported to onError', async () => {
    const { here, there, errors, close } = await openTwo();
    const heard = await hearAll(there, here, 'design');
    const missed = () => heard.filter(({ key }) => key === undefined).length;
    const before = missed();
    await server.halt('immediate');
    await until(() => errors.length > 0);
    const known = errors.length;
    here.tell('design', 'lost');
    await until(() => errors.length > known);
    await server.start();
    await until(() => missed() > before);
    here.tell('design', 'after');
    await until(() => keysOf(heard, 'after').length > 0);
    expect(keysOf(heard, 'lost')).toEqual([]);
    for (const error of errors) expect(error).toMatchObject({ code: 'storage_unavailable' });
    await close();
  });

  it('can be closed while the server is down', async () => {
    const { here, there, close } = await openTwo();
    await hearAll(there, here, 'design');
    await server.halt();
    here.tell('design', 'lost');
    await close();
    await server.start();
  });
});
