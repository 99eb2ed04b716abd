/** Checks of the data folder, its disk, and the database. */
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PackshotError } from 'packshot-errors';
import type { Config } from '../../config.ts';
import { messageOf, ok, problem, type Verdict, warning } from './verdict.ts';

const GiB = 1024 ** 3;

export async function checkDataFolder({ storage: { dataDir } }: Config): Promise<readonly Verdict[]> {
  const { writeProbe } = await import('../../storage/disk-space.ts');
  const made = await stat(dataDir).catch(() => undefined);
  const folder = made ? dataDir : await nearestFolder(dataDir);
  const began = performance.now();
  try {
    await writeProbe(folder);
  } catch (error) {
    const remedy = `Give this user (${process.getuid?.() ?? 'the service user'}) the right to write there, or set DATA_DIR.`;
    return [problem(`${folder} cannot be written: ${messageOf(error)}`, remedy)];
  }
  const tookMs = (performance.now() - began).toFixed(1);
  const verdicts = [
    ok(`${folder} is writable (write and sync in ${tookMs} ms)${made ? '' : `; ${dataDir} will be created`}`),
  ];
  if (made && (made.mode & 0o077) !== 0) {
    verdicts.push(warning(`${dataDir} is accessible to other users`, `chmod 700 ${dataDir}`));
  }
  return verdicts;
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found || dirname(path) === path ? path : nearestFolder(dirname(path));
}

export async function checkDisk({ storage: { dataDir, minFreeBytes, blobs } }: Config): Promise<Verdict> {
  const { measureSpace, reserveOf } = await import('../../storage/disk-space.ts');
  const space = await measureSpace(await nearestFolder(dataDir));
  const facts = `${(space.freeBytes / GiB).toFixed(1)} of ${(space.totalBytes / GiB).toFixed(1)} GiB free`;
  // The photos are in the bucket: this disk holds only copies of the model and, with SQLite, the database.
  if (blobs.kind === 's3') {
    return space.freeBytes < GiB
      ? warning(facts, 'The model and files in transit need up to 1 GiB.')
      : ok(facts);
  }
  if (space.freeBytes < reserveOf(space, minFreeBytes)) {
    return problem(
      `${facts}: uploads are refused`,
      'Free some space, shorten RETENTION_DAYS, or lower MIN_FREE_BYTES.',
    );
  }
  // 10 GiB hold a thousand photos of 4 MB with their cutouts.
  return space.freeBytes < 10 * GiB
    ? warning(
        facts,
        'A thousand photos take about 10 GiB with their cutouts; RETENTION_DAYS limits how long they are kept.',
      )
    : ok(facts);
}

export async function checkDatabase({ storage: { database } }: Config): Promise<Verdict> {
  const { inspectDatabase } = await import('../../storage/database.ts');
  try {
    const facts = await inspectDatabase(database);
    if (!facts) return ok('will be created at the first start');
    if (facts.damage.length > 0) {
      return problem(
        `is damaged: ${facts.damage[0]}`,
        'Restore packshot.db from a backup (docs/operations.md).',
      );
    }
    const { pendingMigrations: pending } = facts;
    return pending.length === 0
      ? ok('intact and up to date')
      : warning(`migrations pending: ${pending.join(', ')}`, 'The next start runs them. Back up first.');
  } catch (error) {
    if (error instanceof PackshotError && !error.retryable)
      return problem('is from before the first release', 'See "Upgrade" in docs/operations.md.');
    if (database.kind === 'sqlite') {
      return problem(
        `cannot be opened: ${messageOf(error)}`,
        'Check the permissions of packshot.db, or restore a backup.',
      );
    }
    const { cause } = error as Error;
    return problem(
      `cannot be used: ${messageOf(error)}${cause ? ` (${messageOf(cause)})` : ''}`,
      'Check DATABASE_URL, and that its PostgreSQL is running.',
    );
  }
}
