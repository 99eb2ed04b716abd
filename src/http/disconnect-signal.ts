/** Signal for aborting work when the client that waits for it disconnects. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** One for each response, however many steps of a call need it. */
const signals = new WeakMap<ServerResponse, AbortSignal>();

/** Aborts when the connection closes before the response is complete. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply.raw) ?? listen(reply);
  signals.set(reply.raw, known);
  return known;
}

function listen(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('the caller is gone'));
  };
  // The connection may already have closed during key lookup, and `close` is emitted only once.
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
  return gone.signal;
}
