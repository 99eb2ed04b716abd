/**
 * If an outdated Node starts `bin/packshot.js`, the file runs itself again with the bundled Node, passes signals on to
 * that process, and exits with its exit code.
 */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTree } from '../../rig/process-tree.ts';
import { startPackshot } from './command.ts';
import { holdRemover } from './held-remover.ts';
import { findOldNode } from './old-node.ts';
import { endProcess, type ServiceProcess, spawnService } from './process.ts';
import { testKey } from './service.ts';

const node = findOldNode();

let dataDir: string;
let running: ServiceProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'packshot-launcher-'));
});
afterEach(async () => {
  for (const { pid } of running ? await findTree(running.child.pid!) : []) process.kill(pid, 'SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ServiceProcess & { readonly pids: readonly number[] }> {
  running = await spawnService(dataDir, {}, [], { node: node!, detached: true });
  const pids = (await findTree(running.child.pid!)).map(({ pid }) => pid);
  // The launcher, the program, and at least one child of the program.
  expect(pids.length).toBeGreaterThan(2);
  return { ...running, pids };
}

const allEnd = (pids: readonly number[]) =>
  vi.waitFor(async () => expect((await Promise.all(pids.map(findTree))).flat()).toEqual([]), {
    timeout: 60_000,
    interval: 50,
  });

/** An upload whose body has begun to arrive: a draining service waits for the rest. */
async function beginUpload(url: string) {
  const boundary = 'packshot';
  const upload = request(`${url}/v1/design/image-upload`, {
    method: 'POST',
    headers: {
      'x-api-key': testKey,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      expect: '100-continue',
    },
  });
  const answered = new Promise<number | undefined>((resolve) => {
    upload.on('response', (response) => resolve(response.resume().statusCode));
    upload.on('error', () => resolve(undefined));
  });
  upload.flushHeaders();
  // `continue` arrives once the service has received the request.
  await once(upload, 'continue');
  return {
    answered,
    finish: () =>
      upload.end(
        `--${boundary}\r\ncontent-disposition: form-data; name="other"\r\n\r\n1\r\n--${boundary}--\r\n`,
      ),
  };
}

const untilStopping = ({ url }: ServiceProcess) =>
  vi.waitFor(
    async () => {
      const taken = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
        ({ ok }) => ok,
        () => false,
      );
      expect(taken).toBe(false);
    },
    { timeout: 20_000, interval: 20 },
  );

describe.skipIf(!node)('a service started by an older Node', () => {
  it('drains at SIGTERM, ends all its processes, and exits with 0', async () => {
    const service = await start();
    const upload = await beginUpload(service.url);
    const code = endProcess(service.child, 'SIGTERM');
    await untilStopping(service);
    upload.finish();
    // The form has no photo, so it is read completely, and then refused.
    expect(await upload.answered).toBe(400);
    expect(await code).toBe(0);
    await allEnd(service.pids);
  });

  it("drains at a terminal's Ctrl-C, although the signal arrives twice", async () => {
    const service = await start();
    const upload = await beginUpload(service.url);
    const ended = once(service.child, 'exit');
    process.kill(-service.child.pid!, 'SIGINT');
    await untilStopping(service);
    upload.finish();
    expect(await upload.answered).toBe(400);
    expect(await ended).toEqual([0, null]);
    await allEnd(service.pids);
  });

  it('stops at once at a second signal', async () => {
    const service = await start();
    const upload = await beginUpload(service.url);
    const ended = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    await untilStopping(service);
    const repeating = setInterval(() => service.child.kill('SIGTERM'), 250);
    try {
      expect(await ended).toEqual([1, null]);
    } finally {
      clearInterval(repeating);
    }
    expect(await upload.answered).toBeUndefined();
    await allEnd(service.pids);
  });

  it('leaves no process, port or folder in use when the launcher is killed', async () => {
    const service = await start();
    service.child.kill('SIGKILL');
    await allEnd(service.pids);
    await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
    const next = await start();
    expect(await endProcess(next.child, 'SIGTERM')).toBe(0);
  });
});

describe('`npm start`', () => {
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  const nodes = { 'this Node': process.execPath, 'an older Node': node };

  it.each(Object.entries(nodes).filter(([, path]) => path))(
    'under %s ends with all its processes at SIGTERM, whether npm or the program gets it',
    async (_, path) => {
      for (const whom of ['npm', 'the program'] as const) {
        running = await spawnService(dataDir, {}, [], { node: path!, program: npm, word: 'start' });
        const tree = await findTree(running.child.pid!);
        const program = tree.find(({ command }) => /packshot\.js.* serve/.test(command));
        process.kill(whom === 'npm' ? running.child.pid! : program!.pid, 'SIGTERM');
        await allEnd(tree.map(({ pid }) => pid));
        await expect(fetch(`${running.url}/healthz`)).rejects.toThrow();
      }
    },
  );
});

it('a command run by npx prints only its own output', async () => {
  const { NPM_CONFIG_USERCONFIG: _, ...env } = process.env;
  const { stdout, stderr } = await promisify(execFile)('npx', ['packshot', '--version'], {
    // Ignore warnings about the npm settings of this user.
    env: { ...env, NPM_CONFIG_USERCONFIG: join(dataDir, 'none'), NPM_CONFIG_UPDATE_NOTIFIER: 'false' },
  });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(stderr).toBe('');
});

describe.skipIf(!node)('a command started by an older Node', () => {
  it('finishes running work at Ctrl-C, and exits with 130', async () => {
    const photos = join(dataDir, 'photos');
    await copyFile('samples/mug-white.jpg', join(dataDir, 'one.jpg'));
    await copyFile('samples/mug-white.jpg', join(dataDir, 'two.jpg'));
    const remover = await holdRemover();
    const run = startPackshot(
      ['remove', join(dataDir, 'one.jpg'), join(dataDir, 'two.jpg'), '-o', photos, '--concurrency', '1'],
      { env: remover.environment, node: node!, detached: true },
    );
    await remover.asked(1);
    process.kill(-run.pid, 'SIGINT');
    await run.said(/Finishing the photos in progress/);
    remover.release();
    const { code, stderr } = await run.ended;
    remover.close();
    expect(code).toBe(130);
    expect(stderr).toContain('1 photo left');
  });

  it('exits with the exit code of the program', async () => {
    expect(await startPackshot(['--no-such-option'], { node: node! }).ended).toMatchObject({ code: 2 });
  });
});
