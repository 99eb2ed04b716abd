/**
 * The service at scale: two api processes and two workers on one PostgreSQL and one S3, behind a load
 * balancer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findGivenPostgres, givePostgres, startPostgres } from '../../src/storage/testing/postgres-server.ts';
import { giveS3, startS3 } from '../../src/storage/testing/s3-server.ts';
import { makeStores } from '../../src/storage/testing/scaled-stores.ts';

export type Role = 'api' | 'worker' | 'all';

export interface Member {
  readonly role: Role;
  readonly child: ChildProcess;
  readonly url: string;
  /** All output so far, of standard output and standard error. */
  output(): string;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts one process of the service and waits until it is ready. */
export async function startMember(role: Role, environment: Record<string, string>): Promise<Member> {
  const dataDir = await mkdtemp(join(tmpdir(), `packshot-${role}-`));
  const child = spawn(process.execPath, ['bin/packshot.js', 'serve', '--role', role], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'exit').finally(() => rm(dataDir, { recursive: true, force: true }));
  const url = await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`${role} ended: ${output}`);
    return /listens on (http:\/\/[\w.:]+)/.exec(output)?.[1];
  });
  await waitFor(async () => ((await fetch(`${url}/readyz`)).ok ? true : undefined));
  return {
    role,
    child,
    url,
    output: () => output,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

async function waitFor<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await pause(50);
  }
}

/** Round-robin load balancing, without sticky sessions. */
export async function startBalancer(targets: () => readonly string[]) {
  let turn = 0;
  const server = createServer((request, response) => {
    const all = targets();
    const target = new URL(all[turn++ % all.length] + (request.url ?? '/'));
    const passed = forward(target, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => {
      // A refusal may arrive before the whole body is sent. Read the rest, so that the caller can receive the refusal.
      request.unpipe(passed).resume();
      passed.destroy();
    });
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The settings shared by all processes of one deployment: a separate database and bucket on this run's
 * servers.
 */
export async function makeOwnStores(): Promise<Record<string, string>> {
  const [postgres, s3] = [findGivenPostgres(), await startS3()];
  if (!postgres || !s3) throw new Error('This test run has no PostgreSQL server, or no S3 server.');
  return makeStores(postgres, s3);
}

/** Variable with the URL of the shared deployment. */
export const fleetUrlName = 'PACKSHOT_TEST_FLEET_URL';

/** Variable with the path of a folder that holds only the settings for commands on this deployment. */
export const fleetFolderName = 'PACKSHOT_TEST_FLEET_DIR';
export const settingsFile = 'settings.json';

/** Variables with the URL and the data folder of the service that test files share outside the setting `scaled`. */
export const sharedUrlName = 'PACKSHOT_TEST_SHARED_URL';
export const sharedFolderName = 'PACKSHOT_TEST_SHARED_DIR';

/** For `vitest.config.ts`: servers and one deployment for all tests of a run. */
export default async function setUp(): Promise<() => Promise<void>> {
  const postgres = findGivenPostgres() ? undefined : await startPostgres({ fsync: false });
  if (postgres) givePostgres(postgres);
  const s3 = await startS3();
  if (s3) giveS3(s3);
  const { fleetEnvironment } = await import('./service.ts');
  const members: Member[] = [];
  const balancer = await startBalancer(() =>
    members.filter(({ role }) => role === 'api').map(({ url }) => url),
  );
  const environment = { ...(await makeOwnStores()), ...fleetEnvironment };
  for (const role of ['api', 'api', 'worker', 'worker'] as const) {
    members.push(await startMember(role, environment));
  }
  const folder = await mkdtemp(join(tmpdir(), 'packshot-fleet-'));
  await writeFile(join(folder, settingsFile), JSON.stringify(environment));
  process.env[fleetUrlName] = balancer.url;
  process.env[fleetFolderName] = folder;
  return async () => {
    delete process.env[fleetUrlName];
    await rm(folder, { recursive: true, force: true });
    balancer.stop();
    await Promise.all(members.map((member) => member.end('SIGTERM')));
    await s3?.stop();
    await postgres?.stop();
  };
}
