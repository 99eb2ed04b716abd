/** POST /v1/design/image-upload-from-url: an upload whose bytes are fetched from a public URL. */

import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { lastOfPath } from '../../designs/check-url.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { designSchema } from '../design-answer.ts';
import { photoFields, productKindField } from '../photo-fields.ts';
import { sourceUrlField } from '../source-url.ts';
import { answerUpload } from './image-upload.ts';

// Outside the function, because the id of a schema may be registered only once per process.
const bodySchema = z
  .strictObject({
    url: sourceUrlField.describe('A public image URL.'),
    productKind: productKindField,
    ...photoFields,
  })
  .meta({ id: 'UploadFromUrl' });

export function addImageUploadFromUrl(server: Server, rooms: ServerDependencies): void {
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
    (request, reply) => {
      const { url, productKind, ...wishes } = request.body;
      return answerUpload(rooms, request, reply, {
        sent: async () => [JSON.stringify(request.body)],
        readPhoto: async (signal) => ({
          bytes: await rooms.fetcher.fetchImage(url, { signal }).catch(blameUrl),
          fileName: lastOfPath(url),
          kindHint: productKind,
          ...wishes,
        }),
      });
    },
  );
}

function blameUrl(error: unknown): never {
  if (error instanceof PackshotError && error.status < 429) throw error.at('/url');
  throw error;
}
