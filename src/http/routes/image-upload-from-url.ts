/** POST /v1/design/image-upload-from-url: an upload whose bytes are fetched from a public URL. */
import { z } from 'zod';
import { PackshotError } from '../../errors.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { designSchema, restoreAnswer, toDesignAnswer } from '../design-answer.ts';
import { disconnectSignal } from '../disconnect-signal.ts';

// Outside the function, because the id of a schema may be registered only once per process.
const bodySchema = z
  .strictObject({
    url: z.string().min(1).max(2_048).describe('A public image URL.'),
    productKind: z
      .string()
      .max(100)
      .optional()
      .describe('What the product is, such as `shoes` or `Health & Beauty`.'),
  })
  .meta({ id: 'UploadFromUrl' });

export function addImageUploadFromUrl(
  server: Server,
  { creator, fetcher, answerOnce, noteUpload }: ServerDependencies,
): void {
  server.post(
    '/v1/design/image-upload-from-url',
    {
      config: { scope: 'upload', operation: 'image-upload-from-url' },
      schema: {
        operationId: 'uploadImageFromUrl',
        summary: 'Upload a photo from a URL',
        description: 'Fetches a public http or https URL; private and special addresses are refused.',
        tags: ['Designs'],
        body: bodySchema,
        response: { 200: designSchema },
      },
    },
    async (request, reply) => {
      const { accountId, keyId } = callerOf(request);
      const signal = disconnectSignal(reply);
      const { url, productKind } = request.body;
      const readPhoto = async () => ({
        bytes: await fetcher.fetchImage(url, { signal }).catch(blameUrl),
        fileName: lastOfPath(url),
        kindHint: productKind,
      });
      const answer = await answerOnce(request, {
        ownerOf: ({ id }) => id,
        sent: async () => [JSON.stringify(request.body)],
        async work() {
          const design = await creator.createDesign({ accountId, readPhoto, signal });
          await noteUpload(keyId);
          return toDesignAnswer(design);
        },
      });
      request.designId = answer.id;
      return restoreAnswer(answer);
    },
  );
}

function blameUrl(error: unknown): never {
  if (error instanceof PackshotError && error.status < 429) throw error.at('/url');
  throw error;
}

/**
 * The decoded last segment of the URL's path; undefined if it cannot be decoded. Called after the fetch, so the URL is
 * valid.
 */
function lastOfPath(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  } catch {
    return undefined;
  }
}
