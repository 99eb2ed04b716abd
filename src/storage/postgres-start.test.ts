/** Runs a process that has connected to the database, but then fails to start. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTemporaryDatabase, type TemporaryDatabase } from './testing/temporary-database.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

let rows: TemporaryDatabase;
const refusing = createServer((_, response) => {
  response.writeHead(403, { 'content-type': 'application/xml' });
  response.end('<Error><Code>AccessDenied</Code></Error>');
});
beforeEach(async () => {
  rows = await openTemporaryDatabase('postgres');
  await once(refusing.listen(0, '127.0.0.1'), 'listening');
});
afterEach(async () => {
  refusing.close();
  await rows.close();
});

it('a process whose bucket refuses access prints the reason and exits', { timeout: 30_000 }, async () => {
  if (rows.config.kind !== 'postgres') throw new Error('no PostgreSQL');
  const child = spawn(process.execPath, [main, 'serve', '--role', 'api'], {
    env: {
      ...process.env,
      DATA_DIR: rows.dataDir,
      DATABASE_URL: rows.config.url,
      BLOB_STORE: 's3',
      S3_BUCKET: 'pictures',
      S3_ENDPOINT: `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(said).toContain('storage_unavailable: The object store cannot be used');
    expect(code).toBe(1);
  } finally {
    child.kill('SIGKILL');
  }
});
