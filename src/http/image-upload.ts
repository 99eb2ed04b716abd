/** POST /v1/design/image-upload: a multipart form with one file field named `file`. */
import type { FastifyRequest } from 'fastify';
import type { Photo } from '../designs/create-design.ts';
import { callerOf } from './api-key.ts';
import { designSchema, toDesignAnswer } from './design-answer.ts';
import { formBodyLimit, readForm, refuseDeclaredExcess } from './file-form.ts';
import { goneSignal } from './gone-signal.ts';
import { problemResponse } from './problem.ts';
import type { Rooms, Server } from './rooms.ts';

export function addImageUpload(server: Server, { creator, published }: Rooms): void {
  server.post(
    '/v1/design/image-upload',
    {
      config: { scope: 'upload', operation: 'image-upload' },
      bodyLimit: formBodyLimit(published.image.maxBytes),
      schema: {
        operationId: 'uploadImage',
        summary: 'Upload a photo',
        description:
          'Answers as soon as the photo is checked and safely stored. Background removal starts at once; every later call joins it. A text field `productKind` may say what the product is, such as `shoes` or `Health & Beauty`; the file name is looked at too.',
        tags: ['Designs'],
        consumes: ['multipart/form-data'],
        response: { 200: designSchema, default: problemResponse },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      refuseDeclaredExcess(request, published.image.maxBytes);
      const design = await creator.createDesign({
        accountId,
        readPhoto: () => readPhotoForm(request),
        signal: goneSignal(reply),
      });
      return toDesignAnswer(design);
    },
  );
}

async function readPhotoForm(request: FastifyRequest): Promise<Photo> {
  const { file, fields } = await readForm(request);
  return { bytes: file.bytes, fileName: file.name, kindHint: fields.get('productKind') };
}
