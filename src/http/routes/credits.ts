/**
 * GET /v1/credits: the remaining credits of the key. Also the response headers with charged and remaining credits, for
 * renders and checks.
 */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { prices, type Receipt } from '../../accounts/charge-render.ts';
import { fromMilli } from '../../accounts/credit-store.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';

const creditsSchema = z
  .object({
    remaining: z.number().nullable().describe('Null for a key without a limit.'),
    used: z.number().describe('Credits used so far by this key and the keys it was rotated from.'),
    perPreview: z.number(),
    perFull: z.number(),
    sandbox: z
      .boolean()
      .describe(
        'Whether this is a sandbox key: nothing is charged, and full versions carry a SAMPLE watermark.',
      ),
  })
  .meta({
    id: 'Credits',
    description:
      'A picture is charged when it is rendered. Errors, timeouts and 304s are free, and so is the same picture again within an hour. Uploads and suggestions are free.',
  });

export function addCredits(server: Server, { credits }: ServerDependencies): void {
  server.get(
    '/v1/credits',
    {
      config: { operation: 'credits' },
      schema: {
        operationId: 'getCredits',
        summary: 'The remaining credits of this key',
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

/** Stands for unlimited credits, because clients expect a number: the largest limit that a key can have. */
export const noLimit = 999_999_999;

export function addReceipt(reply: FastifyReply, { charged, remaining }: Receipt): void {
  reply.header('x-credits-charged', charged);
  reply.header('x-credits-remaining', remaining ?? noLimit);
}
