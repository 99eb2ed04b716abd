/** `packshot import`: reads an export, or the data folder of an embedded service, into the configured stores. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { PackshotError } from 'packshot-errors';
import { type Config, loadConfig } from '../config.ts';
import { openBlobStore } from '../storage/blobs/open-blob-store.ts';
import { inspectDatabase, type OpenDatabase, withDatabase } from '../storage/database.ts';
import { lockDataDir } from '../storage/lock-data-dir.ts';
import { type Imported, importArchive } from '../transfer/import-archive.ts';
import { openLiveSource, type TransferSource, withArchive } from '../transfer/transfer-source.ts';
import { showBytes, showCount, showNumberOf } from './shared/format-table.ts';
import { withQueue } from './shared/open-stores.ts';
import { createProgressLine } from './shared/progress-line.ts';
import { invalid, refuseWith } from './shared/refuse.ts';

interface Options {
  readonly from?: string;
  readonly merge?: boolean;
  readonly json?: boolean;
}

export function addImport(program: Command): void {
  program
    .command('import')
    .summary('Import the data of another Packshot service.')
    .description(
      'Import into the configured stores: a folder written by `packshot export` or, with --from, the data folder of an embedded service. Ids, keys, credits and signed URIs stay valid. Safe to repeat: existing data is kept.',
    )
    .argument('[dir]', 'folder written by `packshot export`')
    .option('--from <dir>', 'DATA_DIR of a stopped embedded service, instead of an export')
    .option('--merge', 'import even if the service already has other accounts, and keep them')
    .option('--json', 'print JSON')
    .action((dir: string | undefined, options: Options, command: Command) => {
      if ((dir === undefined) === (options.from === undefined))
        refuseWith(command)('specify either the folder of an export, or --from a DATA_DIR');
      return runImport(dir, options);
    });
}

async function runImport(dir: string | undefined, options: Options): Promise<void> {
  const config = loadConfig(process.env);
  const report = createProgressLine(process.stderr);
  const merge = options.merge ?? false;
  const take = (source: TransferSource) =>
    takeIn(config, source, {
      merge,
      onProgress: (step, done) => report.draw(`${step}  ${showCount(done)}`),
    });
  const imported =
    dir === undefined
      ? await fromDataDir(resolve(options.from!), take)
      : await withArchive(resolve(dir), take);
  report.say(tell(imported));
  if (options.json) console.log(JSON.stringify(imported, null, 2));
}

type Take = (source: TransferSource) => Promise<Imported>;

async function fromDataDir(dataDir: string, take: Take): Promise<Imported> {
  if (!(await inspectDatabase({ kind: 'sqlite', dataDir })))
    throw invalid(`${dataDir} is not the data folder of an embedded service.`);
  const blobs = () => openBlobStore({ kind: 'fs', dataDir }, { alone: true });
  return alone(dataDir, () =>
    withDatabase(
      { kind: 'sqlite', dataDir },
      async (database) => take(openLiveSource(database, await blobs())),
      { onError: console.error },
    ),
  );
}

async function takeIn(
  { storage }: Config,
  source: TransferSource,
  options: { readonly merge: boolean; readonly onProgress: (step: string, done: number) => void },
): Promise<Imported> {
  const read = async (database: OpenDatabase) => {
    const blobs = await openBlobStore(storage.blobs, { alone: database.kind === 'sqlite' });
    return withQueue(storage, database, (queue) =>
      importArchive({ database, blobs, queue }, source, { clock: Date.now, ...options }),
    );
  };
  const work = () => withDatabase(storage.database, read, { onError: console.error });
  // SQLite rows are written in one long transaction, which would block a running service.
  return storage.database.kind === 'sqlite' ? alone(storage.dataDir, work) : work();
}

/** Runs `work` while no service uses the folder. Throws `storage_unavailable` if a service uses it. */
async function alone<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = lockDataDir(dataDir);
  if (!lock)
    throw new PackshotError('storage_unavailable', `A service is running on ${dataDir}. Stop it first.`);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function tell({ tables, jobs, blobs }: Imported): string {
  const all = Object.values(tables);
  const rows = all.reduce((sum, table) => sum + table.rows, 0);
  const added = all.reduce((sum, table) => sum + table.added, 0);
  return `${showNumberOf(rows, 'row')} (${showCount(added)} of them new), ${showNumberOf(jobs, 'waiting job')} and ${showNumberOf(blobs.count, 'blob')} (${showBytes(blobs.bytes)}, ${showCount(blobs.copied)} of them copied now) imported.`;
}
