import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PackshotError } from '../../errors.ts';
import { describeRemovalEngine, drawBall, readAt } from '../removal-engine.contract.ts';
import type { RemovalEngine } from '../removal-engine.ts';
import { type HttpSettings, openHttp } from './http.ts';

interface Call {
  readonly request: IncomingMessage;
  readonly form: FormData;
  readonly photo: Buffer;
}
type Answer = (response: ServerResponse, call: Call) => unknown;

/** Answers the calls to come, in this order; the last one stays. */
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

/** An engine whose first small picture is over, and the calls and answers of the test only. */
async function openFor(answersToCome: Answer[], settings?: Partial<HttpSettings>): Promise<RemovalEngine> {
  answers = [answerMask()];
  const engine = await open(settings);
  calls = [];
  answers = answersToCome;
  return engine;
}

const send = (status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): Answer =>
  (response) => response.writeHead(status, headers).end(body);

/** As rembg with `om=true`: dark is subject, a grey picture of the photo's size. */
function answerMask(change: (mask: sharp.Sharp, size: { width: number; height: number }) => sharp.Sharp = (mask) => mask): Answer {
  return async (response, { photo: sent }) => {
    const size = await sharp(sent).metadata();
    // A sheet's sides are above the threshold and the products in these tests below it.
    const mask = sharp(await sharp(sent).greyscale().threshold(150).negate().png().toBuffer());
    const body = await change(mask, size).toBuffer();
    response.writeHead(200, { 'content-type': 'image/png' }).end(body);
  };
}

describeRemovalEngine('http', async () => {
  answers = [answerMask((mask) => mask.png())];
  return openHttp({ url, headers: {}, fields: [], fileField: 'file', timeoutMs: 5_000, retries: 0 });
});

describe('the http engine', () => {
  it('sends a form as the rembg server reads it, with the headers of the configuration', async () => {
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

  it('sends no more than 2048 px a side, under the field name that is configured', async () => {
    const engine = await openFor([answerMask()], { fileField: 'image' });
    const matte = await engine.predictMatte(drawBall(4000, 100), { signal });
    expect(calls[0]?.form.has('image')).toBe(true);
    expect([matte.width, matte.height]).toEqual([2048, 51]);
  });

  it.each<[string, Answer]>([
    ['a grey PNG', answerMask((mask) => mask.toColourspace('b-w').png())],
    ['a colour PNG that is grey', answerMask((mask) => mask.toColourspace('srgb').png())],
    ['a 16-bit grey PNG', answerMask((mask) => mask.toColourspace('grey16').png())],
    ['a JPEG', answerMask((mask) => mask.jpeg())],
    ['a mask with a solid alpha channel', answerMask((mask) => mask.toColourspace('srgb').ensureAlpha().png())],
    ['a larger mask', answerMask((mask, { width, height }) => mask.resize(width * 2, height * 2).png())],
    [
      'a picture whose alpha is the matte',
      answerMask((mask, { width, height }) =>
        sharp({ create: { width, height, channels: 3, background: '#b03020' } }).joinChannel([]).composite([]).joinChannel([]).unflatten().ensureAlpha().composite([{ input: { create: { width, height, channels: 4, background: '#0000' } }, blend: 'dest-in' }]).png(),
      ),
    ],
  ])('reads %s', async (_, answer) => {
    const engine = await openFor([answer]);
    const matte = await engine.predictMatte(photo, { signal });
    expect([matte.width, matte.height]).toEqual([60, 40]);
    expect(readAt(matte, 0.5, 0.5)).toBeGreaterThan(240);
    expect(readAt(matte, 0.05, 0.05)).toBeLessThan(15);
  });
});
