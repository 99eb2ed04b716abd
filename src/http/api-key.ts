/** Authenticates the caller by the X-Api-Key header before any part of the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../accounts/api-key.ts';
import { type Authenticator, type Caller, requireScope } from '../accounts/authenticate.ts';
import type { BucketState } from '../accounts/token-buckets.ts';
import { PackshotError } from '../errors.ts';
import { createFairSemaphore } from '../fair-semaphore.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Scope that the key needs; by default, any valid key is accepted. */
    scope?: Scope;
    /** Whether the call takes one of the key's slots for concurrent calls; default true. */
    holdsPlace?: boolean;
    /** Name of the render target whose deadline limits how long the call may wait for a slot; default `generated`. */
    deadline?: keyof InFlightLimits['deadlineMs'];
  }
}

export interface InFlightLimits {
  /** Maximum concurrent calls per key; further calls wait. */
  readonly inFlight: number;
  readonly deadlineMs: { readonly preview: number; readonly generated: number };
}

export function createKeyCheck(authenticate: Authenticator, { inFlight, deadlineMs }: InFlightLimits) {
  // Each key has its own slots. The queue needs no limit: the rate limit bounds how many calls arrive, and each call
  // leaves the queue at its deadline. With the default limits (a burst of 20 calls, 10 calls per second, and a deadline
  // of 25 s), at most 270 calls of one key wait, with their bodies unread.
  const places = createFairSemaphore({ places: Number.POSITIVE_INFINITY, maxPerAccount: inFlight });

  /**
   * Resolves once the call has a slot, which is released when the response or its connection closes. Rejects with
   * `deadline_exceeded` after `timeoutMs`, and with another error if the caller disconnects first.
   */
  async function waitForPlace(keyId: string, reply: FastifyReply, timeoutMs: number): Promise<void> {
    const stop = new AbortController();
    const leaveLine = () => stop.abort(new Error('the caller is gone'));
    reply.raw.once('close', leaveLine);
    const lapse = () =>
      stop.abort(
        new PackshotError(
          'deadline_exceeded',
          `The call waited ${timeoutMs / 1_000} s for its turn: a key may have ${inFlight} concurrent calls.`,
          { retryAfterS: 2 },
        ),
      );
    const timer = setTimeout(lapse, timeoutMs);
    try {
      const leave = await places.enter({ account: keyId, signal: stop.signal });
      reply.raw.once('close', leave);
      if (reply.raw.destroyed) leave();
    } finally {
      clearTimeout(timer);
      reply.raw.removeListener('close', leaveLine);
    }
  }

  return async function checkKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const header = request.headers['x-api-key'];
    // Browsers send a CORS preflight without a key. The response reveals only the allowed methods.
    if (request.method === 'OPTIONS' && header === undefined) return;
    const { rate, outcome } = await authenticate(typeof header === 'string' ? header : undefined, request.ip);
    if (rate) addRateHeaders(reply, rate);
    if ('refusal' in outcome) throw outcome.refusal;
    const { scope, holdsPlace = true, deadline = 'generated' } = request.routeOptions.config;
    if (scope) requireScope(outcome.caller, scope);
    const { keyId } = outcome.caller;
    request.caller = outcome.caller;
    if (outcome.caller.sandbox) reply.header('x-packshot-sandbox', 'true');
    if (!holdsPlace) return;
    if (!reply.raw.destroyed) {
      await waitForPlace(keyId, reply, deadlineMs[deadline]).catch((error: unknown) => {
        if (!reply.raw.destroyed) throw error;
      });
    }
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
