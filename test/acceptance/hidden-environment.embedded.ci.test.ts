/**
 * Reads `/proc/PID/environ` of every process of the service. A compromised decoder could do the same, because it runs
 * as the same user.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findTree } from '../../rig/process-tree.ts';
import { holdRemover } from './held-remover.ts';
import { findOldNode } from './old-node.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { cratePhoto } from './service.ts';

const oldNode = findOldNode();
const marker = 'planted-0123456789';
const names = [
  'BOOTSTRAP_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'OPENAI_API_KEY',
  'PGPASSWORD',
  'SMTP_PASS',
  'SENTRY_DSN',
  'HTTPS_PROXY',
  'https_proxy',
];
const planted = Object.fromEntries(names.map((name) => [name, `${name}-${marker}`]));
const environ = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8');

let dataDir: string;
let running: ServiceProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-hidden-'));
});
afterEach(async () => {
  if (running) await endProcess(running.child, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

async function expectNoSecrets(node: string): Promise<void> {
  const remover = await holdRemover();
  remover.release();
  const engine = { ...remover.environment, REMOVAL_HEADERS: `Authorization: ${marker}` };
  running = await spawnService(dataDir, { ...planted, ...engine }, [], { node });
  const key = planted.BOOTSTRAP_API_KEY!;
  const { call } = running;
  await vi.waitFor(async () => expect((await call('/readyz', { key: null })).status).toBe(200), {
    timeout: 60_000,
    interval: 100,
  });
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await cratePhoto())]), 'photo.jpg');
  const upload = await call('/v1/design/image-upload', { method: 'POST', body, key });
  expect(upload.status).toBe(200);
  const { id } = (await upload.json()) as { id: string };
  expect((await call(`/v1/design/${id}?wait=true`, { key })).status).toBe(200);
  const tree = await findTree(running.child.pid!);
  remover.close();
  for (const script of ['imaging-worker', 'cutout-worker'])
    expect(tree.filter(({ command }) => command.includes(script))).toHaveLength(1);
  for (const { pid, command } of tree) {
    // Make sure that the environment was really read: only values are erased, so the names must still be there.
    expect(environ(pid)).toContain('PATH=');
    expect(environ(pid), command).not.toContain(marker);
  }
}

it.skipIf(process.platform !== 'linux')('no process of the service shows its secrets in /proc', async () => {
  const control = spawn('sleep', ['60'], { env: { ...process.env, ...planted }, stdio: 'ignore' });
  expect(environ(control.pid!)).toContain(marker);
  control.kill();
  await expectNoSecrets(process.execPath);
});

it.skipIf(!oldNode)(
  'no process shows secrets in /proc when an older Node launches the service and keeps running as its parent',
  async () => {
    await expectNoSecrets(oldNode!);
  },
);
