/** A local server with responses scripted by the test; it records the requests. */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

export interface Call {
  readonly method: string;
  /** The request's path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of any shape
  readonly json: any;
  readonly form: FormData | undefined;
}

/** An object as `body` is sent as JSON. `silence`: never responds. `break`: closes the connection in mid-response. */
export type Reply =
  | 'silence'
  | 'break'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array | object;
    };
type Handler = (call: Call) => Reply | undefined | Promise<Reply | undefined>;

export interface FakeServer {
  readonly origin: string;
  readonly calls: Call[];
  handle: Handler;
  /** Called before `handle`. If it returns a reply, that is sent instead. */
  interject: Handler;
  /** Resolves to the first call that fits; if there is none yet, waits for one. */
  seen(fits: (call: Call) => boolean): Promise<Call>;
  close(): Promise<void>;
}

export async function startFakeServer(): Promise<FakeServer> {
  const arrivals = new EventEmitter();
  arrivals.setMaxListeners(100);
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    fake.calls.push(call);
    arrivals.emit('call');
    send(response, (await fake.interject(call)) ?? (await fake.handle(call)) ?? { status: 404 });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const fake: FakeServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    handle: () => undefined,
    interject: () => undefined,
    async seen(fits) {
      for (;;) {
        const call = fake.calls.find(fits);
        if (call !== undefined) return call;
        await once(arrivals, 'call');
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

/** The picture that a fake engine sends: gray, unless a test replaces it. */
export function createPictureToSend() {
  let replacement: Buffer | undefined;
  return {
    drawPicture: async (width = 64, height = width): Promise<Buffer> =>
      replacement ??
      sharp({ create: { width, height, channels: 3, background: '#888' } })
        .png()
        .toBuffer(),
    sendAsPicture: (bytes: Buffer | undefined): void => {
      replacement = bytes;
    },
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const body = await buffer(request);
  const url = new URL(request.url ?? '/', 'http://localhost');
  const type = request.headers['content-type'] ?? '';
  const ofType = (name: string) => type.startsWith(name) && body.length > 0;
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body,
    json: ofType('application/json') ? JSON.parse(body.toString()) : undefined,
    form: ofType('multipart/form-data')
      ? await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
      : undefined,
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'silence') return;
  if (reply === 'break') {
    response.writeHead(200, { 'content-length': '100' }).write('{"half":');
    response.socket?.end();
    return;
  }
  const { status = 200, headers = {}, body = '' } = reply;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const type = raw ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers }).end(raw ? body : JSON.stringify(body));
}

export function readFile(form: FormData | undefined, field: string): File {
  const file = form?.get(field);
  if (!(file instanceof File)) throw new Error(`no file in the field ${field}`);
  return file;
}
