import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'packshot-home-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

it('the telemetry of onnxruntime leaves no device id, event queue or log behind', async () => {
  const input = ['bin/packshot.js', 'remove', 'samples/mug-white.jpg', '-o', join(home, 'out')];
  const env = { ...process.env, HOME: home, TMPDIR: home, XDG_CACHE_HOME: '', DATA_DIR: join(home, 'data') };
  await promisify(execFile)(process.execPath, input, { env });
  const left = await readdir(home, { recursive: true });
  expect(left).toContain(join('out', 'mug-white.png'));
  expect(left.filter((path) => /microsoft|onnxruntime|mat-debug/i.test(path))).toEqual([]);
}, 120_000);
