/** Graceful stop: every request gets a response, even if the request's body is still arriving. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isStopping } from 'packshot-errors';
import type { Server } from './dependencies.ts';

/**
 * After an early refusal, the rest of the body is read for at most this long. If it were not read, the client would see
 * a connection reset.
 */
const drainMs = 1_000;
/**
 * At the start of a stop, new calls on existing connections still get a response (a refusal) for this long, instead of
 * being cut off.
 */
const lingerMs = 100;
/**
 * A body that is still arriving this long after the start of a stop is refused, so that the process exits within the
 * promised 30 s.
 */
const bodyPatienceMs = 25_000;

export function stopGently(server: Server, patience = { bodyPatienceMs }): void {
  let stopping = false;
  const answering = new Map<FastifyRequest, FastifyReply>();

  server.addHook('preClose', async () => {
    stopping = true;
    setTimeout(() => {
      for (const [request, reply] of answering) if (!request.raw.complete) reply.send(isStopping());
    }, patience.bodyPatienceMs).unref();
    await sleep(lingerMs);
  });
  server.addHook('onRequest', async (request, reply) => {
    if (stopping) throw isStopping();
    answering.set(request, reply);
    reply.raw.once('close', () => answering.delete(request));
  });
  server.addHook('onSend', async ({ raw }, reply) => {
    answering.delete(reply.request);
    if (!stopping) return;
    // A connection that is kept alive after its last response would delay the stop indefinitely.
    if (raw.complete) reply.header('connection', 'close');
    // Closing the connection while a body arrives would reset it and lose the response; the `onResponse` hook closes it
    // later.
    else reply.raw.removeHeader('connection');
  });
  server.addHook('onResponse', async ({ raw }) => {
    const close = () => stopping && raw.socket.destroySoon();
    if (raw.complete || raw.destroyed) {
      close();
      return;
    }
    raw.once('end', close).resume();
    setTimeout(() => raw.complete || raw.destroy(), drainMs).unref();
  });
}
