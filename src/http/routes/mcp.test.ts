import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { addJsonBodies } from '../json-body.ts';
import { addMcp } from './mcp.ts';

const server = Fastify({ forceCloseConnections: true });
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

it('bodies of one account that never end leave places for other accounts', async () => {
  const published = { requests: { jsonBytes: 10_000 }, deadlineMs: { preview: 1_000 } };
  server.decorateRequest('caller', null);
  server.decorateRequest('failure', null);
  addJsonBodies(server as unknown as Server, { graceMs: 60_000, minBytesPerSecond: 0 });
  const begun = Promise.withResolvers<void>();
  let calls = 0;
  addMcp(
    server as unknown as Server,
    { publicUrl: undefined, published } as ServerDependencies,
    async (request) => {
      const keyId = String(request.headers['x-api-key']);
      const rate = { perSecond: 1, burst: 1 };
      request.caller = { accountId: keyId.split('/')[0]!, keyId, scopes: [], sandbox: false, rate };
      if (++calls === 8) begun.resolve();
    },
  );
  await server.listen();
  const { port } = server.server.address() as AddressInfo;
  for (let i = 0; i < 8; i++) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: x\r\nX-Api-Key: acc_a/${i % 2}\r\nContent-Length: 1000\r\n\r\n`,
    );
  }
  await begun.promise;
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': 'acc_b',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(answer.status).toBe(200);
});
