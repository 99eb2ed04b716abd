/** GET /v1/design/{id}/cutout.{png,webp} and /matte.png: cutout and matte at the photo's own size. */
import { z } from 'zod';
import { underDeadline } from '../../deadline.ts';
import type { ReadyDesign } from '../../designs/design.ts';
import { makeEtag } from '../../etag.ts';
import type { MetadataChoice } from '../../rendering/render-target.ts';
import { callerOf } from '../api-key.ts';
import { callDeadline } from '../call-deadline.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { fileAnswer, holdsPicture, sendImage } from '../image-answer.ts';
import { metadataField } from '../recipe-fields.ts';

const pictures = [
  {
    path: 'cutout.png',
    format: 'png',
    contentType: 'image/png',
    operationId: 'getCutoutPng',
    what: 'The cutout, with clean colors and straight alpha',
  },
  {
    path: 'cutout.webp',
    format: 'webp',
    contentType: 'image/webp',
    operationId: 'getCutoutWebp',
    what: 'The same cutout, as lossless WebP',
  },
  {
    path: 'matte.png',
    format: undefined,
    contentType: 'image/png',
    operationId: 'getMattePng',
    what: 'The matte, in 8-bit gray; white is product',
  },
] as const;

type Picture = (typeof pictures)[number];

export function addCutout(server: Server, rooms: ServerDependencies): void {
  for (const picture of pictures) addPicture(server, rooms, picture);
}

function addPicture(
  server: Server,
  { designs, cutouts, photos, published }: ServerDependencies,
  picture: Picture,
): void {
  const read = async (
    design: ReadyDesign,
    metadata: MetadataChoice | undefined,
    signal: AbortSignal,
  ): Promise<Uint8Array> => {
    if (picture.format === undefined) return cutouts.readMatte(design);
    const options = { urgency: 'generated', signal } as const;
    const tags = metadata === 'photo' ? await photos.readTags(design, options) : null;
    return cutouts.readCutoutAs(picture.format, design, { tags, signal });
  };

  server.get(
    `/v1/design/:id/${picture.path}`,
    {
      config: { scope: 'render', operation: picture.path },
      schema: {
        operationId: picture.operationId,
        summary: picture.what,
        description: "At the photo's own size and position. Waits for a cutout that is still being made.",
        tags: ['Designs'],
        params: z.object({ id: z.string().max(100) }),
        querystring: z.object(picture.format && { metadata: metadataField }),
        response: { 200: fileAnswer(picture.contentType) },
      },
    },
    async (request, reply) => {
      const design = await designs.resolveDesign(request.params.id, callerOf(request).accountId);
      const deadline = callDeadline(reply, published.deadlineMs.generated, 'The cutout');
      const { metadata } = request.query;
      const advice = 'Call again: the work continues, and the next call gets the cutout.';
      return underDeadline({ ...deadline, advice }, async (signal) => {
        const { design: ready, timings } = await cutouts.joinCutout(design, signal, {
          patienceMs: deadline.timeoutMs / 2,
        });
        const tagged = metadata === 'photo' ? [metadata] : [];
        const etag = makeEtag([ready.id, ready.cutoutVersion, picture.path, ...tagged]);
        const bytes = holdsPicture(request, etag) ? null : await read(ready, metadata, signal);
        return sendImage(reply, { bytes, contentType: picture.contentType, etag, timings, warnings: [] });
      });
    },
  );
}
