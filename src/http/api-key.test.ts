import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Authentication } from '../accounts/authenticate.ts';
import { createPictureLine } from '../rendering/picture-line.ts';
import { createKeyCheck } from './api-key.ts';

/** A generous timeout, reached only on failure. */
const eventually = { timeout: 10_000, interval: 10 };

const known: Authentication = {
  rate: undefined,
  outcome: {
    caller: {
      accountId: 'acc_a',
      keyId: 'key_a',
      scopes: ['upload'],
      sandbox: false,
      rate: { perSecond: 1, burst: 1 },
    },
  },
};

let server: FastifyInstance;
let lookUp: () => Promise<Authentication>;
let arrived: FastifyReply[];
let served: FastifyReply[];
beforeEach(async () => {
  server = Fastify();
  lookUp = async () => known;
  arrived = [];
  served = [];
  server.decorateRequest('caller', null);
  server.addHook('onRequest', async (_request, reply) => void arrived.push(reply));
  server.addHook(
    'onRequest',
    createKeyCheck(
      server,
      () => lookUp(),
      { inFlight: 1, deadlineMs: { preview: 60_000, generated: 60_000 } },
      createPictureLine(1),
    ),
  );
  server.get('/', (_request, reply) => void served.push(reply));
  server.get('/upload', { config: { scope: 'upload' } }, (_request, reply) => void served.push(reply));
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await server.close();
});

async function call(path = '/') {
  const before = arrived.length;
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\n\r\n`);
  await vi.waitFor(() => expect(arrived).toHaveLength(before + 1), eventually);
  return { socket, raw: arrived.at(-1)!.raw };
}

describe('a slot for a concurrent call', () => {
  it('is refused to a call that waits for it when the service stops', async () => {
    const { socket: first } = await call();
    await vi.waitFor(() => expect(served).toHaveLength(1), eventually);
    const { socket } = await call();
    const answer = text(socket);
    const closed = server.close();
    expect(await answer).toContain('HTTP/1.1 503');
    served[0]!.send('');
    first.destroy();
    await closed;
    expect(served).toHaveLength(1);
  });

  it('is released once the caller disconnects', async () => {
    const { socket, raw } = await call();
    await vi.waitFor(() => expect(served).toHaveLength(1), eventually);
    const closed = once(raw, 'close');
    socket.destroy();
    await closed;
    (await call()).socket.destroy();
    await vi.waitFor(() => expect(served).toHaveLength(2), eventually);
  });

  it('is not taken, and no work is done, for a caller who disconnected during the key lookup', async () => {
    const found = Promise.withResolvers<Authentication>();
    lookUp = () => found.promise;
    const { socket, raw } = await call();
    const closed = once(raw, 'close');
    socket.destroy();
    await closed;
    found.resolve(known);
    lookUp = async () => known;
    const next = await call();
    await vi.waitFor(() => expect(served).toHaveLength(1), eventually);
    expect(served[0]!.raw).toBe(next.raw);
    next.socket.destroy();
  });

  it('is granted to an upload first, whose body would else be unread for long', async () => {
    const calls = [await call(), await call(), await call('/upload')];
    await vi.waitFor(() => expect(served).toHaveLength(1), eventually);
    calls[0]!.socket.destroy();
    await vi.waitFor(() => expect(served.at(-1)!.raw).toBe(calls[2]!.raw), eventually);
    calls[2]!.socket.destroy();
    await vi.waitFor(() => expect(served.at(-1)!.raw).toBe(calls[1]!.raw), eventually);
    calls[1]!.socket.destroy();
  });

  it('is granted in order of arrival, skipping callers who have disconnected', async () => {
    const calls = [await call(), await call(), await call(), await call()];
    await vi.waitFor(() => expect(served).toHaveLength(1), eventually);
    const hungUp = once(calls[1]!.raw, 'close');
    calls[1]!.socket.destroy();
    await hungUp;
    for (const [index, next] of [
      [0, 2],
      [2, 3],
    ] as const) {
      calls[index]!.socket.destroy();
      await vi.waitFor(() => expect(served.at(-1)!.raw).toBe(calls[next]!.raw), eventually);
    }
    expect(served).toHaveLength(3);
    calls[3]!.socket.destroy();
  });
});
