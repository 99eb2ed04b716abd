import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import type { Server } from './dependencies.ts';
import { stopGently } from './graceful-stop.ts';
import { sendProblem } from './problem.ts';

let server: Server;
let begun: (() => void) | undefined;
afterEach(() => server.close());

/** Starts a server that responds with the length of the body; returns its port. */
async function open(patience?: { bodyPatienceMs: number }): Promise<number> {
  server = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false }) as unknown as Server;
  server.decorateRequest('failure', null);
  server.setErrorHandler(sendProblem);
  stopGently(server, patience);
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.post('/', async (request) => {
    begun?.();
    return { length: (await text(request.raw)).length };
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  return (server.server.address() as AddressInfo).port;
}

const bodyLength = 2_000_000;
const half = Buffer.alloc(bodyLength / 2, 'x');
const head = `POST / HTTP/1.1\r\nHost: here\r\nContent-Type: image/png\r\nContent-Length: ${bodyLength}\r\n\r\n`;

/** Opens a connection. `answer` is everything received until the end; it rejects if the connection is reset. */
async function dial(port: number): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let said = '';
  socket.on('data', (part) => {
    said += part;
  });
  const answer = once(socket, 'end').then(() => said);
  answer.catch(() => undefined);
  await once(socket, 'connect');
  return { socket, answer };
}

const hasBegun = () =>
  new Promise<void>((resolve) => {
    begun = resolve;
  });

it('a stopping server responds in full to a call whose body is arriving when the stop begins', async () => {
  const port = await open();
  const begins = hasBegun();
  const { socket, answer } = await dial(port);
  socket.write(head);
  socket.write(half);
  await begins;
  const closed = server.close();
  socket.write(half);
  expect(await answer).toContain(`{"length":${bodyLength}}`);
  await closed;
});

it('a stopping server refuses new calls, but reads their bodies so that the responses are delivered', async () => {
  const port = await open();
  const begins = hasBegun();
  const held = await dial(port);
  held.socket.write(head);
  await begins;
  const late = await dial(port);
  const closed = server.close();
  late.socket.write(head);
  late.socket.write(half);
  await once(late.socket, 'data');
  late.socket.write(half);
  expect(await late.answer).toMatch(/^HTTP\/1.1 503 .*"code":"not_ready"/s);
  held.socket.write(half);
  held.socket.write(half);
  expect(await held.answer).toMatch(/^HTTP\/1.1 200 /);
  await closed;
});

it('a stopping server refuses a call whose body never ends, and stops', async () => {
  const port = await open({ bodyPatienceMs: 10 });
  const begins = hasBegun();
  const { socket, answer } = await dial(port);
  socket.write(head);
  await begins;
  await server.close();
  expect(await answer.catch(() => 'reset')).toMatch(/^HTTP\/1.1 503 .*"code":"not_ready"/s);
});
