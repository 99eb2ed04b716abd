/** Common implementation of the two render endpoints in all formats. */
import { z } from 'zod';
import { fromMilli } from '../accounts/credit-store.ts';
import { PackshotError } from '../errors.ts';
import { contentTypes, type RenderTarget, renderTarget, sampleTarget } from '../rendering/render-target.ts';
import { callerOf } from './api-key.ts';
import type { Server, ServerDependencies } from './dependencies.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { knownEtags, sendImage } from './image-answer.ts';
import { recipeFields } from './recipe-fields.ts';
import { addReceipt } from './routes/credits.ts';

const renderBody = z
  .strictObject({
    ...recipeFields,
    id: z.string().max(100).describe('The design id from an upload.'),
  })
  .meta({ id: 'Render' });

export function addRenderEndpoint(
  server: Server,
  { renderDesign, chargeRender, credits }: ServerDependencies,
  endpoint: {
    readonly target: RenderTarget['name'];
    readonly format: RenderTarget['format'];
    readonly summary: string;
  },
): void {
  const target = renderTarget(endpoint.target, endpoint.format);
  const name = `${target.name}.${target.format}`;
  const contentType = contentTypes[target.format];
  server.post(
    `/v1/design/${name}`,
    {
      config: { scope: 'render', operation: name, deadline: target.name },
      schema: {
        operationId: `${target.name === 'preview' ? 'renderPreview' : 'renderFull'}${target.format[0]!.toUpperCase()}${target.format.slice(1)}`,
        summary: endpoint.summary,
        description: `At most ${target.longEdgePx} px on the longest side. Waits for the cutout if it is still being made.`,
        tags: ['Pictures'],
        body: renderBody,
        response: {
          200: {
            description: 'The picture.',
            content: { [contentType]: { schema: z.any().meta({ type: 'string', format: 'binary' }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const known = knownEtags(request);
      const { keyId, sandbox } = caller;
      const { result, receipt } = await chargeRender(
        { keyId, sandbox, size: target.name, mayBeKnown: known.length > 0 },
        (claim) =>
          renderDesign({
            designId: request.body.id,
            accountId: caller.accountId,
            keyId,
            recipeId: request.body.recipeId,
            variant: request.body.variant,
            mutations: request.body.mutations,
            target: sandbox ? sampleTarget(target) : target,
            knownEtags: known,
            claim,
            elapsedMs: reply.elapsedTime,
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
