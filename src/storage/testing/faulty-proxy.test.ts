import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

let server: Server;
let proxy: FaultyProxy;
beforeEach(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  proxy = await startFaultyProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
});
afterEach(async () => {
  await proxy.close();
  server.close();
});

function call() {
  const socket = connect(proxy.port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  const ended = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    socket.once('end', () => resolve('end'));
  });
  const hears = (text: string) => expect.poll(() => heard, { timeout: 5_000 }).toBe(text);
  return { socket, ended, hears, heard: () => heard };
}

describe('a faulty proxy', () => {
  it('forwards data in both directions', async () => {
    const { socket, ended, hears } = call();
    socket.write('hello');
    await hears('hello');
    socket.end();
    expect(await ended).toBe('end');
  });

  it('stalls existing and new connections, and forwards the data later', async () => {
    const old = call();
    old.socket.write('one ');
    await old.hears('one ');
    proxy.stall();
    const young = call();
    old.socket.write('two');
    young.socket.write('three');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([old.heard(), young.heard()]).toEqual(['one ', '']);
    await proxy.pass();
    await old.hears('one two');
    await young.hears('three');
  });

  it('cuts existing connections, and accepts new connections', async () => {
    const old = call();
    old.socket.write('x');
    await old.hears('x');
    proxy.cut();
    expect(await old.ended).toBe('ECONNRESET');
    const young = call();
    young.socket.write('y');
    await young.hears('y');
  });

  it('cuts all connections each time the given number of bytes was sent, until the mode changes', async () => {
    proxy.cutEvery(1_000);
    for (let i = 0; i < 2; i++) {
      const { socket, ended } = call();
      socket.write('x'.repeat(2_000));
      expect(await ended).toBe('ECONNRESET');
    }
    await proxy.pass();
    const { socket, hears } = call();
    socket.write('x'.repeat(2_000));
    await hears('x'.repeat(2_000));
  });

  it('refuses all connections until `pass` is called, and then listens at the same port', async () => {
    const old = call();
    old.socket.write('x');
    await old.hears('x');
    await proxy.refuse();
    expect(await old.ended).toBe('ECONNRESET');
    expect(await call().ended).toBe('ECONNREFUSED');
    await proxy.pass();
    const { socket, hears } = call();
    socket.write('y');
    await hears('y');
  });

  it('flaps: refuses and forwards in turn', async () => {
    proxy.flap(20);
    const outcomes = new Set<string>();
    const outcomeOf = async () => {
      const { socket, ended } = call();
      return outcomes.add(
        await Promise.race([ended, once(socket, 'connect').then(() => 'connected', String)]),
      ).size;
    };
    await expect.poll(outcomeOf, { timeout: 5_000, interval: 5 }).toBeGreaterThan(1);
  });
});
