/** GET /v1/design/{id}/photo.jpeg: the uploaded photo in a form that browsers can show. */
import { z } from 'zod';
import { underDeadline } from '../../deadline.ts';
import { callerOf } from '../api-key.ts';
import { callDeadline } from '../call-deadline.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { fileAnswer, holdsPicture, sendImage } from '../image-answer.ts';

const contentType = 'image/jpeg';

export function addPhoto(server: Server, { designs, photos, published }: ServerDependencies): void {
  server.get(
    '/v1/design/:id/photo.jpeg',
    {
      config: { scope: 'render', operation: 'photo.jpeg' },
      schema: {
        operationId: 'getPhotoJpeg',
        summary: 'The photo as a JPEG for browsers',
        description:
          'Upright, in sRGB, without metadata, at most 2048 px on its longer side; transparent areas become white. For photos that a browser cannot decode, such as HEIC. Does not wait for the cutout.',
        tags: ['Designs'],
        params: z.object({ id: z.string().max(100) }),
        response: { 200: fileAnswer(contentType) },
      },
    },
    async (request, reply) => {
      const design = await designs.resolveDesign(request.params.id, callerOf(request).accountId);
      const deadline = callDeadline(reply, published.deadlineMs.preview, 'The photo');
      const etag = photos.etagOf(design);
      const bytes = holdsPicture(request, etag)
        ? null
        : await underDeadline(deadline, (signal) => photos.showPhoto(design, signal));
      return sendImage(reply, { bytes, contentType, etag, timings: [], warnings: [] });
    },
  );
}
