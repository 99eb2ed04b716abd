import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir } from './lock-data-dir.ts';
import { openPrivate } from './open-private.ts';

let folder: string;
let umask: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-private-'));
  umask = process.umask(0o022);
});
afterEach(async () => {
  process.umask(umask);
  await rm(folder, { recursive: true, force: true });
});

const modes = async () =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).map(async (name) => [name, (await stat(join(folder, name))).mode & 0o777]),
    ),
  );

function write(database: SqliteDatabase.Database): void {
  database.pragma('journal_mode = WAL');
  database.exec('create table if not exists t (a); insert into t values (1)');
}

// Files on Windows have no such modes.
describe.skipIf(process.platform === 'win32')('a database file', () => {
  it('and its companion files are readable by the owner only', async () => {
    const database = openPrivate(join(folder, 'packshot.db'));
    write(database);
    expect(await modes()).toEqual({
      'packshot.db': 0o600,
      'packshot.db-shm': 0o600,
      'packshot.db-wal': 0o600,
    });
    database.close();
  });

  it('that an earlier release left readable to all becomes unreadable to other users, and keeps its rows', async () => {
    const path = join(folder, 'packshot.db');
    const earlier = new SqliteDatabase(path);
    write(earlier);
    const database = openPrivate(path);
    expect(Object.values(await modes())).toEqual([0o640, 0o640, 0o640]);
    expect(database.prepare('select count(*) as rows from t').get()).toEqual({ rows: 1 });
    database.close();
    earlier.close();
  });

  it('that holds the lock becomes unreadable to other users, too', async () => {
    await writeFile(join(folder, 'service.lock'), '', { mode: 0o644 });
    const lock = lockDataDir(folder);
    expect(await modes()).toMatchObject({ 'service.lock': 0o640 });
    lock?.release();
  });
});
