import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { disconnectSignal } from './disconnect-signal.ts';

/** A generous timeout, reached only on failure. */
const eventually = { timeout: 10_000, interval: 10 };

let server: FastifyInstance;
let replies: FastifyReply[];
const release = () => {
  for (const reply of replies) reply.send('done');
};
beforeEach(async () => {
  server = Fastify();
  replies = [];
  server.get('/', (_request, reply) => void replies.push(reply));
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

async function call() {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await vi.waitFor(() => expect(replies).toHaveLength(1), eventually);
  return { socket, reply: replies[0]! };
}

describe('the signal of a disconnected caller', () => {
  it('aborts if the connection closes before the response', async () => {
    const { socket, reply } = await call();
    const signal = disconnectSignal(reply);
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await once(signal, 'abort');
    expect(String(signal.reason)).toContain('the caller is gone');
  });

  it('is already aborted if the connection closed before the signal was created', async () => {
    const { socket, reply } = await call();
    const closed = once(reply.raw, 'close');
    socket.destroy();
    await closed;
    expect(disconnectSignal(reply).aborted).toBe(true);
  });

  it('does not abort after the response is complete', async () => {
    const { socket, reply } = await call();
    const signal = disconnectSignal(reply);
    const closed = once(reply.raw, 'close');
    release();
    await closed;
    socket.destroy();
    expect(signal.aborted).toBe(false);
  });
});
