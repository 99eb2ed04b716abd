/** Opens a service's database, for administrative commands. */

import { ConfigError } from '../../config/setting.ts';
import { type Config, loadConfig } from '../../config.ts';
import { type Database, hasDatabase, type OpenDatabase, openDatabase } from '../../storage/database.ts';

/**
 * Throws `ConfigError` if there is no database yet. In most such cases, the command was run in the wrong
 * folder, and a new database created there would belong to no service.
 */
export async function openRows(
  { storage }: Config,
  options?: Parameters<typeof openDatabase>[1],
): Promise<OpenDatabase> {
  if (!hasDatabase(storage.database))
    throw new ConfigError(
      `There is no Packshot data in ${storage.dataDir}. Set DATA_DIR to the folder of the service, or create one with \`packshot migrate\`.`,
    );
  return openDatabase(storage.database, options);
}

/** Opens the configured database, runs `work`, and closes it. */
export async function withRows(work: (database: Database) => Promise<void>): Promise<void> {
  const { database, close } = await openRows(loadConfig(process.env));
  try {
    await work(database);
  } finally {
    await close();
  }
}
