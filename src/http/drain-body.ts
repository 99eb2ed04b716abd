/**
 * Reads the rest of a refused body before the answer, for clients that end the connection with their call, such as Python's
 * urllib. They send all of the body before they read; closed earlier, the connection would be reset and the answer lost.
 * Connections that stay open need none of this: Node reads the rest after the answer.
 */
import type { IncomingMessage } from 'node:http';
import type { Server } from './dependencies.ts';

export interface DrainLimits {
  readonly mostBytes: number;
  readonly mostMs: number;
}

const defaults: DrainLimits = { mostBytes: 128 * 1024 * 1024, mostMs: 20_000 };

export function drainRefusedBodies(server: Server, limits = defaults): void {
  server.addHook('onSend', async ({ raw }, reply) => {
    // A connection that we close ourselves is not worth waiting for.
    if (raw.complete || reply.raw.shouldKeepAlive || reply.hasHeader('connection')) return;
    await drain(raw, limits);
  });
}

async function drain(body: IncomingMessage, { mostBytes, mostMs }: DrainLimits): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) resolve();
  };
  const timer = setTimeout(resolve, mostMs);
  const events = ['end', 'close', 'error'] as const;
  for (const event of events) body.once(event, resolve);
  body.on('data', count).resume();
  await promise;
  clearTimeout(timer);
  for (const event of events) body.off(event, resolve);
  body.off('data', count);
}
