/** POST /v1/design/preview.webp, /v1/design/generated.jpeg, and the same in the other formats: renders a picture. */

import { PackshotError } from 'packshot-errors';
import { z } from 'zod';
import { fromMilli } from '../../accounts/credit-store.ts';
import {
  contentTypes,
  type RenderTarget,
  renderTarget,
  sampleTarget,
  withWishes,
} from '../../rendering/render-target.ts';
import { callerOf } from '../api-key.ts';
import { baseOf } from '../base-url.ts';
import { spentMs } from '../call-deadline.ts';
import type { Server, ServerDependencies } from '../dependencies.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import { fileAnswer, knownEtags, sendImage } from '../image-answer.ts';
import {
  dpiField,
  metadataField,
  qualityField,
  recipeFields,
  refuseLossless,
  sizeFields,
} from '../recipe-fields.ts';
import { addReceipt } from './credits.ts';

const renderBody = z
  .strictObject({
    ...recipeFields,
    quality: qualityField,
    metadata: metadataField,
    dpi: dpiField,
    ...sizeFields,
    id: z.string().max(100).describe('The design id from an upload.'),
  })
  .meta({ id: 'Render' });

interface RenderEndpoint {
  readonly target: RenderTarget['name'];
  readonly format: RenderTarget['format'];
  readonly summary: string;
}

export function addPictures(server: Server, rooms: ServerDependencies): void {
  for (const format of ['webp', 'png', 'jpeg', 'avif'] as const)
    addPicture(server, rooms, { target: 'preview', format, summary: `Preview a recipe as ${format}` });
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const)
    addPicture(server, rooms, { target: 'generated', format, summary: `Make the full version as ${format}` });
}

function addPicture(
  server: Server,
  { renderDesign, chargeRender, credits, pictureUrls, publicUrl, published }: ServerDependencies,
  endpoint: RenderEndpoint,
): void {
  const { longEdgePx } = renderTarget(endpoint.target, endpoint.format);
  const name = `${endpoint.target}.${endpoint.format}`;
  const contentType = contentTypes[endpoint.format];
  server.post(
    `/v1/design/${name}`,
    {
      config: { scope: 'render', operation: name, picture: endpoint.target },
      schema: {
        operationId: `${endpoint.target === 'preview' ? 'renderPreview' : 'renderFull'}${endpoint.format[0]!.toUpperCase()}${endpoint.format.slice(1)}`,
        summary: endpoint.summary,
        description: `At most ${longEdgePx} px on the longest side. Waits for the cutout if it is still being made.`,
        tags: ['Pictures'],
        body: renderBody,
        response: { 200: fileAnswer(contentType) },
      },
    },
    async (request, reply) => {
      const known = knownEtags(request);
      const { accountId, keyId, sandbox } = callerOf(request);
      const target = readTarget(endpoint, request.body);
      const { id: designId, recipeId, variant, mutations } = request.body;
      const { result, receipt } = await chargeRender(
        { keyId, sandbox, size: target.name, mayBeKnown: known.length > 0 },
        (claim) =>
          renderDesign({
            ...{ designId, accountId, keyId, recipeId, variant, mutations },
            target: sandbox ? sampleTarget(target) : target,
            knownEtags: known,
            claim,
            mayBeDraft: true,
            elapsedMs: spentMs(reply, published.deadlineMs[endpoint.target]),
            signal: disconnectSignal(reply),
          }),
      ).catch(async (error: unknown) => {
        if (error instanceof PackshotError && error.code === 'insufficient_credits') {
          const { remainingMilli } = await credits.readQuota(keyId);
          addReceipt(reply, { charged: 0, remaining: fromMilli(remainingMilli ?? 0) });
        }
        throw error;
      });
      const { etag, picture, timings } = result;
      addReceipt(reply, receipt);
      const { quality, metadata, dpi, longEdgePx, maxBytes } = request.body;
      const path = pictureUrls.signRender(keyId, {
        ...{ designId, recipeId, variant, mutations, quality, metadata, dpi, longEdgePx, maxBytes },
        ...{ size: endpoint.target, format: endpoint.format },
      });
      if (path !== undefined) reply.header('content-location', baseOf(request, publicUrl) + path);
      return sendImage(reply, {
        bytes: picture?.bytes ?? null,
        contentType,
        etag,
        timings,
        warnings: picture?.warnings ?? [],
      });
    },
  );
}

function readTarget(
  { target, format }: RenderEndpoint,
  { quality, ...wishes }: z.output<typeof renderBody>,
): RenderTarget {
  refuseLossless(format, { quality, ...wishes });
  return withWishes(renderTarget(target, format, quality), wishes);
}
