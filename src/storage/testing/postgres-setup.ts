/** Starts the PostgreSQL server that all tests of one run share. */
import { findGivenPostgres, givePostgres, startPostgres } from './postgres-server.ts';

export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (findGivenPostgres()) return undefined;
  const server = await startPostgres({ fsync: false });
  givePostgres(server);
  return () => server.stop();
}
