/** Authenticates the caller by the X-Api-Key header before any part of the body is read. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isStopping, PackshotError } from 'packshot-errors';
import type { Scope } from '../accounts/api-key.ts';
import { type Authenticator, type Caller, requireScope } from '../accounts/authenticate.ts';
import type { BucketState } from '../accounts/token-buckets.ts';
import { createFairSemaphore } from '../fair-semaphore.ts';
import { type PictureLine, plannedShare } from '../rendering/picture-line.ts';
import { priorities } from '../tasks.ts';
import { longestOf } from './call-deadline.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    /** Milliseconds that the call waited for its turn among the calls of its key. */
    waitedMs: number;
  }
  interface FastifyContextConfig {
    /** Scope that the key needs; by default, any valid key is accepted. */
    scope?: Scope;
    /** Whether the call takes one of the key's slots for concurrent calls; default true. */
    holdsPlace?: boolean;
    /** The size of the picture that the call asks for, if a long line of calls may make the picture coarser. */
    picture?: 'preview' | 'generated';
  }
}

export interface InFlightLimits {
  /** Maximum concurrent calls per key; further calls wait. */
  readonly inFlight: number;
  readonly deadlineMs: { readonly preview: number; readonly generated: number };
}

/** Maximum calls that wait for their turn, of all keys together: Node has up to 64 KB of the body of each in memory. */
const mostWaiting = 4_000;

export function createKeyCheck(
  server: Pick<FastifyInstance, 'addHook'>,
  authenticate: Authenticator,
  { inFlight, deadlineMs }: InFlightLimits,
  line: Pick<PictureLine, 'join'>,
) {
  const longestDeadlineMs = Math.max(deadlineMs.preview, deadlineMs.generated);
  // Each key has its own slots.
  const places = createFairSemaphore({ places: Number.POSITIVE_INFINITY, maxPerAccount: inFlight });
  server.addHook('preClose', async () => places.refuseWaiting(isStopping()));

  /**
   * Resolves once the call has a slot, which is released when the response or its connection closes. Rejects with
   * `queue_full` after the longest time that it may wait, or if too many calls wait, and with another error if the caller disconnects first.
   */
  async function waitForPlace(keyId: string, priority: number, reply: FastifyReply): Promise<void> {
    if (places.state().waiting >= mostWaiting)
      throw new PackshotError('queue_full', 'Too many calls are waiting; try again in a moment.', {
        retryAfterS: places.estimateWaitS(),
      });
    const gone = new AbortController();
    const leaveLine = () => gone.abort(new Error('the caller is gone'));
    reply.raw.once('close', leaveLine);
    try {
      const longestWaitMs = Math.max(longestOf(reply.request), longestDeadlineMs);
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(longestWaitMs)]);
      const leave = await places.enter({ account: keyId, priority, signal });
      reply.raw.once('close', leave);
      if (reply.raw.destroyed) leave();
    } finally {
      reply.raw.removeListener('close', leaveLine);
    }
  }

  return async function checkKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const header = request.headers['x-api-key'];
    // Browsers send a CORS preflight without a key. The response reveals only the allowed methods.
    if (request.method === 'OPTIONS' && header === undefined) return;
    const { rate, outcome } = await authenticate(
      typeof header === 'string' ? header : undefined,
      request.ip,
      request.server.findDialect?.(request.url) ? 'minute' : 'second',
    );
    if (rate) addRateHeaders(reply, rate);
    if ('refusal' in outcome) throw outcome.refusal;
    const { scope, holdsPlace = true, picture } = request.routeOptions.config;
    if (scope) requireScope(outcome.caller, scope);
    const { keyId, accountId } = outcome.caller;
    request.caller = outcome.caller;
    if (outcome.caller.sandbox) reply.header('x-packshot-sandbox', 'true');
    const before = reply.elapsedTime;
    const inLine = picture && line.join(accountId);
    if (inLine) reply.raw.once('close', inLine.leave);
    if (rate && rate.waitMs > 0) await sleep(rate.waitMs);
    if (holdsPlace && !reply.raw.destroyed) {
      // Uploads are short, and go first: Node ends a request whose body is still unread after `UPLOAD_TIMEOUT_MS`.
      const priority = priorities[scope === 'upload' ? 'upload' : 'preview'];
      await waitForPlace(keyId, priority, reply).catch((error: unknown) => {
        if (!reply.raw.destroyed) throw error;
      });
    }
    request.waitedMs = reply.elapsedTime - before;
    if (inLine) inLine.dueAt = performance.now() + plannedShare * deadlineMs[picture];
    // Stop if the client disconnected during key lookup or while waiting.
    if (reply.raw.destroyed) reply.hijack();
  };
}

/** The authenticated caller. Throws if the route is not behind the key check. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} is not behind the key check`);
  return request.caller;
}

/** Sends the rate headers in both forms in use: the older `X-RateLimit-*`, and `RateLimit-*` of the IETF draft. */
function addRateHeaders(reply: FastifyReply, rate: BucketState): void {
  for (const prefix of ['x-ratelimit', 'ratelimit']) {
    reply.header(`${prefix}-limit`, rate.limit);
    reply.header(`${prefix}-remaining`, rate.remaining);
    reply.header(`${prefix}-reset`, rate.resetS);
  }
}
