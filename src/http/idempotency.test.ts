import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import type { IdempotencyStore } from '../accounts/idempotency-store.ts';
import { createUploadPlaces } from '../designs/upload-places.ts';
import { createAnswerOnce } from './idempotency.ts';

it('the body of a repeated call is read only within a slot for bodies in memory', async () => {
  const places = createUploadPlaces({ places: 1, maxPerAccount: 1 });
  const store = { claim: async () => ({ state: 'done', digest: '', answer: {} }) };
  const answerOnce = createAnswerOnce(store as unknown as IdempotencyStore, places);
  const request = {
    headers: { 'idempotency-key': 'twice' },
    caller: { accountId: 'acc_a', keyId: 'key_a' },
    routeOptions: { url: '/' },
  } as unknown as FastifyRequest;
  const leave = await places.enter({ account: 'acc_a', signal: new AbortController().signal });
  let hasRead = false;
  const repeated = answerOnce(request, {
    sent: async () => {
      hasRead = true;
      return ['another body'];
    },
    work: () => Promise.reject(new Error('unexpected work')),
    ownerOf: () => '',
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(hasRead).toBe(false);
  leave();
  await expect(repeated).rejects.toMatchObject({ code: 'idempotency_mismatch' });
  expect(hasRead).toBe(true);
});
