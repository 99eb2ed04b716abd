/** Opens a service's database, for administrative commands. */
import { ConfigError } from '../../config/setting.ts';
import { type Config, loadConfig } from '../../config.ts';
import { hasDatabase, type OpenDatabase, openDatabase } from '../../storage/database.ts';

/**
 * Opens the configured database, runs `work`, and closes it.
 *
 * Throws `ConfigError` if there is no database yet. In most such cases, the command was run in the wrong
 * folder, and a new database created there would belong to no service.
 */
export async function withRows(
  work: (rows: OpenDatabase, config: Config) => Promise<void>,
  options?: Parameters<typeof openDatabase>[1],
): Promise<void> {
  const config = loadConfig(process.env);
  const { database, dataDir } = config.storage;
  if (!hasDatabase(database))
    throw new ConfigError(
      `There is no Packshot data in ${dataDir}. Set DATA_DIR to the folder of the service, or create one with \`packshot migrate\`.`,
    );
  const rows = await openDatabase(database, options);
  try {
    await work(rows, config);
  } finally {
    await rows.close();
  }
}
