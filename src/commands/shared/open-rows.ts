/** The rows of a service, for commands that look after one. */

import { ConfigError } from '../../config/setting.ts';
import { type Config, loadConfig } from '../../config.ts';
import { type Database, hasDatabase, type OpenDatabase, openDatabase } from '../../storage/database.ts';

/**
 * Throws `ConfigError` where no service has kept anything yet. Most often the command runs in another folder than the
 * service, and rows made there would be those of no service.
 */
export async function openRows(
  { storage }: Config,
  options?: Parameters<typeof openDatabase>[1],
): Promise<OpenDatabase> {
  if (!hasDatabase(storage.database))
    throw new ConfigError(
      `There is no Packshot data in ${storage.dataDir}. Set DATA_DIR to the folder of the service, or make a new one with \`packshot migrate\`.`,
    );
  return openDatabase(storage.database, options);
}

/** Of the configured database, for as long as a command works on them. */
export async function withRows(work: (database: Database) => Promise<void>): Promise<void> {
  const { database, close } = await openRows(loadConfig(process.env));
  try {
    await work(database);
  } finally {
    await close();
  }
}
