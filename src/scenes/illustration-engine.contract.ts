/** What every illustration engine must do, and what those must do besides that ask a server; run by each of them. */
import { inspect } from 'node:util';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CanvasSize } from '../rendering/render-target.ts';
import { type Call, type FakeServer, startFakeServer } from './engines/testing/fake-server.ts';
import {
  type IllustrationEngine,
  IllustrationFailure,
  type IllustrationMode,
  type IllustrationRequest,
  illustrationModes,
  type Scaffold,
} from './illustration-engine.ts';
import { composeSet } from './sets/compose-set.ts';
import { looksByStyle } from './sets/looks.ts';
import { makeFeatures } from './testing/silhouettes.ts';

const plan = composeSet({
  look: looksByStyle.stone[0]!,
  mode: 'warm',
  staging: 'upright-tall',
  ratio: '1:1',
  features: makeFeatures(),
  words: undefined,
  seed: 1,
});

/** Where the product stands in every scaffold of the tests, as shares of the canvas; nowhere near its own mirror image. */
const product = { left: 0.125, top: 0.25, width: 0.25, height: 0.5 };

/** A blue picture with a red product; the mask is 0 on the product and 255 elsewhere. */
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

/** Channel values in the middle of the product and in the middle of what is opposite. */
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
  const boundingBox = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  return mode === 'in-scene'
    ? { ...request, product: { cutoutPng: scaffold.picturePng, boundingBox } }
    : { ...request, scaffold };
}

export function describeIllustrationEngine(name: string, open: () => Promise<IllustrationEngine>): void {
  describe(`${name}, as an illustration engine`, () => {
    let engine: IllustrationEngine;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(() => engine.close());

    it('names itself and its version', () => {
      expect(engine.id).toBe(name);
      expect(engine.version).toContain(name);
    });

    it('has at least one mode, and none twice', () => {
      expect(engine.modes.length).toBeGreaterThan(0);
      expect(new Set(engine.modes).size).toBe(engine.modes.length);
      for (const mode of engine.modes) expect(illustrationModes).toContain(mode);
    });

    it('answers a picture in each of its modes, and leaves what it was given as it was', async () => {
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

    it('stops with the reason of a signal that is aborted', async () => {
      const reason = new Error('enough');
      const request = await makeRequest(engine.modes[0]!, { signal: AbortSignal.abort(reason) });
      await expect(engine.illustrate(request)).rejects.toBe(reason);
    });
  });
}

/** What the suite may change about an engine under test. */
export interface BenchSettings {
  readonly url?: string;
  readonly timeoutMs?: number;
  readonly maxAnswerBytes?: number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export interface Bench {
  readonly server: FakeServer;
  /** With two retries, against the server unless told, and with `secret` as its key or header. */
  readonly open: (settings: BenchSettings) => Promise<IllustrationEngine>;
  /** The call that the picture comes from. */
  readonly isWork: (call: Call) => boolean;
  /** What the server sends as the picture's file from now on; undefined for a real one. */
  readonly sendAsPicture: (bytes: Buffer | undefined) => void;
  /** The call that tells the server to stop, where its protocol has one. */
  readonly isStop?: (call: Call) => boolean;
}

export const secret = 'sk-a-very-secret-word';

export function describeRemoteIllustrationEngine(name: string, start: () => Promise<Bench>): void {
  describe(`${name}, as a client of a server`, () => {
    let bench: Bench;
    let engine: IllustrationEngine;
    let waits: number[];
    const use = async (settings: BenchSettings = {}) => {
      const wait = async (ms: number) => void waits.push(ms);
      engine = await bench.open({ wait, ...settings });
    };
    // The last mode is the one that needs the fewest pixels.
    const ask = async (changes: { readonly signal?: AbortSignal } = {}) =>
      engine.illustrate(await makeRequest(engine.modes.at(-1)!, changes));
    const failureOf = async (changes?: { readonly signal: AbortSignal }): Promise<IllustrationFailure> => {
      const failure = await ask(changes).catch((error: unknown) => error);
      if (!(failure instanceof IllustrationFailure))
        throw new Error(`no IllustrationFailure: ${inspect(failure)}`);
      return failure;
    };
    const workCalls = () => bench.server.calls.filter(bench.isWork).length;

    beforeAll(async () => {
      bench = await start();
    });
    beforeEach(async () => {
      bench.server.calls.length = 0;
      bench.server.interject = () => undefined;
      bench.sendAsPicture(undefined);
      waits = [];
      await use();
    });
    afterEach(() => engine.close());
    afterAll(() => bench.server.close());

    it('says that a server is not there', async () => {
      const gone = await startFakeServer();
      await gone.close();
      await use({ url: gone.origin });
      expect((await failureOf()).reason).toBe('unreachable');
    });

    it('comes back after the time that a busy server asks for, and says so when it stays busy', async () => {
      bench.server.interject = (call) =>
        bench.isWork(call) ? { status: 429, headers: { 'retry-after': '7' } } : undefined;
      expect(await failureOf()).toMatchObject({ reason: 'busy', retryAfterS: 7 });
      expect(workCalls()).toBe(3);
      expect(waits.filter((ms) => ms === 7000).length).toBe(2);
    });

    it('does not sit through a pause of minutes', async () => {
      bench.server.interject = (call) =>
        bench.isWork(call) ? { status: 503, headers: { 'retry-after': '120' } } : undefined;
      expect(await failureOf()).toMatchObject({ reason: 'busy', retryAfterS: 120 });
      expect(workCalls()).toBe(1);
    });

    it.each([429, 500, 502, 503, 504])('gets its picture after one answer with status %i', async (status) => {
      bench.server.interject = (call) => (bench.isWork(call) && workCalls() === 1 ? { status } : undefined);
      expect((await sharp((await ask()).bytes).metadata()).width).toBeGreaterThan(15);
      expect(workCalls()).toBe(2);
    });

    it.each<[number, string]>([
      [400, 'refused'],
      [401, 'refused'],
      [402, 'refused'],
      [403, 'refused'],
      [404, 'refused'],
      [422, 'refused'],
    ])('takes status %i for %s, once', async (status, reason) => {
      bench.server.interject = (call) => (bench.isWork(call) ? { status } : undefined);
      expect((await failureOf()).reason).toBe(reason);
      expect(workCalls()).toBe(1);
    });

    it('follows no redirect', async () => {
      const location = `${bench.server.origin}/elsewhere`;
      bench.server.interject = (call) =>
        bench.isWork(call) ? { status: 307, headers: { location } } : undefined;
      const failure = await failureOf();
      expect([failure.reason, workCalls()]).toEqual(['refused', 1]);
      expect(bench.server.calls.some(({ path }) => path === '/elsewhere')).toBe(false);
    });

    it.each<[string, Buffer]>([
      ['words', Buffer.from('<h1>Starting</h1>')],
      ['a GIF', Buffer.from('GIF89a----------')],
      ['a TIFF', Buffer.from('II*\0------------')],
      ['nothing', Buffer.alloc(0)],
    ])('takes %s for no picture', async (_, bytes) => {
      bench.sendAsPicture(bytes);
      expect((await failureOf()).reason).toBe('broken');
    });

    it('takes a page instead of an answer for no picture', async () => {
      bench.server.interject = (call) => (bench.isWork(call) ? { body: '<h1>Starting</h1>' } : undefined);
      expect((await failureOf()).reason).toBe('broken');
    });

    it('reads no more than its limit', async () => {
      bench.sendAsPicture(Buffer.alloc(40_000));
      await use({ maxAnswerBytes: 30_000 });
      const failure = await failureOf();
      expect(failure.reason).toBe('broken');
      expect(failure.message).toMatch(/30000 bytes/);
    });

    it('gives up in time, and tells the server', async () => {
      bench.server.interject = (call) => (bench.isWork(call) ? 'silence' : undefined);
      await use({ timeoutMs: 200 });
      expect((await failureOf()).reason).toBe('unreachable');
      if (bench.isStop) await bench.server.seen(bench.isStop);
    });

    it('stops at once when its caller does, and tells the server', async () => {
      const enough = new Error('enough');
      const controller = new AbortController();
      bench.server.interject = (call) => (bench.isWork(call) ? 'silence' : undefined);
      const asking = ask({ signal: controller.signal });
      await bench.server.seen(bench.isWork);
      controller.abort(enough);
      await expect(asking).rejects.toBe(enough);
      if (bench.isStop) await bench.server.seen(bench.isStop);
    });

    it('tells nobody its secrets, not even those that the server repeats', async () => {
      const body = { error: { message: `the key ${secret} is wrong` }, detail: secret, message: secret };
      for (const status of [400, 401, 403, 429, 500]) {
        bench.server.interject = (call) => (bench.isWork(call) ? { status, body } : undefined);
        expectNoSecret(await failureOf());
      }
      bench.server.interject = (call) => (bench.isWork(call) ? { body } : undefined);
      expectNoSecret(await failureOf());
      await use({ timeoutMs: 100 });
      bench.server.interject = (call) => (bench.isWork(call) ? 'silence' : undefined);
      expectNoSecret(await failureOf());
      expect(engine.version).not.toContain(secret);
    });
  });
}

function expectNoSecret(failure: Error): void {
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    const told = [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), error.stack].join(
      ' ',
    );
    expect(told).not.toContain(secret);
    expect(told).not.toContain(Buffer.from(secret).toString('base64'));
  }
}
