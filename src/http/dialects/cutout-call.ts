/**
 * The steps that all cutout calls of the drop-in interfaces share: checking the caller's scopes, reading the body, and
 * deleting the design after the response.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireScope } from '../../accounts/authenticate.ts';
import type { DialectCall, DialectCutout } from '../../dialects/cut-for-dialect.ts';
import { callerOf } from '../api-key.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { toBuffer, toServerTiming } from '../image-answer.ts';

/** `refuseRegion` and `blameFetch` are for dialects that have regions of the photo, or photos by URL. */
export async function cutForCall(
  { cutForDialect }: Pick<ServerDependencies, 'cutForDialect'>,
  request: FastifyRequest,
  reply: FastifyReply,
  words: Pick<DialectCall, 'timeoutMs' | 'readOrder'> &
    Partial<Pick<DialectCall, 'refuseRegion' | 'blameFetch'>>,
): Promise<DialectCutout> {
  const caller = callerOf(request);
  // The route requires the scope `render`; sending a photo also requires `upload`.
  requireScope(caller, 'upload');
  const cutout = await cutForDialect({
    refuseRegion: (fault) => new Error(fault),
    blameFetch: (error) => error,
    ...words,
    caller,
    signal: disconnectSignal(reply),
    onDesign: (id) => {
      request.designId = id;
    },
    afterwards(work) {
      if (reply.raw.destroyed) void work();
      else reply.raw.once('close', () => void work());
    },
  });
  if (cutout.timings.length > 0) reply.header('server-timing', toServerTiming(cutout.timings));
  return cutout;
}

/** Sends the picture or, if the client wants JSON, an object with the picture as base64. */
export function sendCutout(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, contentType }: DialectCutout,
  toJson: (base64: string) => object,
): FastifyReply {
  const picture = toBuffer(bytes);
  if (!wantsJson(request)) return reply.type(contentType).send(picture);
  return reply.type('application/json').send(JSON.stringify(toJson(picture.toString('base64'))));
}

/**
 * Whether to respond with JSON: if the Accept header names it, but neither a wildcard nor an image type. Browsers send
 * both of these, so they get the picture, as from the original services.
 */
function wantsJson({ headers: { accept = '' } }: FastifyRequest): boolean {
  const types = accept.split(',').map((type) => type.split(';')[0]!.trim().toLowerCase());
  return (
    types.includes('application/json') && !types.some((type) => type === '*/*' || type.startsWith('image/'))
  );
}
