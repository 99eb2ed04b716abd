/** GET and DELETE /v1/design/{id}: the state of a design, and its erasure. */
import { z } from 'zod';
import { underDeadline } from '../../deadline.ts';
import { callerOf } from '../api-key.ts';
import { callDeadline } from '../call-deadline.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { designSchema, toDesignAnswer } from '../design-answer.ts';
import { eraseOnce } from '../idempotency.ts';

const params = z.object({ id: z.string().max(100) });

export function addDesign(
  server: Server,
  { designs, cutouts, eraser, answerOnce, published }: ServerDependencies,
): void {
  server.get(
    '/v1/design/:id',
    {
      config: { operation: 'get-design' },
      schema: {
        operationId: 'getDesign',
        summary: 'Get a design',
        description:
          'State, photo and, once ready, the product found in it. With `wait=true`, responds once the cutout is ready or has failed.',
        tags: ['Designs'],
        params,
        querystring: z.object({ wait: z.enum(['true', 'false']).default('false') }),
        response: { 200: designSchema },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const design = await designs.resolveDesign(request.params.id, accountId);
      if (request.query.wait !== 'true' || design.state !== 'processing') return toDesignAnswer(design);
      const deadline = callDeadline(reply, published.deadlineMs.generated, 'The cutout');
      const failure = await underDeadline(deadline, (signal) => cutouts.joinCutout(design, signal)).then(
        () => undefined,
        (error: unknown) => error,
      );
      const joined = await designs.resolveDesign(design.id, accountId);
      // A cutout that failed is not an error of this call: the response says so.
      if (failure !== undefined && joined.state === 'processing') throw failure;
      return toDesignAnswer(joined);
    },
  );

  server.delete(
    '/v1/design/:id',
    {
      config: { scope: 'upload', operation: 'delete-design' },
      schema: {
        operationId: 'deleteDesign',
        summary: 'Erase a design',
        description:
          'The photo, the cutout and all pictures made of it, also those in batches, are deleted before this responds.',
        tags: ['Designs'],
        params,
        response: { 204: z.null().describe('Erased.') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await answerOnce(
        request,
        eraseOnce(id, () => eraser.eraseDesign(id, callerOf(request).accountId)),
      );
      return reply.status(204).send(null);
    },
  );
}
