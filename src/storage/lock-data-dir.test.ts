import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockDataDir } from './lock-data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the lock of a data folder', () => {
  it('has only one holder at a time', () => {
    const first = lockDataDir(join(folder, 'new'));
    expect(first).toBeDefined();
    expect(lockDataDir(join(folder, 'new'))).toBeUndefined();
    expect(lockDataDir(join(folder, 'other'))).toBeDefined();
    first!.release();
    expect(lockDataDir(join(folder, 'new'))).toBeDefined();
  });

  it('is released by the kernel when the holder’s process is killed', async () => {
    const script = `
      const { lockDataDir } = await import(${JSON.stringify(new URL('./lock-data-dir.ts', import.meta.url))});
      // Kept, because the lock ends when its object is garbage-collected.
      globalThis.lock = lockDataDir(${JSON.stringify(folder)});
      process.stdout.write(globalThis.lock ? 'held' : 'refused');
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const [text] = await once(child.stdout, 'data');
    expect(String(text)).toBe('held');
    expect(lockDataDir(folder)).toBeUndefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await vi.waitFor(() => expect(lockDataDir(folder)).toBeDefined(), { timeout: 10_000, interval: 10 });
  });

  it('throws storage_unavailable if the folder cannot be created', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(() => lockDataDir(join(folder, 'file'))).toThrow(
      expect.objectContaining({ code: 'storage_unavailable' }),
    );
  });
});
