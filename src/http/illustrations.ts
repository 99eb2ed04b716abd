/** GET /v1/illustrations/{name}.webp: an illustration for whoever holds its signed URI; no key, so that a browser can show it. */
import { z } from 'zod';
import { underDeadline } from '../deadline.ts';
import { PackshotError } from '../errors.ts';
import { makeEtag } from '../etag.ts';
import { knownEtags, sendImage } from './image-answer.ts';
import { problemResponse } from './problem.ts';
import type { Rooms, Server } from './rooms.ts';

export function addIllustrations(server: Server, { illustrations, published }: Rooms): void {
  server.get(
    '/v1/illustrations/:name',
    {
      config: { operation: 'illustration' },
      schema: {
        operationId: 'getIllustration',
        summary: 'Look at an illustration',
        description: 'The URIs of suggestions lead here. They are signed and expire; nothing else opens one.',
        tags: ['Pictures'],
        security: [],
        params: z.object({ name: z.string().max(100) }),
        querystring: z.object({ e: z.string().max(20).optional(), s: z.string().max(100).optional() }),
        response: {
          200: {
            description: 'The empty scene.',
            content: { 'image/webp': { schema: z.any().meta({ type: 'string', format: 'binary' }) } },
          },
          default: problemResponse,
        },
      },
    },
    async (request, reply) => {
      const etag = makeEtag([request.params.name]);
      // Others may wait for the same drawing, so it ends with its own deadline and not with this caller.
      const lasting = new AbortController().signal;
      const deadline = {
        timeoutMs: published.deadlineMs.generated,
        signal: lasting,
        what: 'The illustration',
      };
      const bytes = await underDeadline(deadline, (signal) =>
        illustrations.showIllustration(request.url, signal),
      );
      if (!bytes) {
        throw new PackshotError(
          'unknown_path',
          'There is no such illustration, or its URI was altered or has expired.',
        );
      }
      const known = knownEtags(request).includes(etag);
      return sendImage(reply, {
        bytes: known ? null : bytes,
        contentType: 'image/webp',
        etag,
        timings: [],
        warnings: [],
      });
    },
  );
}
