/** GET /v1/credits: what the key may still spend; and what a picture's answer says of its price. */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { prices, type Receipt } from '../../accounts/charge-render.ts';
import { fromMilli } from '../../accounts/credit-store.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';

const creditsSchema = z
  .object({
    remaining: z.number().nullable().describe('Null for a key without a limit.'),
    used: z.number().describe('By this key and those that it was rotated from, since the first of them.'),
    perPreview: z.number(),
    perFull: z.number(),
    sandbox: z.boolean().describe('A sandbox key: nothing is charged, full versions are marked samples.'),
  })
  .meta({
    id: 'Credits',
    description:
      'A picture is charged when it is made: not for a failure, a late answer or a 304, and not again for the same picture within an hour. Uploads and suggestions are free.',
  });

export function addCredits(server: Server, { credits }: ServerDependencies): void {
  server.get(
    '/v1/credits',
    {
      config: { operation: 'credits' },
      schema: {
        operationId: 'getCredits',
        summary: 'What this key may still spend',
        tags: ['Service'],
        response: { 200: creditsSchema },
      },
    },
    async (request) => {
      const { keyId, sandbox } = callerOf(request);
      const { remainingMilli, usedMilli } = await credits.readQuota(keyId);
      return {
        remaining: remainingMilli === null ? null : fromMilli(remainingMilli),
        used: fromMilli(usedMilli),
        perPreview: sandbox ? 0 : prices.preview,
        perFull: sandbox ? 0 : prices.generated,
        sandbox,
      };
    },
  );
}

/** For a key without a limit: clients parse a number here, and this is the largest that a key can be given. */
export const noLimit = 999_999_999;

export function addReceipt(reply: FastifyReply, { charged, remaining }: Receipt): void {
  reply.header('x-credits-charged', charged);
  reply.header('x-credits-remaining', remaining ?? noLimit);
}
