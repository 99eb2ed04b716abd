/** The deadline of a call that waits for a cutout or a picture. */
import type { FastifyReply } from 'fastify';
import type { Deadline } from '../deadline.ts';
import { disconnectSignal } from './disconnect-signal.ts';

/**
 * Counts from the arrival of the call; also aborts if the client disconnects. `what` names the work in the error
 * message.
 */
export const callDeadline = (reply: FastifyReply, timeoutMs: number, what: string): Deadline => ({
  timeoutMs,
  elapsedMs: reply.elapsedTime,
  signal: disconnectSignal(reply),
  what,
});
