/** POST /v1/design/image-upload: a multipart form with one file field named `file`. */
import type { Photo } from '../../designs/create-design.ts';
import { callerOf } from '../api-key.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { designSchema, restoreAnswer, toDesignAnswer } from '../design-answer.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { type FileForm, formBodyLimit, listForm, readFormOnce, refuseDeclaredExcess } from '../file-form.ts';

export function addImageUpload(
  server: Server,
  { creator, answerOnce, noteUpload, published }: ServerDependencies,
): void {
  server.post(
    '/v1/design/image-upload',
    {
      config: { scope: 'upload', operation: 'image-upload' },
      bodyLimit: formBodyLimit(published.image.maxBytes),
      schema: {
        operationId: 'uploadImage',
        summary: 'Upload a photo',
        description:
          'Responds as soon as the photo is checked and stored. Background removal starts immediately; later calls wait for it. A text field `productKind` may say what the product is, such as `shoes` or `Health & Beauty`; the file name is also used as a hint.',
        tags: ['Designs'],
        consumes: ['multipart/form-data'],
        response: { 200: designSchema },
      },
    },
    async (request, reply) => {
      const { accountId, keyId } = callerOf(request);
      refuseDeclaredExcess(request, published.image.maxBytes);
      const form = readFormOnce(request, published.upload);
      const answer = await answerOnce(request, {
        ownerOf: ({ id }) => id,
        sent: async () => listForm(await form()),
        async work() {
          const design = await creator.createDesign({
            accountId,
            readPhoto: async () => toPhoto(await form()),
            signal: disconnectSignal(reply),
          });
          await noteUpload(keyId);
          return toDesignAnswer(design);
        },
      });
      request.designId = answer.id;
      return restoreAnswer(answer);
    },
  );
}

const toPhoto = ({ file, fields }: FileForm): Photo => ({
  bytes: file.bytes,
  fileName: file.name,
  kindHint: fields.get('productKind'),
});
