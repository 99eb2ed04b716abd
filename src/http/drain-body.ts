/**
 * Reads the rest of a refused body before responding, for clients that do not keep the connection alive, such as
 * Python's urllib. Such a client sends the whole body before it reads the response. If we closed the connection while
 * the client still sends, it would be reset, and the response would be lost. On keep-alive connections, Node reads the
 * rest of the body after the response, except after a body that exceeds the limit of Fastify's parser: Fastify then
 * closes the connection, so the body is drained here as well.
 */
import { IncomingMessage } from 'node:http';
import type { Server } from './dependencies.ts';

export interface DrainLimits {
  readonly mostBytes: number;
  readonly mostMs: number;
}

const defaults: DrainLimits = { mostBytes: 128 * 1024 * 1024, mostMs: 20_000 };

/** Requests whose clients wait for `100 Continue` before they send the body. */
const unsent = new WeakSet<IncomingMessage>();

/**
 * Answers `Expect: 100-continue` when the body is first read, instead of at once as Node does: so a call that is refused
 * by its headers gets the refusal, and need not send the body (RFC 9110, 10.1.1).
 */
export function continueOnRead({ server }: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response) => {
    unsent.add(request);
    request._read = (size) => {
      if (unsent.delete(request) && !response.headersSent) response.writeContinue();
      IncomingMessage.prototype._read.call(request, size);
    };
    server.emit('request', request, response);
  });
}

export function drainRefusedBodies(server: Server, limits = defaults): void {
  server.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete) return;
    if (unsent.has(raw)) {
      // Whether the client sends the body after all is unknown, so the connection cannot be used again.
      reply.header('connection', 'close');
      return;
    }
    const isTooLarge = reply.statusCode === 413;
    // If the Connection header is set, the connection will be closed: by Fastify after a body that is too large, or by
    // us because the body came too slowly. In the second case, do not wait for the rest.
    if (reply.hasHeader('connection') ? !isTooLarge : reply.raw.shouldKeepAlive) return;
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
