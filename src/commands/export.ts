/** `packshot export`: all that a service keeps, into a folder; beside a running service or without one. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { openBlobStore } from '../storage/blobs/open-blob-store.ts';
import { type Exported, exportArchive } from '../transfer/export-archive.ts';
import { openRows } from './open-rows.ts';
import { createTransferReport, showBytes, showCount, showNumberOf } from './report-transfer.ts';

export function addExport(program: Command): void {
  program
    .command('export')
    .summary('Write all that the service keeps into a folder.')
    .description(
      'Write all that the service keeps into a folder, for a backup or for import elsewhere. Into the folder of an earlier export it copies only what is new.',
    )
    .argument('<dir>', 'made if need be; readable to you alone, since it holds secrets')
    .option('--json', 'print JSON')
    .action(runExport);
}

async function runExport(dir: string, { json }: { readonly json?: boolean }): Promise<void> {
  const config = loadConfig(process.env);
  const report = createTransferReport(process.stderr, performance.now.bind(performance));
  const database = await openRows(config, { onError: console.error });
  try {
    const blobs = await openBlobStore(config.storage.blobs, { alone: false });
    const exported = await exportArchive({ database, blobs }, resolve(dir), {
      clock: Date.now,
      onProgress: report.onProgress,
    });
    report.say(...tell(exported, dir));
    if (json) console.log(JSON.stringify(toJson(exported), null, 2));
  } finally {
    await database.close();
  }
}

function tell({ manifest: { files, blobs, missing }, copied }: Exported, dir: string): string[] {
  const { 'jobs.jsonl': jobs, 'blobs.jsonl': _, ...tables } = files;
  const rows = Object.values(tables).reduce((sum, { lines }) => sum + lines, 0);
  return [
    `${showNumberOf(rows, 'row')}, ${showNumberOf(jobs!.lines, 'waiting job')} and ${showNumberOf(blobs.count, 'blob')} (${showBytes(blobs.bytes)}, ${showCount(copied)} of them copied now) are in ${dir}.`,
    ...(missing.count > 0
      ? [
          `${showNumberOf(missing.count, 'blob')} of rows in it were not there, such as ${missing.some[0]}: deleted since the rows were read, or lost.`,
        ]
      : []),
    'It holds hashes of keys and the secrets that sign: treat it as you treat a key.',
  ];
}

function toJson({ manifest: { files, ...facts }, copied }: Exported) {
  const lines = Object.entries(files).map(([path, file]) => [path, file.lines]);
  return { ...facts, copied, lines: Object.fromEntries(lines) };
}
