import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config.ts';
import { ConfigError } from './setting.ts';
import { storageSettings } from './storage.ts';

const dataDir = resolve('/data');
const storageOf = (environment: Record<string, string>) => {
  const { role, storage } = loadConfig({ DATA_DIR: dataDir, ...environment });
  return { role, ...storage };
};
const url = 'postgres://packshot:secret@db.example:5432/packshot';
const rows = { DATABASE_URL: url };
const bucket = { BLOB_STORE: 's3', S3_BUCKET: 'pictures' };

/** By variable: other variables that it needs, a valid value with the resulting settings, and invalid values. */
const variables: Record<string, { with?: Record<string, string>; good: [string, object]; bad?: string[] }> = {
  DATA_DIR: { good: ['/var/lib/packshot/', { dataDir: '/var/lib/packshot' }] },
  MIN_FREE_BYTES: { good: ['0', { minFreeBytes: 0 }], bad: ['-1', '1.5', '256 MiB'] },
  DATABASE_URL: {
    good: [url, { database: { kind: 'postgres', url, poolSize: 10 } }],
    bad: ['mysql://db/packshot', 'postgres://db', 'postgres://db/', 'packshot'],
  },
  DATABASE_POOL: { with: rows, good: ['4', { database: { poolSize: 4 } }], bad: ['1', '1001', 'many'] },
  BLOB_STORE: { good: ['fs', { blobs: { kind: 'fs', dataDir } }], bad: ['gcs'] },
  S3_BUCKET: { with: bucket, good: ['other', { blobs: { bucket: 'other' } }], bad: ['ab'] },
  S3_PREFIX: {
    with: bucket,
    good: ['shop/packshot/', { blobs: { prefix: 'shop/packshot/' } }],
    bad: ['shop', '/', '../shop/'],
  },
  S3_ENDPOINT: {
    with: bucket,
    good: ['http://store:8333', { blobs: { endpoint: 'http://store:8333', pathStyle: true } }],
    bad: ['store:8333'],
  },
  S3_REGION: { with: bucket, good: ['eu-central-1', { blobs: { region: 'eu-central-1' } }] },
  S3_PATH_STYLE: { with: bucket, good: ['true', { blobs: { pathStyle: true } }], bad: ['yes'] },
  DISK_BUDGET_BYTES: { good: ['1000000', { budgetBytes: 1_000_000 }], bad: ['0', '1 GB'] },
  ACCOUNT_STORAGE_BYTES: { good: ['0', { accountBytes: 0 }], bad: ['-1', '20 GB'] },
  ROLE: { with: rows, good: ['worker', { role: 'worker' }], bad: ['painter'] },
};
const entries = Object.entries(variables).map(([name, entry]) => ({ name, ...entry }));

describe('the settings of storage', () => {
  it('each have a test case here', () => {
    expect(Object.keys(variables).toSorted()).toEqual(Object.keys(storageSettings).toSorted());
  });

  it.each(entries)('$name is read', ({ name, good: [value, expected], ...entry }) => {
    expect(storageOf({ ...entry.with, [name]: value })).toMatchObject(expected);
  });

  it.each(entries.flatMap(({ bad = [], ...entry }) => bad.map((value) => ({ ...entry, value }))))(
    '$name=$value prevents startup, and the error names the variable',
    ({ name, value, ...entry }) => {
      expect(() => storageOf({ ...entry.with, [name]: value })).toThrow(ConfigError);
      expect(() => storageOf({ ...entry.with, [name]: value })).toThrow(new RegExp(`^ {2}${name}: `, 'm'));
    },
  );

  it('default to one process on one folder', () => {
    expect(storageOf({})).toMatchObject({
      role: 'all',
      database: { kind: 'sqlite', dataDir },
      blobs: { kind: 'fs', dataDir },
      budgetBytes: undefined,
      accountBytes: undefined,
    });
  });

  it.each([
    [{ ROLE: 'api' }, /DATABASE_URL: needed with ROLE=api/],
    [{ ROLE: 'worker' }, /DATABASE_URL: needed with ROLE=worker/],
    [{ BLOB_STORE: 's3' }, /S3_BUCKET: needed with BLOB_STORE=s3/],
    // A bucket does not record when its objects were last used.
    [{ ...bucket, DISK_BUDGET_BYTES: '1000' }, /DISK_BUDGET_BYTES: applies/],
  ])('%j are incomplete or conflict, and are refused at the start', (environment, words) => {
    expect(() => storageOf(environment as Record<string, string>)).toThrow(words);
  });

  it('address a bucket by host name on AWS, and on another store if S3_PATH_STYLE is false', () => {
    expect(storageOf(bucket)).toMatchObject({ blobs: { endpoint: undefined, pathStyle: false } });
    const elsewhere = { ...bucket, S3_ENDPOINT: 'https://s3.example', S3_PATH_STYLE: 'false' };
    expect(storageOf(elsewhere)).toMatchObject({ blobs: { pathStyle: false } });
  });
});
