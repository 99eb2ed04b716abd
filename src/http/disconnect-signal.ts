/** Signal for aborting work when the client that waits for it disconnects. */
import type { FastifyReply } from 'fastify';

/** Aborts when the connection closes before the response is complete. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('the caller is gone'));
  };
  // The connection may already have closed during key lookup, and `close` is emitted only once.
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
  return gone.signal;
}
