/** For tests and benchmarks: a PostgreSQL in a temporary folder, which ends with the process that started it. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

/**
 * URL of a running server, for a user who may create databases. If it is set, only tests that stop the server start one
 * of their own.
 */
const givenUrlName = 'PACKSHOT_TEST_POSTGRES_URL';
/** The folder in which Debian installs the server's programs, by version. */
const debianFolder = '/usr/lib/postgresql';
const startedWithinMs = 30_000;

export interface PostgresDatabases {
  url(database: string): string;
  /** Returns the URL of a new, empty database. */
  createDatabase(): Promise<string>;
}

export interface PostgresServer extends PostgresDatabases {
  /** Process ID of the postmaster; undefined while it does not run. */
  readonly pid: number | undefined;
  /** `fast` ends connections and writes a checkpoint; `immediate` is a crash. */
  halt(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Call after `halt` or a kill. Starts the server again, with the same rows and at the same URL. */
  start(): Promise<void>;
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>;
}

/** Returns the folder with the server's programs; if there are several, that of the newest version. */
export function findPostgres(): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const folders = [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debianFolder, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** Returns the server that was given to this test run; undefined if none was. */
export function findGivenPostgres(): PostgresDatabases | undefined {
  const url = process.env[givenUrlName];
  return url === undefined ? undefined : reachPostgres(url);
}

/** Passes the server on to the test processes. */
export function givePostgres(server: PostgresDatabases): void {
  process.env[givenUrlName] = server.url('postgres');
}

function reachPostgres(serverUrl: string): PostgresDatabases {
  const urlOf = (database: string) => {
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    return url.href;
  };
  return {
    url: urlOf,
    async createDatabase() {
      const name = `packshot_${randomUUID().replaceAll('-', '')}`;
      const client = new pg.Client({ connectionString: serverUrl });
      await client.connect();
      try {
        await client.query(`create database ${name} template template0 encoding 'UTF8'`);
      } finally {
        await client.end();
      }
      return urlOf(name);
    },
  };
}

/**
 * Throws if `findPostgres` finds nothing. Without `fsync`, commits survive a crash of the server, but not of the
 * machine.
 */
export async function startPostgres({ fsync = true } = {}): Promise<PostgresServer> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error('There are no server programs of PostgreSQL on this machine.');
  const folder = await mkdtemp(join(tmpdir(), 'packshot-postgres-'));
  const rowsFolder = join(folder, 'rows');
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined;
  if (user) chownSync(folder, user.uid, user.gid);
  await promisify(execFile)(
    join(programs, 'initdb'),
    ['-D', rowsFolder, '-U', 'packshot', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: folder },
  );
  const watchdog = watchOver(folder, user);
  const port = await findFreePort();
  const url = `postgres://packshot@127.0.0.1:${port}/postgres`;
  let postmaster: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `fsync=${fsync ? 'on' : 'off'}`,
      'shared_buffers=32MB',
      'max_connections=200',
      'logging_collector=off',
      'log_min_messages=fatal',
      // After a crash, syncing file by file takes seconds; `syncfs` is faster, but exists only on Linux.
      ...(process.platform === 'linux' ? ['recovery_init_sync_method=syncfs'] : []),
    ];
    const options = settings.flatMap((setting) => ['-c', setting]);
    postmaster = spawn(
      join(programs!, 'postgres'),
      ['-D', rowsFolder, '-p', String(port), '-k', folder, ...options],
      // Detached, so that an interrupt in the terminal does not reach the server; the watchdog ends the server.
      { ...user, cwd: folder, detached: true, stdio: 'ignore' },
    );
    const from = Date.now();
    while (!(await answers(url))) {
      if (postmaster.exitCode !== null || Date.now() - from > startedWithinMs)
        throw new Error(`The PostgreSQL in ${folder} does not start.`);
      await pause(25);
    }
  }

  async function halt(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (postmaster?.exitCode !== null || postmaster.signalCode !== null) return;
    const ended = once(postmaster, 'exit');
    postmaster.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  async function stop(): Promise<void> {
    await halt('immediate');
    watchdog.stdin!.end();
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...reachPostgres(url),
    get pid() {
      return postmaster?.exitCode === null && postmaster.signalCode === null ? postmaster.pid : undefined;
    },
    halt,
    start,
    stop,
  };
}

/** Starts a watchdog that ends the server and deletes its folder when this process ends, even by SIGKILL. */
function watchOver(folder: string, user: object | undefined): ChildProcess {
  const script =
    'cat > /dev/null; pid=$(head -n 1 rows/postmaster.pid 2> /dev/null) && kill -QUIT "$pid" && sleep 1; cd / && rm -rf "$0"';
  const watchdog = spawn('/bin/sh', ['-c', script, folder], {
    ...user,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
  return watchdog;
}

function findUnprivilegedUser(): { uid: number; gid: number } | undefined {
  for (const name of ['postgres', 'nobody']) {
    try {
      const idOf = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }));
      return { uid: idOf('-u'), gid: idOf('-g') };
    } catch {
      // There is no such user; try the next one.
    }
  }
  return undefined;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
