/** For tests: a proxy between the service and a server. It can stall, cut or refuse connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultyProxy {
  readonly port: number;
  /** Forwards everything, including data that `stall` held back. This is the initial mode. */
  pass(): Promise<void>;
  /** Accepts and keeps connections, but forwards nothing in either direction. */
  stall(): void;
  /** Resets every connection now; forwards new connections. */
  cut(): void;
  /** Resets all connections each time this many bytes have been sent to the server, until the mode changes. */
  cutEvery(bytes: number): void;
  /** Resets every connection and stops listening, until `pass` or `flap` is called. */
  refuse(): Promise<void>;
  /** Refuses and forwards in turn, each for this many milliseconds. */
  flap(everyMs: number): void;
  close(): Promise<void>;
}

export async function startFaultyProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<FaultyProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let stalled = false;
  let cutEveryBytes = Number.POSITIVE_INFINITY;
  let bytesLeft = cutEveryBytes;
  let flapping: NodeJS.Timeout | undefined;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...target, allowHalfOpen: true });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    relay(client, upstream);
    relay(upstream, client);
    client.on('data', (chunk: Buffer) => {
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) cut();
    });
    if (stalled) for (const socket of pair) socket.pause();
    upstream.once('close', () => pairs.delete(pair));
  });

  function relay(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      // Tests need no backpressure, and stalling pauses the source itself.
      if (!to.destroyed) to.write(chunk);
    });
    from.on('end', () => to.end());
    from.on('error', () => to.resetAndDestroy());
    from.on('close', () => to.destroy());
  }

  function cut(): void {
    bytesLeft = cutEveryBytes;
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy();
  }

  async function listen(port: number): Promise<void> {
    if (server.listening) return;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  async function refuse(): Promise<void> {
    const closed = server.listening ? once(server, 'close') : undefined;
    if (closed) server.close();
    cut();
    await closed;
  }

  await listen(0);
  const { port } = server.address() as AddressInfo;

  function settle(stalls: boolean, everyBytes = Number.POSITIVE_INFINITY): void {
    clearInterval(flapping);
    stalled = stalls;
    cutEveryBytes = everyBytes;
    bytesLeft = everyBytes;
    for (const pair of pairs) for (const socket of pair) stalls ? socket.pause() : socket.resume();
  }

  return {
    port,
    async pass() {
      settle(false);
      await listen(port);
    },
    stall: () => settle(true),
    cut,
    cutEvery: (bytes: number) => settle(false, bytes),
    async refuse() {
      settle(false);
      await refuse();
    },
    flap(everyMs: number) {
      settle(false);
      flapping = setInterval(() => void (server.listening ? refuse() : listen(port)), everyMs);
    },
    async close() {
      settle(false);
      await refuse();
    },
  };
}
