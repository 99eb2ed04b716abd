/** How a server stops: every caller hears an answer, also one whose body is still on its way. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PackshotError } from '../errors.ts';
import type { Server } from './dependencies.ts';

/** After an early refusal the rest of the body is read for this long, or the client would see a reset instead. */
const drainMs = 1_000;
/** Calls whose connection was there before the stop, and which are only now sent, are told so instead of cut off. */
const lingerMs = 100;
/** A body that takes longer is refused, so that the process ends within the 30 s that it promises. */
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
    // A connection kept alive past its last answer would hold up the stop for as long as its client likes.
    if (raw.complete) reply.header('connection', 'close');
    // Closed with a body on its way it would be reset, and the answer with it: below it is closed behind its body.
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

const isStopping = () => new PackshotError('not_ready', 'The service is stopping.', { retryAfterS: 5 });
