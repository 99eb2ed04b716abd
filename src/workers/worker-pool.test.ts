import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PackshotError } from '../../packages/errors/index.ts';
import type { TaskOptions, Urgency } from '../tasks.ts';
import { WorkerCrash } from './child.ts';
import type { TestTasks } from './testing/test-worker.ts';
import { openWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';
import type { GrownChild } from './worker-slot.ts';

let folder: string;
let pools: WorkerPool<TestTasks>[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packshot-unit-'));
  pools = [];
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  await rm(folder, { recursive: true, force: true });
});

const calm: TaskOptions = { signal: new AbortController().signal, urgency: 'shown', account: 'acc_calm' };
const eventually = { timeout: 8_000, interval: 10 };

function open(options: Partial<WorkerPoolOptions<TestTasks>> = {}): WorkerPool<TestTasks> {
  const pool = openWorkerPool<TestTasks>({
    script: new URL('./testing/test-worker.ts', import.meta.url),
    argument: { told: 'once' },
    size: 1,
    maxWaiting: 10,
    taskTimeoutMs: 20_000,
    retriesAfterCrash: 0,
    ...options,
  });
  pools.push(pool);
  return pool;
}

describe('a task', { timeout: 20_000 }, () => {
  it('receives its bytes across the process boundary, and the argument of its process', async () => {
    const input = { bytes: Uint8Array.of(0, 255), at: new Date(0), none: undefined };
    expect(await open().tasks.answer(input, calm)).toMatchObject({ input, argument: { told: 'once' } });
  });

  it("has no access to the service's secrets, rows or blobs through its environment", async () => {
    const secrets = [
      'DATABASE_URL',
      'AWS_SECRET_ACCESS_KEY',
      'OPENAI_API_KEY',
      'COMFYUI_HEADERS',
      'PGPASSWORD',
    ];
    for (const name of secrets) vi.stubEnv(name, 'a secret');
    vi.stubEnv('LC_ALL', 'C.UTF-8');
    const told = await open().tasks.tellVariables([...secrets, 'LC_ALL'], calm);
    vi.unstubAllEnvs();
    expect(told).toEqual([...secrets.map(() => undefined), 'C.UTF-8']);
  });

  it('rejects with the PackshotError that it throws, or with a plain error if it has a bug', async () => {
    const pool = open();
    const refused = await pool.tasks.refuse(null, calm).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PackshotError);
    expect(refused).toMatchObject({
      code: 'image_undecodable',
      message: 'The picture is broken.',
      status: 422,
    });
    expect((refused as PackshotError).cause).toContain('libvips');
    const failed = await pool.tasks.fail(null, calm).catch((error: unknown) => error);
    expect(failed).not.toBeInstanceOf(PackshotError);
    expect(failed).not.toBeInstanceOf(WorkerCrash);
    expect(String(failed)).toContain('a mistake of ours');
  });

  it('that ends its process rejects with WorkerCrash, and the next task gets a new process', async () => {
    const pool = open();
    await expect(pool.tasks.crash(null, calm)).rejects.toBeInstanceOf(WorkerCrash);
    expect(await pool.tasks.answer('still here', calm)).toMatchObject({ input: 'still here' });
  });

  it('is retried in another process as often as configured, and no more', async () => {
    const pool = open({ retriesAfterCrash: 1 });
    expect(await pool.tasks.crashOnce({ file: join(folder, 'crashed') }, calm)).toBe('survived');
    await expect(pool.tasks.crash(null, calm)).rejects.toBeInstanceOf(WorkerCrash);
  });

  it('that ends its process counts as a crash; crashes are consecutive until a task completes', async () => {
    const pool = open();
    expect(pool.state()).toMatchObject({ size: 1, busy: 0, waiting: 0, crashes: 0, crashesInARow: 0 });
    expect(pool.state().sinceCrashMs).toBe(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 2; i++) await expect(pool.tasks.crash(null, calm)).rejects.toThrow();
    expect(pool.state()).toMatchObject({ crashes: 2, crashesInARow: 2 });
    expect(pool.state().sinceCrashMs).toBeLessThan(60_000);
    await expect(pool.tasks.refuse(null, calm)).rejects.toThrow('broken');
    expect(pool.state()).toMatchObject({ crashes: 2, crashesInARow: 0 });
  });

  it('gets a living process even if all processes were killed while idle', async () => {
    const pool = open({ size: 3, retriesAfterCrash: 1 });
    const pids = await Promise.all([1, 2, 3].map(() => pool.tasks.tellPid(null, calm)));
    expect(new Set(pids).size).toBe(3);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false, false]), eventually);
    expect(await pool.tasks.answer(1, calm)).toMatchObject({ input: 1 });
  });

  it('that hangs is stopped with its process', async () => {
    const pool = open({ taskTimeoutMs: 3_000 });
    const file = join(folder, 'pid');
    // Start the process first; otherwise the first task's time would include the start.
    await pool.tasks.answer(0, calm);
    await expect(pool.tasks.hang({ file }, calm)).rejects.toThrow('hang hung and was stopped');
    await vi.waitFor(() => expect(isRunning(Number(readFileSync(file)))).toBe(false), eventually);
    expect(await pool.tasks.answer(1, calm)).toMatchObject({ input: 1 });
  });

  // Windows cannot suspend and resume processes.
  it.skipIf(process.platform === 'win32')(
    'whose process is suspended leaves its place to the next task',
    async () => {
      const pool = open();
      const pid = await pool.tasks.tellPid(null, calm);
      process.kill(pid, 'SIGSTOP');
      const gone = AbortSignal.timeout(200);
      await expect(pool.tasks.answer(1, { ...calm, signal: gone })).rejects.toThrow('timeout');
      expect(await pool.tasks.answer(2, calm)).toMatchObject({ input: 2 });
      expect(isRunning(pid)).toBe(false);
    },
  );

  it('ends its process when its signal aborts, and rejects with the reason', async () => {
    const pool = open();
    const file = join(folder, 'pid');
    const gone = new AbortController();
    const running = pool.tasks.hang({ file }, { ...calm, signal: gone.signal });
    const rejected = expect(running).rejects.toThrow('the caller left');
    await vi.waitFor(() => expect(Number(readFileSync(file))).toBeGreaterThan(0), eventually);
    gone.abort(new Error('the caller left'));
    await rejected;
    await vi.waitFor(() => expect(isRunning(Number(readFileSync(file)))).toBe(false), eventually);
    expect(await pool.tasks.answer(1, calm)).toMatchObject({ input: 1 });
  });

  it('that is nearly done when its caller leaves keeps its process', async () => {
    const pool = open();
    const pid = await pool.tasks.tellPid(null, calm);
    const gone = new AbortController();
    const [log, until] = [join(folder, 'log'), join(folder, 'released')];
    const left = pool.tasks.hold({ until, name: 'left', log }, { ...calm, signal: gone.signal });
    const rejected = expect(left).rejects.toThrow('the caller left');
    await vi.waitFor(() => expect(existsSync(log)).toBe(true), eventually);
    gone.abort(new Error('the caller left'));
    await rejected;
    writeFileSync(until, '');
    expect(await pool.tasks.tellPid(null, calm)).toBe(pid);
    expect(pool.state().crashes).toBe(0);
  });

  it('runs to its end when its caller leaves, in a pool whose processes take long to start', async () => {
    const pool = open({ finishesBegun: true });
    const pid = await pool.tasks.tellPid(null, calm);
    const gone = new AbortController();
    const [log, until] = [join(folder, 'log'), join(folder, 'released')];
    const left = pool.tasks.hold({ until, name: 'left', log }, { ...calm, signal: gone.signal });
    const rejected = expect(left).rejects.toThrow('the caller left');
    await vi.waitFor(() => expect(existsSync(log)).toBe(true), eventually);
    gone.abort(new Error('the caller left'));
    await rejected;
    // Longer than a process is otherwise given.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    writeFileSync(until, '');
    expect(await pool.tasks.tellPid(null, calm)).toBe(pid);
    expect(pool.state().crashes).toBe(0);
  });

  it('never starts if its signal is already aborted', async () => {
    const log = join(folder, 'log');
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(open().tasks.wait({ ms: 0, name: 'a', log }, { ...calm, signal })).rejects.toThrow(
      'too late',
    );
    expect(existsSync(log)).toBe(false);
  });
});

describe('a process that has grown', { timeout: 20_000 }, () => {
  const grow = (pool: WorkerPool<TestTasks>) => pool.tasks.grow({ bytes: 300e6 }, calm);
  const openGrowing = (replaceFrom: GrownChild) => {
    const starts = join(folder, 'starts');
    const listStarts = () => readFileSync(starts, 'utf8').trim().split('\n').map(Number);
    return { pool: open({ replaceFrom, argument: { starts } }), listStarts };
  };

  it('is replaced by a new one if it exceeds its limit, and exits', async () => {
    const { pool, listStarts } = openGrowing({ tasks: 1, residentBytes: 300e6 });
    const old = await grow(pool);
    await vi.waitFor(async () => expect(await pool.tasks.tellPid(null, calm)).not.toBe(old), eventually);
    await vi.waitFor(() => expect(isRunning(old)).toBe(false), eventually);
    const next = await pool.tasks.tellPid(null, calm);
    expect(listStarts()).toEqual([old, next]);
  });

  it('finishes its current task', async () => {
    const { pool, listStarts } = openGrowing({ tasks: 1, residentBytes: 300e6 });
    const old = await grow(pool);
    const [log, until] = [join(folder, 'log'), join(folder, 'released')];
    const running = pool.tasks.hold({ until, name: 'long', log }, calm);
    await vi.waitFor(() => expect(listStarts()).toHaveLength(2), eventually);
    const next = pool.tasks.tellPid(null, calm);
    expect(isRunning(old)).toBe(true);
    writeFileSync(until, '');
    expect(await running).toBe('long');
    expect(listStarts()).toContain(await next);
    expect(pool.state().crashes).toBe(0);
  });

  it('ends with its pool, and so does its successor', async () => {
    const { pool, listStarts } = openGrowing({ tasks: 1, residentBytes: 300e6 });
    await grow(pool);
    await pool.close();
    await vi.waitFor(() => expect(listStarts().filter(isRunning)).toEqual([]), eventually);
  });

  it('is kept if it is too small or has run too few tasks to be replaced', async () => {
    for (const replaceFrom of [
      { tasks: 1, residentBytes: 2e9 },
      { tasks: 3, residentBytes: 300e6 },
    ]) {
      const { pool, listStarts } = openGrowing(replaceFrom);
      const pid = await grow(pool);
      expect(await pool.tasks.tellPid(null, calm)).toBe(pid);
      expect(listStarts().at(-1)).toBe(pid);
    }
  });
});

describe('an idle process', { timeout: 20_000 }, () => {
  it('is replaced if it was started with the pool, and otherwise ends', async () => {
    const starts = join(folder, 'starts');
    const pool = open({ size: 2, restAfter: { callMs: 300, backgroundMs: 300 }, argument: { starts } });
    const old = await Promise.all([pool.tasks.tellPid(null, calm), pool.tasks.tellPid(null, calm)]);
    await vi.waitFor(() => expect(old.filter(isRunning)).toEqual([]), eventually);
    const started = readFileSync(starts, 'utf8').trim().split('\n').map(Number);
    expect(started).toHaveLength(3);
    expect(started.filter(isRunning)).toEqual([await pool.tasks.tellPid(null, calm)]);
    expect(pool.state().crashes).toBe(0);
  });

  it('is kept longer after a task that a caller waited for', async () => {
    const pool = open({ restAfter: { callMs: 60_000, backgroundMs: 100 } });
    const old = await pool.tasks.tellPid(null, calm);
    await vi.waitFor(() => expect(isRunning(old)).toBe(false), eventually);
    const kept = await pool.tasks.tellPid(null, { ...calm, urgency: 'preview' });
    expect(await pool.tasks.tellPid(null, calm)).toBe(kept);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(isRunning(kept)).toBe(true);
  });

  it('is kept until it has run a task', async () => {
    const starts = join(folder, 'starts');
    open({ restAfter: { callMs: 100, backgroundMs: 100 }, argument: { starts } });
    await vi.waitFor(() => expect(existsSync(starts)).toBe(true), eventually);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(readFileSync(starts, 'utf8').trim().split('\n')).toHaveLength(1);
  });
});

describe('a pool', { timeout: 20_000 }, () => {
  /** Keeps the pool busy with a task that runs until it is released. */
  const busy = async (pool: WorkerPool<TestTasks>) => {
    const [log, until] = [join(folder, 'log'), join(folder, 'released')];
    const running = pool.tasks.hold({ until, name: 'first', log }, calm);
    await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toBe('first\n'), eventually);
    return { running, log, release: () => writeFileSync(until, '') };
  };

  it('runs the highest priority first, and tasks of equal priority in order of arrival', async () => {
    const pool = open();
    const { running, log, release } = await busy(pool);
    const urgencies = { low: 'generated', middle: 'preview', high: 'upload', middle2: 'preview' } as const;
    const later = Object.entries(urgencies).map(([name, urgency]) =>
      pool.tasks.wait({ ms: 0, name, log }, { ...calm, urgency }),
    );
    release();
    await Promise.all([running, ...later]);
    expect(await linesOf(log)).toEqual(['first', 'high', 'middle', 'middle2', 'low']);
  });

  it('rejects with queue_full beyond its maximum of waiting tasks', async () => {
    const pool = open({ maxWaiting: 1 });
    const { running, log, release } = await busy(pool);
    const waiting = pool.tasks.wait({ ms: 0, name: 'second', log }, calm);
    await expect(pool.tasks.answer(1, calm)).rejects.toMatchObject({ code: 'queue_full', retryAfterS: 5 });
    release();
    expect(await waiting).toBe('second');
    await running;
    expect(await pool.tasks.answer(1, calm)).toMatchObject({ input: 1 });
  });

  it('rejects with queue_full only for the account whose line is full', async () => {
    const pool = open({ maxWaiting: 2 });
    const { running, log, release } = await busy(pool);
    const ask = (account: string, name: string) =>
      pool.tasks.wait({ ms: 0, name, log }, { ...calm, urgency: 'generated', account });
    const waiting = [ask('greedy', 'g1'), ask('greedy', 'g2')];
    await expect(ask('greedy', 'g3')).rejects.toMatchObject({ code: 'queue_full', retryAfterS: 5 });
    waiting.push(ask('other', 'o1'));
    release();
    await Promise.all([running, ...waiting]);
    expect(await linesOf(log)).toEqual(['first', 'g1', 'o1', 'g2']);
  });

  it('limits the waiting tasks of all accounts together', async () => {
    const pool = open({ maxWaiting: 1 });
    const { running, release } = await busy(pool);
    const ask = (account: number) => pool.tasks.answer(account, { ...calm, account: `account ${account}` });
    const waiting = Array.from({ length: 8 }, (_, account) => ask(account));
    await expect(ask(8)).rejects.toMatchObject({ code: 'queue_full' });
    release();
    await Promise.all([running, ...waiting]);
  });

  it('runs first the task that became more urgent while it waited', async () => {
    const pool = open();
    const { running, log, release } = await busy(pool);
    let urgency: Urgency = 'batch';
    const ask = (name: string, how: TaskOptions['urgency']) =>
      pool.tasks.wait({ ms: 0, name, log }, { ...calm, urgency: how });
    const waiting = [ask('joined', () => urgency), ask('batch', 'batch'), ask('ahead', 'ahead')];
    urgency = 'preview';
    release();
    await Promise.all([running, ...waiting]);
    expect(await linesOf(log)).toEqual(['first', 'joined', 'ahead', 'batch']);
  });

  it('runs a short task, such as the last step of a picture, before long ones', async () => {
    const pool = open();
    const { running, log, release } = await busy(pool);
    const ask = (name: string, long: boolean) =>
      pool.tasks.wait({ ms: 0, name, log }, { ...calm, urgency: 'preview', long });
    const waiting = [ask('next', true), ask('last', false)];
    release();
    await Promise.all([running, ...waiting]);
    expect(await linesOf(log)).toEqual(['first', 'last', 'next']);
  });

  it('blames the file if a decoding task ends every process that runs it', async () => {
    const pool = open({ decoding: ['crash'] });
    await expect(pool.tasks.crash(null, calm)).rejects.toMatchObject({ code: 'image_undecodable' });
  });

  it('tells a starting task its number of threads, which is one for prerendering', async () => {
    const pool = open();
    const told: number[] = [];
    const note = (threads: number) => void told.push(threads);
    await pool.tasks.answer(note, { ...calm, urgency: 'preview' });
    await pool.tasks.answer(note, { ...calm, urgency: 'ahead' });
    expect(told).toEqual([Math.min(4, availableParallelism()), 1]);
  });

  it("uses all but its spare processes for one account's long tasks, and others for its short ones", async () => {
    const pool = open({ size: 2, spare: 2, maxWaiting: 1 });
    const [log, until] = [join(folder, 'log'), join(folder, 'released')];
    const long = ['one', 'two', 'three'].map((name) =>
      pool.tasks.hold({ until, name, log }, { ...calm, account: 'a', long: true }),
    );
    for (const account of ['a', 'b'])
      expect(await pool.tasks.answer(account, { ...calm, account })).toMatchObject({ input: account });
    expect(pool.state()).toMatchObject({ busy: 2, waiting: 1 });
    const fourth = pool.tasks.hold({ until, name: 'four', log }, { ...calm, account: 'a', long: true });
    await expect(fourth).rejects.toMatchObject({ code: 'queue_full' });
    writeFileSync(until, '');
    expect(await Promise.all(long)).toEqual(['one', 'two', 'three']);
  });

  it('stops a task that is drawn ahead once a caller needs its process, but no other background task', async () => {
    const pool = open();
    const log = join(folder, 'log');
    const hold = (urgency: Urgency, name: string) =>
      pool.tasks.hold(
        { until: join(folder, name), name, log },
        { ...calm, urgency, account: 'a', long: true },
      );
    const ahead = hold('ahead', 'ahead');
    const refused = expect(ahead).rejects.toMatchObject({ code: 'queue_full', retryable: true });
    await vi.waitFor(() => expect(pool.state().busy).toBe(1), eventually);
    expect(await pool.tasks.answer('served', { ...calm, urgency: 'preview', account: 'a' })).toMatchObject({
      input: 'served',
    });
    await refused;
    const batch = hold('batch', 'batch');
    await vi.waitFor(() => expect(pool.state().busy).toBe(1), eventually);
    const caller = pool.tasks.answer('served', { ...calm, urgency: 'preview', account: 'a' });
    writeFileSync(join(folder, 'batch'), '');
    expect(await batch).toBe('batch');
    await caller;
  });

  it('tells when a task starts', async () => {
    const pool = open();
    const { running, release } = await busy(pool);
    const started: string[] = [];
    const waiting = pool.tasks.answer(1, { ...calm, onStart: () => started.push('started') });
    expect(started).toEqual([]);
    release();
    await running;
    await waiting;
    expect(started).toEqual(['started']);
  });

  it('has a spare process for other accounts while one account keeps all other processes busy', async () => {
    const pool = open({ spare: 1 });
    const [log, until] = [join(folder, 'log'), join(folder, 'released')];
    const own = ['one', 'two'].map((name) =>
      pool.tasks.hold({ until, name, log }, { ...calm, account: 'a' }),
    );
    expect(await pool.tasks.answer('served', { ...calm, account: 'b' })).toMatchObject({ input: 'served' });
    expect(pool.state()).toMatchObject({ size: 1, busy: 1, waiting: 1 });
    writeFileSync(until, '');
    await Promise.all(own);
  });

  it("runs an account's only task at the usual priority, and its further tasks at low priority beside another account's", async () => {
    const pool = open({ size: 2, spare: 2 });
    const usual = getPriority();
    const [log, until] = [join(folder, 'log'), join(folder, 'released')];
    const ask = (account: string, more = {}) =>
      pool.tasks.tellPriority(null, { ...calm, urgency: 'generated', account, ...more });
    expect(await ask('a')).toBe(usual);
    const running = pool.tasks.hold(
      { until, name: 'one', log },
      { ...calm, urgency: 'generated', account: 'a' },
    );
    expect(await ask('b')).toBe(usual);
    expect(await ask('a')).toBeGreaterThan(usual);
    expect(await ask('b', { long: true })).toBeGreaterThan(usual);
    expect(await ask('b', { urgency: 'ahead' })).toBeGreaterThan(usual);
    writeFileSync(until, '');
    await running;
  });

  it('calls an input function only when the task starts', async () => {
    const pool = open();
    const { running, release } = await busy(pool);
    let moment = 'asked';
    const waiting = pool.tasks.answer(() => moment, calm);
    moment = 'started';
    release();
    await running;
    expect(await waiting).toMatchObject({ input: 'started' });
  });

  it('that may keep no task waiting still runs a task if a process is idle', async () => {
    const pool = open({ maxWaiting: 0 });
    expect(await pool.tasks.answer(1, calm)).toMatchObject({ input: 1 });
    const { running, release } = await busy(pool);
    await expect(pool.tasks.answer(1, calm)).rejects.toMatchObject({ code: 'queue_full' });
    release();
    await running;
  });

  it('rejects with queue_full if a task times out while it waits', async () => {
    const pool = open();
    const { running, release } = await busy(pool);
    const late = pool.tasks.answer(1, { ...calm, signal: AbortSignal.timeout(50) });
    await expect(late).rejects.toMatchObject({ code: 'queue_full', retryAfterS: 5 });
    release();
    await running;
  });

  it("starts the next task only after the aborted task's process has exited", async () => {
    const pool = open();
    const file = join(folder, 'pid');
    for (let round = 0; round < 3; round++) {
      const gone = new AbortController();
      const running = pool.tasks.hang({ file }, { ...calm, signal: gone.signal });
      const left = expect(running).rejects.toThrow('the caller left');
      await vi.waitFor(() => expect(Number(readFileSync(file))).toBeGreaterThan(0), eventually);
      const next = pool.tasks.answer(round, calm);
      gone.abort(new Error('the caller left'));
      await left;
      expect(await next).toMatchObject({ input: round });
      await rm(file);
    }
  });

  it('keeps all its processes when many callers leave at once', async () => {
    const pool = open({ size: 2, maxWaiting: 100 });
    const gone = new AbortController();
    const hang = (i: number) =>
      pool.tasks.hang({ file: join(folder, `pid${i}`) }, { ...calm, signal: gone.signal });
    const leaving = [hang(0), hang(1)];
    await vi.waitFor(
      () => expect([0, 1].map((i) => existsSync(join(folder, `pid${i}`)))).toEqual([true, true]),
      eventually,
    );
    const staying = Array.from({ length: 20 }, (_, i) => pool.tasks.answer(i, calm));
    for (let i = 2; i < 20; i++) leaving.push(hang(i));
    const left = Promise.allSettled(leaving);
    gone.abort(new Error('the callers left'));
    const reasons = (await left).map((outcome) => outcome.status === 'rejected' && outcome.reason.message);
    expect(reasons).toEqual(leaving.map(() => 'the callers left'));
    expect(await Promise.all(staying)).toHaveLength(20);
    const pids = await Promise.all([1, 2].map(() => pool.tasks.tellPid(null, calm)));
    expect(new Set(pids).size).toBe(2);
    expect(pool.state()).toMatchObject({ busy: 0, waiting: 0, crashes: 0 });
  });

  it("releases a waiting task and its place as soon as the task's signal aborts", async () => {
    const pool = open({ maxWaiting: 1 });
    const { running, log, release } = await busy(pool);
    const gone = new AbortController();
    const waiting = pool.tasks.wait({ ms: 0, name: 'never', log }, { ...calm, signal: gone.signal });
    gone.abort(new Error('deadline'));
    // Checked while the first task is still running.
    await expect(waiting).rejects.toThrow('deadline');
    const next = pool.tasks.wait({ ms: 0, name: 'next', log }, calm);
    release();
    await Promise.all([running, next]);
    expect(await readFile(log, 'utf8')).toBe('first\nnext\n');
  });
});

describe('the children of a killed parent', () => {
  // Windows has no SIGKILL; the test runs everywhere else.
  it.skipIf(process.platform === 'win32')('end with it, idle or busy', { timeout: 20_000 }, async () => {
    const parent = spawn(process.execPath, [
      fileURLToPath(new URL('./testing/orphaning-parent.ts', import.meta.url)),
    ]);
    const [text] = await once(parent.stdout, 'data');
    const pids: number[] = JSON.parse(String(text));
    expect(pids).toHaveLength(2);
    expect(pids.map(isRunning)).toEqual([true, true]);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await vi.waitFor(() => expect(pids.map(isRunning)).toEqual([false, false]), eventually);
  });
});

const linesOf = async (file: string) => (await readFile(file, 'utf8')).trim().split('\n');

/** On Linux, false also for a zombie: a process that has exited, but whose parent has not collected its status yet. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    // No such process.
    return false;
  }
}
