/** For tests: stands between the service and a server, and can stall, cut or refuse what passes. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface FaultyProxy {
  /** Where the server seems to be. */
  readonly port: number;
  /** Everything passes, what was stalled too; the first state. */
  pass(): Promise<void>;
  /** Connections are taken and kept, and nothing passes either way. */
  stall(): void;
  /** Ends every connection with a reset, now; new ones pass. */
  cut(): void;
  /** Cuts whenever so many bytes were sent to the server since the last time, until told otherwise. */
  cutEvery(bytes: number): void;
  /** Ends every connection, now and until told otherwise; nobody listens. */
  refuse(): Promise<void>;
  /** Refuses and passes in turn, each for so long. */
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
      // Nobody here is too slow for a test; stalling pauses the reading itself.
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
