/** Test suite that all illustration engines share, with additional tests for engines that call a server. */
import { inspect } from 'node:util';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CanvasSize } from '../../../packages/pixels/src/pixels.ts';
import { makePlan } from '../../../packages/sets/src/testing/plans.ts';
import { RemoteFailure } from '../../remote/remote-failure.ts';
import { type Call, type FakeServer, type Reply, startFakeServer } from '../engines/testing/fake-server.ts';
import {
  type Illustrated,
  type IllustrationEngine,
  type IllustrationMode,
  type IllustrationRequest,
  illustrationModes,
  type Scaffold,
} from './illustration-engine.ts';

const plan = makePlan('marble-table-window');

/** Box of the product in all test pictures, as fractions of the canvas. It does not overlap its own mirror image. */
const product = { left: 0.125, top: 0.25, width: 0.25, height: 0.5 };

/** A blue picture with a red product. The mask is 0 on the product and 255 elsewhere. */
export async function drawScaffold({ width, height }: CanvasSize): Promise<Scaffold> {
  const inside = {
    left: Math.round(product.left * width),
    top: Math.round(product.top * height),
    width: Math.round(product.width * width),
    height: Math.round(product.height * height),
  };
  const paint = async (background: string, patch: string, channel: boolean) => {
    const size = { width: inside.width, height: inside.height, channels: 3 } as const;
    const input = await sharp({ create: { ...size, background: patch } })
      .png()
      .toBuffer();
    const picture = sharp({ create: { width, height, channels: 3, background } }).composite([
      { input, left: inside.left, top: inside.top },
    ]);
    const bytes = await picture.png().toBuffer();
    const flat = sharp(bytes).removeAlpha();
    return new Uint8Array(await (channel ? flat.toColourspace('b-w') : flat).png().toBuffer());
  };
  return {
    picturePng: await paint('#0000ff', '#ff0000', false),
    maskPng: await paint('#ffffff', '#000000', true),
  };
}

/** Returns the channel values at the center of the product and at the mirrored position. */
export async function probe(
  picture: Uint8Array,
): Promise<{ product: number[]; elsewhere: number[]; size: number[] }> {
  const { channels } = await sharp(picture).metadata();
  const { data, info } = await sharp(picture)
    .toColourspace(channels < 3 ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const i = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    return [...data.subarray(i, i + info.channels)];
  };
  const x = product.left + product.width / 2;
  const y = product.top + product.height / 2;
  return { product: at(x, y), elsewhere: at(1 - x, y), size: [info.width, info.height] };
}

export async function makeRequest(
  mode: IllustrationMode,
  changes: Partial<Pick<IllustrationRequest, 'canvas' | 'seed' | 'signal' | 'brief'>> = {},
): Promise<IllustrationRequest> {
  const canvas = changes.canvas ?? { width: 96, height: 96 };
  const request: IllustrationRequest = {
    mode,
    plan,
    brief: { prompt: 'a bottle on a stone, 50% shade', negativePrompt: 'text, people' },
    canvas,
    seed: 1234,
    signal: new AbortController().signal,
    ...changes,
  };
  if (mode === 'plate-only') return request;
  const scaffold = await drawScaffold(canvas);
  return { ...request, scaffold };
}

export function describeIllustrationEngine(name: string, open: () => Promise<IllustrationEngine>): void {
  describe(`${name}, as an illustration engine`, () => {
    let engine: IllustrationEngine;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine.close());

    it('has a name and a version', () => {
      expect(engine.id).toBe(name);
      expect(engine.version).toContain(name);
    });

    it('has at least one mode and no duplicates', () => {
      expect(engine.modes.length).toBeGreaterThan(0);
      expect(new Set(engine.modes).size).toBe(engine.modes.length);
      for (const mode of engine.modes) expect(illustrationModes).toContain(mode);
    });

    it('returns a picture in each of its modes, without modifying its input', async () => {
      for (const mode of engine.modes) {
        const request = await makeRequest(mode);
        const { signal: _, ...given } = request;
        const before = structuredClone(given);
        const { bytes, model, warnings } = await engine.illustrate(request);
        const { width, height } = (await sharp(bytes).raw().toBuffer({ resolveWithObject: true })).info;
        expect([width > 15, height > 15], mode).toEqual([true, true]);
        expect(model).not.toBe('');
        expect(Array.isArray(warnings)).toBe(true);
        expect(given, mode).toEqual(before);
      }
    });

    it('rejects with the reason of an aborted signal', async () => {
      const reason = new Error('enough');
      const request = await makeRequest(engine.modes[0]!, { signal: AbortSignal.abort(reason) });
      await expect(engine.illustrate(request)).rejects.toBe(reason);
    });
  });
}

/** Settings that the suite may change for an engine under test. */
export interface BenchSettings {
  readonly url?: string;
  readonly timeoutMs?: number;
  readonly maxAnswerBytes?: number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Bench {
  readonly server: FakeServer;
  /** Opens an engine with two retries and with `secret` as its key or header. Default `url`: that of `server`. */
  readonly open: (settings: BenchSettings) => Promise<IllustrationEngine>;
  readonly isWork: (call: Call) => boolean;
  /** Replaces the picture file that the server sends; undefined restores the usual picture. */
  readonly sendAsPicture: (bytes: Buffer | undefined) => void;
  /** Whether this call cancels the work on a picture; undefined if the protocol has no such call. */
  readonly isStop?: (call: Call) => boolean;
}

export const secret = 'sk-a-very-secret-word';

export function describeRemoteIllustrationEngine(name: string, start: () => Promise<Bench>): void {
  describe(`${name}, as a client of a server`, () => {
    const trial = setUpTrial(start);
    describeTries(trial);
    describeAnswers(trial);
    describeEnds(trial);
  });
}

type Trial = ReturnType<typeof setUpTrial>;

/** State shared by the tests of one bench. Each test starts with a well-behaved server and a fresh engine. */
function setUpTrial(start: () => Promise<Bench>) {
  const trial = {
    // `bench` and `engine` are set before the first test.
    bench: null! as Bench,
    engine: null! as IllustrationEngine,
    waits: [] as number[],
    /** Opens another engine in place of the current one. */
    async use(settings: BenchSettings = {}): Promise<void> {
      trial.engine = await trial.bench.open({ wait: async (ms) => void trial.waits.push(ms), ...settings });
    },
    /** Sets the server's reply to the nth request for a picture, from 1; undefined stands for the usual reply. */
    answer(reply: (nth: number) => Reply | undefined): void {
      const { isWork, server } = trial.bench;
      server.interject = (call) => (isWork(call) ? reply(trial.workCalls()) : undefined);
    },
    // Uses the engine's last mode, which needs the fewest pixels, so that the tests are fast.
    ask: async (changes: { readonly signal?: AbortSignal } = {}): Promise<Illustrated> =>
      trial.engine.illustrate(await makeRequest(trial.engine.modes.at(-1)!, changes)),
    async failureOf(): Promise<RemoteFailure> {
      const failure = await trial.ask().catch((error: unknown) => error);
      if (!(failure instanceof RemoteFailure)) throw new Error(`no RemoteFailure: ${inspect(failure)}`);
      return failure;
    },
    workCalls: (): number => trial.bench.server.calls.filter(trial.bench.isWork).length,
  };
  beforeAll(async () => {
    trial.bench = await start();
  });
  beforeEach(async () => {
    const { server, sendAsPicture } = trial.bench;
    server.calls.length = 0;
    server.interject = () => undefined;
    sendAsPicture(undefined);
    trial.waits = [];
    await trial.use();
  });
  afterEach(() => trial.engine.close());
  afterAll(() => trial.bench.server.close());
  return trial;
}

function describeTries(trial: Trial): void {
  it('reports an unreachable server', async () => {
    const gone = await startFakeServer();
    await gone.close();
    await trial.use({ url: gone.origin });
    expect((await trial.failureOf()).reason).toBe('unreachable');
  });

  it('retries after the busy server’s Retry-After, and reports a server that stays busy', async () => {
    trial.answer(() => ({ status: 429, headers: { 'retry-after': '7' } }));
    expect(await trial.failureOf()).toMatchObject({ reason: 'busy', retryAfterS: 7 });
    expect(trial.workCalls()).toBe(3);
    expect(trial.waits.filter((ms) => ms === 7000).length).toBe(2);
  });

  it('does not wait if Retry-After is minutes away', async () => {
    trial.answer(() => ({ status: 503, headers: { 'retry-after': '120' } }));
    expect(await trial.failureOf()).toMatchObject({ reason: 'busy', retryAfterS: 120 });
    expect(trial.workCalls()).toBe(1);
  });

  it.each([429, 500, 502, 503, 504])('succeeds after one response with status %i', async (status) => {
    trial.answer((nth) => (nth === 1 ? { status } : undefined));
    expect((await sharp((await trial.ask()).bytes).metadata()).width).toBeGreaterThan(15);
    expect(trial.workCalls()).toBe(2);
  });

  it.each([400, 401, 402, 403, 404, 422])(
    'treats status %i as a refusal, without a retry',
    async (status) => {
      trial.answer(() => ({ status }));
      expect((await trial.failureOf()).reason).toBe('refused');
      expect(trial.workCalls()).toBe(1);
    },
  );

  it('follows no redirect', async () => {
    const location = `${trial.bench.server.origin}/elsewhere`;
    trial.answer(() => ({ status: 307, headers: { location } }));
    expect([(await trial.failureOf()).reason, trial.workCalls()]).toEqual(['refused', 1]);
    expect(trial.bench.server.calls.some(({ path }) => path === '/elsewhere')).toBe(false);
  });
}

function describeAnswers(trial: Trial): void {
  it.each<[string, Buffer]>([
    ['words', Buffer.from('<h1>Starting</h1>')],
    ['a GIF', Buffer.from('GIF89a----------')],
    ['a TIFF', Buffer.from('II*\0------------')],
    ['nothing', Buffer.alloc(0)],
  ])('rejects %s as a picture', async (_, bytes) => {
    trial.bench.sendAsPicture(bytes);
    expect((await trial.failureOf()).reason).toBe('broken');
  });

  it('reports an HTML page as broken', async () => {
    trial.answer(() => ({ body: '<h1>Starting</h1>' }));
    expect((await trial.failureOf()).reason).toBe('broken');
  });

  it('limits the response size', async () => {
    trial.bench.sendAsPicture(Buffer.alloc(40_000));
    await trial.use({ maxAnswerBytes: 30_000 });
    const { reason, message } = await trial.failureOf();
    expect([reason, message]).toEqual(['broken', expect.stringMatching(/30000 bytes/)]);
  });

  it('reveals no secrets, not even those that the server echoes', async () => {
    const body = { error: { message: `the key ${secret} is wrong` }, detail: secret, message: secret };
    for (const status of [200, 400, 401, 403, 429, 500]) {
      trial.answer(() => ({ status, body }));
      expectNoSecret(await trial.failureOf());
    }
    await trial.use({ timeoutMs: 100 });
    trial.answer(() => 'silence');
    expectNoSecret(await trial.failureOf());
    expect(trial.engine.version).not.toContain(secret);
  });
}

function describeEnds(trial: Trial): void {
  it('times out and cancels at the server', async () => {
    trial.answer(() => 'silence');
    await trial.use({ timeoutMs: 200 });
    expect((await trial.failureOf()).reason).toBe('unreachable');
    // On a slow machine, the time may be up before there is any work to cancel.
    if (trial.bench.isStop && trial.workCalls() > 0) await trial.bench.server.seen(trial.bench.isStop);
  });

  it('stops at once on abort, and cancels at the server', async () => {
    const enough = new Error('enough');
    const controller = new AbortController();
    trial.answer(() => 'silence');
    const asking = trial.ask({ signal: controller.signal });
    await trial.bench.server.seen(trial.bench.isWork);
    controller.abort(enough);
    await expect(asking).rejects.toBe(enough);
    if (trial.bench.isStop) await trial.bench.server.seen(trial.bench.isStop);
  });
}

function expectNoSecret(failure: Error): void {
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    const output = [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), error.stack].join(
      ' ',
    );
    expect(output).not.toContain(secret);
    expect(output).not.toContain(Buffer.from(secret).toString('base64'));
  }
}
