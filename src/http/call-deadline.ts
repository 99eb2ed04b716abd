/** The deadline of a call that waits for a cutout or a picture. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deadline } from '../deadline.ts';
import { disconnectSignal } from './disconnect-signal.ts';

/**
 * A call that waits for its turn among the calls of its key ends after this time, or after its own deadline if that is
 * longer, in milliseconds. It is shorter than the five minutes that Node's `fetch` waits for headers, and long enough for the
 * previews of 20 photos at once on a busy machine.
 */
export const longestCallMs = 240_000;
/** The same for a call with a file, whose body stays unread meanwhile: Node ends it after `UPLOAD_TIMEOUT_MS`. */
const longestWithFileMs = 60_000;

export const longestOf = ({ routeOptions }: FastifyRequest): number =>
  routeOptions.config.readsBody ? longestWithFileMs : longestCallMs;

/**
 * Milliseconds of the deadline that are spent. The deadline counts from the call's turn, but a call never takes longer
 * than `longestOf` it because of that.
 */
export function spentMs({ elapsedTime, request }: FastifyReply, timeoutMs: number): number {
  const sinceTurnMs = elapsedTime - request.waitedMs;
  return Math.max(sinceTurnMs, timeoutMs - Math.max(timeoutMs, longestOf(request)) + elapsedTime);
}

/** Also aborts if the client disconnects. `what` names the work in the error message. */
export const callDeadline = (reply: FastifyReply, timeoutMs: number, what: string): Deadline => ({
  timeoutMs,
  elapsedMs: spentMs(reply, timeoutMs),
  signal: disconnectSignal(reply),
  what,
});
