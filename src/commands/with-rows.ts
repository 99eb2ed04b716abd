/** The rows of the configured database, for as long as a command works on them. */
import { loadConfig } from '../config.ts';
import { type Database, openDatabase } from '../storage/database.ts';

export async function withRows(work: (database: Database) => Promise<void>): Promise<void> {
  const { database, close } = await openDatabase(loadConfig(process.env).storage.database);
  try {
    await work(database);
  } finally {
    await close();
  }
}
