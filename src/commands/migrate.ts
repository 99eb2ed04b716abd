/** `packshot migrate`: migrates the database to this release, or lists pending migrations. */
import type { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { inspectDatabase, openDatabase } from '../storage/database.ts';
import { migrations } from '../storage/migrate.ts';

interface Options {
  readonly check?: boolean;
  readonly json?: boolean;
}

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .summary('Migrate the database to this release.')
    .description(
      'Migrate the database to this release, as `serve` does when it starts. Safe while services run, and safe to repeat.',
    )
    .option('--check', 'change nothing; exit code 1 if migrations are pending')
    .option('--json', 'print JSON')
    .action(migrate);
}

async function migrate({ check, json }: Options): Promise<void> {
  const config = loadConfig(process.env);
  const facts = await inspectDatabase(config.storage.database);
  const pending = facts?.pendingMigrations ?? Object.keys(migrations);
  if (!check) await migrateNow(config);
  else if (pending.length > 0) process.exitCode = 1;
  if (json) console.log(JSON.stringify({ [check ? 'pending' : 'done']: pending }, null, 2));
  else for (const line of pending) console.log(`${check ? 'pending' : 'done'}  ${line}`);
  if (!json && pending.length === 0) console.log('The database is up to date.');
}

async function migrateNow(config: Config): Promise<void> {
  const opened = await openDatabase(config.storage.database, { onError: console.error });
  await opened.close();
}
