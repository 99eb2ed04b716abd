/** GET /v1/design/{id}/cutout.{png,webp} and /matte.png: what remover users expect, at the photo's own size. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ReadyDesign } from '../designs/design.ts';
import { PackshotError } from '../errors.ts';
import { callerOf } from './api-key.ts';
import { goneSignal } from './gone-signal.ts';
import { knownEtags, sendImage } from './image-answer.ts';
import { problemResponse } from './problem.ts';
import type { Rooms, Server } from './rooms.ts';

const pictures = [
  {
    path: 'cutout.png',
    contentType: 'image/png',
    operationId: 'getCutoutPng',
    what: 'The cutout: clean colours, straight alpha',
  },
  {
    path: 'cutout.webp',
    contentType: 'image/webp',
    operationId: 'getCutoutWebp',
    what: 'The same cutout, as lossless WebP',
  },
  {
    path: 'matte.png',
    contentType: 'image/png',
    operationId: 'getMattePng',
    what: 'The matte: 8-bit grey, white is product',
  },
] as const;

type Picture = (typeof pictures)[number];

export function addCutout(server: Server, rooms: Rooms): void {
  for (const picture of pictures) addPicture(server, rooms, picture);
}

function addPicture(server: Server, { designs, cutouts, published }: Rooms, picture: Picture): void {
  const read = (design: ReadyDesign, signal: AbortSignal): Promise<Uint8Array> => {
    if (picture.path === 'cutout.png') return cutouts.readCutout(design);
    if (picture.path === 'cutout.webp') return cutouts.readCutoutAsWebp(design, signal);
    return cutouts.readMatte(design);
  };

  server.get(
    `/v1/design/:id/${picture.path}`,
    {
      config: { scope: 'render', operation: picture.path },
      schema: {
        operationId: picture.operationId,
        summary: picture.what,
        description: "At the photo's own size and place. Joins a cutout that is still being made.",
        tags: ['Designs'],
        params: z.object({ id: z.string().max(100) }),
        response: {
          200: {
            description: picture.what,
            content: {
              [picture.contentType]: { schema: z.any().meta({ type: 'string', format: 'binary' }) },
            },
          },
          default: problemResponse,
        },
      },
    },
    async (request, reply) => {
      const design = await designs.resolveDesign(request.params.id, callerOf(request).accountId);
      const deadline = AbortSignal.timeout(published.deadlineMs.generated);
      const signal = AbortSignal.any([deadline, goneSignal(reply)]);
      try {
        const joined = await cutouts.joinCutout(design, signal);
        const etag = etagOf(joined.design, picture);
        const bytes = knownEtags(request).includes(etag) ? null : await read(joined.design, signal);
        return sendImage(reply, {
          bytes,
          contentType: picture.contentType,
          etag,
          timings: joined.timings,
          warnings: [],
        });
      } catch (error) {
        if (error instanceof PackshotError || !deadline.aborted) throw error;
        throw new PackshotError('deadline_exceeded', 'The cutout is not done yet; the work goes on.', {
          cause: error,
          retryAfterS: 2,
        });
      }
    },
  );
}

function etagOf(design: ReadyDesign, picture: Picture): string {
  const inputs = JSON.stringify([design.id, design.cutoutVersion, picture.path]);
  return `"${createHash('sha256').update(inputs).digest('base64url').slice(0, 27)}"`;
}
