/** GET /v1/limits: every limit that a caller can meet. */
import { z } from 'zod';
import type { Caller } from '../../accounts/authenticate.ts';
import { imageFormats } from '../../designs/sniff-format.ts';
import { renderTarget, sampleTarget } from '../../rendering/render-target.ts';
import { callerOf } from '../api-key.ts';
import type { PublishedLimits, Server, ServerDependencies } from '../dependencies.ts';

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
      .object({
        timeoutMs: z.int(),
        minBytesPerSecond: z.int(),
        graceMs: z.int(),
        inMemory: z.int(),
      })
      .describe(
        'A request that takes longer than `timeoutMs` to arrive, or a file that arrives more slowly than `minBytesPerSecond` after `graceMs`, is refused with 408. `inMemory` files of an account are taken at once; further ones wait.',
      ),
    jsonBody: z.object({ maxBytes: z.int() }),
    prompt: z.object({ maxChars: z.int() }),
    batch: z
      .object({ maxItems: z.int(), maxBytes: z.int(), maxFilesBytes: z.int() })
      .describe('`maxBytes` is of the JSON document, `maxFilesBytes` of all files that come with it.'),
    urlFetch: z.object({ timeoutMs: z.int(), maxRedirects: z.int() }),
    rate: z
      .object({ perSecond: z.number(), burst: z.int(), inFlight: z.int() })
      .describe('Of your key; `inFlight` is how many of its calls are answered at once; further ones wait.'),
    waiting: z
      .object({ cutouts: z.int(), renders: z.int(), batchItems: z.int() })
      .describe('What may wait; further calls are answered with 503 `queue_full`.'),
    deadlinesMs: z.object({ preview: z.int(), full: z.int() }),
    canvas: z
      .object({ previewPx: z.int(), fullPx: z.int() })
      .describe('Longest side of pictures; of full versions it is smaller for a sandbox key.'),
    retentionDays: z.number().nullable().describe('Days after the last use; null where designs are kept.'),
  })
  .meta({ id: 'Limits' });

const preview = renderTarget('preview', 'webp');
const full = renderTarget('generated', 'jpeg');

/** What a live key without a rate of its own is answered: the example in the API document. */
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
    prompt: { maxChars: requests.promptChars },
    batch: {
      maxItems: requests.batchItems,
      maxBytes: requests.batchBytes,
      maxFilesBytes: published.batchFormBytes,
    },
    urlFetch: { timeoutMs: published.urlFetchTimeoutMs, maxRedirects: published.urlFetchRedirects },
    rate: { ...rate, inFlight },
    waiting: published.waiting,
    deadlinesMs: { preview: deadlineMs.preview, full: deadlineMs.generated },
    canvas: {
      previewPx: preview.longEdgePx,
      fullPx: (sandbox ? sampleTarget(full) : full).longEdgePx,
    },
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
