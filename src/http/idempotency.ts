/** Idempotency-Key of a call that changes something: a call with the same key and body gets the response of the first call. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import type { IdempotencyStore } from '../accounts/idempotency-store.ts';
import type { UploadPlaces } from '../designs/upload-places.ts';
import { callerOf } from './api-key.ts';

const longestKey = 255;
const never = new AbortController().signal;

export interface OnceWork<Answer> {
  /**
   * Returns the whole contents of the request, from which its digest is computed. For a first call, this happens after
   * the work, and the digest is stored; for a repeated call, the contents are read within a memory slot, and the digest shows whether the request is identical.
   */
  readonly sent: () => Promise<readonly (string | Uint8Array)[]>;
  readonly work: () => Promise<Answer>;
  /** Id of the design, backdrop or batch in the response. When that object is deleted, so is the stored response. */
  readonly ownerOf: (answer: Answer) => string;
}

export type AnswerOnce = ReturnType<typeof createAnswerOnce>;

export function createAnswerOnce(store: IdempotencyStore, places: UploadPlaces) {
  /**
   * Runs `work`, or returns the stored response. Throws `invalid_field`, `idempotency_conflict`,
   * `idempotency_mismatch`, and the errors of `work`.
   */
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
    const { accountId, keyId } = callerOf(request);
    const readDigest = () =>
      places.hold({ account: accountId, signal: never }, async () => digestOf(await sent()));
    const path = request.routeOptions.url ?? '';
    const intention = { keyId, path, idempotencyKey };
    const claim = await store.claim(intention);
    switch (claim.state) {
      case 'running':
        throw new PackshotError(
          'idempotency_conflict',
          'A call with this Idempotency-Key is still running. Repeat this one later to get the same response.',
          { retryAfterS: 1 },
        );
      case 'done':
        if (claim.digest === (await readDigest())) return claim.answer as Answer;
        throw new PackshotError(
          'idempotency_mismatch',
          'This Idempotency-Key was used with another body; use a new key for a new request.',
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

/** The work of a DELETE: a repeated call gets 204 again, not 404. */
export const eraseOnce = (id: string, erase: () => Promise<unknown>): OnceWork<null> => ({
  ownerOf: () => id,
  sent: async () => [id],
  async work() {
    await erase();
    return null;
  },
});

function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  // Hashes the length before each part, so that different lists of parts never concatenate to the same bytes.
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
