/** For tests and benchmarks: a database and a bucket on running servers, configured as a deployment would be. */
import type { PostgresDatabases } from './postgres-server.ts';
import type { S3Server } from './s3-server.ts';

/** `endpoint` is the address of S3 for the service, if it differs from the server's own. */
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
