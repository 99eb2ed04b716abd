/** For tests: a child that responds, refuses, crashes or hangs on request. */
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { PackshotError } from '../../../packages/errors/index.ts';
import { serveTasks, workerArgument } from '../serve-tasks.ts';

const argument = JSON.parse(process.env[workerArgument]!);
const kept: Buffer[] = [];

const tasks = {
  answer: async (input: unknown) => ({ input, argument }),
  tellVariables: async (names: readonly string[]) => names.map((name) => process.env[name]),
  tellPid: async (_input: null) => {
    // Long enough that a second call arrives while this child is busy.
    await sleep(100);
    return process.pid;
  },
  tellPriority: async (_input: null) => getPriority(),
  wait: async ({ ms, name, log }: { ms: number; name: string; log: string }) => {
    appendFileSync(log, `${name}\n`);
    await sleep(ms);
    return name;
  },
  /** Waits until the file exists. */
  hold: async ({ until, name, log }: { until: string; name: string; log: string }) => {
    appendFileSync(log, `${name}\n`);
    while (!existsSync(until)) await sleep(5);
    return name;
  },
  grow: async ({ bytes }: { bytes: number }) => {
    kept.push(Buffer.alloc(bytes, 1));
    return process.pid;
  },
  refuse: async (_input: null) => {
    throw new PackshotError('image_undecodable', 'The picture is broken.', { cause: new Error('libvips') });
  },
  fail: async (_input: null) => {
    throw new TypeError('a mistake of ours');
  },
  crash: async (_input: null) => process.kill(process.pid, 'SIGKILL'),
  /** Crashes the first time, and answers once the file exists. */
  crashOnce: async ({ file }: { file: string }) => {
    if (existsSync(file)) return 'survived';
    writeFileSync(file, '');
    process.kill(process.pid, 'SIGKILL');
    return 'unreachable';
  },
  /** Blocks like native code: no timer runs, and no message is received. */
  hang: async ({ file }: { file: string }) => {
    writeFileSync(file, String(process.pid));
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  },
};

export type TestTasks = typeof tasks;

if (argument?.starts) appendFileSync(argument.starts, `${process.pid}\n`);
serveTasks(tasks);
