/** The deadline of a call that waits for work. */
import type { FastifyReply } from 'fastify';
import type { Deadline } from '../deadline.ts';
import { disconnectSignal } from './disconnect-signal.ts';

/**
 * Counted from the call's arrival, and ends early if the client disconnects. `what` names the work in the
 * message.
 */
export const callDeadline = (reply: FastifyReply, timeoutMs: number, what: string): Deadline => ({
  timeoutMs,
  elapsedMs: reply.elapsedTime,
  signal: disconnectSignal(reply),
  what,
});
