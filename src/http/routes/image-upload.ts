/** POST /v1/design/image-upload: a multipart form with one file field named `file`. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Upload as NewUpload, Photo } from '../../designs/create-design.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { designSchema, toDesignAnswer } from '../design-answer.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { type FileForm, listForm, photoFile, readFormOnce, uploadForm } from '../file-form.ts';
import { photoFields, productKindField, readPhotoFields } from '../photo-fields.ts';

// A photo that is the body has its other fields in the query.
const query = z.looseObject({
  urgency: z
    .enum(['upload', 'batch'])
    .default('upload')
    .describe(
      '`batch`: nobody waits for the cutout. As in batches, other cutouts come first, and this one is the best at once, never a quick one.',
    ),
});

const photoForm = z.object({
  file: photoFile,
  productKind: productKindField,
  ...photoFields,
});

export function addImageUpload(server: Server, rooms: ServerDependencies): void {
  const { published } = rooms;
  server.post(
    '/v1/design/image-upload',
    {
      config: { scope: 'upload', operation: 'image-upload', readsBody: true },
      schema: {
        operationId: 'uploadImage',
        summary: 'Upload a photo',
        description:
          'Responds as soon as the photo is checked and stored. Background removal starts immediately; later calls wait for it. The file name is a hint for the kind of product.',
        tags: ['Designs'],
        bodies: { 'multipart/form-data': photoForm },
        querystring: query,
        response: { 200: designSchema },
      },
    },
    async (request, reply) => {
      const form = readFormOnce(request, uploadForm(published));
      return answerUpload(rooms, request, reply, {
        cutoutUrgency: request.query.urgency,
        sent: async () => listForm(await form()),
        readPhoto: async () => toPhoto(await form()),
      });
    },
  );
}

interface Upload extends Pick<NewUpload, 'cutoutUrgency'> {
  /** The whole contents of the request. */
  readonly sent: () => Promise<readonly (string | Uint8Array)[]>;
  readonly readPhoto: (signal: AbortSignal) => Promise<Photo>;
}

export async function answerUpload(
  { creator, answerOnce, noteUpload }: ServerDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { cutoutUrgency, sent, readPhoto }: Upload,
) {
  const { accountId, keyId } = callerOf(request);
  const signal = disconnectSignal(reply);
  const answer = await answerOnce(request, {
    ownerOf: ({ id }) => id,
    sent,
    async work() {
      const design = await creator.createDesign({
        accountId,
        readPhoto: () => readPhoto(signal),
        cutoutUrgency,
        signal,
      });
      await noteUpload(keyId);
      return toDesignAnswer(design);
    },
  });
  request.designId = answer.id;
  return answer;
}

const toPhoto = ({ file, fields }: FileForm): Photo => ({
  bytes: file.bytes,
  fileName: file.name,
  kindHint: fields.get('productKind'),
  ...readPhotoFields(fields),
});
