/** Settings of storage (data folder, database, blob store, space limits), and the role of the process. */
import { z } from 'zod';
import { missing, setting, unfit, whole } from './setting.ts';

const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'needs a postgres:// URL' })
  .refine((text) => !URL.canParse(text) || new URL(text).pathname.length > 1, {
    error: 'must name a database, such as postgres://user@host:5432/packshot',
  });

export const storageSettings = {
  DATA_DIR: setting(z.string().default('./data'), 'Folder for all data of the service.'),
  MIN_FREE_BYTES: setting(
    whole(0, 2 ** 50).optional(),
    'For `fs`: uploads get 507 while less space than this is free on the disk of DATA_DIR; reads and renders continue. Default: 268435456 (256 MiB), but at most a twentieth of the disk.',
  ),
  DATABASE_URL: setting(
    databaseUrl.optional(),
    'PostgreSQL (15 or newer) for the rows, instead of SQLite below DATA_DIR: `postgres://user:password@host:5432/packshot`.',
  ),
  DATABASE_POOL: setting(
    whole(2, 1_000).default(10),
    'Maximum connections of one process to PostgreSQL for its rows; its queue, notifications and locks use up to six more.',
  ),
  BLOB_STORE: setting(
    z.enum(['fs', 's3']).default('fs'),
    'Where pictures are stored: `fs` (below DATA_DIR) or `s3` (any S3-compatible store). Several processes need `s3`, or a shared DATA_DIR.',
  ),
  S3_BUCKET: setting(z.string().min(3).max(63).optional(), 'For `s3`: the bucket, which must exist.'),
  S3_PREFIX: setting(
    z
      .string()
      .regex(/^([A-Za-z0-9_-]+\/)*$/, { error: 'needs path segments that each end in a slash' })
      .default(''),
    'For `s3`: prefix of all keys, such as `packshot/`.',
  ),
  S3_ENDPOINT: setting(
    z.url({ protocol: /^https?$/ }).optional(),
    "For `s3`: URL of a store other than AWS. Credentials come from the AWS SDK's default chain: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or the machine's role.",
  ),
  S3_REGION: setting(z.string().default('us-east-1'), 'For `s3`: the region of the bucket.'),
  S3_PATH_STYLE: setting(
    z.enum(['true', 'false']).optional(),
    'For `s3`: whether the bucket is part of the path instead of the host name. Default: `true` if S3_ENDPOINT is set, otherwise `false`.',
  ),
  DISK_BUDGET_BYTES: setting(
    whole(1, 2 ** 50).optional(),
    'For `fs`: budget for all pictures below DATA_DIR. Beyond the budget, backgrounds of scenes and other pictures that can be regenerated are evicted, least recently used first, down to nine tenths of the budget; photos, cutouts, painted pictures and results of batches are never evicted.',
  ),
  ACCOUNT_STORAGE_BYTES: setting(
    whole(0, 2 ** 50).optional(),
    "Storage limit per account: photos, cutouts, pictures of scenes, backdrops, results of batches. Beyond the limit, the account's uploads, suggestions and batches get 507 `storage_full`; other accounts are unaffected. 0 for no limit. Default: for `s3`, or with a single account, no limit; for `fs` with two or more accounts, half of the sum of stored and free bytes.",
  ),
  ROLE: setting(
    z.enum(['all', 'api', 'worker']).default('all'),
    'Which parts of the service this process runs: `api` answers calls and loads no model, `worker` makes cutouts and renders pictures. Any number of processes of each role share one PostgreSQL and one blob store.',
  ),
};

type Environment = z.output<z.ZodObject<typeof storageSettings>>;

/** The sections of storage. Throws `ConfigError` for settings that conflict. */
export function chooseStorage(env: Environment, dataDir: string) {
  if (env.ROLE !== 'all' && env.DATABASE_URL === undefined) throw missing('DATABASE_URL', `ROLE=${env.ROLE}`);
  if (env.BLOB_STORE === 's3' && env.DISK_BUDGET_BYTES !== undefined)
    throw unfit(
      'DISK_BUDGET_BYTES',
      'applies only to a folder; a bucket does not record when objects were last used',
    );
  return {
    database: chooseDatabase(env, dataDir),
    blobs: chooseBlobs(env, dataDir),
    budgetBytes: env.DISK_BUDGET_BYTES,
    accountBytes: env.ACCOUNT_STORAGE_BYTES,
  };
}

function chooseDatabase(env: Environment, dataDir: string) {
  return env.DATABASE_URL === undefined
    ? { kind: 'sqlite' as const, dataDir }
    : { kind: 'postgres' as const, url: env.DATABASE_URL, poolSize: env.DATABASE_POOL };
}

function chooseBlobs(env: Environment, dataDir: string) {
  if (env.BLOB_STORE === 'fs') return { kind: 'fs' as const, dataDir };
  if (env.S3_BUCKET === undefined) throw missing('S3_BUCKET', 'BLOB_STORE=s3');
  return {
    kind: 's3' as const,
    bucket: env.S3_BUCKET,
    prefix: env.S3_PREFIX,
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    pathStyle: env.S3_PATH_STYLE === undefined ? env.S3_ENDPOINT !== undefined : env.S3_PATH_STYLE === 'true',
  };
}
