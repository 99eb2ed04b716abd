import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHostResolver } from './resolve-host.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

const typeA = 1;

/**
 * A name server that returns these addresses for A queries and no addresses for other queries. It does not respond if
 * `addresses` is undefined.
 */
async function startNameServer(addresses: readonly string[] | undefined): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (question, { port }) => {
    if (!addresses) return;
    // The name ends with an empty label; type and class follow it.
    const end = question.indexOf(0, 12) + 5;
    const answers = question.readUInt16BE(end - 4) === typeA ? addresses : [];
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    const records = answers.map((address) =>
      Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), port);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

const { signal } = new AbortController();

describe('the addresses of a host', () => {
  it('are those that its name server returns', async () => {
    const lookUp = createHostResolver([await startNameServer(['192.0.2.7', '192.0.2.8'])]);
    expect(await lookUp('shop.example', { isListed: false, signal })).toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '192.0.2.8', family: 4 },
    ]);
  });

  it('are never an empty list: a name without addresses causes an error', async () => {
    const lookUp = createHostResolver([await startNameServer([])]);
    await expect(lookUp('none.example', { isListed: false, signal })).rejects.toThrow();
  });

  it('need no thread while a name server is silent, and the signal ends the wait', async () => {
    const lookUp = createHostResolver([await startNameServer(undefined)]);
    const stop = new AbortController();
    let settled = 0;
    const waiting = Array.from({ length: 20 }, (_, i) =>
      lookUp(`slow${i}.example`, { isListed: false, signal: stop.signal }).finally(() => settled++),
    );
    const ended = Promise.allSettled(waiting);
    // Uses the thread pool that is shared by all lookups of the process.
    await dns.lookup('localhost');
    expect(settled).toBe(0);
    stop.abort(new Error('the caller left'));
    for (const outcome of await ended)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the caller left' } });
  });

  it('come from the system for listed names and names without a dot', async () => {
    const lookUp = createHostResolver([await startNameServer(undefined)]);
    for (const [host, isListed] of [
      ['localhost', false],
      ['127.0.0.1', true],
    ] as const)
      expect(await lookUp(host, { isListed, signal })).toContainEqual({
        address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        family: expect.any(Number),
      });
  });
});
