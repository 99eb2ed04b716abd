/**
 * Runs an import: writes the blobs, then all rows and jobs in one transaction. Then it checks the blobs once more, and
 * writes those that a running service has deleted in the meantime. An import may be interrupted at any time and
 * repeated: existing data is kept.
 */
import { PackshotError } from 'packshot-errors';
import type { JobTurn, Queue } from '../jobs/queue.ts';
import type { Database } from '../storage/database.ts';
import { transact } from '../storage/transact.ts';
import { type CopyCounts, mapSideBySide, restoreOwner } from './copy-blobs.ts';
import type { ProgressListener, Stores } from './export-archive.ts';
import { insertRows, insertSecrets } from './insert-rows.ts';
import { readShape, type WaitingJob } from './live-rows.ts';
import type { TransferSource } from './transfer-source.ts';
import { type TravellingName, travellingNames } from './travelling-tables.ts';

export interface ImportOptions {
  /** Whether to import into a service that already has accounts, which are then kept. */
  readonly merge: boolean;
  readonly clock: () => number;
  readonly onProgress: ProgressListener;
}

export interface RowCounts {
  readonly rows: number;
  /** Number of rows that did not exist before. */
  readonly added: number;
}

export interface Imported {
  readonly tables: Readonly<Record<TravellingName, RowCounts>>;
  readonly jobs: number;
  readonly blobs: CopyCounts;
}

type Target = Stores & { readonly queue: Queue };

/** Throws `invalid_field`, without writing a row, if the archive is damaged or `admitImport` refuses it. */
export async function importArchive(
  target: Target,
  source: TransferSource,
  options: ImportOptions,
): Promise<Imported> {
  await admitImport(target.database.database, source, options);
  const blobs = await restoreBlobs(target, source, options.onProgress);
  const written = await transact(target.database.database, async (transaction) => {
    const tables = {} as Record<TravellingName, RowCounts>;
    for (const table of travellingNames)
      tables[table] = await importTable(transaction, table, source, options);
    return { tables, jobs: await enqueueJobs(target.queue, source, transaction, options) };
  });
  target.queue.wake();
  // A running service sweeps blobs that have had no row for more than an hour. Write those blobs again.
  const again = await restoreBlobs(target, source, () => undefined);
  return { ...written, blobs: { ...blobs, copied: blobs.copied + again.copied } };
}

type Transaction = Parameters<Parameters<typeof transact>[1]>[0];

async function importTable(
  transaction: Transaction,
  table: TravellingName,
  source: TransferSource,
  { clock, onProgress }: ImportOptions,
): Promise<RowCounts> {
  const counts = { rows: 0, added: 0 };
  for await (const page of source.rows(table)) {
    counts.rows += page.length;
    counts.added +=
      table === 'secrets'
        ? await insertSecrets(transaction, page, clock)
        : await insertRows(transaction, table, page);
    onProgress(table, counts.rows);
  }
  return counts;
}

async function enqueueJobs(
  queue: Queue,
  source: TransferSource,
  transaction: Transaction,
  { clock, onProgress }: ImportOptions,
): Promise<number> {
  let count = 0;
  for await (const page of source.jobs()) {
    for (const { name, keys, ...turn } of bundle(page, clock()))
      await queue.enqueue(name, keys, transaction, turn);
    count += page.length;
    onProgress('jobs', count);
  }
  return count;
}

/** Groups jobs that can be enqueued with one call. */
function bundle(jobs: readonly WaitingJob[], now: number) {
  const bundles = new Map<string, JobTurn & { name: string; keys: string[] }>();
  for (const { name, key, rank, runAt, accountId } of jobs) {
    const delayMs = Math.max(0, runAt - now);
    const like = JSON.stringify([name, rank, delayMs, accountId]);
    const keys = [...(bundles.get(like)?.keys ?? []), key];
    bundles.set(like, { name, keys, rank, delayMs, ...(accountId && { accountId }) });
  }
  return bundles.values();
}

async function restoreBlobs(
  { blobs }: Target,
  source: TransferSource,
  onProgress: ProgressListener,
): Promise<CopyCounts> {
  const counts: CopyCounts = { count: 0, bytes: 0, copied: 0 };
  const damaged: string[] = [];
  const restored = mapSideBySide(source.blobs(), (owned) =>
    restoreOwner(blobs, owned, source.readBlob, counts),
  );
  for await (const keys of restored) {
    damaged.push(...keys);
    onProgress('blobs', counts.count);
  }
  if (damaged.length === 0) return counts;
  throw new PackshotError(
    'invalid_field',
    `The archive is damaged: ${damaged.length === 1 ? 'a blob differs' : `${damaged.length} blobs differ`} from what was exported, such as ${damaged[0]}.`,
  );
}

/**
 * Throws `invalid_field` if a newer release has migrated the target, if the target has accounts of its own and `merge`
 * is false, or if a key would belong to two accounts.
 */
async function admitImport(
  target: Database,
  source: TransferSource,
  { merge }: { readonly merge: boolean },
): Promise<void> {
  await readShape(target);
  const others = await listOtherAccounts(target, source);
  if (others.length > 0 && !merge) {
    throw new PackshotError(
      'invalid_field',
      `This service has ${others.length === 1 ? 'an account' : `${others.length} accounts`} of its own, such as ${others[0]}. Import before its first start, or keep both with --merge.`,
    );
  }
  await checkKeys(target, source);
}

async function listOtherAccounts(target: Database, source: TransferSource): Promise<string[]> {
  const coming = new Set<unknown>();
  for await (const page of source.rows('accounts')) for (const { id } of page) coming.add(id);
  const rows = await target.selectFrom('accounts').select('id').execute();
  return rows.map(({ id }) => id).filter((id) => !coming.has(id));
}

/** A key that exists on both sides, such as BOOTSTRAP_API_KEY, cannot belong to two accounts. */
async function checkKeys(target: Database, source: TransferSource): Promise<void> {
  for await (const page of source.rows('api_keys')) {
    const ids = new Map(page.map(({ hash, id }) => [String(hash), id]));
    const rows = await target
      .selectFrom('api_keys')
      .select(['id', 'hash', 'hint'])
      .where('hash', 'in', [...ids.keys()])
      .execute();
    const clash = rows.find(({ id, hash }) => ids.get(hash) !== id);
    if (!clash) continue;
    throw new PackshotError(
      'invalid_field',
      `The key ${clash.hint}… already belongs to another account here, as ${clash.id}. Import before the first start with this key.`,
    );
  }
}
