/** GET /p/…: the picture of a signed URL, without a key. POST /v1/picture-urls signs such a URL. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { optional } from '../../optional.ts';
import { pictureSuffixes } from '../../picture-urls/picture-path.ts';
import type { ShownPicture } from '../../picture-urls/show-picture.ts';
import { contentTypes } from '../../rendering/render-target.ts';
import { callerOf } from '../api-key.ts';
import { baseOf } from '../base-url.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { fileAnswer, holdsPicture, knownEtags, toBuffer } from '../image-answer.ts';
import { qualityField, recipeFields } from '../recipe-fields.ts';

/** Maximum characters of a source: a photo's URL of at most 8,192 characters, in base64url. */
export const LONGEST_SOURCE = 11_000;

const anyPicture = {
  ...fileAnswer('image/jpeg'),
  content: Object.assign(
    {},
    ...Object.values(contentTypes).map((type) => fileAnswer(type).content),
  ) as ReturnType<typeof fileAnswer>['content'],
};

export function addPictureUrl(server: Server, { showPicture }: ServerDependencies): void {
  server.get(
    '/p/:signature/:source/:recipe/:file',
    {
      config: { operation: 'picture-url' },
      schema: {
        operationId: 'getPicture',
        summary: 'Get the picture of a signed URL',
        description:
          'Needs no key: the URL is signed. `/p/{signature}/{design or source}/{recipe}/{options}.{suffix}`; docs/picture-urls.md lists the options. Rendered and charged once, then served from the store. Supports `If-None-Match`, `Range` and HEAD.',
        tags: ['Pictures'],
        security: [],
        params: z.object({
          signature: z.string().max(100),
          source: z
            .string()
            .max(LONGEST_SOURCE)
            .describe('The id of a design, or `url_` and the URL of a photo in base64url.'),
          recipe: z.string().max(100),
          file: z.string().max(500).describe('Options and suffix, such as `w_800-q_82.jpg`.'),
        }),
        response: { 200: anyPicture, 206: anyPicture },
      },
    },
    async (request, reply) => {
      const { signature } = request.params;
      const shown = await showPicture({
        signature,
        // Not the decoded parameter: the signature covers the path as it was sent.
        path: request.url.split('?')[0]!.slice(`/p/${signature}`.length),
        accept: request.headers.accept ?? '',
        knownEtags: knownEtags(request),
        elapsedMs: reply.elapsedTime,
        signal: disconnectSignal(reply),
      });
      // These URLs are meant for pages of other origins.
      reply.header('cross-origin-resource-policy', 'cross-origin').header('access-control-allow-origin', '*');
      return send(request, reply, shown);
    },
  );
}

function send(request: FastifyRequest, reply: FastifyReply, shown: ShownPicture): FastifyReply {
  const { etag, bytes, contentType, maxAgeS } = shown;
  reply.header('etag', etag).header('cache-control', `public, max-age=${maxAgeS}`);
  if (shown.isNegotiated) reply.header('vary', 'Accept');
  if (bytes === null || holdsPicture(request, etag)) return reply.status(304).send();
  reply.type(contentType).header('accept-ranges', 'bytes');
  const range = readRange(request.headers, etag, bytes.byteLength);
  if (range === undefined) return reply.send(toBuffer(bytes));
  const [start, end] = range;
  reply.status(206).header('content-range', `bytes ${start}-${end}/${bytes.byteLength}`);
  return reply.send(toBuffer(bytes.subarray(start, end + 1)));
}

/** One range of bytes (RFC 9110, 14.1.2), ends included. Undefined if the whole picture is an answer. */
function readRange(
  headers: FastifyRequest['headers'],
  etag: string,
  total: number,
): readonly [start: number, end: number] | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return undefined;
  const start = first === '' ? Math.max(0, total - Number(last)) : Number(first);
  const end = first === '' || last === '' ? total - 1 : Math.min(total - 1, Number(last));
  return start > end ? undefined : [start, end];
}

const pixels = z.int().min(16).max(2000);
const newUrlBody = z
  .strictObject({
    ...recipeFields,
    id: z.string().max(100).optional().describe('The design id from an upload. Either `id` or `url`.'),
    url: optional(
      z.string().max(8192),
      'URL of a photo, whose host the operator must have listed in SOURCE_HOSTS.',
    ),
    format: optional(
      z.enum(pictureSuffixes),
      'Ending of the URL. `auto`: the best format that each caller accepts. Default: `jpg`.',
    ),
    width: pixels.optional().describe('The picture fits inside this width, in CSS pixels.'),
    height: pixels.optional().describe('The picture fits inside this height, in CSS pixels.'),
    dpr: z.number().min(1).max(4).optional().describe('Pixels per CSS pixel.'),
    quality: qualityField,
    expiresAt: z.iso.datetime().optional().describe('Default: the URL holds as long as its key.'),
  })
  .meta({ id: 'NewPictureUrl' });

const urlSchema = z
  .object({ url: z.string(), path: z.string().describe('The URL without its base.') })
  .meta({ id: 'PictureUrl' });

const signingKeySchema = z
  .object({
    keyId: z.string(),
    signingKey: z.string().describe('Secret: whoever has it can sign URLs, but make no other call.'),
    base: z.string().describe('What precedes the path in a URL.'),
  })
  .meta({ id: 'PictureSigningKey' });

export function addPictureSigning(server: Server, rooms: ServerDependencies): void {
  const { pictureUrls, publicUrl } = rooms;
  server.post(
    '/v1/picture-urls',
    {
      config: { scope: 'render', operation: 'sign-picture-url' },
      schema: {
        operationId: 'signPictureUrl',
        summary: 'Sign a URL that shows a picture without a key',
        description:
          'For `<img>`, feeds and imports. Nothing is rendered or charged until the URL is opened. The URL holds until it expires, or until the key is revoked.',
        tags: ['Pictures'],
        body: newUrlBody,
        response: { 200: urlSchema },
      },
    },
    async (request) => {
      const { id, url, recipeId, variant, mutations, format = 'jpg', expiresAt, ...size } = request.body;
      if ((id === undefined) === (url === undefined))
        throw new PackshotError('invalid_field', 'Send either "id" or "url".', { pointer: '/id' });
      const path = pictureUrls.signUrl(callerOf(request).keyId, {
        source: url === undefined ? { designId: id! } : { url },
        ...{ recipeId, variant, mutations, suffix: format },
        size: {
          ...(size.width !== undefined && { w: size.width }),
          ...(size.height !== undefined && { h: size.height }),
          ...(size.quality !== undefined && { q: size.quality }),
          ...(size.dpr !== undefined && { dpr: size.dpr }),
          ...(expiresAt !== undefined && { exp: Math.floor(Date.parse(expiresAt) / 1000) }),
        },
      });
      if (path === undefined)
        throw new PackshotError(
          'invalid_mutation',
          'A URL cannot show an illustration from another host, a logo, an uncut photo or "layout.fit". A look can: keep one, and send its id as "recipeId".',
          { pointer: '/mutations' },
        );
      return { url: baseOf(request, publicUrl) + path, path };
    },
  );
  server.get(
    '/v1/picture-urls/key',
    {
      config: { scope: 'render', operation: 'picture-signing-key' },
      schema: {
        operationId: 'getPictureSigningKey',
        summary: 'Get the key with which you can sign picture URLs yourself',
        description:
          "Derived from your API key's id: it ends when the API key is revoked. docs/picture-urls.md shows how to sign.",
        tags: ['Pictures'],
        response: { 200: signingKeySchema },
      },
    },
    async (request) => ({
      ...pictureUrls.signingKeyOf(callerOf(request).keyId),
      base: baseOf(request, publicUrl),
    }),
  );
}
