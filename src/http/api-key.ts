/** Authenticates the X-Api-Key header before any of the body is read. */
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
    /** Required scope; by default, any valid key is accepted. */
    scope?: Scope;
    /** Whether a call counts as one of its key's concurrent calls; default true. */
    holdsPlace?: boolean;
    /** The deadline that applies to waiting for a slot; default: the deadline of full versions. */
    deadline?: keyof Deadlines;
  }
}

interface Deadlines {
  readonly preview: number;
  readonly generated: number;
}

export interface InFlightLimits {
  /** Concurrent calls per key; further ones wait. */
  readonly inFlight: number;
  readonly deadlineMs: Deadlines;
}

export function createKeyCheck(authenticate: Authenticator, { inFlight, deadlineMs }: InFlightLimits) {
  // Each key has its own slots. The queue needs no limit, because the rate limits arrivals, and each call
  // leaves the queue at its deadline. At 10 calls per second and a deadline of 25 s, at most 270 calls of a
  // key wait, with their bodies unread.
  const places = createFairSemaphore({ places: Number.POSITIVE_INFINITY, maxPerAccount: inFlight });

  /** Resolves once the call has a slot, released when its connection closes. Rejects with `deadline_exceeded`. */
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

/** The caller of a route behind the key check. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} is not behind the key check`);
  return request.caller;
}

/** Sends both forms in use: the older `X-RateLimit-*`, and those of the IETF draft. */
function addRateHeaders(reply: FastifyReply, rate: BucketState): void {
  for (const prefix of ['x-ratelimit', 'ratelimit']) {
    reply.header(`${prefix}-limit`, rate.limit);
    reply.header(`${prefix}-remaining`, rate.remaining);
    reply.header(`${prefix}-reset`, rate.resetS);
  }
}
