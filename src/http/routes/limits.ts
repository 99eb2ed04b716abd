/** GET /v1/limits: all limits that affect callers. */

import { imageFormats } from 'packshot-photos';
import { z } from 'zod';
import { type Caller, dropInsPerMinute } from '../../accounts/authenticate.ts';
import type { PublishedLimits } from '../../config.ts';
import { renderTarget, sampleTarget } from '../../rendering/render-target.ts';
import { callerOf } from '../api-key.ts';
import { limitMask } from '../correction-body.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';

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
    upload: z
      .object({ timeoutMs: z.int(), minBytesPerSecond: z.int(), graceMs: z.int(), inMemory: z.int() })
      .describe(
        'A request that takes longer than `timeoutMs` to arrive, or a file that arrives more slowly than `minBytesPerSecond` after `graceMs`, is refused with 408. `inMemory` is the number of concurrent files per account; further ones wait.',
      ),
    jsonBody: z.object({ maxBytes: z.int() }),
    correction: z
      .object({ maxMaskBytes: z.int() })
      .describe(
        'Maximum bytes of a mask that is sent as a file; a mask in base64 may have three quarters of that. Does not count toward `jsonBody`.',
      ),
    prompt: z.object({ maxChars: z.int() }),
    batch: z
      .object({ maxItems: z.int(), maxBytes: z.int(), maxFilesBytes: z.int() })
      .describe('`maxBytes` applies to the JSON document, `maxFilesBytes` to all its files together.'),
    looks: z.object({ max: z.int() }).describe('Maximum number of looks of your account.'),
    urlFetch: z.object({ timeoutMs: z.int(), maxRedirects: z.int() }),
    rate: z
      .object({ perSecond: z.number(), burst: z.int(), dropInsPerMinute: z.int(), inFlight: z.int() })
      .describe(
        'Limits of your key. Calls of drop-in interfaces count toward `dropInsPerMinute` only. `inFlight` is the number of concurrent calls; further ones wait.',
      ),
    waiting: z
      .object({ cutouts: z.int(), renders: z.int(), batchItems: z.int() })
      .describe('Queue limits; further calls get 503 `queue_full`.'),
    deadlinesMs: z
      .object({ preview: z.int(), full: z.int(), removebg: z.int(), rembg: z.int() })
      .describe(
        'A call that takes longer, from its turn among the calls of its key, gets 504 `deadline_exceeded`. What was begun is finished and kept for ten minutes, and a repeated call gets it.',
      ),
    canvas: z
      .object({ previewPx: z.int(), fullPx: z.int() })
      .describe('Longer side of pictures, in pixels; a sandbox key gets smaller full versions.'),
    retentionDays: z.number().nullable().describe('Days after the last use; null if designs do not expire.'),
  })
  .meta({ id: 'Limits' });

const preview = renderTarget('preview', 'webp');
const full = renderTarget('generated', 'jpeg');

/** The response for a live key with the default rate limit; the example in the API document. */
export const exampleLimits = (published: PublishedLimits): z.infer<typeof limitsSchema> =>
  describeLimits(published, { rate: published.rate, sandbox: false });

function describeLimits(
  published: PublishedLimits,
  { rate, sandbox }: Pick<Caller, 'rate' | 'sandbox'>,
): z.infer<typeof limitsSchema> {
  const { requests, inFlight, deadlineMs, retentionMs } = published;
  return {
    image: { formats: [...imageFormats], ...published.image },
    upload: published.upload,
    jsonBody: { maxBytes: requests.jsonBytes },
    correction: { maxMaskBytes: limitMask(published) },
    prompt: { maxChars: requests.promptChars },
    batch: {
      maxItems: requests.batchItems,
      maxBytes: requests.batchBytes,
      maxFilesBytes: published.batchFormBytes,
    },
    looks: { max: published.looks },
    urlFetch: { timeoutMs: published.urlFetchTimeoutMs, maxRedirects: published.urlFetchRedirects },
    rate: { ...rate, dropInsPerMinute: dropInsPerMinute(rate), inFlight },
    waiting: published.waiting,
    deadlinesMs: {
      preview: deadlineMs.preview,
      full: deadlineMs.generated,
      removebg: published.dialectDeadlinesMs.removebg,
      rembg: published.dialectDeadlinesMs.rembg,
    },
    canvas: { previewPx: preview.longEdgePx, fullPx: (sandbox ? sampleTarget(full) : full).longEdgePx },
    retentionDays: retentionMs === null ? null : retentionMs / 86_400_000,
  };
}

export function addLimits(server: Server, { published }: ServerDependencies): void {
  server.get(
    '/v1/limits',
    {
      config: { operation: 'limits' },
      schema: {
        operationId: 'getLimits',
        summary: 'The limits of this service',
        tags: ['Service'],
        response: { 200: limitsSchema },
      },
    },
    async (request) => describeLimits(published, callerOf(request)),
  );
}
