/** For tests and benchmarks: an S3 server (OpenStack Swift), which ends with the process that started it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Variables that name a running server on which buckets may be created. If they are set, tests start no server. */
const givenNames = {
  endpoint: 'PACKSHOT_TEST_S3_ENDPOINT',
  accessKeyId: 'PACKSHOT_TEST_S3_KEY',
  secretAccessKey: 'PACKSHOT_TEST_S3_SECRET',
} as const;

/** Debian's packages add modules only to Debian's own Python, which may not be the first in PATH. */
const python = '/usr/bin/python3';
const swiftFolder = '/usr/lib/python3/dist-packages/swift';
const program = fileURLToPath(new URL('swift-server.py', import.meta.url));

const hasSwift = ['proxy', 'account', 'container', 'obj'].every((part) =>
  existsSync(join(swiftFolder, part, 'server.py')),
);
/** Empty if the tests have an S3 server; otherwise the reason why they are skipped, as a suffix for their names. */
export const needsS3 =
  findGivenS3() || hasSwift
    ? ''
    : ` (skipped: Debian's swift-proxy, -account, -container and -object are not installed, and ${givenNames.endpoint} is not set)`;

interface S3Keys {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Server extends S3Keys {
  /** Returns the name of a new, empty bucket. */
  createBucket(): Promise<string>;
  /** Stops the server, if this process started it, and deletes its folder. */
  stop(): Promise<void>;
}

function findGivenS3(): S3Keys | undefined {
  const [endpoint, accessKeyId = '', secretAccessKey = ''] = [
    process.env[givenNames.endpoint],
    process.env[givenNames.accessKeyId],
    process.env[givenNames.secretAccessKey],
  ];
  return endpoint === undefined ? undefined : { endpoint, accessKeyId, secretAccessKey };
}

/** Passes the server on to the test processes. */
export function giveS3(server: S3Keys): void {
  for (const [key, name] of Object.entries(givenNames)) process.env[name] = server[key as keyof S3Keys];
}

/** Returns the server that was given to this run, or else a new one; undefined if neither is available. */
export async function startS3(): Promise<S3Server | undefined> {
  const given = findGivenS3();
  if (given) return { ...given, createBucket: () => createBucket(given), stop: async () => undefined };
  return hasSwift ? startSwift() : undefined;
}

async function startSwift(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'packshot-s3-'));
  const secretAccessKey = randomUUID();
  // Detached, so that an interrupt in the terminal does not reach Swift, which ends when its standard input closes.
  const swift = spawn(python, ['-B', program, folder, 'packshot:test', secretAccessKey], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(swift, 'exit');
  const port = await Promise.race([
    once(createInterface(swift.stdout), 'line').then(([line]) => Number(line)),
    ended.then(() => undefined),
  ]);
  if (port === undefined) throw new Error('Swift is installed, but does not start; its output is above.');
  detach(swift);
  const keys = { endpoint: `http://127.0.0.1:${port}`, accessKeyId: 'packshot:test', secretAccessKey };
  return {
    ...keys,
    createBucket: () => createBucket(keys),
    async stop() {
      swift.ref();
      swift.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Lets this process exit while the child is still running. */
function detach(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
}

async function createBucket({ endpoint, ...credentials }: S3Keys): Promise<string> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
  try {
    const bucket = `packshot-${randomUUID()}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return bucket;
  } finally {
    client.destroy();
  }
}
