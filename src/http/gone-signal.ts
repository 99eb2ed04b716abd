/** Tells work when nobody waits for it any longer. */
import type { FastifyReply } from 'fastify';

/** Aborts when the connection closes before the answer is out. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new Error('the caller is gone'));
  });
  return gone.signal;
}
