/** Runs one check of the rig (`rig/`) in its short form, which reports times and sizes but sets no limits for them. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Bar } from '../../rig/run.ts';

const rig = fileURLToPath(new URL('../../rig/rig.ts', import.meta.url));

/** Without these variables, the rig starts its own services. vitest sets BASE_URL, with another meaning. */
const { BASE_URL: _, API_KEY: __, ...inherited } = process.env;
/** Draft scenes, because the short form of a check does not look at pictures or compare times. */
const env = { ...inherited, SCENE_DETAIL: 'draft' };
/** Shorter than the tests' own limit, so that a check that hangs fails with its output so far. */
const timeout = 280_000;

export async function runRig(name: string): Promise<{ code: number; bars: Bar[]; output: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; bars: Bar[]; output: string }>();
  execFile(process.execPath, [rig, name, '--json'], { env, timeout }, (error, stdout, stderr) => {
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
    resolve({ code, bars: lines.map((line) => JSON.parse(line) as Bar), output: stdout + stderr });
  });
  return promise;
}

export async function expectBarsHeld(name: string): Promise<void> {
  const { code, bars, output } = await runRig(name);
  expect(bars.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(bars.length, output).toBeGreaterThan(0);
  expect(code, output).toBe(0);
}
