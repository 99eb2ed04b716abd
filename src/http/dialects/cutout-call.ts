/**
 * What all calls of drop-in interfaces that cut out a photo have in common: checking the caller's scopes, reading the
 * body, and deleting the design after the response.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireScope } from '../../accounts/authenticate.ts';
import type { DialectCall, DialectCutout } from '../../dialects/cut-for-dialect.ts';
import { callerOf } from '../api-key.ts';
import type { ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { toServerTiming } from '../image-answer.ts';

export type CutoutWords = Pick<DialectCall, 'readOrder' | 'refuseRegion' | 'blameFetch'>;

export async function cutForCall(
  { cutForDialect }: Pick<ServerDependencies, 'cutForDialect'>,
  request: FastifyRequest,
  reply: FastifyReply,
  words: CutoutWords,
): Promise<DialectCutout> {
  const caller = callerOf(request);
  // The route requires the scope `render`; sending a photo also requires `upload`.
  requireScope(caller, 'upload');
  const cutout = await cutForDialect({
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

/**
 * Whether to respond with JSON: if the Accept header names it, but neither a wildcard nor an image type. Browsers send
 * both of these, so they get the picture, as from the original services.
 */
export function wantsJson({ headers: { accept = '' } }: FastifyRequest): boolean {
  const types = accept.split(',').map((type) => type.split(';')[0]!.trim().toLowerCase());
  return (
    types.includes('application/json') && !types.some((type) => type === '*/*' || type.startsWith('image/'))
  );
}
