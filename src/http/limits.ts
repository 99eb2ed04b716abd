/** GET /v1/limits: every limit that a caller can meet. */
import { z } from 'zod';
import { MOST_ITEMS } from '../batches/batch.ts';
import { imageFormats } from '../designs/sniff-format.ts';
import { problemResponse } from './problem.ts';
import { batchBodyBytes, jsonBodyBytes, type Rooms, type Server } from './rooms.ts';

const limitsSchema = z
  .object({
    image: z.object({
      formats: z.array(z.enum(imageFormats)),
      maxBytes: z.int(),
      maxPixels: z.int(),
      maxAvifPixels: z.int(),
      minSidePx: z.int(),
      maxSidePx: z.int(),
    }),
    jsonBody: z.object({ maxBytes: z.int() }),
    batch: z
      .object({ maxItems: z.int(), maxBytes: z.int(), maxFilesBytes: z.int() })
      .describe('`maxBytes` is of the JSON document, `maxFilesBytes` of all files that come with it.'),
    urlFetch: z.object({ timeoutMs: z.int(), maxRedirects: z.int() }),
    rate: z
      .object({ perSecond: z.number(), burst: z.int(), inFlight: z.int() })
      .describe('For each key; `inFlight` is how many of its calls are answered at once; further ones wait.'),
    deadlinesMs: z.object({ preview: z.int(), full: z.int() }),
    retentionDays: z.number().nullable().describe('Days after the last use; null where designs are kept.'),
  })
  .meta({ id: 'Limits' });

export function addLimits(server: Server, { published }: Rooms): void {
  const answer: z.infer<typeof limitsSchema> = {
    image: { formats: [...imageFormats], ...published.image },
    jsonBody: { maxBytes: jsonBodyBytes },
    batch: { maxItems: MOST_ITEMS, maxBytes: batchBodyBytes, maxFilesBytes: published.batchFormBytes },
    urlFetch: { timeoutMs: published.urlFetchTimeoutMs, maxRedirects: published.urlFetchRedirects },
    rate: { perSecond: published.ratePerSecond, burst: published.rateBurst, inFlight: published.inFlight },
    deadlinesMs: { preview: published.deadlineMs.preview, full: published.deadlineMs.generated },
    retentionDays: published.retentionMs === null ? null : published.retentionMs / 86_400_000,
  };
  server.get(
    '/v1/limits',
    {
      config: { operation: 'limits' },
      schema: {
        operationId: 'getLimits',
        summary: 'The limits of this service',
        tags: ['Service'],
        response: { 200: limitsSchema, default: problemResponse },
      },
    },
    async () => answer,
  );
}
