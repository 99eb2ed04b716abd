/** Tells work when nobody waits for it any longer. */
import type { FastifyReply } from 'fastify';

/** Aborts when the connection closes before the answer is out. */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('the caller is gone'));
  };
  // It may have closed while the key was looked up, and closes only once.
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
  return gone.signal;
}
