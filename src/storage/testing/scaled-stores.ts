/** For tests and benchmarks: a database and a bucket on running servers, configured as in a deployment. */
import type { PostgresDatabases } from './postgres-server.ts';
import type { S3Server } from './s3-server.ts';

/** `endpoint` is the address at which the service reaches S3, if that is not the server's own address. */
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
