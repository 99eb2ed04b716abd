/** `packshot migrate`: brings the tables to the shape that this release works with, or tells what it would do. */
import type { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { inspectDatabase, openDatabase } from '../storage/database.ts';
import { migrations } from '../storage/migrate.ts';
import { openQueue } from './open-queue.ts';

interface Options {
  readonly check?: boolean;
  readonly json?: boolean;
}

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .summary('Bring the database to the newest shape.')
    .description(
      'Bring the database to the newest shape, as serve does at its start. Safe beside running services, and to repeat.',
    )
    .option('--check', 'change nothing; exit code 1 where something is to be done')
    .option('--json', 'print JSON')
    .action(migrate);
}

async function migrate({ check, json }: Options): Promise<void> {
  const config = loadConfig(process.env);
  const facts = await inspectDatabase(config.storage.database);
  const pending = facts?.pendingMigrations ?? Object.keys(migrations);
  if (!check) await makeAll(config);
  else if (pending.length > 0) process.exitCode = 1;
  if (json) console.log(JSON.stringify({ [check ? 'pending' : 'done']: pending }, null, 2));
  else for (const line of pending) console.log(`${check ? 'to be done' : 'done'}  ${line}`);
  if (!json && pending.length === 0) console.log('Nothing to be done.');
}

/** The queue's own tables are made at its first opening, here and not by the first of several processes. */
async function makeAll(config: Config): Promise<void> {
  const opened = await openDatabase(config.storage.database, { onError: console.error });
  try {
    const queue = await openQueue(config, opened);
    await queue.close({ graceMs: 0 });
  } finally {
    await opened.close();
  }
}
