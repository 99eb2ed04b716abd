import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needsS3, startS3 } from '../../src/storage/testing/s3-server.ts';
import { startService } from './service.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-doctor-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
  readonly remedy?: string;
}

async function doctor(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['bin/packshot.js', 'doctor', '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, REMOVAL_ENGINE: 'keyer', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const [code] = await once(child, 'close');
  const { ok, findings } = JSON.parse(text) as { ok: boolean; findings: Finding[] };
  return { code, ok, findings, of: (check: string) => findings.filter((finding) => finding.check === check) };
}

async function listenSomewhere(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as { port: number }).port };
}

describe('packshot doctor', () => {
  it('finds no fault on a machine that can serve, and changes nothing', async () => {
    const { code, ok, findings } = await doctor({});
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect([code, ok]).toEqual([0, true]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining([
        'configuration',
        'node',
        'libraries',
        'data folder',
        'database',
        'port',
        'clock',
      ]),
    );
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("distinguishes the service's own port and database from another program's", async () => {
    const service = await startService();
    const { server, port } = await listenSomewhere();
    try {
      const own = await doctor({ DATA_DIR: service.dataDir, PORT: new URL(service.url).port });
      expect(own.of('port')).toMatchObject([
        { state: 'ok', detail: expect.stringContaining('a Packshot service is running') },
      ]);
      expect(own.of('database')).toMatchObject([{ state: 'ok', detail: expect.stringContaining('intact') }]);
      const other = await doctor({ PORT: String(port) });
      expect(other).toMatchObject({ code: 1, ok: false });
      expect(other.of('port')).toMatchObject([{ state: 'problem', remedy: expect.stringContaining('PORT') }]);
    } finally {
      server.close();
      await service.stop();
    }
  });

  it('gives a remedy for each fault', async () => {
    await writeFile(
      join(dataDir, 'packshot.db'),
      'this is no database, whatever it is called, and never was one',
    );
    const { code, of, findings } = await doctor({
      HOST: '0.0.0.0',
      PUBLIC_URL: 'http://shop.example/v1',
      REMOVAL_ENGINE: 'http',
      REMOVAL_URL: 'http://127.0.0.1:9/?secret=query-secret',
      MIN_FREE_BYTES: String(2 ** 49),
      METRICS_HOST: '0.0.0.0',
      METRICS_PORT: '19464',
    });
    expect(code).toBe(1);
    expect(of('database')).toMatchObject([{ state: 'problem' }]);
    expect(of('disk')).toMatchObject([
      { state: 'problem', remedy: expect.stringContaining('MIN_FREE_BYTES') },
    ]);
    expect(of('engines')).toMatchObject([
      { state: 'problem', detail: expect.stringContaining('127.0.0.1:9') },
    ]);
    expect(of('exposure').map(({ state }) => state)).toEqual(['warning', 'warning', 'problem', 'warning']);
    for (const { state, remedy } of findings) expect(remedy === undefined).toBe(state === 'ok');
    expect(JSON.stringify(findings)).not.toContain('query-secret');
  });

  it('still reports when a library fails to load', async () => {
    const hook = join(dataDir, 'no-sharp.mjs');
    await writeFile(
      hook,
      `import { registerHooks } from 'node:module';
       const resolve = (name, context, next) => {
         if (name === 'sharp') throw new Error('Could not load sharp');
         return next(name, context);
       };
       registerHooks({ resolve });`,
    );
    const { code, of } = await doctor({ NODE_OPTIONS: `--import ${hook}` });
    expect(code).toBe(1);
    expect(of('libraries')).toMatchObject([
      { state: 'ok' },
      { state: 'problem', detail: 'sharp cannot be loaded: Could not load sharp' },
    ]);
  });

  it.skipIf(needsS3)(`tries the object store, and reports its refusals${needsS3}`, async () => {
    const s3 = (await startS3())!;
    try {
      const settings = {
        BLOB_STORE: 's3',
        S3_ENDPOINT: s3.endpoint,
        S3_BUCKET: await s3.createBucket(),
        AWS_ACCESS_KEY_ID: s3.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
      };
      expect((await doctor(settings)).of('object store')).toMatchObject([
        { state: 'ok', detail: expect.stringContaining('deletes') },
      ]);
      const refused = await doctor({ ...settings, AWS_SECRET_ACCESS_KEY: 'not-the-secret' });
      expect(refused.of('object store')).toMatchObject([
        { state: 'problem', detail: expect.stringContaining('credentials are refused') },
      ]);
      expect(JSON.stringify(refused.findings)).not.toContain('not-the-secret');
      const away = await doctor({ ...settings, S3_ENDPOINT: 'http://127.0.0.1:1' });
      expect(away.of('object store')).toMatchObject([
        { state: 'problem', detail: expect.stringContaining('ECONNREFUSED') },
      ]);
    } finally {
      await s3.stop();
    }
  });

  it('continues with the other checks if the configuration is invalid', async () => {
    const { code, of } = await doctor({ RENDER_WORKERS: 'many' });
    expect(code).toBe(1);
    expect(of('configuration')).toMatchObject([
      { state: 'problem', detail: expect.stringContaining('RENDER_WORKERS') },
    ]);
    expect(of('node')).toMatchObject([{ state: 'ok' }]);
  });
});
