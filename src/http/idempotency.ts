/** The Idempotency-Key of a POST: the same key and body is answered with what the first call was answered. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { IdempotencyStore } from '../accounts/idempotency-store.ts';
import { PackshotError } from '../errors.ts';
import { callerOf } from './api-key.ts';

const longestKey = 255;

export interface OnceWork<Answer> {
  /** Everything that the caller sent. Asked after the work, and before a repetition is believed to be one. */
  readonly sent: () => Promise<readonly (string | Uint8Array)[]>;
  readonly work: () => Promise<Answer>;
  /** Id of the design, backdrop or batch that the answer is about: erasing that forgets the answer. */
  readonly ownerOf: (answer: Answer) => string;
}

export type AnswerOnce = ReturnType<typeof createAnswerOnce>;

export function createAnswerOnce(store: IdempotencyStore) {
  /** Throws `invalid_field`, `idempotency_conflict`, `idempotency_mismatch`, and what the work throws. */
  return async function answerOnce<Answer>(
    request: FastifyRequest,
    { sent, work, ownerOf }: OnceWork<Answer>,
  ): Promise<Answer> {
    const idempotencyKey = request.headers['idempotency-key'];
    if (idempotencyKey === undefined) return work();
    if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
      throw new PackshotError(
        'invalid_field',
        `An Idempotency-Key has 1 to ${longestKey} visible ASCII characters.`,
      );
    }
    const path = request.routeOptions.url ?? '';
    const intention = { keyId: callerOf(request).keyId, path, idempotencyKey };
    const claim = await store.claim(intention);
    switch (claim.state) {
      case 'running':
        throw new PackshotError(
          'idempotency_conflict',
          'A call with this Idempotency-Key is still running. Repeat this one later: it gets the same answer.',
          { retryAfterS: 1 },
        );
      case 'done':
        if (claim.digest === digestOf(await sent())) return claim.answer as Answer;
        throw new PackshotError(
          'idempotency_mismatch',
          'This Idempotency-Key came with another body before; a new intention needs a new key.',
        );
      case 'new':
        try {
          const answer = await work();
          const digest = digestOf(await sent());
          await store.settle(intention, claim.claimedAt, { digest, answer, ownerId: ownerOf(answer) });
          return answer;
        } catch (error) {
          await store.release(intention, claim.claimedAt).catch(() => undefined);
          throw error;
        }
    }
  };
}

function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  // Lengths, so that no two lists of parts run together to the same bytes.
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
