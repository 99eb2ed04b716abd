/** `packshot migrate`: migrates the database to this release, or lists pending migrations. */
import type { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { inspectDatabase, withDatabase } from '../storage/database.ts';
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
  const { database } = loadConfig(process.env).storage;
  const facts = await inspectDatabase(database);
  const pending = facts?.pendingMigrations ?? Object.keys(migrations);
  if (!check) await withDatabase(database, async () => undefined, { onError: console.error });
  else if (pending.length > 0) process.exitCode = 1;
  if (json) console.log(JSON.stringify({ [check ? 'pending' : 'done']: pending }, null, 2));
  else for (const line of pending) console.log(`${check ? 'pending' : 'done'}  ${line}`);
  if (!json && pending.length === 0) console.log('The database is up to date.');
}
