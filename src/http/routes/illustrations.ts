/**
 * Illustrations. GET returns the picture of a signed URI; it needs no key, so that browsers can show the picture. POST
 * uploads a caller's own backdrop, and DELETE deletes that backdrop.
 */
import { Readable } from 'node:stream';
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { underDeadline } from '../../deadline.ts';
import { makeEtag } from '../../etag.ts';
import { explainDraft } from '../../illustrations/place-product.ts';
import { plannedShare } from '../../rendering/picture-line.ts';
import { callerOf } from '../api-key.ts';
import { baseOf } from '../base-url.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { listForm, photoFile, readFormOnce, uploadForm } from '../file-form.ts';
import { eraseOnce } from '../idempotency.ts';
import { fileAnswer, holdsPicture, privateCache, sendImage } from '../image-answer.ts';

const uploadedSchema = z
  .object({ uri: z.string(), previewUri: z.string(), source: z.literal('UPLOAD') })
  .meta({ id: 'UploadedIllustration', description: 'Can be used unchanged in `mutations`.' });

export function addIllustration(server: Server, { showIllustration, published }: ServerDependencies): void {
  server.get(
    '/v1/illustrations/:name',
    {
      config: { operation: 'illustration' },
      schema: {
        operationId: 'getIllustration',
        summary: 'Get an illustration',
        description:
          'Suggestions contain these URIs, which are signed and expire; an illustration has no other URI. It is drawn on the first request. HEAD returns the headers without drawing it.',
        tags: ['Pictures'],
        security: [],
        params: z.object({ name: z.string().max(100) }),
        querystring: z.object({ e: z.string().max(20).optional(), s: z.string().max(100).optional() }),
        response: { 200: fileAnswer('image/webp') },
      },
    },
    async (request, reply) => {
      const timeoutMs = published.deadlineMs.generated;
      const dueAt = performance.now() + plannedShare * timeoutMs;
      const deadline = {
        timeoutMs,
        signal: disconnectSignal(reply),
        what: 'The illustration',
      };
      return underDeadline(deadline, async (signal) => {
        const shown = await showIllustration(request.url, signal);
        if (!shown) throw notShown();
        const etag = makeEtag(shown.identity);
        const known = holdsPicture(request, etag);
        // These URIs are meant to be embedded in pages of other origins.
        reply.header('cross-origin-resource-policy', 'cross-origin');
        // A HEAD draws nothing and has no Content-Length (RFC 9110, 9.3.2): the framework omits it for a stream.
        if (request.method === 'HEAD' && !known)
          return reply
            .header('etag', etag)
            .header('cache-control', privateCache)
            .type('image/webp')
            .send(Readable.from([]));
        const plate = known
          ? { bytes: null, timings: [], draftPx: undefined }
          : await shown.draw(signal, dueAt);
        if (!plate) throw notShown();
        // A browser that asks again with the ETag of a draft gets the finished picture.
        const sent = plate.draftPx === undefined ? etag : makeEtag([etag, plate.draftPx]);
        return sendImage(reply, {
          ...plate,
          contentType: 'image/webp',
          etag: sent,
          warnings: explainDraft(plate.draftPx),
        });
      });
    },
  );
}

function notShown(): PackshotError {
  return new PackshotError(
    'unknown_path',
    'There is no such illustration, or its URI was altered or has expired.',
  );
}

export function addIllustrationUpload(
  server: Server,
  { backdrops, answerOnce, publicUrl, published }: ServerDependencies,
): void {
  server.post(
    '/v1/illustrations',
    {
      config: { scope: 'upload', operation: 'illustration-upload', readsBody: true },
      schema: {
        operationId: 'uploadIllustration',
        summary: 'Upload your own backdrop',
        description:
          'One file field named `file`. Send the response as `mutations.images.primaryIllustration` of a render with `Studio001`: the product is placed on it with a shadow. Its `uri` can be a logo, too: `mutations.logo`.',
        tags: ['Pictures'],
        bodies: { 'multipart/form-data': z.object({ file: photoFile }) },
        response: { 200: uploadedSchema },
      },
    },
    async (request, reply) => {
      const baseUrl = baseOf(request, publicUrl);
      const form = readFormOnce(request, uploadForm(published));
      return answerOnce(request, {
        ownerOf: ({ uri }) => /bdp_\w+/.exec(uri)![0],
        sent: async () => listForm(await form()),
        async work() {
          const { uri, previewUri } = await backdrops.keepBackdrop({
            accountId: callerOf(request).accountId,
            readBytes: async () => (await form()).file.bytes,
            signal: disconnectSignal(reply),
          });
          return { uri: baseUrl + uri, previewUri: baseUrl + previewUri, source: 'UPLOAD' as const };
        },
      });
    },
  );
}

export function addIllustrationErasure(server: Server, { backdrops, answerOnce }: ServerDependencies): void {
  server.delete(
    '/v1/illustrations/:name',
    {
      config: { scope: 'upload', operation: 'delete-illustration' },
      schema: {
        operationId: 'deleteIllustration',
        summary: 'Erase your own backdrop',
        description:
          'Use the path of its URI, without the query. The picture is deleted before this responds. Scenes are deleted with their design.',
        tags: ['Pictures'],
        params: z.object({ name: z.string().max(100) }),
        response: { 204: z.null().describe('Erased.') },
      },
    },
    async (request, reply) => {
      const id = request.params.name.replace(/(-preview)?\.webp$/, '');
      await answerOnce(
        request,
        eraseOnce(id, () => backdrops.eraseBackdrop(id, callerOf(request).accountId)),
      );
      return reply.status(204).send(null);
    },
  );
}
