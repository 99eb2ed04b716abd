/** `packshot export`: writes all data of a service to a folder, with or without a running service. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { openBlobStore } from '../storage/blobs/open-blob-store.ts';
import type { OpenDatabase } from '../storage/database.ts';
import { type Exported, exportArchive } from '../transfer/export-archive.ts';
import { showBytes, showCount, showNumberOf } from './shared/format-table.ts';
import { withRows } from './shared/open-stores.ts';
import { createProgressLine } from './shared/progress-line.ts';

export function addExport(program: Command): void {
  program
    .command('export')
    .summary('Export all data of the service to a folder.')
    .description(
      'Export all data of the service to a folder, as a backup or for `packshot import`. Exporting to the same folder again copies only new data.',
    )
    .argument('<dir>', 'folder to create or update; readable only by you, since it holds secrets')
    .option('--json', 'print JSON')
    .action(runExport);
}

async function runExport(dir: string, { json }: { readonly json?: boolean }): Promise<void> {
  const report = createProgressLine(process.stderr);
  const exportRows = async (database: OpenDatabase, { storage }: Config) => {
    const blobs = await openBlobStore(storage.blobs, { alone: false });
    const exported = await exportArchive({ database, blobs }, resolve(dir), {
      clock: Date.now,
      onProgress: (step, done) => report.draw(`${step}  ${showCount(done)}`),
    });
    report.say(...tell(exported, dir));
    if (json) console.log(JSON.stringify(toJson(exported), null, 2));
  };
  await withRows(exportRows, { onError: console.error });
}

function tell({ manifest: { files, blobs, missing }, copied }: Exported, dir: string): string[] {
  const { 'jobs.jsonl': jobs, 'blobs.jsonl': _, ...tables } = files;
  const rows = Object.values(tables).reduce((sum, { lines }) => sum + lines, 0);
  return [
    `${showNumberOf(rows, 'row')}, ${showNumberOf(jobs!.lines, 'waiting job')} and ${showNumberOf(blobs.count, 'blob')} (${showBytes(blobs.bytes)}, ${showCount(copied)} of them copied now) exported to ${dir}.`,
    ...(missing.count > 0
      ? [
          `${showNumberOf(missing.count, 'blob')} missing, such as ${missing.some[0]}: deleted during the export, or lost.`,
        ]
      : []),
    'The folder holds key hashes and signing secrets: protect it like a key.',
  ];
}

function toJson({ manifest: { files, ...facts }, copied }: Exported) {
  const lines = Object.entries(files).map(([path, file]) => [path, file.lines]);
  return { ...facts, copied, lines: Object.fromEntries(lines) };
}
