import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PackshotError } from '../../../errors/index.ts';
import { describeRemovalEngine, drawBall, readAt } from '../removal-engine.contract.ts';
import type { RemovalEngine } from '../removal-engine.ts';
import { type HttpSettings, openHttp } from './http.ts';

interface Call {
  readonly request: IncomingMessage;
  readonly form: FormData;
  readonly photo: Buffer;
}
type Answer = (response: ServerResponse, call: Call) => unknown;

/** Responses to the next calls, in this order; the last one repeats. */
let answers: Answer[] = [];
let calls: Call[] = [];
let server: Server;
let url: string;
const engines: RemovalEngine[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await buffer(request);
    const headers = { 'content-type': request.headers['content-type']! };
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    const file = form.get('file') ?? form.get('image');
    const call = { request, form, photo: Buffer.from(await (file as File).arrayBuffer()) };
    calls.push(call);
    await (answers.length > 1 ? answers.shift()! : answers[0]!)(response, call);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/remove`;
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  server.closeAllConnections();
});
afterAll(() => server.close());

const secret = 'Bearer a-very-secret-word';
const signal = new AbortController().signal;
const photo = drawBall(60, 40);

async function open(settings: Partial<HttpSettings> = {}): Promise<RemovalEngine> {
  const engine = await openHttp({
    url,
    headers: { authorization: secret },
    fields: [['om', 'true']],
    fileField: 'file',
    timeoutMs: 2_000,
    retries: 2,
    wait: async () => undefined,
    ...settings,
  });
  engines.push(engine);
  return engine;
}

/** Opens an engine and, after its startup check, clears `calls` and sets the responses of the test. */
async function openFor(answersToCome: Answer[], settings?: Partial<HttpSettings>): Promise<RemovalEngine> {
  answers = [answerMask()];
  const engine = await open(settings);
  calls = [];
  answers = answersToCome;
  return engine;
}

const send =
  (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);

/**
 * Like rembg with `om=true`: responds with a gray mask of the photo's size in which the photo's dark pixels are
 * subject; `encode` may change the mask.
 */
function answerMask(encode = (mask: Sharp, _width: number, _height: number) => mask.png()): Answer {
  return async (response, { photo: sent }) => {
    const { width, height } = await sharp(sent).metadata();
    const mask = await sharp(sent).greyscale().threshold(170).negate().png().toBuffer();
    const body = await encode(sharp(mask), width, height).toBuffer();
    response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  };
}

/** Like rembg without `om`: responds with the photo plus an alpha channel, which is the matte. */
const answerCutout: Answer = async (response, { photo: sent }) => {
  const mask = await sharp(sent).greyscale().threshold(170).negate().toColourspace('b-w').png().toBuffer();
  const body = await sharp(sent).joinChannel(mask).png().toBuffer();
  response.writeHead(200, { 'content-type': 'image/png' }).end(body);
};

describeRemovalEngine('http', async () => {
  answers = [answerMask((mask) => mask.png())];
  return openHttp({ url, headers: {}, fields: [], fileField: 'file', timeoutMs: 5_000, retries: 0 });
});

describe('the http engine', () => {
  it('sends a form in the format of the rembg server, with the configured headers', async () => {
    const engine = await openFor([answerMask()], {
      url: `${url}?tier=gpu`,
      fields: [
        ['om', 'true'],
        ['model', 'birefnet-general'],
      ],
    });
    await engine.predictMatte(photo, { signal });
    const [{ request, form, photo: sent }] = calls as [Call];
    expect(request.method).toBe('POST');
    expect(request.url).toBe('/api/remove?tier=gpu');
    expect(request.headers).toMatchObject({ authorization: secret, 'accept-encoding': 'identity' });
    expect([form.get('om'), form.get('model')]).toEqual(['true', 'birefnet-general']);
    expect(await sharp(sent).metadata()).toMatchObject({ format: 'jpeg', width: 60, height: 40 });
  });

  it('sends a photo of at most 2048 px per side, in the configured field', async () => {
    const engine = await openFor([answerMask()], { fileField: 'image' });
    const matte = await engine.predictMatte(drawBall(4000, 100), { signal });
    expect(calls[0]?.form.has('image')).toBe(true);
    expect([matte.width, matte.height]).toEqual([2048, 51]);
  });

  it.each<[string, Answer]>([
    ['a gray PNG', answerMask((mask) => mask.toColourspace('b-w').png())],
    ['a color PNG whose pixels are all gray', answerMask((mask) => mask.toColourspace('srgb').png())],
    ['a 16-bit PNG', answerMask((mask) => mask.toColourspace('grey16').png())],
    ['a JPEG', answerMask((mask) => mask.toColourspace('srgb').jpeg())],
    [
      'a mask with a solid alpha channel',
      answerMask((mask) => mask.toColourspace('srgb').ensureAlpha().png()),
    ],
    ['a larger mask', answerMask((mask, width, height) => mask.resize(width * 2, height * 2).png())],
    ['a cutout whose alpha channel is the matte', answerCutout],
  ])('reads %s', async (_, answer) => {
    const engine = await openFor([answer]);
    const matte = await engine.predictMatte(photo, { signal });
    expect([matte.width, matte.height]).toEqual([60, 40]);
    expect(readAt(matte, 0.5, 0.5)).toBeGreaterThan(240);
    expect(readAt(matte, 0.05, 0.05)).toBeLessThan(15);
  });

  it.each([500, 503, 429])('retries after status %i', async (status) => {
    const engine = await openFor([send(status), answerMask()]);
    await expect(engine.predictMatte(photo, { signal })).resolves.toMatchObject({ width: 60 });
    expect(calls.length).toBe(2);
  });

  it('waits as long as Retry-After says; without Retry-After, it waits longer after each attempt', async () => {
    const waits: number[] = [];
    const wait = async (ms: number) => waits.push(ms);
    const past = new Date(0).toUTCString();
    const engine = await openFor(
      [
        send(500),
        send(500),
        send(429, { 'retry-after': '3' }),
        send(503, { 'retry-after': past }),
        send(503, { 'retry-after': 'soon' }),
        answerMask(),
      ],
      { wait, retries: 9 },
    );
    await engine.predictMatte(photo, { signal });
    expect(waits).toEqual([500, 1000, 3000, 0, 8000]);
  });

  it('fails at once with the service’s Retry-After if that wait would exceed the engine’s time limit', async () => {
    const engine = await openFor([send(429, { 'retry-after': '600' })]);
    await expect(engine.predictMatte(photo, { signal })).rejects.toMatchObject({
      code: 'not_ready',
      retryAfterS: 600,
    });
    expect(calls.length).toBe(1);
  });

  it('gives up after the configured number of attempts', async () => {
    const engine = await openFor([send(502)], { retries: 1 });
    await expect(engine.predictMatte(photo, { signal })).rejects.toMatchObject({ code: 'not_ready' });
    expect(calls.length).toBe(2);
  });

  it.each<[string, Answer]>([
    ['never responds', () => undefined],
    ['responds too slowly', (response) => trickle(response)],
    [
      'closes the connection during the response',
      (response) => response.writeHead(200, { 'content-length': 100 }).write('begun') && response.destroy(),
    ],
    ['closes the connection without a response', (response) => response.destroy()],
  ])('fails with a retryable error if the service %s', async (_, answer) => {
    const engine = await openFor([answer], { timeoutMs: 1_000, retries: 1 });
    await expect(engine.predictMatte(photo, { signal })).rejects.toMatchObject({ code: 'not_ready' });
    expect(calls.length).toBe(2);
  });

  it.each<[string, Answer, string, RegExp]>([
    ['a web page', send(200, {}, '<h1>Starting</h1>'), 'not_ready', /no readable picture/],
    [
      'half a picture',
      async (response, call) => answerMask((mask) => mask.png())(cutShort(response), call),
      'not_ready',
      /no readable picture/,
    ],
    ['a GIF', answerMask((mask) => mask.gif()), 'not_ready', /no readable picture/],
    [
      'a mask with another aspect ratio',
      answerMask((mask) => mask.resize(60, 60, { fit: 'fill' }).png()),
      'internal',
      /different aspect ratio/,
    ],
    ['the photo itself', (response, { photo: sent }) => response.end(sent), 'internal', /colored picture/],
    ['too many bytes', send(200, {}, Buffer.alloc(5000)), 'internal', /more than 4000 bytes/],
    [
      'endless bytes',
      (response) => response.writeHead(200).write(Buffer.alloc(5000)),
      'internal',
      /more than 4000/,
    ],
    ['status 403', send(403), 'internal', /status 403/],
    ['a redirect', send(307, { location: '/api/remove' }), 'internal', /responded with a redirect/],
  ])('refuses %s without a retry', async (_, answer, code, message) => {
    const engine = await openFor([answer], { maxAnswerBytes: 4000 });
    const failure = await failureOf(engine);
    expect([failure.code, calls.length]).toEqual([code, 1]);
    expect(failure.message).toMatch(message);
  });

  it('reveals neither its headers nor its URL’s query in an error', async () => {
    for (const answer of [
      send(401, { 'www-authenticate': secret }, secret),
      send(500, {}, secret),
      () => undefined,
    ] as Answer[]) {
      const engine = await openFor([answer], { url: `${url}?key=hidden-word`, timeoutMs: 1_000, retries: 0 });
      const failure = await failureOf(engine);
      const told = `${failure.stack} ${(failure.cause as Error).stack} ${JSON.stringify([failure, failure.cause])}`;
      expect(told).toContain('/api/remove');
      expect(told).not.toMatch(/secret|hidden/);
    }
  });

  it('stops when its caller aborts', async () => {
    const enough = new Error('enough');
    const controller = new AbortController();
    const engine = await openFor([() => controller.abort(enough)]);
    await expect(engine.predictMatte(photo, { signal: controller.signal })).rejects.toBe(enough);
    expect(calls.length).toBe(1);
  });

  it('opens while the service is not available yet, but not if the service refuses the call', async () => {
    answers = [send(503)];
    await expect(open()).resolves.toMatchObject({ id: 'http' });
    await expect(open({ url: 'http://127.0.0.1:1/' })).resolves.toMatchObject({ id: 'http' });
    answers = [send(401)];
    await expect(open()).rejects.toMatchObject({ code: 'internal' });
  });

  it('has a version that depends on the URL and the fields, but not on the key', async () => {
    answers = [answerMask()];
    const versionOf = async (settings: Partial<HttpSettings>) => (await open(settings)).version;
    const own = await versionOf({});
    expect(await versionOf({ headers: {} })).toBe(own);
    expect(await versionOf({ fields: [] })).not.toBe(own);
    expect(await versionOf({ url: `${url}?model=u2net` })).not.toBe(own);
  });
});

async function failureOf(engine: RemovalEngine): Promise<PackshotError> {
  const failure = await engine.predictMatte(photo, { signal }).catch((error: unknown) => error);
  if (!(failure instanceof PackshotError)) throw new Error(`no PackshotError: ${failure}`);
  return failure;
}

/** Each byte arrives in time, but the whole response never does. */
function trickle(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 20);
  response.on('close', () => clearInterval(timer));
}

/** Sends only the first half of each response, as if it were complete. */
function cutShort(response: ServerResponse): ServerResponse {
  const end = response.end.bind(response);
  response.end = ((body: Buffer) => end(body.subarray(0, body.length >> 1))) as ServerResponse['end'];
  return response;
}
