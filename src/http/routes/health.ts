/** GET /healthz (liveness) and /readyz (readiness), which need no key. */

import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import type { Server, ServerDependencies } from '../dependencies.ts';

const status = z.object({ status: z.literal('ok') });

export function addHealth(
  server: Server,
  { findObstacles }: Pick<ServerDependencies, 'findObstacles'>,
): void {
  server.get(
    '/healthz',
    {
      config: { operation: 'healthz' },
      schema: {
        operationId: 'getHealth',
        summary: 'Liveness: whether the process responds',
        tags: ['Service'],
        security: [],
        response: { 200: status },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
  server.get(
    '/readyz',
    {
      config: { operation: 'readyz' },
      schema: {
        operationId: 'getReadiness',
        summary: 'Readiness: whether uploads and renders can be served',
        tags: ['Service'],
        security: [],
        response: { 200: status },
      },
    },
    async () => {
      const obstacles = await findObstacles();
      if (obstacles.length > 0) throw new PackshotError('not_ready', `Not ready: ${obstacles.join('; ')}.`);
      return { status: 'ok' as const };
    },
  );
}
