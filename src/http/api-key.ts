/** X-Api-Key to the account that calls, before a byte of the body is read. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../accounts/api-key.ts';
import { type Authenticator, type Caller, requireScope } from '../accounts/authenticate.ts';
import { CallsInFlight } from '../accounts/calls-in-flight.ts';
import type { BucketState } from '../accounts/token-buckets.ts';
import { PackshotError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The scope that a call of this route needs; any valid key where left out. */
    scope?: Scope;
    /** Whether a call of this route is one of those that a key may have answered at once; true where left out. */
    holdsPlace?: boolean;
  }
}

export function createKeyCheck(authenticate: Authenticator, mostInFlight: number) {
  const inFlight = new CallsInFlight(mostInFlight);
  return async function checkKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const header = request.headers['x-api-key'];
    const { rate, outcome } = await authenticate(typeof header === 'string' ? header : undefined, request.ip);
    if (rate) addRateHeaders(reply, rate);
    if ('refusal' in outcome) throw outcome.refusal;
    const { scope, holdsPlace = true } = request.routeOptions.config;
    if (scope) requireScope(outcome.caller, scope);
    const { keyId } = outcome.caller;
    request.caller = outcome.caller;
    if (!holdsPlace) return;
    // Who left while the key was looked up would never give a place back, and waits for nothing.
    if (reply.raw.destroyed) {
      reply.hijack();
      return;
    }
    if (!inFlight.enter(keyId)) {
      throw new PackshotError(
        'rate_limited',
        `At most ${mostInFlight} calls of a key are answered at once; wait for one of yours.`,
        { retryAfterS: 1 },
      );
    }
    reply.raw.once('close', () => inFlight.leave(keyId));
  };
}

/** The caller of a route behind the key check. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} is not behind the key check`);
  return request.caller;
}

/** Both spellings in use: the older `X-RateLimit-*` and those of the IETF draft. */
function addRateHeaders(reply: FastifyReply, rate: BucketState): void {
  for (const prefix of ['x-ratelimit', 'ratelimit']) {
    reply.header(`${prefix}-limit`, rate.limit);
    reply.header(`${prefix}-remaining`, rate.remaining);
    reply.header(`${prefix}-reset`, rate.resetS);
  }
}
