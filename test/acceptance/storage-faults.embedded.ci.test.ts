import { spawnSync } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { holdRemover } from './held-remover.ts';
import { endProcess, spawnService } from './process.ts';
import { cratePhoto, formWith, problemOf, startService, white } from './service.ts';

/** The tests damage the data folder. Because of the setting, `startService` starts a separate service. */
const ownService = () => startService({ RETENTION_DAYS: '7' });
const preview = '/v1/design/preview.webp';
const uploadPath = '/v1/design/image-upload';

describe('a service whose storage fails', () => {
  it('fails with storage_unavailable while its folder is missing, and recovers', async () => {
    const service = await ownService();
    try {
      const id = await service.upload(await cratePhoto());
      expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
      const blobs = join(service.dataDir, 'blobs');
      await rename(blobs, `${blobs}-away`);
      await writeFile(blobs, 'no folder');
      const upload = { method: 'POST', body: formWith(await cratePhoto()) };
      const unavailable = { status: 503, code: 'storage_unavailable' };
      expect(await problemOf(await service.call(uploadPath, upload))).toMatchObject(unavailable);
      expect(await problemOf(await service.call(preview, { json: { id, ...white } }))).toMatchObject(
        unavailable,
      );
      await rm(blobs);
      await rename(`${blobs}-away`, blobs);
      expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
      await service.upload(await cratePhoto());
    } finally {
      await service.stop();
    }
  });

  it('reports an unexpected error as `internal`, and reveals no detail of the error', async () => {
    const service = await ownService();
    const database = new SqliteDatabase(join(service.dataDir, 'packshot.db'));
    try {
      const id = await service.upload(await cratePhoto());
      database.exec('ALTER TABLE designs RENAME TO elsewhere');
      const response = await service.call(`/v1/design/${id}`);
      const problem = await problemOf(response);
      expect(problem).toMatchObject({ status: 500, code: 'internal' });
      expect(problem.detail).not.toMatch(/designs|table|sql/i);
      database.exec('ALTER TABLE elsewhere RENAME TO designs');
      expect((await service.call(`/v1/design/${id}`)).status).toBe(200);
    } finally {
      database.close();
      await service.stop();
    }
  });
});

/**
 * Whether this system permits a mount namespace. The test below mounts a small disk in one; the disk disappears when
 * the process ends.
 */
const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' }).status === 0;

describe('a service with a full disk', () => {
  // Skipped only if this user may not create a mount namespace, because there is then no small disk to fill.
  it.skipIf(!canMount)(
    'refuses uploads with storage_full, still serves stored designs, and recovers',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'packshot-full-'));
      const service = await spawnService(dataDir, {}, [
        'unshare',
        '-rm',
        'sh',
        '-c',
        `mount -t tmpfs -o size=16m tmpfs "${dataDir}" && exec "$@"`,
        'sh',
      ]);
      const filler = join(`/proc/${service.child.pid}/root`, dataDir, 'filler');
      try {
        const id = await service.upload(await cratePhoto());
        expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
        // The write fails with ENOSPC, as intended.
        await writeFile(filler, Buffer.alloc(16 * 1024 * 1024)).catch(() => undefined);

        const upload = { method: 'POST', body: formWith(await cratePhoto({ width: 1600, height: 1200 })) };
        const full = await service.call(uploadPath, upload);
        expect(await problemOf(full)).toMatchObject({ status: 507, code: 'storage_full' });
        expect((await service.call(preview, { json: { id, ...white } })).status).toBe(200);
        expect((await service.call(`/v1/design/${id}`)).status).toBe(200);

        await rm(filler);
        await service.upload(await cratePhoto());
      } finally {
        await endProcess(service.child, 'SIGKILL');
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  );
});

describe('a service that is starting', () => {
  it('responds on /readyz with not_ready until its engine is warmed up', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'packshot-start-'));
    const remover = await holdRemover({ holdsStart: true });
    const app = await buildApp(
      loadConfig({ ...remover.environment, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }),
    );
    try {
      const url = await app.listen();
      const early = await problemOf(await fetch(`${url}/readyz`));
      expect(early).toMatchObject({
        status: 503,
        code: 'not_ready',
        detail: expect.stringContaining('warming up'),
      });
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      remover.release();
      await app.ready;
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    } finally {
      remover.release();
      await app.close();
      remover.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
