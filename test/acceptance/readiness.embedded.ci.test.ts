import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { endProcess, spawnService } from './process.ts';
import { cratePhoto, formWith, problemOf, type Service, startService, white } from './service.ts';

const MiB = 1024 ** 2;
/** Timeout; only failing tests wait this long. */
const recovery = { timeout: 30_000, interval: 250 };
const preview = '/v1/design/preview.webp';
const uploadPath = '/v1/design/image-upload';
type Called = Pick<Service, 'call'>;

const isReady = async ({ call }: Called) => (await call('/readyz', { key: null })).status === 200;

async function obstacles({ call }: Called): Promise<string> {
  const problem = await problemOf(await call('/readyz', { key: null }));
  expect(problem).toMatchObject({ status: 503, code: 'not_ready' });
  return problem.detail;
}

const becomesReady = (service: Called) =>
  vi.waitFor(async () => expect(await isReady(service)).toBe(true), recovery);

describe('/readyz', () => {
  it('fails while the data folder is not writable, and recovers', async () => {
    const service = await startService({ RETENTION_DAYS: '7' });
    try {
      expect(await isReady(service)).toBe(true);
      const tmp = join(service.dataDir, 'tmp');
      await rename(tmp, `${tmp}-away`);
      await writeFile(tmp, 'no folder');
      await vi.waitFor(
        async () => expect(await obstacles(service)).toContain('the data folder cannot be written'),
        recovery,
      );
      await rm(tmp);
      await rename(`${tmp}-away`, tmp);
      await becomesReady(service);
    } finally {
      await service.stop();
    }
  });

  it('fails while a photo has waited too long for its cutout', async () => {
    const service = await startService();
    const database = new SqliteDatabase(join(service.dataDir, 'packshot.db'));
    try {
      database
        .prepare(
          "insert into jobs (id, name, key, attempts, run_at, created_at) values ('job_old', 'cutout', 'dsg_none', 0, ?, ?)",
        )
        .run(Date.now() + 60_000, Date.now() - 601_000);
      expect(await obstacles(service)).toMatch(/a photo has waited \d+ s/);
      database.exec('delete from jobs');
      expect(await isReady(service)).toBe(true);
    } finally {
      database.close();
      await service.stop();
    }
  });

  // Finding the children needs /proc.
  it.skipIf(process.platform !== 'linux')(
    'fails after consecutive crashes of child processes, until a child process completes its work',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'packshot-crash-'));
      const service = await spawnService(dataDir);
      try {
        await vi.waitFor(async () => expect(await isReady(service)).toBe(true), recovery);
        const id = await service.upload(await cratePhoto());
        await service.call(`/v1/design/${id}?wait=true`);
        // Two renders, each tried twice, whose process is killed on each try, make four crashes.
        for (let i = 0; i < 2; i++) {
          const killer = setInterval(() => killImaging(service.child.pid!), 5);
          const answer = await service.call('/v1/design/generated.avif', { json: { id, ...white } });
          clearInterval(killer);
          expect(answer.status).toBe(500);
        }
        expect(await obstacles(service)).toMatch(/\d imaging processes have died in a row/);
        expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
        expect(await isReady(service)).toBe(true);
      } finally {
        await endProcess(service.child, 'SIGKILL');
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  );
});

function killImaging(parent: number): void {
  for (const thread of readdirSync(`/proc/${parent}/task`)) {
    try {
      for (const pid of readFileSync(`/proc/${parent}/task/${thread}/children`, 'utf8').split(' ')) {
        if (pid === '' || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('imaging-worker')) continue;
        process.kill(Number(pid), 'SIGKILL');
      }
    } catch {
      // The thread or child has already ended.
    }
  }
}

/**
 * Whether this system permits a mount namespace. The test below mounts a small disk in one; the disk disappears when
 * the process ends.
 */
const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' }).status === 0;

describe('a service whose disk has less free space than MIN_FREE_BYTES', () => {
  // Skipped only if this user may not create a mount namespace, because there is then no small disk to fill.
  it.skipIf(!canMount)('refuses an upload before its body arrives, and renders stored designs', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'packshot-room-'));
    const service = await spawnService(dataDir, { MIN_FREE_BYTES: String(32 * MiB) }, [
      'unshare',
      '-rm',
      'sh',
      '-c',
      `mount -t tmpfs -o size=64m tmpfs "${dataDir}" && exec "$@"`,
      'sh',
    ]);
    const filler = join(`/proc/${service.child.pid}/root`, dataDir, 'filler');
    try {
      await becomesReady(service);
      const id = await service.upload(await cratePhoto());
      expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
      await writeFile(filler, Buffer.alloc(40 * MiB));

      expect(await obstacles(service)).toMatch(/the disk has \d+ MiB free, less than 32 MiB/);
      const full = { status: 507, code: 'storage_full' };
      for (const path of [uploadPath, '/v1/illustrations']) {
        const upload = { method: 'POST', body: formWith(await cratePhoto()) };
        expect(await problemOf(await service.call(path, upload)), path).toMatchObject(full);
      }
      // The upload gets a response although the rest of its body never arrives.
      expect(await answerToHalfAnUpload(service.url, service.key)).toMatch(/^HTTP\/1\.1 507 /);
      expect((await service.call('/v1/design/generated.jpeg', { json: { id, ...white } })).status).toBe(200);
      expect((await service.call(`/v1/design/${id}/cutout.png`)).status).toBe(200);

      await rm(filler);
      await becomesReady(service);
      await service.upload(await cratePhoto());
    } finally {
      await endProcess(service.child, 'SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

async function answerToHalfAnUpload(url: string, key: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      `POST ${uploadPath} HTTP/1.1`,
      `host: ${hostname}`,
      `x-api-key: ${key}`,
      'content-type: multipart/form-data; boundary=b',
      'content-length: 1000000',
      '',
      '--b',
    ].join('\r\n'),
  );
  const [first] = (await new Promise((resolve) => socket.once('data', (data) => resolve([data])))) as [
    Buffer,
  ];
  socket.destroy();
  return first.toString();
}
