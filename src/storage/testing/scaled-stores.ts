/** For tests and benchmarks: creates a database and a bucket on running servers. */
import type { PostgresDatabases } from './postgres-server.ts';
import type { S3Server } from './s3-server.ts';

/**
 * Returns environment variables that configure the service to use the new stores. `endpoint` is the address at which
 * the service reaches S3, if that is not the server's own address.
 */
export async function makeStores(
  postgres: PostgresDatabases,
  s3: S3Server,
  endpoint = s3.endpoint,
): Promise<Record<string, string>> {
  return {
    DATABASE_URL: await postgres.createDatabase(),
    DATABASE_POOL: '5',
    BLOB_STORE: 's3',
    S3_BUCKET: await s3.createBucket(),
    S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}
