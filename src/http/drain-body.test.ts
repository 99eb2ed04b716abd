import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import type { Server } from './dependencies.ts';
import { drainRefusedBodies } from './drain-body.ts';

const mebibyte = 1024 * 1024;
const server = () => {
  const made = Fastify() as unknown as Server;
  made.removeContentTypeParser('*');
  made.addContentTypeParser('*', (_request, _payload, done) => done(null));
  made.post('/', async (_request, reply) => reply.status(413).send('too large'));
  opened.push(made);
  return made;
};
const opened: Server[] = [];
afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

/** Sends the whole body before it reads the response, as urllib does. Rejects if the connection is reset. */
async function sendThenRead(
  to: Server,
  body: number,
  connection = 'close',
): Promise<{ answer: string; sent: number }> {
  await to.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((to.server.address() as AddressInfo).port, '127.0.0.1');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.on('error', reject);
  let answer = '';
  socket.pause();
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('close', () => resolve(answer));
  socket.pause();
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\ncontent-length: ${body}\r\n\r\n`);
  for (let sent = 0; sent < body; sent += mebibyte) {
    const { promise: written, resolve: done } = Promise.withResolvers<void>();
    socket.write(Buffer.alloc(Math.min(mebibyte, body - sent)), () => done());
    await Promise.race([written, promise]);
  }
  socket.resume();
  return { answer: await promise, sent: socket.bytesWritten };
}

it('a client without keep-alive can send all of a refused body, and then read the error', async () => {
  const draining = server();
  drainRefusedBodies(draining);
  const { answer, sent } = await sendThenRead(draining, 60 * mebibyte);
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*too large$/s);
  expect(sent).toBeGreaterThan(60 * mebibyte);
});

it('a client can send all of a body that exceeds the body parser’s limit', async () => {
  const limited = server();
  limited.removeAllContentTypeParsers();
  limited.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1000 }, (_request, body, done) =>
    done(null, body),
  );
  drainRefusedBodies(limited);
  const { answer, sent } = await sendThenRead(limited, 60 * mebibyte, 'keep-alive');
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(sent).toBeGreaterThan(60 * mebibyte);
});

it('draining a refused body stops after a limited number of bytes', async () => {
  const draining = server();
  drainRefusedBodies(draining, { mostBytes: mebibyte, mostMs: 60_000 });
  await expect(sendThenRead(draining, 100 * mebibyte)).rejects.toMatchObject({
    code: expect.stringMatching(/EPIPE|ECONNRESET/),
  });
});

it('draining a refused body stops after a limited time, even if no data arrives', async () => {
  const draining = server();
  drainRefusedBodies(draining, { mostBytes: mebibyte, mostMs: 50 });
  await draining.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((draining.server.address() as AddressInfo).port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('close', () => resolve(answer));
  socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 9\r\n\r\n');
  expect(await promise).toContain('413');
});
