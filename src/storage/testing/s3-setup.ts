/** Starts the S3 server that all tests of one run share. */
import { giveS3, startS3 } from './s3-server.ts';

export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  const server = await startS3();
  if (!server) return undefined;
  giveS3(server);
  return () => server.stop();
}
